// bench_pipeline [--workers N] [--cache FOLDER] [--video FILE] FOLDER: what an evaluation does before and next to the
// network, for images in class folders at DeiT's transform (256, 224) and for 30 views of a video as Motionformer sees them.
// Takes turns with other programs: for each line of its input it replies with milliseconds. tests/bench/pipelines.py drives it.
//
//     load            reads, decodes and preprocesses all images once, in batches of 32
//     cached          the same with the cache, which the first time fills: its opening is in the figure
//     attentions K    predicts them with K attentions in one evaluation; the milliseconds in which its threads were loading
//     views           opens the video and makes its 30 views
#include "core/base/error.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/data/loading/batch_loader.h"
#include "core/device/freed_memory.h"
#include "core/evaluate/batch_predictions.h"
#include "core/evaluate/sample_readers.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

namespace {

using namespace attnscope;
using Clock = std::chrono::steady_clock;

struct Setting {
    int64_t workers = std::max(1u, std::thread::hardware_concurrency());
    std::string cache, video, folder;
};

double millisecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Predictions at once: only the loading is measured.
class NoNetwork : public Classifier {
public:
    NoNetwork()
    {
        m_summary.name = "none";
        m_summary.classes = 2;
        m_summary.input = {3, 224, 224};
        m_summary.weights = WeightsKind::Trained;
    }
    const ModelSummary& describe() const override { return m_summary; }
    Transform transform() const override { return {}; }
    at::Device device() const override { return at::kCPU; }
    at::ScalarType dtype() const override { return at::kFloat; }
    int64_t weightBytes(const PreparedAttention&) const override { return 0; }
    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override
    {
        PreparedAttention prepared;
        prepared.requested = prepared.resolved = spec;
        prepared.seed = seed;
        return prepared;
    }
    at::Tensor logits(const at::Tensor& input, const PreparedAttention&, ForwardObserver*) const override
    {
        return at::zeros({input.size(0), 2});
    }
    double multiplyAdds(const PreparedAttention&) const override { return 0; }
    AttentionShape attentionShape(int64_t) const override { return {}; }
    void checkInput(const std::vector<int64_t>&) const override {}

private:
    ModelSummary m_summary;
};

class Bench {
public:
    explicit Bench(Setting setting)
        : m_setting(std::move(setting))
    {
        auto data = std::make_shared<LabelledSet>(scanLabelled(m_setting.folder, FolderLayout::ImageNet));
        for (LabelledFile& file : data->files)
            file.label = 0;
        m_images.data = std::move(data);
    }

    double load(bool cached) const
    {
        const auto begin = Clock::now();
        BatchPlan plan = batches();
        if (cached)
            plan.reading.cache = std::make_shared<CropCache>(
                CropCache::Options{m_setting.cache, cropDescription(plan.reading), 3 * 224 * 224});
        BatchLoaderOf<uint8_t>::Plan loading;
        for (const int64_t number : plan.batches)
            loading.batches.push_back(plan.samplesOf(number));
        loading.workers = plan.workers;
        loading.makeWriter = pixelWriters({plan.reading});
        BatchLoaderOf<uint8_t> loader(std::move(loading));
        while (auto batch = loader.next()) {
            if (!batch->unreadable.empty())
                throw FileError(m_setting.folder, batch->unreadable.front().reason);
            loader.reuse(std::move(batch->input));
        }
        return millisecondsSince(begin);
    }

    double attentions(int count) const
    {
        const c10::InferenceMode guard;
        const NoNetwork network;
        std::vector<AttentionSpec> specs;
        for (int i = 0; i < count; ++i)
            specs.push_back(AttentionSpec::parse("performer:samples=" + std::to_string(16 + i)));
        NetworkRuns runs(network, specs, 0);
        const BatchPlan plan = batches();
        const auto predictions = predictImages({plan}, runs);
        for (size_t batch = 0; batch < plan.batches.size(); ++batch)
            predictions->next({});
        return predictions->load().workedSeconds * 1e3;
    }

    double views() const
    {
        LabelledSet set;
        set.video = true;
        set.files.push_back({m_setting.video, 0});
        ReadingRequest reading;
        reading.data = std::make_shared<const LabelledSet>(set);
        reading.views.frames = 16;
        reading.views.interval = 4;
        reading.views.grid = {10, 3};
        reading.views.transform = {.resize = 224,
                                   .filter = ResizeFilter::Bilinear,
                                   .mean = {0.5f, 0.5f, 0.5f},
                                   .stddev = {0.5f, 0.5f, 0.5f}};
        const ViewOpener open = videoOpeners(reading)();
        const auto begin = Clock::now();
        const OpenedViews opened = open(0);
        for (size_t view = 0; view < opened.count; ++view)
            opened.view(view);
        return millisecondsSince(begin);
    }

private:
    BatchPlan batches() const
    {
        BatchPlan plan;
        plan.reading = m_images;
        plan.batch = 32;
        plan.workers = m_setting.workers;
        plan.classes = 2;
        for (int64_t number = 0; number * plan.batch < std::ssize(m_images.data->files); ++number)
            plan.batches.push_back(number);
        return plan;
    }

    Setting m_setting;
    ReadingRequest m_images;
};

Setting parse(int count, char** words)
{
    Setting setting;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (!word.starts_with("--"))
            setting.folder = word;
        else if (++i == count)
            throw UsageError(word, "its value is missing");
        else if (word == "--workers")
            setting.workers = std::stoll(words[i]);
        else if (word == "--cache")
            setting.cache = words[i];
        else if (word == "--video")
            setting.video = words[i];
    }
    if (setting.folder.empty())
        throw UsageError("", "no folder was named",
                         "usage: bench_pipeline [--workers N] [--cache FOLDER] [--video FILE] FOLDER");
    return setting;
}

}

int main(int count, char** words)
try {
    keepFreedMemory();
    const Bench bench(parse(count, words));
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream requested(line);
        std::string what;
        int number = 1;
        requested >> what >> number;
        std::cout << (what == "views"        ? bench.views()
                      : what == "attentions" ? bench.attentions(number)
                                             : bench.load(what == "cached"))
                  << std::endl;
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_pipeline: %s\n", error.what());
    return 1;
}
