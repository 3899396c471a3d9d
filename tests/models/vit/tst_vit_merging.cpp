#include "core/attention/noise.h"
#include "core/attention/training_free/token_merging.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/plan/plan.h"
#include "core/lab/scale/scale.h"
#include "core/run/compare.h"
#include "core/run/features/token_features.h"
#include "core/run/record_json.h"
#include "models/open_model.h"
#include "tests/support/folder.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <c10/core/InferenceMode.h>

#include <fstream>
#include <map>

using namespace attnscope;

namespace {

using Network = std::shared_ptr<const Classifier>;

/// 5 × 5 patches of 8 pixels; `more` switches of the description.
Network network(const Json& more = Json::object(), const std::string& dtype = "float32", bool plain = false)
{
    Json json{{"family", "vit"}, {"img_size", 40}, {"patch_size", 8}, {"embed_dim", 48},
              {"depth", 4},      {"num_heads", 3}, {"num_classes", 7}};
    json.update(more);
    const Folder folder;
    const std::string file = folder / "network.json";
    std::ofstream(file) << json.dump();
    return openModel({.model = file, .weights = "untrained:5", .device = "cpu", .dtype = dtype, .plain = plain});
}

at::Tensor image(const Classifier& classifier, int64_t batch = 2)
{
    SeededNoise noise(3, 0);
    return noise.normal("image", {batch, 3, 40, 40}, at::TensorOptions(at::kFloat)).to(classifier.dtype());
}

PreparedAttention prepared(const Classifier& classifier, const std::string& spec)
{
    return classifier.prepare(AttentionSpec::parse(spec), 0);
}

at::Tensor logits(const Classifier& classifier, const std::string& spec, const at::Tensor& input,
                  ForwardObserver* observer = nullptr)
{
    const c10::InferenceMode guard;
    return classifier.logits(input, prepared(classifier, spec), observer);
}

std::string refusal(const Classifier& classifier, const std::string& spec)
{
    return attnscope::refusal<UsageError>([&] { prepared(classifier, spec); });
}

class Everything : public ForwardObserver {
public:
    void afterAttention(int64_t, const AttentionInput& input, const at::Tensor&) override
    {
        tokens.push_back(input.q.size(2));
    }
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override { activations[name] = value; }
    void onMerging(int64_t, const TokenMerger& merger) override { take(merger, merged); }

    std::vector<int64_t> tokens;
    std::map<std::string, at::Tensor> activations;
    MergedTokens merged;
};

InputSource source()
{
    FloatArray array{{3, 40, 40}, {}};
    const at::Tensor values = image(*network(), 1).contiguous();
    array.values.assign(values.const_data_ptr<float>(), values.const_data_ptr<float>() + values.numel());
    return {"image", "tensor", [array] { return array; }};
}

const Json ropeSwitches{{"rope", {{"type", "axial"}}}, {"qk_norm", true}};

}

/// Networks whose tokens merge.
class TestVitMerging : public QObject {
    Q_OBJECT

private slots:
    void noTokensMergedIsTheSameToTheBit_data()
    {
        rows("attention",
             {"softmax", "lara:samples=16", "performer:samples=16", "0-1=softmax;2-3=wildcat:samples=8"});
    }
    void noTokensMergedIsTheSameToTheBit()
    {
        FETCH_TEXT(attention);
        const Network net = network();
        const at::Tensor input = image(*net);
        QVERIFY(at::equal(logits(*net, attention, input), logits(*net, attention + ";tokens=tome:r=0", input)));
        QCOMPARE(net->multiplyAdds(prepared(*net, attention)),
                 net->multiplyAdds(prepared(*net, attention + ";tokens=tome:r=0")));
    }

