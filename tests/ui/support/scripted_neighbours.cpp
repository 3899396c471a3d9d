#include "tests/ui/support/scripted_neighbours.h"

#include "core/base/error.h"

#include <QColor>
#include <QHash>
#include <QString>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace attnscope::ui::test {

namespace {

const std::vector<std::string> classes{"cat", "coins", "moon"};

std::string sampleOf(const std::string& folder, size_t label, int number)
{
    return folder + "/" + classes[label] + "/" + std::to_string(number) + ".png";
}

LabelledSet setOf(const std::string& folder)
{
    LabelledSet data;
    data.root = folder;
    data.classes = classes;
    for (size_t label = 0; label < classes.size(); ++label)
        for (int i = 0; i < 40; ++i)
            data.files.push_back({sampleOf(folder, label, i), int64_t(label)});
    return data;
}

void waitWhileHeld(const NeighboursScript& script, const std::stop_token& stop)
{
    while (script.hold && !stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stop.stop_requested())
        throw Cancelled();
}

/// The neighbours help most at λ = 0.6.
NeighbourAccuracy accuracyOf(const NeighbourQuestion& question, bool helps)
{
    NeighbourAccuracy accuracy{.folder = question.evaluate, .k = question.request.k, .mix = {}};
    if (accuracy.k.empty())
        accuracy.k = defaultNeighbourCounts(240);
    for (int i = 0; i <= 10; ++i)
        accuracy.mix.push_back(i / 10.0);
    accuracy.samples = 1200;
    for (const int64_t k : accuracy.k)
        for (const double mix : accuracy.mix) {
            const double gain = (helps ? 0.3 : 0.002) * (1 - std::pow((mix - 0.6) / 0.6, 2));
            const double size = 1 - 0.04 * std::abs(std::log2(double(k) / 10));
            const double top1 = 0.6 + (mix == 0 ? 0 : gain * size);
            accuracy.points.push_back({k, mix, std::llround(top1 * 1200)});
        }
    return accuracy;
}

std::vector<Prediction> shownPredictions(int64_t first)
{
    std::vector<Prediction> all;
    for (int64_t i = 0; i < 3; ++i) {
        const int64_t index = (first + i) % 3;
        all.push_back({.index = index, .label = classes[size_t(index)], .probability = i == 0 ? 0.71 : 0.145});
    }
    return all;
}

ImageNeighbours neighboursOf(const NeighbourQuestion& question)
{
    ImageNeighbours image{.path = question.image,
                          .k = question.request.k.empty() ? 20 : question.request.k.front(),
                          .mix = question.request.mix.empty() ? 0.25 : question.request.mix.front()};
    for (int64_t i = 0; i < image.k; ++i) {
        const int64_t label = i % 5 == 3 ? 1 : 0;
        image.neighbours.push_back({.entry = i,
                                    .path = sampleOf("/scenes/train", size_t(label), int(i)),
                                    .className = classes[size_t(label)],
                                    .label = label,
                                    .distance = 0.05 + 0.01 * double(i),
                                    .weight = 1 / double(image.k)});
    }
    image.model = shownPredictions(1);
    image.retrieved = shownPredictions(0);
    image.mixed = shownPredictions(0);
    return image;
}

NeighbourReport emptyReport(const NeighbourQuestion& question)
{
    NeighbourReport report;
    report.model.model.name = "demo_deit";
    report.model.dtype = "float32";
    report.model.device = {"cpu", "Test processor, 2 threads", 2};
    report.datastore = question.datastore;
    report.origin.identity.width = 192;
    report.origin.folder = "/scenes/train";
    report.origin.classes = classes;
    report.entries = 240;
    report.distance = question.request.distance;
    report.temperature = question.request.temperature.value_or(1);
    return report;
}

}

NeighboursBackend scriptedNeighbours(std::shared_ptr<NeighboursScript> script)
{
    NeighboursBackend backend;
    backend.search = [script](const NeighbourQuestion& question, ModelCache&, const NeighbourCalls& calls) {
        script->note(question);
        if (!script->failure.empty())
            throw FileError(question.datastore, script->failure, "choose another");
        NeighbourReport report = emptyReport(question);
        if (!question.image.empty()) {
            ++script->looks;
            if (question.image.ends_with("broken.png"))
                report.unreadable.push_back({question.image, "it is not an image"});
            else
                report.images.push_back(neighboursOf(question));
            return report;
        }
        ++script->runs;
        if (!question.build.empty()) {
            calls.progress({"features", 60, 240});
            waitWhileHeld(*script, calls.stop);
            report.built = BuiltDatastore{question.datastore, 240, 240 * 192 * 4, {}};
            calls.built(*report.built);
        }
        if (!question.evaluate.empty()) {
            calls.evaluating(setOf(question.evaluate));
            calls.progress({"accuracy", 300, 1200});
            waitWhileHeld(*script, calls.stop);
            report.accuracy = accuracyOf(question, script->helps);
        }
        return report;
    };
    backend.writeDemo = [](const std::string& folder, TaskTurn& turn, const DemoTask::Grew&) {
        turn.report({"images", 1, 1});
        return folder + "/scenes";
    };
    backend.image = [](const std::string& path) {
        QImage image(64, 64, QImage::Format_RGB32);
        image.fill(QColor::fromHsv(int(qHash(QString::fromStdString(path)) % 360), 90, 200));
        return image;
    };
    return backend;
}

}
