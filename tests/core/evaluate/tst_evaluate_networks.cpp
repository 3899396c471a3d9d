// Several networks in one evaluation: each is what it is alone.
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/evaluate/evaluate.h"
#include "models/evaluation_set.h"
#include "tests/core/evaluate/evaluation_cases.h"
#include "tests/support/test_class.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <map>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

/// Random weights of `seed`, for images of `side` pixels.
NetworkRequest network(const Folder& folder, int seed, int side, const EvaluationRequest& request)
{
    std::string description = tinyDeit;
    description.replace(description.find("16"), 2, std::to_string(side));
    const fs::path file = folder / ("deit" + std::to_string(side) + ".json");
    write(file, description);
    const ModelRequest model{
        .model = file.string(), .weights = "untrained:" + std::to_string(seed), .device = "cpu"};
    NetworkRequest one{openModel(model), request, "network " + std::to_string(seed)};
    noteOrigin(one.request, model);
    return one;
}

/// Three networks, of which two see the same crops.
std::vector<NetworkRequest> threeNetworks(const Folder& folder, const EvaluationRequest& request)
{
    std::vector<NetworkRequest> networks{network(folder, 1, 16, request), network(folder, 2, 16, request),
                                         network(folder, 3, 24, request)};
    networks[1].request.attention = {AttentionSpec::parse("ra"), AttentionSpec::native()};
    return networks;
}

/// What each gives without the others.
std::vector<std::string> alone(std::vector<NetworkRequest> networks, const fs::path& store)
{
    std::vector<std::string> results;
    Notebook notes;
    for (NetworkRequest& one : networks) {
        one.request.store = store;
        results.push_back(resultsIn(store, evaluate(*one.classifier, one.request, notes, {})));
    }
    return results;
}

std::vector<std::string> resultsOf(const std::vector<EvaluatedNetwork>& networks, const fs::path& store)
{
    std::vector<std::string> results;
    for (const EvaluatedNetwork& one : networks)
        results.push_back(one.failure.empty() ? resultsIn(store, one.evaluation) : one.failure);
    return results;
}

std::shared_ptr<FakeNetwork> fake(attnscope::testing::Prediction prediction)
{
    return std::make_shared<FakeNetwork>(6, std::move(prediction));
}

at::Tensor sixByPixels(const at::Tensor& input, const std::string&)
{
    return byPixels(input, 6);
}

}

class TestEvaluateNetworks : public QObject {
    Q_OBJECT

private slots:
    void eachIsToTheBitWhatItIsAlone()
    {
        const Folder folder;
        const auto networks = threeNetworks(
            folder, requestFor(images(folder / "val", 45, 6), folder / "all.sqlite", randomAttentions()));
        write(folder / "val/c0/0.ppm", "broken");
        Notebook notes;
        const auto found = evaluate(networks, notes, {});
        QVERIFY(resultsOf(found, folder / "all.sqlite") == alone(networks, folder / "alone.sqlite"));
        QCOMPARE(notes.evaluation, found.front().evaluation);
        QCOMPARE(std::ssize(notes.unreadable), 1);
        QCOMPARE(notes.progress.back().unreadable, 1);
        QCOMPARE(notes.progress.back().done, 45);
        QCOMPARE(notes.progress.back().evaluations,
                 (std::vector{found[0].evaluation, found[1].evaluation, found[2].evaluation}));
        QCOMPARE(notes.progress.back().runs.size(), 2 * randomAttentions().size() + 2);
        const ResultStore store(folder / "all.sqlite", ResultStore::Mode::Read);
        const int64_t first = store.evaluation(found[0].evaluation).runs.front().id,
                      last = store.evaluation(found[2].evaluation).runs.front().id;
        const RunPair pair = store.pair(first, last);
        QCOMPARE(pair.bothRight + pair.onlyA + pair.onlyB + pair.bothWrong, 44);
        QVERIFY(notes.messages.empty());
    }

