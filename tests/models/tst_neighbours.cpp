// Nearest neighbours of features: the search, the probabilities made of its result, datastores, and features of networks.
#include "core/base/error.h"
#include "core/checkpoint/state_dict.h"
#include "core/lab/neighbours/neighbour_classes.h"
#include "core/lab/neighbours/neighbours.h"
#include "core/lab/neighbours/neighbours_figures.h"
#include "core/run/observers.h"
#include "models/open_model.h"
#include "tests/models/golden_models.h"
#include "tests/models/made_up_set.h"
#include "tests/support/folder.h"
#include "tests/support/golden_case.h"
#include "tests/support/test_class.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const std::string goldenFolder = TEST_DATA_DIR "/mechanisms/";

FeatureRows rowsOf(const at::Tensor& features)
{
    return {features.const_data_ptr<float>(), features.size(0), features.size(1), "features"};
}

at::Tensor asTensor(const std::vector<double>& values)
{
    return at::tensor(values, at::kDouble);
}

std::vector<double> rowOf(const at::Tensor& values)
{
    const at::Tensor row = values.to(at::kDouble).contiguous();
    return {row.const_data_ptr<double>(), row.const_data_ptr<double>() + row.numel()};
}

at::Tensor randomRows(int64_t count, int64_t width, uint64_t seed)
{
    return at::randn({count, width}, at::make_generator<at::CPUGeneratorImpl>(seed),
                     at::TensorOptions(at::kFloat));
}

/// Every distance in float64, sorted: what the search is to find.
Neighbours byHand(const at::Tensor& features, const at::Tensor& queries, int64_t k, FeatureDistance distance)
{
    const at::Tensor f = features.to(at::kDouble), q = queries.to(at::kDouble);
    at::Tensor all;
    if (distance == FeatureDistance::Cosine) {
        const auto unit = [](const at::Tensor& x) { return x / x.norm(2, -1, true).clamp_min(1e-12); };
        all = 1 - at::matmul(unit(q), unit(f).t());
    } else {
        all = (q.unsqueeze(1) - f.unsqueeze(0)).square().sum(-1);
        if (distance == FeatureDistance::L2)
            all = all.sqrt();
    }
    const auto [sorted, order] = at::sort(all, /*stable=*/true, -1, false);
    Neighbours found{.k = k};
    const at::Tensor d = sorted.slice(1, 0, k).contiguous(), i = order.slice(1, 0, k).contiguous();
    found.distances.assign(d.const_data_ptr<double>(), d.const_data_ptr<double>() + d.numel());
    found.indices.assign(i.const_data_ptr<int64_t>(), i.const_data_ptr<int64_t>() + i.numel());
    return found;
}

FeatureNetwork networkOf(const Classifier& classifier, const std::string& hash)
{
    return {.classifier = classifier,
            .attention = AttentionSpec::native(),
            .seed = 0,
            .weightsHash = hash,
            .description = "description"};
}

InputSource sourceOf(int number)
{
    return {.path = "image " + std::to_string(number), .load = [number] { return image(number); }};
}

}

