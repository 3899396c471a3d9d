#include "tests/ui/support/scripted_evaluation.h"
#include "tests/support/timed_rounds.h"

#include "core/base/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

namespace attnscope::ui::test {

namespace {

void waitForSample(int milliseconds)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// 0 … 1, the same for the same arguments (a step of SplitMix64).
double drawn(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9E3779B97F4A7C15ULL + b * 0xBF58476D1CE4E5B9ULL + 0x94D049BB133111EBULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return double((x ^ (x >> 31)) >> 11) * 0x1.0p-53;
}

/// How often a backend is right: made up, and far enough apart to be told from each other.
double skillOf(const std::string& backend)
{
    return backend == "softmax" ? 0.95 : backend == "lara" ? 0.84 : backend == "performer" ? 0.61 : 0.7;
}

std::vector<std::string> classNames()
{
    return {"astronaut", "bottlecap", "camera", "cat",  "coffee", "coins",
            "eye",       "gravel",    "leaf",   "moon", "rocket", "tripod"};
}

LabelledSet dataOf(const std::string& folder, const EvaluationScript& script)
{
    if (folder.find("empty") != std::string::npos)
        throw FileError(folder, "has no class folders", "give a folder with a subfolder for each class");
    LabelledSet data;
    data.root = folder;
    data.video = script.video;
    data.layout = data.video ? FolderLayout::Kinetics : FolderLayout::ImageNet;
    data.classes = classNames();
    for (int64_t i = 0; i < script.samples; ++i) {
        const int64_t label = i * scriptedClasses / script.samples;
        data.files.push_back({folder + "/" + data.classes[size_t(label)] + "/" + std::to_string(1000 + i)
                                  + (data.video ? ".mp4" : ".jpg"),
                              label});
    }
    if (!script.note.empty())
        data.notes.push_back(script.note);
    return data;
}

std::vector<StoredRun> runsOf(const std::vector<AttentionSpec>& attention)
{
    std::vector<StoredRun> runs;
    for (const AttentionSpec& spec : attention) {
        StoredRun run;
        run.attention = run.resolved = spec.canonical();
        run.backend = spec.backend();
        run.weights = run.backend == "softmax" ? WeightsKind::Trained : WeightsKind::Swapped;
        const double cost = run.backend == "softmax"     ? 1.0
                            : run.backend == "lara"      ? 0.99
                            : run.backend == "performer" ? 0.8
                                                         : 1.1;
        run.latency = attnscope::testing::inRounds(
            {62.1 * cost, 60 * cost, 64.5 * cost, 4.9 * cost, 4.7 * cost, 5.2 * cost, 20},
            cost == 1 ? 0.02 : -0.02);
        run.memory = Memory{int64_t(24.5e6 * cost), 20'000'000, 1'000'000};
        run.error = ErrorValue{0.01, 0.001, 1 - skillOf(run.backend) / 0.95 + 0.01, 0.01};
        runs.push_back(run);
    }
    return runs;
}

EvaluationSettings settingsOf(const EvaluationRequest& request, const std::string& model)
{
    EvaluationSettings settings;
    settings.model = model;
    settings.modelDescription = "{}";
    settings.weights = "untrained, seed 0";
    settings.weightsHash = std::string(64, 'a');
    settings.transform = "resize 256, crop 224";
    settings.dtype = "float32";
    settings.device = "cpu";
    settings.threads = 2;
    settings.batch = scriptedBatch;
    settings.limit = request.limit;
    settings.seed = request.seed;
    settings.decoder = "scripted";
    settings.environment.attnscope = "0.1.0";
    settings.environment.torch = "2.11.0";
    settings.command = request.command;
    return settings;
}

/// One evaluation, batch by batch, into a store.
class Evaluation {
public:
    Evaluation(EvaluationScript& script, const EvaluationRequest& request, EvaluationObserver& observer,
               std::stop_token stop, const std::string& model)
        : m_script(script)
        , m_request(request)
        , m_observer(observer)
        , m_stop(std::move(stop))
        , m_runs(runsOf(request.attention))
        , m_store(request.store, ResultStore::Mode::Write)
    {
        if (request.limit > 0 && request.limit < int64_t(m_request.data.files.size()))
            m_request.data.files.resize(size_t(request.limit));
        m_id = m_store.begin(settingsOf(request, model), m_request.data, m_runs, request.resume);
        m_progress.total = int64_t(m_request.data.files.size());
        m_progress.runs.resize(m_runs.size());
    }

