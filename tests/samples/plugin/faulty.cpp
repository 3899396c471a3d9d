// A plug-in that does what the environment variable PLUGIN_FAULT says, for tests of what becomes of it.
#include <attnscope_plugin.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <unistd.h>

namespace {

std::string_view fault()
{
    const char* const named = std::getenv("PLUGIN_FAULT");
    return named == nullptr ? "" : named;
}

}

const char* attnscope_describe_v1()
{
    return fault() == "no json"   ? "relu"
           : fault() == "version" ? R"({"abi": 2, "name": "faulty"})"
           : fault() == "name"    ? R"({"abi": 1, "name": "../faulty"})"
           : fault() == "no name" ? R"({"abi": 1})"
           : fault() == "kind"    ? R"({"abi": 1, "name": "faulty", "kind": "exact"})"
           : fault() == "null"    ? nullptr
                                  : R"({"abi": 1, "name": "faulty"})";
}

int attnscope_attention_v1(const AttnscopeTensor* q, const AttnscopeTensor*, const AttnscopeTensor* v, double,
                           float* out, char* text, int64_t room)
{
    static int calls = 0;
    ++calls;
    if (fault() == "crash")
        std::raise(SIGSEGV);
    if (fault() == "hang")
        for (;;)
            ::usleep(1000);
    if (fault() == "exit")
        std::_Exit(0);
    if (fault() == "says") {
        std::strncpy(text, "it is Sunday", size_t(room));
        return 7;
    }
    if (fault() == "fails")
        return 3;
    const int64_t count = q->size[0] * q->size[1] * q->size[2] * v->size[3];
    for (int64_t i = 0; i < count;
         ++i) {  // every query gets the first value of the batch's own element, or what the fault says
        const int64_t c = i % v->size[3], h = i / v->size[3] / q->size[2] % q->size[1],
                      b = i / v->size[3] / q->size[2] / q->size[1];
        const float value =
            v->data[(fault() == "batch" ? 0 : b) * v->stride[0] + h * v->stride[1] + c * v->stride[3]];
        out[i] = fault() == "nan"      ? 0.0f / (value - value)
                 : fault() == "square" ? value * value
                 : fault() == "random" ? value + float(calls)
                                       : value;
    }
    return 0;
}
