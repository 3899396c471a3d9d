// bench_trajectory [ROUNDS [THREADS]]: what absorbing W_k saves Motionformer (16 frames of 224 pixels, base width). Milliseconds of a pass of the
// network, of the temporal step of a layer as it is computed and as it is published (keys and values of every query and frame), in turns; and
// the pass with twelve published steps over the pass.
#include "app/brief_waiting.h"
#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "core/run/classifier.h"
#include "models/motionformer/motionformer_temporal.h"
#include "models/open_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace attnscope;

constexpr int64_t layers = 12, heads = 12, width = 768, times = 8, places = 196;

/// x (1,S,T',C), own (1,S,C) the trajectories' tokens in their own frame.
at::Tensor published(const at::Tensor& x, const at::Tensor& own, const LayerWeights& query,
                     const LayerWeights& keyValue)
{
    const auto split = [](const at::Tensor& y) { return y.unflatten(-1, {heads, width / heads}); };
    const auto q = split(at::linear(own, query.weight, query.bias)) / std::sqrt(double(width / heads));
    const auto k = split(at::linear(x, keyValue.weight, keyValue.bias).slice(-1, 0, width));  // (1,S,T',H,D)
    const auto weights = (q.unsqueeze(2) * k).sum(-1).softmax(2);
    return (weights.unsqueeze(-1) * split(x)).sum(2).flatten(2);
}

template <typename Work>
double millisecondsOf(const Work& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}

int main(int count, char** arguments)
{
    waitBriefly(arguments);
    keepFreedMemory();
    setThreads(count > 2 ? std::stoll(arguments[2]) : 0);
    const c10::InferenceMode guard;
    const auto network = openModel({.model = "motionformer_224_16x4", .weights = "untrained", .device = "cpu"});
    const auto attention = network->prepare(AttentionSpec::native(), 0);
    const at::Tensor input = at::randn({1, 3, 16, 224, 224}), x = at::randn({1, times * places, times, width});
    const auto frames = at::arange(times * places).div(places, "floor");
    const at::Tensor own = x[0].index({at::arange(times * places), frames}).unsqueeze(0);
    const LayerWeights query{at::randn({width, width}) / 28, at::randn({width})};
    const LayerWeights keyValue{at::randn({2 * width, width}) / 28, at::randn({2 * width})};
    const TemporalWeights folded{query, {keyValue.weight.slice(0, 0, width).contiguous(), {}}};
    std::printf("the two differ by %.1e\n",
                (temporalStep(x, heads, folded) - published(x, own, query, keyValue)).abs().max().item<double>());
    std::vector<double> ratios;
    for (int round = count > 1 ? std::stoi(arguments[1]) : 5; round > 0; --round) {
        const double pass = millisecondsOf([&] { network->logits(input, attention); });
        const double computed = millisecondsOf([&] { temporalStep(x, heads, folded); });
        const double asPublished = millisecondsOf([&] { published(x, own, query, keyValue); });
        ratios.push_back((pass + layers * (asPublished - computed)) / pass);
        std::printf("pass %.0f ms, step %.1f ms, as published %.1f ms: %.2f\n", pass, computed, asPublished,
                    ratios.back());
    }
    if (!ratios.empty())
        std::printf("median %.2f\n", medianOf(ratios));
    return 0;
}