    int64_t run(int64_t most)
    {
        const auto finished = m_store.finishedBatches(m_id);
        const std::set<int64_t> there(finished.begin(), finished.end());
        recall();
        m_observer.onStart(m_id, m_progress);
        const int64_t batches = (m_progress.total + scriptedBatch - 1) / scriptedBatch;
        for (int64_t batch = 0; batch < batches && (most < 0 || batch < most); ++batch) {
            if (there.count(batch) > 0)
                continue;
            if (!pauseBefore(batch)) {
                m_store.setState(m_id, EvaluationState::Paused);
                throw Cancelled();
            }
            add(batch);
        }
        if (most < 0 || most >= batches)
            m_store.setState(m_id, EvaluationState::Finished);
        return m_id;
    }

private:
    void recall()
    {
        const StoredEvaluation stored = m_store.evaluation(m_id);
        m_progress.done = stored.done;
        m_progress.unreadable = stored.unreadable;
        for (size_t run = 0; run < m_runs.size(); ++run)
            m_progress.runs[run].accuracy = m_store.accuracy(stored.runs[run].id);
    }

    bool pauseBefore(int64_t batch)
    {
        waitForSample(m_script.batchMs);
        while (m_script.hold && !m_stop.stop_requested())
            waitForSample(2);
        if (m_stop.stop_requested())
            return false;
        if (batch == m_script.failAt)
            throw FileError("scenes", "the folder is gone", "plug the disk in again");
        if (batch == m_script.noSpaceAt) {
            m_script.noSpaceAt = -1;
            return m_observer.retriesWithoutSpace(
                "No space left for results; 1.2 MiB are needed. Free some and continue.");
        }
        return true;
    }

    void add(int64_t number)
    {
        FinishedBatch batch;
        batch.number = number;
        batch.predictions.resize(m_runs.size());
        batch.seconds.assign(m_runs.size(), 0.01);
        const auto total = m_progress.total;
        const int64_t every = m_script.unreadable > 0 ? std::max<int64_t>(1, total / m_script.unreadable)
                                                      : total + 1;
        for (int64_t sample = number * scriptedBatch; sample < std::min(total, (number + 1) * scriptedBatch);
             ++sample) {
            if (sample % every == every / 2) {
                batch.unreadable.push_back(
                    {sample, "is not a JPEG, PNG, WebP, BMP, PNM or TIFF file (it starts with \"<html\")"});
                ++m_progress.unreadable;
                continue;
            }
            batch.samples.push_back(sample);
            for (size_t run = 0; run < m_runs.size(); ++run) {
                const SamplePrediction prediction = scriptedPrediction(
                    sample, m_request.data.files[size_t(sample)].label, m_runs[run].backend);
                batch.predictions[run].push_back(prediction);
                m_progress.runs[run].accuracy.count(prediction.labelRank);
            }
        }
        m_store.add(m_id, batch);
        ++m_script.batchesDone;
        m_progress.done = std::min(total, (number + 1) * scriptedBatch);
        m_progress.load = {41.5, 0.4, 0.97, 0.01, 24, 64, "network"};
        m_progress.secondsLeft = 480.0 * double(total - m_progress.done) / double(total);
        m_observer.onProgress(m_progress);
    }

    EvaluationScript& m_script;
    EvaluationRequest m_request;
    EvaluationObserver& m_observer;
    std::stop_token m_stop;
    std::vector<StoredRun> m_runs;
    ResultStore m_store;
    int64_t m_id = 0;
    EvaluationProgress m_progress;
};

/// An image of one colour and a disc, told from its path.
QImage paintedImage(const std::string& path)
{
    const double hue = drawn(std::hash<std::string>()(path), 1), place = drawn(std::hash<std::string>()(path), 2);
    QImage image(160, 120, QImage::Format_RGB888);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const bool disc = std::hypot(x - 30 - 100 * place, y - 60.0) < 34;
            image.setPixelColor(x, y,
                                QColor::fromHsvF(float(disc ? std::fmod(hue + 0.4, 1.0) : hue), 0.35f,
                                                 disc ? 0.9f : 0.4f + 0.3f * float(y) / 120.0f));
        }
    return image;
}

}

