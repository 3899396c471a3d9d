// Several networks beside each other: which column stands in which, and what it is compared with.
#include "core/base/error.h"
#include "core/data/dataset/match_classes.h"
#include "core/run/predictions.h"
#include "core/run/record_json.h"
#include "models/compared_networks.h"
#include "tests/models/golden_models.h"
#include "tests/support/checks.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const std::string demo = RESOURCE_DIR "/demo/models/";

std::vector<AttentionSpec> specs(const std::vector<std::string>& texts)
{
    std::vector<AttentionSpec> parsed;
    for (const std::string& text : texts)
        parsed.push_back(AttentionSpec::parse(text));
    return parsed;
}

std::vector<std::string> texts(const std::vector<AttentionSpec>& columns)
{
    std::vector<std::string> all;
    for (const AttentionSpec& column : columns)
        all.push_back(column.canonical());
    return all;
}

RunRequest errorsOf(const std::vector<AttentionSpec>& columns)
{
    RunRequest request;
    request.attention = columns;
    request.latency = request.memory = false;
    request.keepLogits = true;
    return request;
}

class Compared {
public:
    Compared(const std::vector<std::string>& weights, const std::vector<std::string>& attention,
             const std::string& dtype = "float32")
    {
        std::vector<ModelRequest> requests;
        for (const std::string& file : weights)
            requests.push_back({.weights = file, .device = "cpu", .dtype = dtype});
        columns = columnsOf(specs(attention), weights, dtype);
        networks = openNetworks(requests, columns, true);
        columns = withoutEqualColumns(columns, networks);
    }
    RunReport run(RunRequest request) const
    {
        RunObserver nobody;
        const auto& input = networks.front().classifier->describe().input;
        const auto load = [input] { return waveArray(0.013f, input); };
        return attnscope::run(networks, {{.path = "waves", .load = load}}, request, nobody, {});
    }
    RunReport run() const { return run(errorsOf(columns)); }

    std::vector<AttentionSpec> columns;
    std::vector<ComparedNetwork> networks;
};

const RunRecord& recordOf(const RunReport& report, const std::string& attention)
{
    for (const RunRecord& run : report.inputs.at(0).runs)
        if (run.attention == attention)
            return run;
    throw std::runtime_error("there is no " + attention);
}

}

class TestColumns : public QObject {
    Q_OBJECT

private slots:
    void columnsHaveOneSpelling()
    {
        const AttentionSpec spec = AttentionSpec::parse(
            "lara:samples=9;checkpoint=02;weights=int8;dtype=bfloat16;tokens=tome:r=4");
        QCOMPARE(spec.canonical(), "lara:samples=9;tokens=tome:r=4;weights=int8;dtype=bfloat16;checkpoint=2");
        QCOMPARE(AttentionSpec::parse(spec.canonical()), spec);
        QCOMPARE(spec.inNetwork().canonical(), "lara:samples=9;tokens=tome:r=4;weights=int8");
        QCOMPARE(spec.alone().canonical(), "lara:samples=9");
        QCOMPARE(AttentionSpec::parse("0-1=lara;checkpoint=other.pth").checkpoint(), "other.pth");
        for (const char* wrong : {"lara;checkpoint=", "lara;checkpoint=0", "lara;dtype=int4", "checkpoint=2",
                                  "lara;checkpoint=1;checkpoint=2", "lara;checkpoint=2;0=softmax"})
            THROWS(UsageError, AttentionSpec::parse(wrong));
    }

    void attentionsRunWithEveryCheckpointOrWithTheirOwn()
    {
        const std::vector<std::string> weights{"a.pth", "b.pth"};
        QCOMPARE(
            texts(columnsOf(specs({"softmax", "lara;checkpoint=1", "ra;checkpoint=b.pth", "native;dtype=float32"}),
                            weights, "float32")),
            (std::vector<std::string>{"softmax", "softmax;checkpoint=2", "lara", "ra;checkpoint=2", "native",
                                      "native;checkpoint=2"}));
        QCOMPARE(columnsOf(specs({"ra", "ra;checkpoint=1", "ra;dtype=float32"}), {"a.pth"}, "float32").size(), 1);
        THROWS(UsageError, columnsOf(specs({"lara;checkpoint=3"}), weights, "float32"));
        THROWS(UsageError, columnsOf(specs({"lara;checkpoint=c.pth"}), weights, "float32"));
    }

