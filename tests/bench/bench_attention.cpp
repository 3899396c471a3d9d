// bench_attention op|encoder TOKENS [THREADS]: one attention of three heads of 64 over random q, k, v as a model hands them over, or an
// encoder of eight layers of 192 (LARA paper, table 6). Takes turns with other engines: for each line of its input, `SPEC SECONDS`, it
// replies with the median of milliseconds over so many seconds and the peak of live tensor bytes. tests/bench/rivals_attention.py drives it.
#include "app/brief_waiting.h"
#include "core/attention/attention_backend.h"
#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "core/lab/scale/scale_encoder.h"
#include "core/measure/memory.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace attnscope;
using Clock = std::chrono::steady_clock;

constexpr int64_t heads = 3, width = 64;

/// Makes what is timed of a specification.
using Maker = std::function<std::function<void()>(const AttentionSpec& spec)>;

Maker operations(int64_t tokens)
{
    const auto qkv = at::randn({1, tokens, 3, heads, width}).permute({2, 0, 3, 1, 4});
    const AttentionInput in{
        .q = qkv[0], .k = qkv[1], .v = qkv[2], .scale = 1 / std::sqrt(double(width)), .tokens = squarest(tokens)};
    return [in](const AttentionSpec& spec) -> std::function<void()> {
        const auto backend = makeBackend(spec, {heads, width, in.tokens, {}});
        const auto noise = std::make_shared<SeededNoise>(0, 0);
        return [in, backend, noise] { backend->attend(in, *noise); };
    };
}

Maker encoders(int64_t tokens)
{
    const auto encoder = std::make_shared<ScaleEncoder>(ScaleRequest{}, at::kCPU, at::kFloat);
    const auto x = encoder->tokens(tokens);
    return [encoder, x, tokens](const AttentionSpec& spec) -> std::function<void()> {
        const auto layers = encoder->prepare(spec, tokens);
        return [encoder, x, layers] {
            ScaleEncoder::Meters nobody;
            encoder->forward(x, layers, nobody);
        };
    };
}

double medianOfSeconds(const std::function<void()>& pass, double seconds)
{
    std::vector<double> times;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (Clock::now() < end || times.size() < 3) {
        const auto begin = Clock::now();
        pass();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    const auto middle = times.begin() + ptrdiff_t(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

int64_t peakOf(const std::function<void()>& pass)
{
    const AllocationMeter meter(at::kCPU);
    pass();
    return meter.peak();
}

}

int main(int count, char** arguments)
{
    waitBriefly(arguments);
    const std::string mode = count > 2 ? arguments[1] : "";
    if (mode != "op" && mode != "encoder") {
        std::fprintf(stderr, "usage: bench_attention op|encoder TOKENS [THREADS]\n");
        return 2;
    }
    keepFreedMemory();
    setThreads(count > 3 ? std::stoll(arguments[3]) : 0);
    const c10::InferenceMode guard;
    const Maker make = (mode == "op" ? operations : encoders)(std::stoll(arguments[2]));
    std::map<std::string, std::function<void()>> passes;
    std::string text;
    for (double seconds = 0; std::cin >> text >> seconds;) {
        auto& pass = passes[text];
        if (!pass) {
            pass = make(AttentionSpec::parse(text));
            pass();
        }
        const double milliseconds = medianOfSeconds(pass, seconds);
        std::cout << milliseconds << ' ' << peakOf(pass) << std::endl;
    }
    return 0;
}