class TestNeighbours : public QObject {
    Q_OBJECT

private slots:
    void goldenNeighboursAndProbabilitiesAgree_data()
    {
        columns<QString>("name");
        row("l2", "x_knn_l2");
        row("cosine, queries leave themselves out", "x_knn_cosine_leave_out");
    }
    void goldenNeighboursAndProbabilitiesAgree()
    {
        FETCH_TEXT(name);
        const Golden golden(goldenFolder + name + ".safetensors");
        NeighbourSearch search{.k = golden.options.at("k").get<int64_t>(),
                               .distance = golden.options.at("distance") == "l2" ? FeatureDistance::L2
                                                                                 : FeatureDistance::Cosine};
        if (golden.tensors.contains("leave_out"))
            for (const int64_t own : golden.integers("leave_out"))
                search.leaveOut.push_back(own < 0 ? std::vector<int64_t>{} : std::vector{own});
        const Neighbours found = FeatureIndex(rowsOf(golden["features"])).nearest(golden["queries"], search, {});
        QCOMPARE(found.indices, golden.integers("indices"));
        QVERIFY(difference(asTensor(found.distances), golden["distances"].flatten()) <= golden.tolerance);

        const auto labels = golden.integers("labels"), queryLabels = golden.integers("query_labels");
        const double temperature = golden.options.at("temperature").get<double>();
        const auto mixes = golden.options.at("mix").get<std::vector<double>>();
        const int64_t classes = golden["head.weight"].size(0);
        std::vector<double> right(mixes.size());
        std::vector<int64_t> neighbourLabels;
        for (size_t q = 0; q < queryLabels.size(); ++q) {
            const size_t first = q * size_t(search.k);
            std::vector<int64_t> own;
            for (size_t i = 0; i < size_t(search.k); ++i)
                own.push_back(labels[size_t(found.indices[first + i])]);
            neighbourLabels.insert(neighbourLabels.end(), own.begin(), own.end());
            const auto knn = neighbourProbabilities({found.distances.data() + first, own.size()}, own, temperature,
                                                    classes);
            const auto row = int64_t(q);
            QVERIFY(difference(asTensor(knn), golden["p_knn"][row]) <= golden.tolerance);
            const auto model = rowOf(golden["p_model"][row]);
            for (size_t m = 0; m < mixes.size(); ++m) {
                const auto mixed = mixedProbabilities(knn, model, mixes[m]);
                QVERIFY(difference(asTensor(mixed), golden["p_mixed"][int64_t(m)][row]) <= golden.tolerance);
                right[m] += firstClass(mixed) == queryLabels[q] ? 1.0 / double(queryLabels.size()) : 0;
            }
        }
        QVERIFY(difference(asTensor(right), golden["mixed.accuracy"]) <= golden.tolerance);

        const auto gates = golden.options.at("gate").get<std::vector<double>>();
        const at::Tensor ofNeighbours = at::tensor(neighbourLabels, at::kLong).reshape({-1, search.k});
        for (size_t g = 0; g < gates.size(); ++g) {
            const at::Tensor p = gatedRetrieval(golden["queries"], ofNeighbours, golden["head.weight"],
                                                golden["head.bias"], gates[g]);
            QVERIFY(difference(p, golden["p_spalm"][int64_t(g)]) <= golden.tolerance);
        }
    }

    void searchFindsWhatFloat64Finds_data()
    {
        columns<int, double, double>("distance", "offset", "factor");
        for (const FeatureDistance distance :
             {FeatureDistance::L2, FeatureDistance::L2Squared, FeatureDistance::Cosine}) {
            const auto add = [&](const char* name, double offset, double factor) {
                addRow("%s, %s", toText(distance), name) << int(distance) << offset << factor;
            };
            add("centred", 0, 1);
            add("far from the origin, where float32 products cancel", 1000, 1);
            add("so small that float32 products vanish", 0, 1e-22);
            add("so large that float32 products overflow", 0, 1e25);
        }
    }
    void searchFindsWhatFloat64Finds()
    {
        QFETCH(int, distance);
        QFETCH(double, offset);
        QFETCH(double, factor);
        const at::Tensor features = ((randomRows(700, 37, 1) + offset) * factor).contiguous();
        const at::Tensor queries = ((randomRows(9, 37, 2) + offset) * factor).contiguous();
        const auto kind = static_cast<FeatureDistance>(distance);
        const Neighbours expected = byHand(features, queries, 30, kind);
        const Neighbours found = FeatureIndex(rowsOf(features)).nearest(queries, {30, kind, {}}, {});
        QCOMPARE(found.indices, expected.indices);
        for (size_t i = 0; i < found.distances.size(); ++i)
            QVERIFY(std::abs(found.distances[i] - expected.distances[i]) <= 1e-9 * expected.distances[i] + 1e-12);
    }