    void optimizedAndPlainNetworksMergeAlike_data()
    {
        columns<QByteArray>("switches");
        const auto row = [](const char* name, const Json& switches) {
            QTest::newRow(name) << QByteArray::fromStdString(switches.dump());
        };
        row("deit", Json::object());
        row("mean of patches", {{"class_token", false}, {"pool", "avg"}});
        row("map", {{"class_token", false}, {"pool", "map"}});
        row("token_avg, registers", {{"pool", "token_avg"}, {"reg_tokens", 2}});
        row("res_post", {{"block", "res_post"}});
        row("parallel", {{"block", "parallel"}});
        row("branches", {{"block", "branches"}, {"branches", 2}});
        row("differential", {{"differential", true}});
        row("grouped keys", {{"kv_heads", 1}});
        row("layer scale, gated", {{"layer_scale", "both"}, {"mlp", "glu"}});
        row("rope", ropeSwitches);
        row("mixed rope", {{"rope", {{"type", "mixed"}}}});
    }
    void optimizedAndPlainNetworksMergeAlike()
    {
        QFETCH(const QByteArray, switches);
        const Json json = Json::parse(switches.toStdString());
        const Network fast = network(json), plain = network(json, "float32", true);
        const at::Tensor input = image(*fast);
        for (const char* spec :
             {"softmax;tokens=tome:r=4", "softmax;tokens=tome:r=3,schedule=decreasing,order=concatenate"}) {
            const at::Tensor found = logits(*fast, spec, input);
            QVERIFY2(difference(found, logits(*plain, spec, input)) < 2e-4, spec);
            QVERIFY(difference(found, logits(*fast, "softmax", input)) > 1e-6);  // something has merged
            QVERIFY(at::equal(found.slice(0, 0, 1),
                              logits(*fast, spec, input.slice(0, 0, 1))));  // whatever the rest of the batch is
        }
    }

    /// Two patches that look the same merge before anything tells them apart: without positions nothing changes.
    void equalPatchesMergeExactly()
    {
        for (const bool plain : {false, true}) {
            const Network net = network({{"pos_embed", "none"}}, "float32", plain);
            at::Tensor input = image(*net, 1);
            const auto columns = input.unflatten(3, {5, 8});
            for (const int64_t column : {1, 3})
                columns.select(3, column).copy_(columns.select(3, column - 1));  // columns 0 = 1, 2 = 3 of patches
            QVERIFY(difference(logits(*net, "softmax;tokens=tome:r=2", input), logits(*net, "softmax", input))
                    < 1e-5);
        }
    }

    void observersSeeEveryToken()
    {
        for (const Json& switches : {Json::object(), Json{{"class_token", false}, {"pool", "avg"}}}) {
            const Network net = network(switches);
            const at::Tensor input = image(*net);
            const std::string spec = "softmax;tokens=tome:r=6";
            const int64_t all = switches.empty() ? 26 : 25;
            Everything seen;
            const at::Tensor out = logits(*net, spec, input, &seen);
            QVERIFY(difference(out, logits(*net, spec, input)) < 1e-4);
            QCOMPARE(seen.tokens, (std::vector<int64_t>{all, all - 6, all - 12, all - 18}));
            for (const auto& [name, value] : seen.activations)
                QVERIFY2(value.size(1) == (name == "patch_embed" ? 25 : all), name.c_str());
            QCOMPARE(seen.merged.layers.size(), 4);
            QCOMPARE(seen.merged.left(0), all - 6);
            QCOMPARE(seen.merged.rows, 5);
            QCOMPARE(seen.merged.layers[3].size(), static_cast<size_t>(all));
            // What the head reads of the last block's rows is what the network predicts.
            QVERIFY(difference(net->readOut(seen.activations.at("block.3")).logits, out) < 1e-4);
        }
    }

