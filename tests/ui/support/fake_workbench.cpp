#include "tests/ui/support/fake_workbench.h"
#include "tests/support/timed_rounds.h"
#include "tests/ui/support/merged_grid.h"

#include "core/attention/attention_spec.h"
#include "core/base/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

namespace attnscope::ui::test {

namespace {

void wait(int milliseconds)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// 1 for softmax, growing with the letters of others: a stable number for every specification.
double weightOf(const AttentionSpec& spec)
{
    return spec.backend() == "softmax"
               ? 1.0
               : 1.0 + 0.01 * (std::accumulate(spec.canonical().begin(), spec.canonical().end(), 0) % 97);
}

class FakeWorkbench : public Workbench {
public:
    explicit FakeWorkbench(std::shared_ptr<FakeBehaviour> behaviour)
        : m_behaviour(std::move(behaviour))
    {}

    std::unique_ptr<FileReader> reader() override { return std::make_unique<FakeWorkbench>(m_behaviour); }

    Surroundings surroundings() override
    {
        ++m_behaviour->surroundings;
        if (m_behaviour->lost)
            throw Error("the machine", "says nothing of its devices", "ask again later");
        Surroundings out;
        out.devices = {{"cpu", "fake processor", true, "", int64_t{24} << 30, int64_t{20} << 30},
                       {"cuda", "", false, "no GPU in tests", 0, 0}};
        if (m_behaviour->gpus > 0)
            out.devices.pop_back();
        for (int i = 0; i < m_behaviour->gpus; ++i)
            out.devices.push_back(
                {"cuda:" + std::to_string(i), "fake GPU", true, "", int64_t{8} << 30, int64_t{7} << 30});
        out.models = {{"fake_tiny_patch16_224", "deit", "Fake tiny", 5'000'000, 1e9, {3, 224, 224}, "softmax", ""},
                      {"fake_base_distilled_patch16_384",
                       "deit",
                       "Fake base",
                       80'000'000,
                       1e10,
                       {3, 384, 384},
                       "softmax",
                       ""}};
        out.threads = 2;
        return out;
    }

    void setThreads(int64_t) override {}

    OpenedModel open(const ModelRequest& request) override
    {
        if (request.weights.find("broken") != std::string::npos)
            throw FileError(request.weights, "is no checkpoint", "give a safetensors file");
        ++m_behaviour->loads;
        m_behaviour->maxModels = std::max(++m_behaviour->models, m_behaviour->maxModels.load());
        OpenedModel model;
        model.classifier = {static_cast<const Classifier*>(nullptr),
                            [behaviour = m_behaviour](const Classifier*) { --behaviour->models; }};
        model.summary.name = request.model;
        model.summary.nativeAttention = "softmax";
        model.summary.weights = m_behaviour->trained ? WeightsKind::Trained : WeightsKind::Untrained;
        model.summary.input = {3, 224, 224};
        model.summary.tokens = 197;
        model.summary.layers = 12, model.summary.width = 384, model.summary.heads = 6;
        model.summary.classes = m_behaviour->classes;
        model.arithmetic = AttentionFraction{1e9, 2e8};
        model.device = "cpu";
        return model;
    }

    /// "broken" is no checkpoint, "unclear" does not say its heads, others fit the first model.
    Inspection inspect(const ModelRequest& request) override
    {
        if (request.weights.find("broken") != std::string::npos)
            throw FileError(request.weights, "is no checkpoint", "give a safetensors file");
        Inspection inspection;
        inspection.file = request.weights;
        inspection.identity.family = "deit";
        inspection.identity.title = "DeiT";
        inspection.identity.reason = "it has `cls_token`";
        if (request.weights.find("unclear") != std::string::npos) {
            inspection.identity.config["embed_dim"] = 192;
            inspection.identity.undecided = {"num_heads"};
            inspection.undecided = "nothing in it says the number of heads";
            return inspection;
        }
        inspection.identity.model = "deit_tiny_patch16_224";
        inspection.fit = LoadReport{
            .file = request.weights, .container = "safetensors", .model = inspection.identity.model, .used = 152};
        inspection.fit->notes = {"a note"};
        return inspection;
    }

    Clip read(const std::string& path, const std::vector<uint8_t>& bytes, const ImageReadOptions&) override
    {
        if (bytes.empty() && !std::filesystem::exists(path))
            throw FileError(path, "there is no such file", "give a picture");
        std::ifstream file(path);
        char first = 'P';
        if (bytes.empty())
            file.get(first);
        if (first == '<')
            throw FileError(path, "is not a picture (it starts with \"<\")", "give a JPEG or PNG");
        Clip clip;
        clip.frames = 1;
        clip.width = 90;
        clip.height = 60;
        clip.orientation = path.find("turned") != std::string::npos ? 6 : 1;
        clip.pixels.resize(size_t(clip.width * clip.height * 3));
        for (size_t i = 0; i < clip.pixels.size(); ++i)
            clip.pixels[i] = uint8_t(90 + (i * 7) % 80);
        return clip;
    }

