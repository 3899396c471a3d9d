// What is measured on features: cosines, principal components, votes of the nearest, and the linear probe.
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/lab/features/linear_probe.h"
#include "core/lab/neighbours/neighbour_classes.h"
#include "core/measure/feature_similarity.h"
#include "core/measure/principal_components.h"
#include "core/run/observers.h"
#include "tests/support/tensor_file.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <QFile>

#include <cmath>

using namespace attnscope;

namespace {

const std::string vitFolder = TEST_DATA_DIR "/vit/";

/// The tensors and figures of the golden case.
struct FeatureGolden {
    FeatureGolden()
        : tensors(test::readTensors(vitFolder + "features.io.safetensors"))
    {
        QFile file(QString::fromStdString(vitFolder + "features.json"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("features.json cannot be read");
        json = Json::parse(file.readAll().toStdString());
        tolerance = json.at("suggested_atol").get<double>();
    }
    const at::Tensor& operator[](const std::string& name) const { return tensors.at(name); }
    std::vector<int64_t> integers(const std::string& name) const
    {
        const at::Tensor values = tensors.at(name).to(at::kLong).contiguous();
        return {values.const_data_ptr<int64_t>(), values.const_data_ptr<int64_t>() + values.numel()};
    }

    std::map<std::string, at::Tensor> tensors;
    Json json;
    double tolerance = 0;
};

Neighbours nearestIn(const at::Tensor& features, const at::Tensor& queries, int64_t k)
{
    const FeatureRows rows{features.const_data_ptr<float>(), features.size(0), features.size(1), "features"};
    return FeatureIndex(rows).nearest(queries, {k, FeatureDistance::Cosine, {}}, {});
}

/// The class that the k nearest training features vote for, for each query.
std::vector<int64_t> voted(const FeatureGolden& golden, const at::Tensor& queries, int64_t k)
{
    const Neighbours found = nearestIn(golden["train"], queries, k);
    const auto labels = golden.integers("train_labels");
    std::vector<int64_t> classes;
    for (size_t first = 0; first < found.indices.size(); first += size_t(k)) {
        std::vector<int64_t> own;
        for (size_t i = 0; i < size_t(k); ++i)
            own.push_back(labels[size_t(found.indices[first + i])]);
        classes.push_back(firstClass(neighbourProbabilities({found.distances.data() + first, own.size()}, own,
                                                            defaultTemperature(FeatureDistance::Cosine), 6)));
    }
    return classes;
}

double fractionOf(const std::vector<int64_t>& a, const std::vector<int64_t>& b)
{
    double same = 0;
    for (size_t i = 0; i < a.size(); ++i)
        same += a[i] == b[i] ? 1 : 0;
    return same / double(a.size());
}

at::Tensor noise(at::IntArrayRef shape, uint64_t seed)
{
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::TensorOptions(at::kFloat));
}

/// Three clouds of 40 points in 5 channels, one of which is constant and one a thousand times as large as the others.
LabelledFeatures clouds()
{
    LabelledFeatures all{.classes = 3};
    at::Tensor features = noise({120, 5}, 4);
    for (int64_t i = 0; i < 120; ++i) {
        all.labels.push_back(i % 3);
        features[i][i % 3] += 1.5;
    }
    features.select(1, 3).mul_(1000).add_(5000);
    features.select(1, 4).fill_(7);
    all.features = features;
    return all;
}

}

class TestFeatures : public QObject {
    Q_OBJECT

private slots:
    void goldenVotesAndClassesAgree_data()
    {
        columns<int>("k");
        for (const int k : {1, 5, 20})
            addRow("k = %d", k) << k;
    }
    void goldenVotesAndClassesAgree()
    {
        QFETCH(int, k);
        const FeatureGolden golden;
        const std::string name = "knn.k" + std::to_string(k);
        const Neighbours found = nearestIn(golden["train"], golden["test"], k);
        const auto labels = golden.integers("train_labels");
        for (int64_t q = 0; q < golden["test"].size(0); ++q) {
            const auto first = size_t(q * k);
            std::vector<int64_t> own;
            for (size_t i = 0; i < size_t(k); ++i)
                own.push_back(labels[size_t(found.indices[first + i])]);
            const auto votes = neighbourProbabilities({found.distances.data() + first, own.size()}, own, 0.07, 6);
            QVERIFY(difference(at::tensor(votes, at::kDouble), golden[name + ".votes"][q]) <= golden.tolerance);
        }
        const auto classes = voted(golden, golden["test"], k);
        QCOMPARE(classes, golden.integers(name + ".class"));
        QCOMPARE(fractionOf(classes, golden.integers("test_labels")),
                 golden.json.at("accuracy").at("k" + std::to_string(k)).get<double>());
    }