    /// The softmax network beside the one that was trained for LARA, and beside both swaps.
    void trainedAndSwappedStandBesideEachOther()
    {
        const Compared compared({demo + "deit.safetensors", demo + "deit_lara.safetensors"},
                                {"softmax", "native", "lara;checkpoint=1"});
        const std::string trained = compared.networks.at(1).classifier->describe().nativeAttention;
        QVERIFY(trained.starts_with("lara"));
        QCOMPARE(texts(compared.columns),
                 (std::vector<std::string>{"softmax", "softmax;checkpoint=2", "native;checkpoint=2", "lara"}));
        const RunReport report = compared.run();
        QCOMPARE(report.others.size(), 1);
        const auto kinds = [&](const char* column) { return recordOf(report, column).weights; };
        QCOMPARE(kinds("softmax"), WeightsKind::Trained);
        QCOMPARE(kinds("softmax;checkpoint=2"), WeightsKind::Swapped);
        QCOMPARE(kinds("native;checkpoint=2"), WeightsKind::Trained);
        QCOMPARE(kinds("lara"), WeightsKind::Swapped);
        const RunRecord& own = recordOf(report, "native;checkpoint=2");
        QCOMPARE(own.resolved, trained + ";checkpoint=2");
        QCOMPARE(own.checkpoint.path, demo + "deit_lara.safetensors");
        QCOMPARE(own.checkpoint.sha256.size(), 64);
        // Against exact attention of the same weights, and end to end against the first network.
        QVERIFY(own.error->error.relative > 0);
        QCOMPARE(recordOf(report, "softmax;checkpoint=2").error->error.relative, 0.0);
        QCOMPARE(own.endToEnd->against, demo + "deit.safetensors");
        QCOMPARE(own.endToEnd->matchedClasses, 12);
        QVERIFY(own.endToEnd->kl > 0 && recordOf(report, "softmax;checkpoint=2").endToEnd->kl > 0);
        QCOMPARE(own.endToEnd->drift.size(), recordOf(report, "lara").endToEnd->drift.size());
        QVERIFY(recordOf(report, "softmax").endToEnd->against.empty());
        const Json json = toJson(own);
        QCOMPARE(json["checkpoint"]["path"], demo + "deit_lara.safetensors");
        QCOMPARE(json["end_to_end"]["matched_classes"], 12);
    }

    void equalColumnsOfOneAndOfTwoRunsHaveTheSameBits()
    {
        const std::string first = demo + "deit.safetensors", second = demo + "deit_performer.safetensors";
        const std::vector<std::string> attention{"native", "lara", "performer:samples=16"};
        const RunReport both = Compared({first, second}, attention).run();
        const RunReport alone = Compared({second}, attention).run();
        for (const RunRecord& run : alone.inputs.at(0).runs) {
            const RunRecord& same = recordOf(both, run.attention + ";checkpoint=2");
            QCOMPARE(same.logits, run.logits);
            QCOMPARE(same.error->error.mse, run.error->error.mse);
        }
    }

    void aTypeOfItsOwnIsANetworkOfItsOwn()
    {
        const Compared compared({demo + "deit.safetensors"},
                                {"softmax", "softmax;dtype=bfloat16", "softmax;dtype=float32;weights=int8"});
        QCOMPARE(compared.networks.size(), 2);
        const RunReport report = compared.run();
        const RunRecord &wide = recordOf(report, "softmax"), &narrow = recordOf(report, "softmax;dtype=bfloat16");
        QVERIFY(wide.logits != narrow.logits);
        QVERIFY(narrow.endToEnd->kl > 0 && narrow.endToEnd->kl < 0.05);
        QCOMPARE(narrow.endToEnd->matchedClasses, 12);
        QVERIFY(narrow.endToEnd->drift.back() > 1e-4 && narrow.endToEnd->drift.back() < 0.05);
        QCOMPARE(toJson(narrow)["dtype"], "bfloat16");
    }

    void familiesOfOtherSizesAreCompared()
    {
        const Compared compared({demo + "deit.safetensors", demo + "pvt_v2.safetensors"}, {"native"});
        RunRequest request = errorsOf(compared.columns);
        request.features = FeatureKind::Pooled;
        const RunReport report = compared.run(request);
        const RunRecord& other = recordOf(report, "native;checkpoint=2");
        QVERIFY2(other.failure.empty(), other.failure.c_str());
        QCOMPARE(other.endToEnd->matchedClasses, 12);
        QVERIFY(other.endToEnd->drift.empty());
        QVERIFY(other.featureDrift && !other.featureDrift->values.empty());
    }