    bool isVideo(const std::string& path) override { return path.ends_with(".mp4"); }

    Glance glance(const std::string& path, const Limits& limits) override
    {
        return {read(path, {}, {Orientation::Ignore, limits}), 90, 60, false, 4, 30};
    }

    /// Clips of four frames, a second apart; frames of clip c are grey, the lighter the later.
    VideoViews views(const OpenedModel&, const std::string& path, const ViewGrid& grid, const Limits& limits,
                     std::stop_token) override
    {
        read(path, {}, {Orientation::Ignore, limits});
        VideoViews views{
            .width = 90, .height = 60, .rate = 30, .seconds = 4, .grid = grid, .sampling = "fake sampling"};
        for (int64_t clip = 0; clip < grid.clips; ++clip)
            for (int64_t crop = 0; crop < grid.crops; ++crop)
                views.views.push_back({clip,
                                       crop,
                                       {clip * 30, clip * 30 + 4, clip * 30 + 8, clip * 30 + 12},
                                       {double(clip), clip + 0.1, clip + 0.2, clip + 0.3}});
        views.view = [](size_t view) {
            FloatArray values{{3, 4, 16, 16}, std::vector<float>(3 * 4 * 16 * 16)};
            std::fill(values.values.begin(), values.values.end(), 0.1f * float(view));
            return values;
        };
        return views;
    }

    std::vector<ComparedNetwork> networks(const std::vector<ModelRequest>& checkpoints,
                                          const std::vector<AttentionSpec>&, const NetworkOpener& open) override
    {
        for (const ModelRequest& request : checkpoints)
            open(request);
        return {};
    }

    RunReport run(const std::vector<ComparedNetwork>&, const std::vector<InputSource>& inputs,
                  const RunRequest& request, RunObserver& observer, std::stop_token stop) override
    {
        ++m_behaviour->runs;
        m_behaviour->askedFeatures = request.features.has_value();
        RunReport report;
        for (size_t input = 0; input < inputs.size(); ++input) {
            try {
                report.inputs.push_back(
                    runInput(input, inputs[input], inputs[input].load(), request, observer, stop));
            } catch (const Error& error) {
                report.unreadable.push_back({inputs[input].path, error.reason()});
                observer.onUnreadable(input, report.unreadable.back());
            }
        }
        return report;
    }

private:
    void step(std::stop_token stop)
    {
        if (stop.stop_requested())
            throw Cancelled();
        wait(m_behaviour->stepMs + m_behaviour->blockMs);
        while (m_behaviour->hold) {
            if (stop.stop_requested())
                throw Cancelled();
            wait(2);
        }
        if (stop.stop_requested())
            throw Cancelled();
    }

    InputRecord runInput(size_t input, const InputSource& source, const LoadedInput& loaded,
                         const RunRequest& request, RunObserver& observer, std::stop_token stop)
    {
        InputRecord record;
        record.path = source.path;
        record.kind = source.kind;
        const auto* video = std::get_if<VideoViews>(&loaded);
        if (video != nullptr) {
            record.width = video->width;
            record.height = video->height;
            record.grid = video->grid;
            record.views = video->views;
            record.sampling = video->sampling;
            record.measuredView = int64_t(video->views.size() / 2);
        } else {
            record.width = std::get<Clip>(loaded).width;
            record.height = std::get<Clip>(loaded).height;
        }
        record.runs.resize(request.attention.size());
        for (size_t run = 0; run < record.runs.size(); ++run) {
            record.runs[run].attention = record.runs[run].resolved = request.attention[run].canonical();
            record.runs[run].backend = request.attention[run].backend();
            record.runs[run].weights = !m_behaviour->trained                           ? WeightsKind::Untrained
                                       : request.attention[run].backend() == "softmax" ? WeightsKind::Trained
                                                                                       : WeightsKind::Swapped;
        }
        observer.onInput(input, record);
        for (size_t run = 0; run < record.runs.size(); ++run) {
            predict(input, record.runs[run]);
            for (size_t view = 0; view < record.views.size(); ++view) {
                video->view(view);
                predictView(view, record.runs[run]);
                observer.onView(input, run, view, record.runs[run]);
            }
            observer.onRun(input, run, RunStage::Predict, record.runs[run]);
        }
        for (int repetition = 0; repetition < 20; ++repetition)
            for (size_t run = 0; run < record.runs.size(); ++run) {
                observer.onProgress(input, run, RunStage::Latency,
                                    {record.runs[run].attention + " · latency", repetition, 20});
                step(stop);
            }
        for (size_t run = 0; run < record.runs.size(); ++run) {
            const double weight = weightOf(request.attention[run]);
            record.runs[run].latency = attnscope::testing::inRounds(
                {60 * weight, 58 * weight, 63 * weight, 5 * weight, 4.8 * weight, 5.3 * weight, 20});
            observer.onRun(input, run, RunStage::Latency, record.runs[run]);
        }
        for (size_t run = 0; run < record.runs.size(); ++run) {
            if (int(run) == m_behaviour->failColumn)
                record.runs[run].failure = "fake: needs more memory than there is";
            else
                record.runs[run].memory = Memory{int64_t(2.4e7 / weightOf(request.attention[run])), 20'000'000,
                                                 1'000'000};
            observer.onRun(input, run, RunStage::Memory, record.runs[run]);
        }
        for (size_t run = 0; run < record.runs.size(); ++run) {
            if (!record.runs[run].failure.empty())
                continue;
            fillError(record.runs[run], weightOf(request.attention[run]) - 1);
            if (request.features || m_behaviour->classes == 0)
                fillFeatures(input, record.runs[run], weightOf(request.attention[run]) - 1);
            observer.onRun(input, run, RunStage::Error, record.runs[run]);
        }
        return record;
    }