    void multiplyAddsAreOfTheTokensThatAreLeft()
    {
        const Network net = network();
        const double whole = net->multiplyAdds(prepared(*net, "softmax"));
        double blocks = 0;
        constexpr double c = 48;
        const auto block = [&](double attended, double mlp, double matched) {
            return attended * 4 * c * c + mlp * 8 * c * c + 2 * attended * attended * c + matched * 16;
        };
        blocks += block(26, 20, 13 * 12) + block(20, 14, 10 * 9) + block(14, 8, 7 * 6) + block(8, 5, 4 * 3);
        const double outside = whole - 4 * block(26, 26, 0);
        QCOMPARE(net->multiplyAdds(prepared(*net, "softmax;tokens=tome:r=6")), outside + blocks);
        const ExitCost cost = net->exitCost(prepared(*net, "softmax;tokens=tome:r=6"));
        QCOMPARE(cost.blocks.front(), block(26, 20, 13 * 12));
    }

    void whatCannotMergeIsRefused_data()
    {
        columns<QString>("said");
        row("softmax;tokens=tome:r=13", "give r from 0 to 12");
        row("softmax;tokens=tome:r=7,schedule=decreasing", "give r from 0 to 6");
        row("lara:samples=16,landmarks=grid;tokens=tome:r=4", "landmarks=segments");
        row("performer:samples=16,floors=library;tokens=tome:r=4", "cannot follow merged tokens");
        row("etc;tokens=tome:r=4", "cannot follow merged tokens");
    }
    void whatCannotMergeIsRefused()
    {
        const std::string spec = currentDataTag();
        QFETCH(const QString, said);
        const std::string found = refusal(*network(), spec);
        SAYS(found, said);
        QCOMPARE(std::count(found.begin(), found.end(), '\n'), 0);
    }

    void otherNetworksRefuse()
    {
        const Network relative = network({{"rel_pos", {{"type", "log_mlp"}, {"hidden", 8}}}});
        SAYS(refusal(*relative, "softmax;tokens=tome:r=2"), "relative position biases");
        for (const char* name :
             {"pvtv2_sra_tiny_cfg", "motionformer_trajectory_tiny_cfg", "motionformer_joint_tiny_cfg"}) {
            const Network other = openModel({.model = std::string(TEST_DATA_DIR "/models/") + name + ".json",
                                             .weights = "untrained",
                                             .device = "cpu"});
            QVERIFY2(refusal(*other, "native;tokens=tome:r=2").find("tokens cannot merge in") != std::string::npos,
                     name);
            QVERIFY(refusal(*other, "native;tokens=tome:r=0").empty());
        }
    }

    /// No method crashes, and none gives anything but numbers.
    void everyMethodFollowsMergedTokensOrRefuses()
    {
        const Network net = network();
        const at::Tensor input = image(*net);
        int ran = 0;
        for (const BackendInfo& info : backends()) {
            if (info.needsReduction)
                continue;
            const std::string samples = findOption(info, "samples") != nullptr ? ":samples=4" : "";
            const std::string spec = info.name + samples + ";tokens=tome:r=5";
            if (const std::string said = refusal(*net, spec); !said.empty()) {
                SAYS(said, "cannot follow merged tokens");
                continue;
            }
            const at::Tensor out = logits(*net, spec, input);
            QVERIFY2(isFinite(out), spec.c_str());
            ++ran;
        }
        QCOMPARE_GE(ran, 20);
    }

    void halfPrecisionStaysNearFloat32()
    {
        const Network half = network(Json::object(), "bfloat16"), whole = network();
        const at::Tensor input = image(*whole);
        QVERIFY(difference(logits(*half, "softmax;tokens=tome:r=2", input.to(at::kBFloat16)),
                           logits(*whole, "softmax;tokens=tome:r=2", input))
                < 0.2);
    }