    /// JPEGs are decoded as a whole for several crops, and as far as the crop shows for one.
    void aPhotographIsOpenedOnceForAllCrops()
    {
        const Folder folder;
        LabelledSet data;
        data.root = (folder / "val").string();
        data.layout = FolderLayout::ImageNet;
        data.classes = {"a"};
        const fs::path photo = folder / "val/a/photo.jpg";
        fs::create_directories(photo.parent_path());
        fs::copy(TEST_DATA_DIR "/preprocess/images/jpeg_420_399x299.jpg", photo);
        data.files.push_back({photo.string(), 0});
        EvaluationRequest request = requestFor(data, folder / "all.sqlite");
        request.workers = 1;
        const auto networks = threeNetworks(folder, request);
        const FileDescriptor watch(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
        QVERIFY(inotify_add_watch(watch.number(), photo.c_str(), IN_OPEN | IN_CLOSE) >= 0);
        Notebook notes;
        const auto found = evaluate(networks, notes, {});
        int opened = 0;
        for (inotify_event event{}; ::read(watch.number(), &event, sizeof event) == sizeof event;)
            opened += (event.mask & IN_OPEN) != 0 ? 1 : 0;
        QCOMPARE(opened, 1);
        QVERIFY(resultsOf(found, request.store) == alone(networks, folder / "alone.sqlite"));
    }

    void stoppedInTheMiddleTheyResume()
    {
        const Folder folder;
        auto networks = threeNetworks(
            folder, requestFor(images(folder / "val", 45, 6), folder / "all.sqlite", randomAttentions()));
        const auto whole = alone(networks, folder / "alone.sqlite");
        networks[2].request.cache = networks[1].request.cache = networks[0].request.cache = folder / "cache";
        for (NetworkRequest& one : networks)
            one.request.resume = true;  // nothing is there yet
        Notebook stopped;
        stopped.stopAfter = 2;
        THROWS(Cancelled, evaluate(networks, stopped, stopped.stop.get_token()));
        {
            const ResultStore store(folder / "all.sqlite", ResultStore::Mode::Read);
            for (const StoredEvaluation& one : store.evaluations())
                QVERIFY(one.state == EvaluationState::Paused && one.done == 16);
        }
        // One of them goes on alone, so that each lacks other batches.
        Notebook further;
        further.stopAfter = 1;
        THROWS(Cancelled,
               evaluate(*networks[1].classifier, networks[1].request, further, further.stop.get_token()));
        Notebook resumed;
        const auto found = evaluate(networks, resumed, {});
        QCOMPARE(resumed.begun->done, 16);
        QCOMPARE(std::ssize(resumed.progress), 4);
        QCOMPARE(ResultStore(folder / "all.sqlite", ResultStore::Mode::Read).evaluations().size(), 3);
        QVERIFY(resultsOf(found, folder / "all.sqlite") == whole);
    }

    void oneThatFailsLeavesTheOthers()
    {
        const Folder folder;
        const EvaluationRequest request = requestFor(images(folder / "val", 30, 6), folder / "all.sqlite");
        int passes = 0;
        const auto failing = fake([&](const at::Tensor& input, const std::string&) -> at::Tensor {
            if (++passes > 2)
                throw Error("", "there is no memory left");
            return byPixels(input, 6);
        });
        EvaluationRequest otherClasses = request;
        otherClasses.data.files.back().label = 6;
        std::vector<NetworkRequest> networks{{fake(sixByPixels), otherClasses, "first"},
                                             {failing, request, "second"},
                                             {fake(sixByPixels), request, "third"}};
        Notebook notes;
        const auto found = evaluate(networks, notes, {});
        QCOMPARE(found[0].evaluation, 0);
        SAYS(found[0].failure, "has 6 classes");
        SAYS(found[1].failure, "no memory left");
        QVERIFY(found[2].failure.empty());
        QCOMPARE(notes.messages.size(), 2);
        SAYS(notes.messages[0], "first: ");
        SAYS(notes.messages[1], "second: ");
        const ResultStore store(request.store, ResultStore::Mode::Read);
        QCOMPARE(store.evaluation(found[1].evaluation).state, EvaluationState::Interrupted);
        QCOMPARE(store.evaluation(found[1].evaluation).done, 16);
        QCOMPARE(store.evaluation(found[2].evaluation).state, EvaluationState::Finished);
        QVERIFY(resultsIn(request.store, found[2].evaluation)
                == alone({networks[2]}, folder / "alone.sqlite").front());
        networks.pop_back();
        passes = 9;
        THROWS(Error, evaluate(networks, notes, {}));  // the last one
    }

    void otherFilesAreRefused()
    {
        const Folder folder;
        const EvaluationRequest request = requestFor(images(folder / "val", 12, 6), folder / "all.sqlite");
        EvaluationRequest turned = request;
        std::ranges::reverse(turned.data.files);
        Notebook notes;
        const auto found = evaluate({{fake(sixByPixels), request, "a"}, {fake(sixByPixels), turned, "b"}}, notes,
                                    {});
        SAYS(found[1].failure, "the same files");
    }

    void classesInAnotherOrderArePairedByName()
    {
        const Folder folder;
        const EvaluationRequest request = requestFor(images(folder / "val", 30, 6), folder / "all.sqlite");
        EvaluationRequest turned = request;  // class i is the other's 5 − i
        std::ranges::reverse(turned.data.classes);
        for (LabelledFile& file : turned.data.files)
            file.label = 5 - file.label;
        const auto other = fake(
            [](const at::Tensor& input, const std::string&) { return byPixels(input, 6).flip(1); });
        Notebook notes;
        const auto found = evaluate({{fake(sixByPixels), request, "a"}, {other, turned, "b"}}, notes, {});
        const ResultStore store(request.store, ResultStore::Mode::Read);
        const StoredEvaluation a = store.evaluation(found[0].evaluation),
                               b = store.evaluation(found[1].evaluation);
        QVERIFY(a.dataHash != b.dataHash);
        const int64_t runA = a.runs.front().id, runB = b.runs.front().id;
        QCOMPARE(store.accuracy(runA).correct, store.accuracy(runB).correct);
        QVERIFY(store.accuracy(runA).correct > 0);
        const RunPair pair = store.pair(runA, runB);
        QCOMPARE(pair.samePrediction, 30);
        QCOMPARE(pair.onlyA + pair.onlyB, 0);
        // Of a file with another label nothing can be paired.
        turned.data.files.front().label = 0;
        const int64_t third = evaluate(*other, turned, notes, {});
        const int64_t runC = store.evaluation(third).runs.front().id;
        QVERIFY(store.pairs({runA, runC}).empty());
        THROWS(StoreError, store.pair(runA, runC));
    }

    void theirCostsAddUpWithoutReading()
    {
        const Folder folder;
        const auto networks = threeNetworks(
            folder, requestFor(images(folder / "val", 45, 6), folder / "all.sqlite", randomAttentions()));
        const EvaluationEstimate one = estimate(*networks[0].classifier, networks[0].request, {}),
                                 all = estimate(networks, {});
        QCOMPARE(all.samples, 45);
        QCOMPARE(all.secondsOfAttention.size(), 2 * randomAttentions().size() + 2);
        QCOMPARE(all.notes, one.notes);
        QVERIFY(all.storeBytes > one.storeBytes && all.storeBytes < 3 * one.storeBytes);
        double sum = 0;
        for (const double seconds : all.secondsOfAttention)
            sum += seconds;
        QVERIFY(all.secondsPerSample * 45 > sum);
    }
};

ATTNSCOPE_EVENT_TEST(TestEvaluateNetworks)
#include "tst_evaluate_networks.moc"