    void predict(size_t input, RunRecord& record) const
    {
        record.macs = 1.3e9;
        if (AttentionSpec::parse(record.attention).tokens().merges())
            record.merged = test::mergedGrid(12, 14, 1, 1);
        if (m_behaviour->classes == 0)
            return record.views.resize(1);
        const bool other = record.backend == "performer" && input % 4 == 3;
        record.top = {{other ? 282 : 281, other ? "tiger cat" : "tabby", 0.71},
                      {other ? 281 : 282, other ? "tabby" : "tiger cat", 0.2},
                      {285, "Egyptian cat", 0.04},
                      {287, "lynx", 0.02},
                      {728, "plastic bag", 0.001}};
    }

    /// The last view of performer takes another class for the first.
    static void predictView(size_t view, RunRecord& record)
    {
        ViewPrediction prediction;
        prediction.probabilities.assign(1000, 0);
        prediction.top = record.top;
        if (record.backend == "performer" && view == 2)
            std::swap(prediction.top[0].index, prediction.top[1].index);
        for (const Prediction& one : prediction.top)
            prediction.probabilities[size_t(one.index)] = float(one.probability);
        record.views.push_back(prediction);
    }

    static void fillError(RunRecord& record, double relative)
    {
        ApproximationError error;
        error.deterministic = record.backend == "softmax";
        error.seeds = 3;
        error.error = {relative * relative, 0.001, relative, error.deterministic ? 0 : 0.02};
        record.error = error;
        record.endToEnd = EndToEnd{relative / 10, 1, true, {}};
    }

    /// 4×3 patches in colours; the further an attention is from softmax, the further its features, and the darker its patches.
    void fillFeatures(size_t input, RunRecord& record, double distance) const
    {
        FeatureDrift drift;
        drift.kind = "pooled";
        drift.cosine = 1 - distance / 4;
        drift.token = drift.cosine;
        drift.avg = 1 - distance / 8;
        drift.patches = CosineSummary{1 - distance / 3, 1 - distance / 2};
        drift.patchCosines.assign(12, 1 - distance / 3);
        drift.rows = 3, drift.columns = 4;
        for (int layer = 0; layer < 12; ++layer)
            drift.layers.push_back({1 - distance * layer / 48, 1 - distance * layer / 36});
        drift.exactColours = blankClip(1, 3, 4);
        for (size_t i = 0; i < drift.exactColours.pixels.size(); ++i)
            drift.exactColours.pixels[i] = uint8_t(60 + i * 37 % 190);
        drift.colours = drift.exactColours;
        for (uint8_t& value : drift.colours.pixels)
            value = uint8_t(value * drift.cosine);
        drift.variance = 0.62;
        for (int i = 0; i < 4; ++i) {
            drift.exact.push_back(float(std::cos(double(input) + i)));
            drift.values.push_back(drift.exact.back() + float(distance) * (i % 2 == 0 ? 1.0f : -1.0f));
        }
        record.features = Features{drift.kind, drift.values, 1};
        record.featureDrift = std::move(drift);
        record.endToEnd->hasClasses = m_behaviour->classes != 0;
    }

    std::shared_ptr<FakeBehaviour> m_behaviour;
};

}

std::unique_ptr<Workbench> fakeWorkbench(std::shared_ptr<FakeBehaviour> behaviour)
{
    return std::make_unique<FakeWorkbench>(std::move(behaviour));
}

}
