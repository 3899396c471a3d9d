// bench_sparse [TOKENS [THREADS [ROUNDS [SPEC…]]]]: sparse attentions alone next to fused softmax, interleaved, six heads of 64 channels on a
// CPU; with 4096 tokens by default, of whose pairs the attentions allow about a tenth. One line for each: pairs in per cent, medians of
// milliseconds, how many times as fast as softmax (median of the rounds' ratios; wall clock, and processor time of one thread), and peak
// memory in multiples of q.
#include "app/brief_waiting.h"
#include "core/attention/attention_backend.h"
#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "core/measure/memory.h"
#include "core/measure/statistics.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace attnscope;

constexpr int64_t heads = 6, width = 64;

/// Blocks of about 64 keys or more, then patterns token by token.
const std::vector<std::string> usual{"blockwise:blocks=10",
                                     "bigbird:block=8,places=line",
                                     "bigbird:block=8,radius=0,random=5",
                                     "longformer:radius=11",
                                     "longformer:radius=200,places=line",
                                     "longformer:radius=10,dilation=2",
                                     "strided:stride=400",
                                     "strided:pattern=strided,stride=200",
                                     "strided:pattern=fixed,stride=128,summary=9",
                                     "lsh:buckets=38",
                                     "etc:radius=10",
                                     "span:span=10",
                                     "clustered:topk=400"};

AttentionInput inputOf(int64_t tokens)
{
    const auto side = int64_t(std::sqrt(double(tokens)));
    const auto packed = at::randn({1, tokens, 3, heads, width}).permute({2, 0, 3, 1, 4});
    AttentionInput in{.q = packed[0], .k = packed[1], .v = packed[2], .scale = 1 / std::sqrt(double(width))};
    in.tokens = side * side == tokens ? TokenLayout{0, 1, side, side}
                                      : TokenLayout{tokens % side, 1, tokens / side, side};
    return in;
}

struct Times {
    double wallMs = 0, processorMs = 0;
};

double processorMs()
{
    std::timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

Times timed(const AttentionBackend& backend, const AttentionInput& in, NoiseSource& noise)
{
    const double before = processorMs();
    const auto begin = std::chrono::steady_clock::now();
    std::ignore = backend.attend(in, noise);
    return {std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count(),
            processorMs() - before};
}

void bench(const std::string& spec, const AttentionInput& in, int rounds)
{
    const BackendContext context{heads, width, in.tokens, {}};
    const auto sparse = makeBackend(AttentionSpec::parse(spec), context),
               softmax = makeBackend(AttentionSpec::parse("softmax"), context);
    SeededNoise noise(0, 0);
    timed(*sparse, in, noise);
    AllocationMeter meter(at::kCPU);
    timed(*sparse, in, noise);
    const int64_t bytes = meter.peak();
    const AllowedPairs allowed = sparse->allowedPairs(in, noise);
    std::vector<double> own, exact, faster, fasterByProcessor;
    for (int round = 0; round < rounds; ++round) {
        const Times reference = timed(*softmax, in, noise), one = timed(*sparse, in, noise);
        own.push_back(one.wallMs), exact.push_back(reference.wallMs);
        faster.push_back(reference.wallMs / one.wallMs);
        fasterByProcessor.push_back(reference.processorMs / one.processorMs);
    }
    const double pairs = double(allowed.pairs) / double(heads * in.q.size(2) * in.k.size(2));
    std::printf("%-44s%6.1f %%%10.2f ms, softmax%10.2f ms%8.2f times as fast%8.2f by processor time%6.2f q\n",
                spec.c_str(), 100 * pairs, quantile(own, 0.5), quantile(exact, 0.5), quantile(faster, 0.5),
                quantile(fasterByProcessor, 0.5), double(bytes) / double(in.q.nbytes()));
    std::fflush(stdout);
}

}

int main(int count, char** arguments)
{
    waitBriefly(arguments);
    keepFreedMemory();
    try {
        const auto argument = [&](int index, const char* usual) {
            return std::string(count > index ? arguments[index] : usual);
        };
        setThreads(std::stoll(argument(2, "1")));
        const c10::InferenceMode guard;
        const AttentionInput in = inputOf(std::stoll(argument(1, "4096")));
        const std::vector<std::string> specs = count > 4
                                                   ? std::vector<std::string>(arguments + 4, arguments + count)
                                                   : usual;
        std::printf("kernels of %s\n", environment().kernels.c_str());
        for (const std::string& spec : specs)
            bench(spec, in, std::stoi(argument(3, "9")));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_sparse: %s\n", error.what());
        return 1;
    }
}