    void goldenDriftAgrees()
    {
        const FeatureGolden golden;
        const at::Tensor own = cosines(golden["test"], golden["drifted"]);
        QVERIFY(difference(own, golden["drift.cosine"]) <= golden.tolerance);
        const Json& accuracy = golden.json.at("accuracy");
        QCOMPARE(fractionOf(nearestIn(golden["train"], golden["test"], 1).indices,
                            nearestIn(golden["train"], golden["drifted"], 1).indices),
                 accuracy.at("same_neighbour").get<double>());
        QCOMPARE(fractionOf(voted(golden, golden["drifted"], 20), golden.integers("test_labels")),
                 accuracy.at("k20_drifted").get<double>());
        const CosineSummary summary = summarise(doublesOf(own));
        QVERIFY(std::abs(summary.mean - golden["drift.cosine"].mean().item<double>()) <= golden.tolerance);
        QVERIFY(std::abs(summary.p05 - 0.9593309) <= golden.tolerance);  // numpy.percentile(…, 5)
    }

    void goldenPrincipalComponentsAgree()
    {
        const FeatureGolden golden;
        const at::Tensor& tokens = golden["pca.tokens"];
        const PrincipalComponents basis = principalComponents(tokens);
        QVERIFY(difference(basis.components, golden["pca.components"]) <= golden.tolerance);
        QVERIFY(difference(basis.scores(tokens), golden["pca.scores"]) <= golden.tolerance);
        QVERIFY(difference(basis.colours(tokens), golden["pca.picture"]) <= golden.tolerance);
        QVERIFY(std::abs(basis.variance - golden.json.at("variance_of_3").get<double>()) <= golden.tolerance);
    }

    void coloursOfOtherTokensAreInTheSameBasis()
    {
        const FeatureGolden golden;
        const at::Tensor& tokens = golden["pca.tokens"];
        const PrincipalComponents basis = principalComponents(tokens);
        // A token that goes where the seventh was has its colour; beyond the range colours end.
        at::Tensor others = tokens.clone();
        others[0].copy_(tokens[7]);
        others[1].copy_(basis.mean + 1000 * basis.components[0]);
        const at::Tensor colours = basis.colours(others);
        QVERIFY(difference(colours[0], basis.colours(tokens)[7]) <= 1e-12);
        QCOMPARE(colours[1][0].item<double>(), 1.0);
        QVERIFY(colours.min().item<double>() >= 0 && colours.max().item<double>() <= 1);
    }

    void tokensOfLowRankHaveNoColoursOfRounding()
    {
        const at::Tensor line = at::arange(12, at::kFloat).unsqueeze(1) * noise({1, 6}, 2);
        const PrincipalComponents basis = principalComponents(line);
        QCOMPARE(basis.components.slice(0, 1).abs().max().item<double>(), 0.0);
        const at::Tensor colours = basis.colours(line);
        QCOMPARE(colours.select(1, 0).max().item<double>(), 1.0);
        QCOMPARE(colours.slice(1, 1).min().item<double>(), 0.5);
        QCOMPARE(colours.slice(1, 1).max().item<double>(), 0.5);
        const PrincipalComponents none = principalComponents(at::ones({1, 2}));
        QCOMPARE(none.variance, 0.0);
        QCOMPARE(none.colours(at::ones({1, 2})).sum().item<double>(), 1.5);
    }

    void tokensThatAreNotFiniteHaveNoComponents()
    {
        at::Tensor tokens = noise({9, 4}, 3);
        tokens[3][2] = std::nan("");
        THROWS(UsageError, principalComponents(tokens));
    }