    void aComparisonKnowsWhatHasMerged()
    {
        const Network net = network();
        RunObserver nobody;
        RunRequest request{
            .attention = {AttentionSpec::parse("softmax"), AttentionSpec::parse("softmax;tokens=tome:r=6")},
            .latency = false,
            .memory = false};
        request.features = FeatureKind::Pooled;
        const RunReport report = run(*net, {source()}, request, nobody, {});
        const RunRecord &exact = report.inputs.front().runs.front(), &merged = report.inputs.front().runs.back();
        QVERIFY2(merged.failure.empty(), merged.failure.c_str());
        QVERIFY(!exact.merged && merged.merged);
        QCOMPARE(merged.merged->layers.size(), 4);
        QVERIFY(merged.error->error.relative < 1e-9);  // the same q, k, v
        QVERIFY(merged.endToEnd->drift.back() > 0);
        QCOMPARE(merged.endToEnd->drift.size(), 4);
        QCOMPARE(merged.featureDrift->patchCosines.size(), 25);
        QVERIFY(merged.macs < exact.macs);
        const Json json = toJson(merged);
        QCOMPARE(json["tokens"].get<std::string>(), "tome:r=6");
        QCOMPARE(json["merged"]["layers"][0]["tokens"].get<int>(), 20);
        QVERIFY(!toJson(exact).contains("tokens"));
    }

    void layersOfAMergedNetworkAreComparedTokenByToken()
    {
        const Network net = network();
        InspectRequest request{.attention = {AttentionSpec::parse("softmax;tokens=tome:r=6"),
                                             AttentionSpec::parse("wildcat:samples=6;tokens=tome:r=6")}};
        request.seeds = 2;
        request.query = TokenQuery{.row = 2, .column = 3};
        const LayerInspection found = inspectLayers(NetworkInputs{net, {source()}}, request);
        for (const InspectedAttention& one : found.attention) {
            QVERIFY2(one.failure.empty(), one.failure.c_str());
            QCOMPARE(one.endToEnd.size(), 4);
            QVERIFY(one.endToEnd.back().mean.error.relative > 0
                    && std::isfinite(one.endToEnd.back().mean.error.relative));
            QVERIFY(one.merged && one.merged->layers.size() == 4);
            QVERIFY(one.alone.front().kl > 0);
        }
        QVERIFY(found.attention.front().teacherForced.back().mean.error.relative < 1e-9);
    }

    void plansAreMadeWithAndWithoutMerging()
    {
        const Network net = network();
        PlanRequest request{
            .candidates = {AttentionSpec::parse("elu;tokens=tome:r=4"), AttentionSpec::parse("wildcat:samples=6")},
            .kind = PlanBudget::Divergence,
            .budget = 10,
            .seeds = 1,
            .rounds = 2};
        const PlanReport report = planAttention(*net, {source()}, request, {}, {});
        QVERIFY(report.chosen.has_value());
        QCOMPARE(report.candidates.size(), 5);  // exact, explicit, exact with merging, both
        QCOMPARE(report.outside.size(), 5);
        for (const Plan& plan : report.front)
            for (const size_t choice : plan.choice)
                QCOMPARE(tokensOf(report.candidates[choice]), tokensOf(plan.attention));
        request.kind = PlanBudget::Error;
        THROWS(UsageError, planAttention(*net, {source()}, request, {}, {}));
    }

    void encodersOfAnyLengthMerge()
    {
        const ScaleRequest request{.attention = {AttentionSpec::parse("softmax;tokens=tome:r=10"),
                                                 AttentionSpec::parse("softmax;tokens=tome:r=40")},
                                   .lengths = {64, 100},
                                   .layers = 3,
                                   .width = 48,
                                   .minimumRepetitions = 1,
                                   .minimumSeconds = 0};
        const ScaleReport report = scale(request, {}, {}, {});
        QCOMPARE(report.rows.size(), 4);
        QVERIFY2(report.rows[2].points[0].stopped.empty(), report.rows[2].points[0].stopped.c_str());
        QVERIFY(report.rows[2].points[1].latency.repetitions > 0);
        SAYS(report.rows[3].points[0].stopped, "give r from 0 to 32");  // 64 tokens
        QVERIFY(report.rows[3].points[1].stopped.empty());
    }
};

ATTNSCOPE_TEST(TestVitMerging)
#include "tst_vit_merging.moc"
