// bench_models MODEL BATCH [SPEC [DTYPE [THREADS [DEVICE]]]]: a forward pass over random images with random weights, planned for speed and as
// written. Interleaved with other engines: for each line of its input, `VARIANT SECONDS` (planned | plain), it replies with the median
// of milliseconds over so many seconds. tests/bench/rivals.py drives it.
#include "app/brief_waiting.h"
#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "core/kernels/linear_timings.h"
#include "core/measure/latency.h"
#include "core/run/classifier.h"
#include "models/open_model.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace attnscope;
using Clock = std::chrono::steady_clock;

struct Variant {
    const char* name;
    std::shared_ptr<const Classifier> network;
    PreparedAttention attention;
};

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double millisecondsOf(const Variant& variant, const at::Tensor& input)
{
    SectionTimer timer(input.device());
    timer.begin();
    variant.network->logits(input, variant.attention);
    timer.end();
    return timer.take();
}

double medianOfSeconds(const Variant& variant, const at::Tensor& input, double seconds)
{
    std::vector<double> times;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (Clock::now() < end || times.size() < 3)
        times.push_back(millisecondsOf(variant, input));
    return medianOf(std::move(times));
}

}

int main(int count, char** arguments)
{
    waitBriefly(arguments);
    if (count < 3) {
        std::fprintf(stderr, "usage: bench_models MODEL BATCH [SPEC [DTYPE [THREADS [DEVICE]]]]\n");
        return 2;
    }
    keepFreedMemory();
    const auto argument = [&](int index, const char* usual) {
        return std::string(count > index ? arguments[index] : usual);
    };
    setThreads(std::stoll(argument(5, "0")));
    kernels::keepLinearTimings(std::filesystem::temp_directory_path()
                               / "bench_models_linear_layers.json");  // as the programs do
    const c10::InferenceMode guard;
    ModelRequest request{.model = arguments[1],
                         .weights = "untrained",
                         .device = argument(6, "cpu"),
                         .dtype = argument(4, "float32")};
    std::vector<Variant> variants;
    for (const bool plain : {false, true}) {
        request.plain = plain;
        auto network = openModel(request);
        auto attention = network->prepare(AttentionSpec::parse(argument(3, "native")), 0);
        variants.push_back({plain ? "plain" : "planned", std::move(network), std::move(attention)});
    }
    auto shape = variants.front().network->describe().input;
    shape.insert(shape.begin(), std::stoll(arguments[2]));
    const at::Tensor input = at::randn(shape).to(variants.front().network->device(),
                                                 variants.front().network->dtype());
    for (int i = 0; i < 3; ++i)
        for (const Variant& variant : variants)
            millisecondsOf(variant, input);
    std::string name;
    for (double seconds = 0; std::cin >> name >> seconds;)
        for (Variant& variant : variants)
            if (name == variant.name)
                std::cout << medianOfSeconds(variant, input, seconds) << std::endl;
    return 0;
}