    void whatCannotStandBesideIsASentenceAtItsColumns()
    {
        const Compared compared(
            {demo + "deit.safetensors", demo + "motionformer.safetensors", demo + "missing.safetensors"},
            {"native", "sra;checkpoint=1", "lara;checkpoint=1"});
        const RunReport report = compared.run();
        QVERIFY(recordOf(report, "native").failure.empty());
        QVERIFY(recordOf(report, "lara").failure.empty());
        QVERIFY(recordOf(report, "native;checkpoint=2").failure.find("clips") != std::string::npos);
        QVERIFY(recordOf(report, "native;checkpoint=3").failure.find("missing.safetensors") != std::string::npos);
        QVERIFY(!recordOf(report, "sra").failure.empty());
        THROWS(Error, Compared({demo + "missing.safetensors"}, {"native"}));
    }

    /// One network alone takes no column of another.
    void aColumnOfANetworkThatIsNotThereIsNoOther()
    {
        const Compared compared({demo + "deit.safetensors"}, {"softmax"});
        const RunReport report = compared.run(
            errorsOf(specs({"softmax", "softmax;dtype=bfloat16", "softmax;checkpoint=2"})));
        QVERIFY(recordOf(report, "softmax").failure.empty());
        QVERIFY(!recordOf(report, "softmax;dtype=bfloat16").failure.empty());
        QVERIFY(!recordOf(report, "softmax;checkpoint=2").failure.empty());
        THROWS(UsageError, prepare(*compared.networks.front().classifier, "softmax;checkpoint=2"));
    }

    void classesAreMatchedByName()
    {
        const ModelClasses first{"a", 4, {"cat", "Irish setter, red setter", "dog", "crane"}, {}};
        const ModelClasses permuted{"b", 5, {"crane", "dog", "cat", "Irish_Setter", "other"}, {}};
        QCOMPARE(sameClasses(first, permuted), (std::vector<int64_t>{2, 3, 1, 0}));
        const ModelClasses partial{"c", 2, {"dog", "cat"}, {}};
        QCOMPARE(sameClasses(first, partial), (std::vector<int64_t>{1, -1, 0, -1}));
        QCOMPARE(sameClasses(first, first), (std::vector<int64_t>{0, 1, 2, 3}));
        QVERIFY(sameClasses(first, ModelClasses{"d", 4, {}, {}}).empty());
        QVERIFY(sameClasses(first, ModelClasses{"e", 2, {"one", "two"}, {}}).empty());
        const ModelClasses twice{"f", 3, {"cat", "cat", "dog"}, {}};
        QCOMPARE(sameClasses(first, twice), (std::vector<int64_t>{-1, -1, 2, -1}));
    }

    void logitsAreComparedOverTheClassesThatBothHave()
    {
        const at::Tensor first = at::randn({1, 6}), order = at::tensor({3, 0, 5, 1, 4, 2});
        std::vector<int64_t> same(6);
        for (int64_t i = 0; i < 6; ++i)
            same[size_t(order[i].item<int64_t>())] = i;
        const at::Tensor permuted = first.index_select(1, order);
        const ComparedClasses all({6}, same);
        QCOMPARE(all.count(), 6);
        QVERIFY(all.divergence(first, permuted) < 1e-9 && all.agree(first, permuted));
        const auto best = size_t(first.argmax().item<int64_t>());
        std::vector<int64_t> without = same;
        without[best] = -1;
        const ComparedClasses some({6}, without);
        QVERIFY(some.divergence(first, permuted) < 1e-9 && !some.agree(first, permuted));
        const at::Tensor other = at::randn({1, 6});
        const double direct = divergence(first, other, {6});
        QVERIFY(std::abs(all.divergence(first, other.index_select(1, order)) - direct) < 1e-9);
        QVERIFY(std::isnan(ComparedClasses({6}, {}).divergence(first, other)));
        QVERIFY(!ComparedClasses({6}, {}).agree(first, first));
    }
};

ATTNSCOPE_TEST(TestColumns)
#include "tst_columns.moc"
