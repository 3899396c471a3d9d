// bench_evaluation FOLDER MODEL [DTYPE [ROUNDS]]: what reading costs an evaluation. Images a second (class folders of JPEGs, random weights, batches of
// 32) of the network alone and of an evaluation, in turns of ten batches, so that a noisy machine is noisy for both; and their ratio.
#include "app/brief_waiting.h"
#include "core/base/error.h"
#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "core/evaluate/batch_predictions.h"
#include "models/open_model.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace attnscope;
using Clock = std::chrono::steady_clock;

constexpr int64_t batchSize = 32, timed = 10, before = 2, behind = 3;

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

class Bench {
public:
    Bench(const std::string& folder, const Classifier& network)
        : m_runs(network, {AttentionSpec::parse("softmax")}, 0)
        , m_input(at::randn({batchSize, 3, 224, 224}))
    {
        auto data = std::make_shared<LabelledSet>(scanLabelled(folder, FolderLayout::ImageNet));
        for (LabelledFile& file : data->files)
            file.label = 0;
        m_plan.reading.data = std::move(data);
        m_plan.reading.views.transform = network.transform();
        m_plan.batch = batchSize;
        m_plan.workers = std::max(1u, std::thread::hardware_concurrency());
        m_plan.classes = network.describe().classes;
        if (std::ssize(m_plan.reading.data->files) < batchSize * (before + timed + behind))
            throw UsageError(folder, "it holds too few pictures", "give one of 480 or more");
    }

    double alone()
    {
        const auto begin = Clock::now();
        for (int64_t batch = 0; batch < timed; ++batch)
            m_runs.logits(0, {m_input, {}}, {});
        return rateSince(begin);
    }

    double evaluated()
    {
        BatchPlan plan = m_plan;
        const int64_t count = std::ssize(plan.reading.data->files) / batchSize;
        for (int64_t i = 0; i < before + timed + behind; ++i)
            plan.batches.push_back(m_next++ % count);
        const auto predictions = predictImages({plan}, m_runs);
        for (int64_t batch = 0; batch < before; ++batch)  // threads and decoders have begun
            predictions->next({});
        const auto begin = Clock::now();
        for (int64_t batch = 0; batch < timed; ++batch)
            predictions->next({});
        return rateSince(begin);
    }

private:
    static double rateSince(Clock::time_point begin)
    {
        return double(timed * batchSize) / std::chrono::duration<double>(Clock::now() - begin).count();
    }

    NetworkRuns m_runs;
    at::Tensor m_input;
    BatchPlan m_plan;
    int64_t m_next = 0;
};

}

int main(int count, char** arguments)
{
    waitBriefly(arguments);
    keepFreedMemory();
    if (count < 3) {
        std::fprintf(stderr, "usage: bench_evaluation FOLDER MODEL [DTYPE [ROUNDS]]\n");
        return 2;
    }
    try {
        const c10::InferenceMode guard;
        const auto network = openModel(
            {.model = arguments[2], .weights = "untrained", .dtype = count > 3 ? arguments[3] : "float32"});
        Bench bench(arguments[1], *network);
        std::vector<double> ratios;
        bench.alone();
        for (int round = count > 4 ? std::atoi(arguments[4]) : 8; round > 0; --round) {
            const double before = bench.alone(), evaluated = bench.evaluated(),
                         alone = (before + bench.alone()) / 2;
            ratios.push_back(evaluated / alone);
            std::printf("network alone %.1f, evaluation %.1f, ratio %.3f\n", alone, evaluated, ratios.back());
            std::fflush(stdout);
        }
        if (!ratios.empty())
            std::printf("median ratio %.3f\n", medianOf(ratios));
    } catch (const Error& error) {
        std::fprintf(stderr, "bench_evaluation: %s\n", error.what());
        return 1;
    }
    return 0;
}