SamplePrediction scriptedPrediction(int64_t sample, int64_t label, const std::string& backend)
{
    // Samples are hard or easy for all alike, so that pairs mean something.
    const double hard = drawn(uint64_t(sample), 1007), own = drawn(uint64_t(sample), backend.size());
    const bool right = 0.75 * hard + 0.25 * own < skillOf(backend) * 0.96 - (label == 4 ? 0.2 : 0);
    SamplePrediction prediction;
    const auto other = int32_t((label + 1 + int64_t(3 * own)) % scriptedClasses);
    const double first = 0.3 + 0.65 * own;
    prediction.classes = {right ? int32_t(label) : other, right ? other : int32_t(label),
                          int32_t((label + 5) % scriptedClasses), int32_t((label + 6) % scriptedClasses),
                          int32_t((label + 7) % scriptedClasses)};
    prediction.probabilities = {float(first), float(0.6 * (1 - first)), float(0.2 * (1 - first)),
                                float(0.1 * (1 - first)), float(0.05 * (1 - first))};
    prediction.labelRank = right ? 0 : 1;
    prediction.labelProbability = prediction.probabilities[right ? 0 : 1];
    return prediction;
}

EvaluationBackend scriptedEvaluation(std::shared_ptr<EvaluationScript> script)
{
    EvaluationBackend scripted;
    scripted.look = [script](const std::string& folder) { return dataOf(folder, *script); };
    scripted.scan = [script](const EvaluationSetup& plan, const OpenedModel&) {
        return dataOf(plan.folder, *script);
    };
    scripted.estimate = [script](const OpenedModel&, const std::vector<NetworkRequest>& networks,
                                 std::stop_token stop) {
        const EvaluationRequest& request = networks.front().request;
        for (const int number = ++script->checks; number > script->checksAllowed && !stop.stop_requested();)
            waitForSample(2);
        EvaluationEstimate estimate;
        estimate.samples = request.limit > 0 ? request.limit : int64_t(request.data.files.size());
        estimate.secondsPerSample = 0.06 * double(request.attention.size());
        for (size_t i = 0; i < request.attention.size(); ++i)
            estimate.secondsOfAttention.push_back(0.06 * double(estimate.samples));
        estimate.storeBytes = 40'000;
        estimate.freeBytes = int64_t{20} << 30;
        return estimate;
    };
    scripted.evaluate = [script](const OpenedModel& model, const std::vector<NetworkRequest>& networks,
                                 EvaluationObserver& observer, std::stop_token stop) {
        const EvaluationRequest& request = networks.front().request;
        script->remember(request);
        const std::string& name = model.summary.name;
        return Evaluation(*script, request, observer, std::move(stop),
                          name.empty() ? "fake_tiny_patch16_224" : name)
            .run(-1);
    };
    scripted.writeDemo = [](const std::string& folder, TaskTurn& turn, const DemoTask::Grew&) {
        for (int i = 1; i <= 20; ++i) {
            turn.report({"scenes", i * 30, 600});
            waitForSample(5);
        }
        return folder + "/scenes";
    };
    scripted.image = [script](const std::string& path) {
        ++script->imagesRead;
        return paintedImage(path);
    };
    return scripted;
}

std::function<void()> storeDelay(std::shared_ptr<EvaluationScript> script)
{
    return [script] { waitForSample(script->storeDelayMs); };
}

int64_t writeEvaluation(const std::string& store, const std::string& folder,
                        const std::vector<std::string>& attention, int64_t samples, int64_t batches,
                        const std::string& model)
{
    EvaluationScript script;
    script.batchMs = 0;
    script.samples = int(samples);
    EvaluationRequest request;
    request.data = dataOf(folder, script);
    request.store = store;
    for (const std::string& spec : attention)
        request.attention.push_back(AttentionSpec::parse(spec));
    request.command = "attnscope-cli evaluate " + folder;
    EvaluationObserver silent;
    return Evaluation(script, request, silent, {}, model).run(batches);
}

}
