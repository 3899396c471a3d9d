// bench_kernels [DEVICE [DTYPE [LONGEST [BATCH…]]]]: attentions alone, three heads of 64 channels, N queries and keys: our kernels next to LibTorch's
// operators and its fused softmax, in turns. One line for each N (196, 784, 1024, 3136, 8192, up to LONGEST) and batch (1 and 256):
// milliseconds, medians; times of fused softmax; times by which the operators are slower; memory in multiples of q.
// ATTNSCOPE_BENCH_SECONDS: how long each is timed (0.3); 0 for a profiler, which is slow.
#include "core/attention/attention_backend.h"
#include "core/device/device.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"
#include "core/measure/statistics.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace attnscope;

struct Attention {
    const char* title;
    const char* own;
    const char* operators;  ///< as published: nothing is cut into blocks
};

const Attention attentions[] = {
    {"Performer-16", "performer:samples=16", "performer:samples=16,kernel=plain"},
    {"Performer-49", "performer:samples=49", "performer:samples=49,kernel=plain"},
    {"LARA-16", "lara:samples=16,landmarks=segments,proposal=mixed,beta=2",
     "lara:samples=16,landmarks=segments,proposal=mixed,beta=2,kernel=plain"},
    {"LARA-49", "lara:samples=49,landmarks=segments,proposal=mixed,beta=2",
     "lara:samples=49,landmarks=segments,proposal=mixed,beta=2,kernel=plain"},
    {"RFA-64", "rfa:samples=64", "rfa:samples=64,kernel=plain"},
    {"RA", "ra", "ra:kernel=plain,block=65536"},
    {"RA biased", "ra:mode=biased", "ra:mode=biased,kernel=plain,block=65536"},
};

AttentionInput inputOf(int64_t batch, int64_t tokens, const at::Device& device, at::ScalarType type)
{
    constexpr int64_t heads = 3, width = 64;
    const auto packed =
        at::randn({batch, tokens, 3, heads, width}, at::TensorOptions(device)).to(type).permute({2, 0, 3, 1, 4});
    return {.q = packed[0], .k = packed[1], .v = packed[2], .scale = 1 / std::sqrt(double(width))};
}

/// Of one call; empty where there is not enough memory.
class Timed {
public:
    Timed(const char* spec, const AttentionInput& in)
        : m_in(in)
        , m_backend(makeBackend(AttentionSpec::parse(spec), {in.q.size(1), in.q.size(3), in.tokens, {}}))
        , m_timer(in.q.device())
    {
        timePass();  // what is made once
        AllocationMeter meter(in.q.device());
        timePass();
        m_bytes = meter.peak();
        m_timings.totalMs.clear();
    }

    void timePass()
    {
        m_timer.begin();
        m_backend->attend(m_in, m_noise);
        m_timer.end();
        m_timings.totalMs.push_back(m_timer.take());
    }
    bool enough(double seconds) const { return m_timings.enough(5, seconds) || m_timings.seconds() > 4 * seconds; }
    double median() const { return quantile(m_timings.totalMs, 0.5); }
    double memory() const { return double(m_bytes) / double(m_in.q.nbytes()); }

    static std::optional<Timed> of(const char* spec, const AttentionInput& in)
    {
        try {
            return std::optional<Timed>(std::in_place, spec, in);
        } catch (const c10::OutOfMemoryError&) {
            return {};
        }
    }

private:
    const AttentionInput& m_in;
    std::shared_ptr<AttentionBackend> m_backend;
    SeededNoise m_noise{0, 0};
    SectionTimer m_timer;
    TimingSamples m_timings;
    int64_t m_bytes = 0;
};

void measure(std::vector<std::optional<Timed>*> all)
{
    const char* const given = std::getenv("ATTNSCOPE_BENCH_SECONDS");
    const double seconds = given != nullptr ? std::atof(given) : 0.3;
    for (bool more = true; more;) {
        more = false;
        for (std::optional<Timed>* one : all) {
            if (!one->has_value() || (*one)->enough(seconds))
                continue;
            (*one)->timePass();
            more = true;
        }
    }
}

void bench(int64_t batch, int64_t tokens, const at::Device& device, at::ScalarType type)
{
    const AttentionInput in = inputOf(batch, tokens, device, type);
    auto fused = Timed::of("softmax", in), explicitly = Timed::of("softmax:form=explicit", in);
    if (!fused)
        return;
    measure({&fused, &explicitly});
    std::printf("\nbatch %lld, N = %lld: fused softmax %.4f ms", static_cast<long long>(batch),
                static_cast<long long>(tokens), fused->median());
    explicitly ? std::printf(", with the matrix %.4f ms (%.2f times)\n", explicitly->median(),
                             explicitly->median() / fused->median())
               : std::printf(", with the matrix: not enough memory\n");
    explicitly.reset();
    for (const Attention& attention : attentions) {
        auto own = Timed::of(attention.own, in), operators = Timed::of(attention.operators, in);
        if (!own)
            continue;
        measure({&own, &operators, &fused});
        std::printf("  %-13s%11.4f ms%8.2f of fused softmax%8.2f q", attention.title, own->median(),
                    own->median() / fused->median(), own->memory());
        operators ? std::printf("%10.2f times slower by operators%9.1f q\n", operators->median() / own->median(),
                                operators->memory())
                  : std::printf("      operators: not enough memory\n");
        std::fflush(stdout);
    }
}

}

int main(int count, char** arguments)
{
    const auto argument = [&](int index, const char* usual) {
        return std::string(count > index ? arguments[index] : usual);
    };
    try {
        const at::Device device(resolveDevice(argument(1, "cuda")));
        const std::string dtype = argument(2, "bfloat16");
        std::vector<int64_t> batches;
        for (int i = 4; i < count; ++i)
            batches.push_back(std::atoll(arguments[i]));
        if (batches.empty())
            batches = {1, 256};
        const c10::InferenceMode guard;
        std::printf("%s, kernels of %s, %s, 3 heads of 64 channels\n", summarise(device.str()).description.c_str(),
                    device.is_cpu() ? environment().kernels.c_str() : "the GPU", dtype.c_str());
        for (const int64_t batch : batches)
            for (const int64_t tokens : {196, 784, 1024, 3136, 8192})
                if (tokens <= std::atoll(argument(3, "8192").c_str()))
                    bench(batch, tokens, device, dtype == "float32" ? at::kFloat : at::kBFloat16);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_kernels: %s\n", error.what());
        return 1;
    }
}