    void cosinesOfNothingAndOfLargeNumbers()
    {
        const at::Tensor rows = at::tensor({3.0f, 4.0f, 0.0f, 0.0f, 3e30f, 4e30f}).reshape({3, 2});
        const at::Tensor same = cosines(rows, rows);
        QVERIFY(std::abs(same[0].item<double>() - 1) < 1e-12);
        QCOMPARE(same[1].item<double>(), 0.0);
        QVERIFY(std::abs(same[2].item<double>() - 1) < 1e-12);
        QVERIFY(std::isnan(summarise({}).mean));
        QVERIFY(std::isnan(summarise({1, std::nan("")}).p05));
    }

    void theProbeIsAtAMinimum_data()
    {
        columns<double>("c");
        for (const double c : {0.1, 1.0, 10.0})
            addRow("C = %g", c) << c;
    }
    /// The gradient of the documented objective, from its definition.
    void theProbeIsAtAMinimum()
    {
        QFETCH(double, c);
        const LabelledFeatures all = clouds();
        const LinearProbe probe = fitLinearProbe(all, c, {});
        QVERIFY(probe.converged && probe.iterations > 1);
        const at::Tensor x = all.features.to(at::kDouble), mean = x.mean(0), spread = x.std(0, false);
        const at::Tensor stddev = at::where(spread > 0, spread, at::ones_like(spread)), z = (x - mean) / stddev;
        const at::Tensor weight = probe.weight * stddev;  // of z
        const at::Tensor scores = probe.scores(all.features);
        const at::Tensor wanted = at::one_hot(at::tensor(all.labels, at::kLong), 3).to(at::kDouble);
        const at::Tensor error = scores.softmax(1) - wanted;
        const double n = 120;
        const at::Tensor gradient = at::matmul(error.t(), z) / n + weight / (c * n);
        QCOMPARE_LT(gradient.abs().max().item<double>(), 2e-6);
        QVERIFY(error.mean(0).abs().max().item<double>() < 2e-6);
    }

    void theProbeSeparatesCloudsWhateverTheScaleOfAChannel()
    {
        const LabelledFeatures all = clouds();
        const ChosenProbe chosen = chooseLinearProbe(all, {});
        QCOMPARE(chosen.candidates.size(), size_t(3));
        QCOMPARE(chosen.candidates.front().samples, 24);
        int64_t most = 0;
        for (const ProbeCandidate& candidate : chosen.candidates)
            most = std::max(most, candidate.correct);
        for (const ProbeCandidate& candidate : chosen.candidates)
            if (candidate.correct == most) {
                QCOMPARE(chosen.probe.c, candidate.c);  // the smallest of the best
                break;
            }
        QVERIFY(fractionOf(chosen.probe.predict(all.features), all.labels) > 0.7);
        // Channels in other units make no difference: features are standardised.
        LabelledFeatures scaled = all;
        scaled.features = all.features * at::tensor({1.0f, 1e-3f, 50.0f, 2.0f, 1.0f});
        const LinearProbe other = fitLinearProbe(scaled, chosen.probe.c, {});
        QVERIFY(difference(other.scores(scaled.features).softmax(1), chosen.probe.scores(all.features).softmax(1))
                < 1e-4);
    }

    void smallClassesHoldNothingOut()
    {
        LabelledFeatures few{.features = noise({6, 4}, 9), .labels = {0, 0, 0, 1, 1, 1}, .classes = 2};
        const ChosenProbe chosen = chooseLinearProbe(few, {});
        QVERIFY(chosen.candidates.empty());
        QCOMPARE(chosen.probe.c, 1.0);
        QCOMPARE(fractionOf(chosen.probe.predict(few.features), few.labels), 1.0);
    }

    void aProbeIsStoppedOnRequest()
    {
        std::stop_source source;
        source.request_stop();
        THROWS(Cancelled, fitLinearProbe(clouds(), 1, source.get_token()));
    }
};

ATTNSCOPE_TEST(TestFeatures)
#include "tst_features.moc"