    void equalDistancesAreOrderedByIndexAcrossBlocks()
    {
        const at::Tensor features = at::ones({70'000, 64}, at::kFloat);  // two blocks of 2²¹ numbers
        const Neighbours found = FeatureIndex(rowsOf(features))
                                     .nearest(at::zeros({2, 64}, at::kFloat),
                                              {5, FeatureDistance::L2, {{0, 2}, {}}}, {});
        QCOMPARE(found.indices, (std::vector<int64_t>{1, 3, 4, 5, 6, 0, 1, 2, 3, 4}));
        QCOMPARE(found.distances.front(), 8.0);
    }

    void allEntriesCanBeNeighbours()
    {
        const at::Tensor features = randomRows(8, 4, 3);
        const Neighbours found =
            FeatureIndex(rowsOf(features)).nearest(features, {8, FeatureDistance::L2, {}}, {});
        for (size_t q = 0; q < 8; ++q) {
            QCOMPARE(found.indices[8 * q], static_cast<int64_t>(q));
            QCOMPARE(found.distances[8 * q], 0.0);
        }
    }

    void moreNeighboursThanEntriesAreRefusedWithTheRange()
    {
        const at::Tensor features = randomRows(8, 4, 3);
        const FeatureIndex index(rowsOf(features));
        const auto search = [&](int64_t k, std::vector<std::vector<int64_t>> leaveOut) {
            return refusal([&] {
                index.nearest(features.slice(0, 0, 1), {k, FeatureDistance::L2, std::move(leaveOut)}, {});
            });
        };
        QCOMPARE(search(9, {}), "k: 9 neighbours are beyond the datastore of 8 entries; give 1 to 8.");
        QCOMPARE(search(8, {{3}}), "k: 8 neighbours are beyond the datastore of 8 entries; give 1 to 7.");
        QVERIFY(!search(0, {}).empty());
        QVERIFY(search(7, {{3}}).empty());
    }

    void featuresThatAreNotFiniteAreRefused()
    {
        at::Tensor features = randomRows(8, 4, 3);
        features[5][2] = std::nan("");
        REFUSES(Error, FeatureIndex index(rowsOf(features)), "entry 5");
        const at::Tensor good = randomRows(8, 4, 3);
        THROWS(UsageError, FeatureIndex(rowsOf(good)).nearest(features, {1, FeatureDistance::L2, {}}, {}));
    }

    void searchIsStoppedOnRequest()
    {
        const at::Tensor features = randomRows(8, 4, 3);
        std::stop_source source;
        source.request_stop();
        THROWS(Cancelled,
               FeatureIndex(rowsOf(features)).nearest(features, {1, FeatureDistance::L2, {}}, source.get_token()));
    }

    void probabilitiesSumToOneAlsoForTinyTemperatures()
    {
        const std::vector<double> distances{40, 41, 50};
        const std::vector<int64_t> labels{2, 0, 2};
        for (const double temperature : {1e-3, 0.07, 1.0, 1e6}) {
            const auto p = neighbourProbabilities(distances, labels, temperature, 4);
            QVERIFY(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < 1e-12);
            QCOMPARE(firstClass(p), 2);
        }
    }

    void equalProbabilitiesGiveTheLowestClass() { QCOMPARE(firstClass(std::vector<double>{0.1, 0.45, 0.45}), 1); }

    /// The network's own prediction is what its head reads behind the last block.
    void readOutBehindTheLastBlockIsThePrediction_data()
    {
        columns<QString, bool>("model", "plain");
        for (const char* name : {"deit_tiny_cfg", "deit_tiny_distilled_patch16_224", "evit_tiny_p16", "pvt_v2_b0"})
            for (const bool plain : {false, true})
                addRow("%s%s", name, plain ? ", plain" : "") << name << plain;
    }
    void readOutBehindTheLastBlockIsThePrediction()
    {
        FETCH_TEXT(model);
        QFETCH(bool, plain);
        const bool described = model == "deit_tiny_cfg";
        const auto classifier = openModel({.model = described ? modelFolder + "deit_tiny_cfg.json" : model,
                                           .weights = "untrained:3",
                                           .device = "cpu",
                                           .plain = plain});
        const PreparedAttention prepared = prepare(*classifier);
        auto shape = classifier->describe().input;
        shape.insert(shape.begin(), 2);
        const at::Tensor input = at::rand(shape);
        BlockObserver observer({}, nullptr);
        const at::Tensor logits = classifier->logits(input, prepared, &observer);
        const Readout readout = classifier->readOut(observer.blocks().back());
        QCOMPARE(readout.features.size(1), classifier->describe().width);
        QVERIFY(difference(readout.logits, logits) <= 1e-5 * (1 + logits.abs().max().item<double>()));
        const auto names = classifier->readableBlocks();
        QVERIFY(int64_t(names.size()) <= classifier->describe().layers);
        QVERIFY(!names.empty());
    }

    void datastoreHasTheFeaturesLabelsAndPathsOfItsFolder()
    {
        const auto classifier = goldenModel("deit_tiny_cfg", {.weights = "untrained:1"});
        const MadeUpSet set(*classifier);
        const FeatureNetwork network = networkOf(*classifier, "hash");
        const BuiltDatastore built = buildDatastore(network, set.samples(*classifier, 4), file(), {}, {});
        QCOMPARE(built.entries, imageCount - 1);
        QCOMPARE(built.unreadable.size(), size_t(1));
        QCOMPARE(built.unreadable.front().path, "/made/up/4");
        const FeatureStore store(file());
        QCOMPARE(store.rows().count, imageCount - 1);
        QCOMPARE(store.path(0), "/made/up/0");
        QCOMPARE(store.path(4), "/made/up/5");
        QCOMPARE(store.labels()[4], 2);
        QCOMPARE(store.origin().classes.front(), "class 0");
        QVERIFY(store.origin().identity == featureIdentity(network));
        QCOMPARE(store.entriesOf(networkInput(image(5), *classifier).samples.front()), std::vector<int64_t>{4});
        QVERIFY(store.entriesOf(networkInput(image(4), *classifier).samples.front()).empty());
        // Any reader of safetensors finds the same rows.
        QCOMPARE(readTensors(file()).at("features").sizes().vec(),
                 (std::vector<int64_t>{imageCount - 1, classifier->describe().width}));
    }

    void datastoreOfAnotherModelIsRefused()
    {
        const auto classifier = goldenModel("deit_tiny_cfg", {.weights = "untrained:1"});
        const MadeUpSet set(*classifier);
        const FeatureNetwork network = networkOf(*classifier, "one");
        buildDatastore(network, set.samples(*classifier), file(), {}, {});
        const auto refusal = [&](FeatureNetwork other) {
            return attnscope::refusal(
                [&] { NeighbourClassifier(other, std::make_shared<FeatureStore>(file()), {}); });
        };
        QVERIFY(refusal(network).empty());
        SAYS(refusal(networkOf(*classifier, "two")), "another checkpoint");
        FeatureNetwork other = network;
        other.attention = AttentionSpec::parse("lara:samples=4");
        SAYS(refusal(other), "another attention");
    }

    void anotherFileIsNoDatastore()
    {
        REFUSES(Error, FeatureStore store(goldenFolder + "x_knn_l2.safetensors"),
                "it is not a datastore of features");
    }

    void damagedDatastoreIsRefused_data()
    {
        columns<double>("kept");
        row("all but a little", 0.999);
        row("its features", 0.7);
        row("a part of its header", 0.1);
        row("nothing", 0.0);
    }
    void damagedDatastoreIsRefused()
    {
        QFETCH(double, kept);
        const auto classifier = goldenModel("deit_tiny_cfg", {.weights = "untrained:1"});
        buildDatastore(networkOf(*classifier, "one"), MadeUpSet(*classifier).samples(*classifier), file(), {}, {});
        QFile damaged(QString::fromStdString(file()));
        QVERIFY(damaged.resize(qint64(kept * double(damaged.size()))));
        THROWS(FileError, FeatureStore{file()});
    }

    void stoppedBuildLeavesNoFile()
    {
        const auto classifier = goldenModel("deit_tiny_cfg", {.weights = "untrained:1"});
        const MadeUpSet set(*classifier);
        std::stop_source source;
        source.request_stop();
        const std::string other = file() + ".stopped";
        THROWS(Cancelled, buildDatastore(networkOf(*classifier, "one"), set.samples(*classifier), other, {},
                                         source.get_token()));
        QVERIFY(!QFile::exists(QString::fromStdString(other)));
    }

    void imagesOfTheDatastoreAreNotTheirOwnNeighbours()
    {
        const auto classifier = goldenModel("deit_tiny_cfg", {.weights = "untrained:1"});
        const MadeUpSet set(*classifier);
        const FeatureNetwork network = networkOf(*classifier, "one");
        buildDatastore(network, set.samples(*classifier), file(), {}, {});
        const NeighbourClassifier neighbours(network, std::make_shared<FeatureStore>(file()),
                                             {.k = {3}, .mix = {1}});
        NeighbourReport report;
        neighbours.neighbours({sourceOf(7), sourceOf(100)}, report, {});
        const std::vector<ImageNeighbours>& shown = report.images;
        QVERIFY(report.unreadable.empty());
        QCOMPARE(shown[0].leftOut, 1);
        QCOMPARE(shown[1].leftOut, 0);
        for (const ShownNeighbour& one : shown[0].neighbours)
            QVERIFY(one.entry != 7);
        double weights = 0;
        for (const ShownNeighbour& one : shown[1].neighbours)
            weights += one.weight;
        QVERIFY(std::abs(weights - 1) < 1e-12);
        QVERIFY(std::is_sorted(shown[1].neighbours.begin(), shown[1].neighbours.end(),
                               [](const auto& a, const auto& b) { return a.distance < b.distance; }));
        QCOMPARE(shown[1].mixed.front().index, shown[1].retrieved.front().index);
    }

    void accuracyAtMixZeroIsTheModelsForEveryK()
    {
        const auto classifier = goldenModel("deit_tiny_cfg", {.weights = "untrained:1"});
        const MadeUpSet set(*classifier);
        const FeatureNetwork network = networkOf(*classifier, "one");
        buildDatastore(network, set.samples(*classifier), file(), {}, {});
        const NeighbourClassifier neighbours(network, std::make_shared<FeatureStore>(file()),
                                             {.k = {1, 5}, .mix = {0, 1}});
        const NeighbourAccuracy accuracy = neighbours.accuracy(set.samples(*classifier, 2), {}, {});
        QCOMPARE(accuracy.samples, imageCount - 1);
        QCOMPARE(accuracy.leftOut, imageCount - 1);
        QCOMPARE(accuracy.points.size(), size_t(4));
        const PreparedAttention prepared = prepare(*classifier);
        int64_t right = 0;
        for (int i = 0; i < imageCount; ++i)
            if (i != 2)
                right += classifier->logits(networkInput(image(i), *classifier).values, prepared)
                                     .argmax()
                                     .item<int64_t>()
                                 == i % 3
                             ? 1
                             : 0;
        QCOMPARE(accuracy.points[0].correct, right);
        QCOMPARE(accuracy.points[2].correct, right);
        const Interval interval = accuracy.at(accuracy.points[0]).interval();
        QVERIFY(interval.low <= accuracy.at(accuracy.points[0]).value()
                && accuracy.at(accuracy.points[0]).value() <= interval.high);
        QCOMPARE(mixChart(accuracy).series.size(), size_t(2));
    }

    void foldersOfOtherClassesAreRefused()
    {
        const auto classifier = goldenModel("deit_tiny_cfg", {.weights = "untrained:1"});
        MadeUpSet set(*classifier);
        const FeatureNetwork network = networkOf(*classifier, "one");
        buildDatastore(network, set.samples(*classifier), file(), {}, {});
        const NeighbourClassifier neighbours(network, std::make_shared<FeatureStore>(file()), {});
        set.data.classes.front() = "another class";
        THROWS(FileError, neighbours.accuracy(set.samples(*classifier), {}, {}));
    }

    void requestsOutOfRangeAreRefusedInOneSentence()
    {
        const auto classifier = goldenModel("deit_tiny_cfg", {.weights = "untrained:1"});
        const MadeUpSet set(*classifier);
        const FeatureNetwork network = networkOf(*classifier, "one");
        buildDatastore(network, set.samples(*classifier), file(), {}, {});
        const auto refusal = [&](NeighbourRequest request) {
            return attnscope::refusal(
                [&] { NeighbourClassifier(network, std::make_shared<FeatureStore>(file()), std::move(request)); });
        };
        QCOMPARE(refusal({.k = {13}}), "k: 13 neighbours are beyond the datastore of 12 entries; give 1 to 12.");
        QVERIFY(!refusal({.mix = {1.5}}).empty());
        QVERIFY(!refusal({.mix = {std::nan("")}}).empty());
        QVERIFY(!refusal({.temperature = 0.0}).empty());
    }

private:
    std::string file() const { return m_folder / "features.safetensors"; }

    Folder m_folder;
};

ATTNSCOPE_EVENT_TEST(TestNeighbours)
#include "tst_neighbours.moc"
