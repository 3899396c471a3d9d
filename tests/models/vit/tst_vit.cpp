// Plain vision transformers of every kind against timm, and what their descriptions say.
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/run/classifier.h"
#include "core/run/first_layer.h"
#include "tests/models/golden_models.h"
#include "tests/support/test_class.h"
#include "vit_cases.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <map>
#include <sstream>

using namespace attnscope;
using namespace attnscope::test;

namespace {

/// Features and logits of the tokens behind the last block.
Readout readoutOfLast(const Classifier& network, const Recorder& recorder)
{
    return network.readOut(recorder.activations.at(network.readableBlocks().back()));
}

ModelSetup setupOf(bool optimized, PositionRule rule = PositionRule::Own, at::ScalarType dtype = at::kFloat)
{
    return {.dtype = dtype,
            .execution = optimized ? Execution::Optimized : Execution::Reference,
            .positionRule = rule};
}

/// A small network with everything between projection and attention: registers, RoPE, and biases that are not zero.
Json turnedConfig()
{
    return Json::parse(
        R"({"family": "vit", "img_size": 48, "patch_size": 8, "embed_dim": 32, "depth": 2, "num_heads": 2, "num_classes": 6,
        "mlp_hidden": 48, "reg_tokens": 3, "pos_embed": "none", "qk_norm": true, "mlp": "glu", "act": "silu", "layer_scale": "both",
        "rope": {"type": "centred", "half": true}})");
}

/// The same with a table of relative positions instead.
Json biasedConfig()
{
    Json config = turnedConfig();
    config.erase("rope");
    config.erase("reg_tokens");
    config["rel_pos"] = {{"type", "table"}};
    return config;
}

/// Random weights, none of them at a special value.
std::shared_ptr<TrainableClassifier> made(const Json& config, const ModelSetup& setup = {})
{
    auto network = parseDescription(config, "test")->untrained(5, setup);
    if (setup.execution == Execution::Reference) {
        const at::NoGradGuard guard;
        for (const NamedWeight& weight : network->weights())
            weight.value.add_(
                at::randn(weight.value.sizes(),
                          at::make_generator<at::CPUGeneratorImpl>(std::hash<std::string>{}(weight.name)),
                          weight.value.options()),
                0.2);
    }
    return network;
}

at::Tensor imagesFor(const Classifier& network, int64_t batch)
{
    auto shape = network.describe().input;
    shape.insert(shape.begin(), batch);
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(7)).to(network.dtype());
}

/// A specification of a method that runs on 6 × 6 patches with a few prefix tokens.
std::string smallSpec(const BackendInfo& info)
{
    const std::map<std::string, std::string> options{
        {"topk", ":samples=4"},  {"local", ":window=2"}, {"longformer", ":radius=1"},
        {"bigbird", ":block=1"}, {"span", ":span=1"},    {"clustered", ":samples=4,topk=4"}};
    const auto found = options.find(info.name);
    return info.name + (found != options.end() ? found->second : info.landmarks ? ":samples=9" : "");
}

}

class TestVit : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { at::set_num_threads(1); }  // tiny tensors
    void everyCaseEqualsTimm_data() { addExecutions(); }

    void everyCaseEqualsTimm()
    {
        FETCH_TEXT(name);
        QFETCH(bool, optimized);
        const c10::InferenceMode guard;
        const auto golden = readTensors(vitFolder + name + ".io.safetensors");
        const double tolerance = vitCase(name).at("suggested_atol").get<double>();
        int compared = 0;
        const auto agrees = [&](const at::Tensor& found, const std::string& key) {
            const at::Tensor& expected = golden.at(key);
            const double far = difference(found.reshape(expected.sizes()), expected);
            ++compared;
            if (far <= tolerance)
                return true;
            qWarning("%s differs by %g", key.c_str(), far);
            return false;
        };
        for (const auto& [key, input] : golden) {
            if (!key.starts_with("input"))
                continue;
            const std::string size = key.substr(5);  // "", or "_70x42"
            for (const auto& [suffix, rule] : {std::pair<std::string, PositionRule>{"", PositionRule::Own},
                                               {".bicubic", PositionRule::Deit},
                                               {".bicubic_offset", PositionRule::Dinov2}}) {
                if (!golden.contains("features" + size + suffix))
                    continue;
                const auto network = openVit(name, setupOf(optimized, rule));
                network->checkInput(input.sizes().slice(1).vec());
                Recorder recorder;
                const auto native = prepare(*network);
                const auto answer = network->logits(input, native, &recorder);
                const Readout readout = readoutOfLast(*network, recorder);
                QVERIFY(agrees(readout.features, "features" + size + suffix));
                const bool head = golden.contains("logits" + size + suffix);
                QCOMPARE(network->describe().classes > 0, head);
                QVERIFY(agrees(answer, (head ? "logits" : "features") + size + suffix));
                QVERIFY(agrees(network->logits(input, native),
                               (head ? "logits" : "features") + size + suffix));  // parts fused
                for (const auto& [act, expected] : golden)
                    if (size.empty() && act.starts_with("act.")) {
                        QVERIFY2(recorder.activations.contains(act.substr(4)), act.c_str());
                        QVERIFY(agrees(recorder.activations.at(act.substr(4)), act));
                    }
            }
        }
        QVERIFY(compared >= 7);
    }

    void descriptionsComeBackFromTheirJson_data() { addCases(); }
    void descriptionsComeBackFromTheirJson()
    {
        FETCH_TEXT(name);
        const Json json = vitCase(name);
        const auto description = parseDescription(json.at("config"), name);
        QCOMPARE(description->parameters(), json.at("params").get<int64_t>());
        const Json written = description->toJson();
        QCOMPARE(parseDescription(written, name)->toJson().dump(), written.dump());
        for (const auto& [key, value] : json.at("config").items())
            if (key != "img_size" && key != "rope" && key != "rel_pos")
                QVERIFY2(written.at(key) == value, key.c_str());
        for (const char* key : {"rope", "rel_pos"})
            if (json.at("config").contains(key))
                for (const auto& [inner, value] : json.at("config").at(key).items())
                    QVERIFY2(written.at(key).at(inner) == value, inner.c_str());
    }

    void countsAreTimms()
    {
        std::ifstream table(RESOURCE_DIR "/models/plain_vits.tsv");
        std::string line;
        std::getline(table, line);
        const auto columns = [](const std::string& text) {
            std::vector<std::string> parts;
            std::istringstream stream(text);
            for (std::string part; std::getline(stream, part, '\t');)
                parts.push_back(part);
            return parts;
        };
        const auto names = columns(line);
        int checked = 0;
        while (std::getline(table, line)) {
            std::map<std::string, std::string> row;
            const auto parts = columns(line);
            for (size_t i = 0; i < parts.size(); ++i)
                row[names[i]] = parts[i];
            if (row["stage"] == "4")
                continue;
            Json config = Json::parse(row["switches"]);
            const auto cross = row["img"].find('x');
            config["family"] = "vit";
            config["img_size"] = {std::stoll(row["img"].substr(0, cross)),
                                  std::stoll(row["img"].substr(cross + 1))};
            for (const auto& [key, column] : {std::pair{"embed_dim", "embed_dim"},
                                              {"depth", "depth"},
                                              {"num_heads", "num_heads"},
                                              {"mlp_hidden", "mlp_hidden"},
                                              {"patch_size", "patch"},
                                              {"num_classes", "classes"}})
                config[key] = std::stoll(row[column]);
            const auto description = parseDescription(config, row["name"]);
            QVERIFY2(description->parameters() == std::stoll(row["params"]), row["name"].c_str());
            QVERIFY2(std::abs(description->multiplyAdds() / 1e9 - std::stod(row["gmacs"])) < 0.00051,
                     row["name"].c_str());
            ++checked;
        }
        QCOMPARE(checked, 265);
    }

    void badSwitchesAreRefusedByName_data()
    {
        columns<QString>("key");
        row(R"({"pos_embed": "factorized"})", "pos_embed");
        row(R"({"pos_grid": [16, 16]})", "pos_grid");
        row(R"({"pos_resample": "bilinear_square"})", "pos_resample");
        row(R"({"act": "relu"})", "act");
        row(R"({"block": "serial"})", "block");
        row(R"({"qkv_bias": "k"})", "qkv_bias");
        row(R"({"kv_heads": [2]})", "kv_heads");
        row(R"({"num_heads": 6, "kv_heads": [4, 4]})", "num_heads");
        row(R"({"class_token": false})", "pool");
        row(R"({"fc_norm": true})", "fc_norm");
        row(R"({"rope": {"type": "spiral"}})", "type");
        row(R"({"rope": 3})", "rope");
        row(R"({"rope": {"type": "mixed"}, "kv_heads": 1})", "rope");
        row(R"({"num_heads": 16, "rope": {"type": "axial"}})", "rope");
        row(R"({"rel_pos": {"type": "log_mlp"}})", "hidden");
        row(R"({"rel_pos": {"type": "table"}, "reg_tokens": 1})", "rel_pos");
        row(R"({"block": "parallel", "mlp": "glu"})", "mlp");
        row(R"({"block": "res_post", "layer_scale": "both"})", "layer_scale");
        row(R"({"branches": 2})", "branches");
        row(R"({"pool": "map", "map_heads": 3})", "map_heads");
        row(R"({"family": "deit", "reg_tokens": 4})", "reg_tokens");
        row(R"({"family": "evit", "layer_scale": "both"})", "layer_scale");
        row(R"({"family": "deit", "qk_norm": true})", "qk_norm");
    }

    void badSwitchesAreRefusedByName()
    {
        FETCH_TEXT(key);
        Json config = Json::parse(
            R"({"family": "vit", "img_size": 32, "patch_size": 8, "embed_dim": 32, "depth": 2, "num_heads": 2, "num_classes": 3})");
        parseDescription(config, "test");
        config.update(Json::parse(std::string(currentDataTag())));
        REFUSES(UsageError, parseDescription(config, "test"), "`" + key + "`");
    }

    void everyAttentionRunsWhereQueriesAreTurned()
    {
        const c10::InferenceMode guard;
        for (const bool optimized : {false, true}) {
            const auto network = made(turnedConfig(), setupOf(optimized));
            const auto input = imagesFor(*network, 2);
            for (const BackendInfo& info : backends()) {
                if (info.needsReduction)
                    continue;
                const auto prepared = prepare(*network, smallSpec(info), 3);
                const auto logits = network->logits(input, prepared);
                QVERIFY2(isFinite(logits), info.name.c_str());
                QCOMPARE(contains(prepared.notes, "rotary positions have turned"), info.landmarks);
            }
        }
    }

    void everyAttentionRunsBesideRelativePositions()
    {
        const c10::InferenceMode guard;
        const auto network = made(biasedConfig());
        const auto input = imagesFor(*network, 2);
        const auto exact = network->logits(input, network->prepare(AttentionSpec::reference(), 3));
        for (const BackendInfo& info : backends()) {
            if (info.needsReduction)
                continue;
            const auto prepared = prepare(*network, smallSpec(info), 3);
            QCOMPARE(contains(prepared.notes, "relative position biases have no place"), !info.takesBias);
            const auto logits = network->logits(input, prepared);
            QVERIFY2(isFinite(logits), info.name.c_str());
            QVERIFY2(info.takesBias || difference(logits, exact) > 1e-5, info.name.c_str());
        }
        const auto withMatrix = prepare(*network, "softmax:form=explicit", 3);
        QVERIFY(difference(network->logits(input, withMatrix), exact) < 1e-5);
    }

    void severalAttentionsOfALayerAreSeenAsOne_data()
    {
        rows("name", {"s3_diff", "s3_diff_parallel", "s3_branches"});
    }

    void severalAttentionsOfALayerAreSeenAsOne()
    {
        FETCH_TEXT(name);
        const c10::InferenceMode guard;
        const auto network = openVit(name);
        Recorder recorder;
        const auto prepared = prepare(*network, "performer:samples=16", 3);
        network->logits(readTensors(vitFolder + name + ".io.safetensors").at("input"), prepared, &recorder);
        QCOMPARE(recorder.layers, (std::vector<int64_t>{0, 1}));
        const AttentionShape shape = network->attentionShape(0);
        QCOMPARE(recorder.inputs[0].q.size(1), shape.heads);
        QCOMPARE(recorder.inputs[0].q.size(3), shape.width);
        QCOMPARE(recorder.inputs[0].v.size(3), shape.valueDim);
        // Both halves with the same random numbers.
        const int64_t half = shape.heads / 2;
        AttentionInput second = recorder.inputs[0];
        for (at::Tensor* part : {&second.q, &second.k, &second.v})
            *part = part->narrow(1, half, half);
        QVERIFY(difference(prepared.layers[0]->attend(second, *prepared.noise[0]),
                           recorder.outputs[0].narrow(1, half, half))
                < 1e-5);
    }

    void partsOfAPassCostWhatThePassCosts_data() { addCases(); }
    void partsOfAPassCostWhatThePassCosts()
    {
        FETCH_TEXT(name);
        const auto network = openVit(name);
        const auto prepared = prepare(*network);
        const ExitCost cost = network->exitCost(prepared);
        const auto& d = network->describe();
        const Json config = vitCase(name).at("config");
        const int64_t patches = d.input[1] * d.input[2]
                                / (config["patch_size"].get<int64_t>() * config["patch_size"].get<int64_t>());
        const double patch = double(patches) * std::pow(config["patch_size"].get<double>(), 2) * 3
                             * double(d.width);
        double all = cost.embedding + cost.head;
        for (const double block : cost.blocks)
            all += block;
        QVERIFY(std::abs(all - network->multiplyAdds(prepared)) < 1e-6 * all);
        QVERIFY(std::abs(cost.embedding - patch) < 1);
        const auto tokens = network->outputTokens(d.input);
        QVERIFY(tokens);
        QCOMPARE(tokens->layout.count(), d.tokens);
        QCOMPARE(tokens->classToken, config.value("class_token", true));
        QVERIFY(network->readableBlocks().size() == size_t(d.layers));
    }

    void positionsOfAnotherGridAreResizedWhenOpened()
    {
        const c10::InferenceMode guard;
        for (const auto& [name, height, width, rule] : {std::tuple{"s1_dinov2", 70, 42, PositionRule::Own},
                                                        {"s1_dinov2", 70, 42, PositionRule::Dinov2},
                                                        {"s1_deit3", 40, 56, PositionRule::Own}}) {
            Json config = vitCase(name).at("config");
            config["img_size"] = {height, width};
            const auto golden = readTensors(vitFolder + name + ".io.safetensors");
            const std::string size = "_" + std::to_string(height) + "x" + std::to_string(width);
            const auto network = openVit(config, std::string(name) + ".weights.timm.safetensors",
                                         setupOf(false, rule));
            QCOMPARE(network->describe().load.resized.size(), 1);
            const std::string key = (network->describe().classes > 0 ? "logits" : "features") + size
                                    + (rule == PositionRule::Dinov2 ? ".bicubic_offset" : "");
            QVERIFY(difference(network->logits(golden.at("input" + size), prepare(*network)), golden.at(key))
                    < 1e-4);
        }
        // Of a grid that is not square, the description knows the sides.
        const std::string rectangle = "s1_avgmax_rect";
        const auto description = parseDescription(vitCase(rectangle).at("config"), rectangle);
        description->setImageSize(InputSize::square(40));
        WeightLoader loader(joinedTensors(readCheckpoint(vitFolder + rectangle + ".weights.timm.safetensors")),
                            {});
        const auto network = description->load(loader, {});
        const auto own = openVit(rectangle);
        const auto input = imagesFor(*network, 1);
        const auto native = AttentionSpec::native();
        QVERIFY(difference(network->logits(input, network->prepare(native, 0)),
                           own->logits(input, own->prepare(native, 0)))
                < 1e-5);
    }

    void tablesOfRelativePositionsKeepTheirSize()
    {
        const auto description = parseDescription(biasedConfig(), "test");
        description->setImageSize(InputSize::square(48));
        THROWS(UsageError, description->setImageSize(InputSize::square(56)));
        const auto network = made(biasedConfig());
        network->checkInput({3, 48, 48});
        THROWS(UsageError, network->checkInput({3, 56, 48}));
    }

    void aRestOfTheImageIsNotSeen()
    {
        const c10::InferenceMode guard;
        Json config = turnedConfig();
        config["img_size"] = {53, 48};
        for (const bool optimized : {false, true}) {
            const auto network = made(config, setupOf(optimized));
            network->checkInput({3, 53, 48});
            THROWS(UsageError, network->checkInput({3, 48, 53}));
            const auto input = imagesFor(*network, 1);
            const auto native = prepare(*network);
            QVERIFY(difference(network->logits(input, native), network->logits(input.narrow(2, 0, 48), native))
                    < 1e-6);
        }
    }

    void bfloat16StaysNearFloat32_data() { addExecutions(); }

    void bfloat16StaysNearFloat32()
    {
        FETCH_TEXT(name);
        QFETCH(bool, optimized);
        const c10::InferenceMode guard;
        const auto golden = readTensors(vitFolder + name + ".io.safetensors");
        const auto network = openVit(name, setupOf(optimized, PositionRule::Own, at::kBFloat16));
        const auto answer = network->logits(golden.at("input").to(at::kBFloat16), prepare(*network));
        const auto& expected = golden.at(golden.contains("logits") ? "logits" : "features");
        const double size = expected.norm().item<double>();
        const double difference = (answer - expected).norm().item<double>() / size;
        QCOMPARE_LT(difference, 0.05);  // 8 bits of mantissa through a few blocks
    }

    void gradientsAreDifferences_data()
    {
        columns<QString>("change");
        row("gated, turned", "{}");
        row("mixed rope, rms", R"({"rope": {"type": "mixed"}, "norm": "rms"})");
        row("shared keys", R"({"rope": {"type": "axial", "order": "xy", "ref_grid": 8}, "kv_heads": [1, 2]})");
        row("relative positions, map",
            R"({"rope": null, "rel_pos": {"type": "log_mlp", "hidden": 8}, "pool": "map", "qkv_bias": "qv", "mlp_norm": true, "attn_norm": true})");
        row("differential, parallel",
            R"({"block": "parallel", "mlp": "plain", "act": "gelu_tanh", "differential": true, "fused_out": true, "pos_embed": "learned"})");
        row("post norm, quick",
            R"({"block": "res_post", "mlp": "plain", "act": "quick_gelu", "layer_scale": "none", "final_norm": false, "fc_norm": true, "pool": "avg"})");
        row("branches, patch norm",
            R"({"block": "branches", "branches": 2, "patch_norm": true, "pre_norm": true, "pool": "token_avg"})");
    }

    /// Of the loss along a direction, in float64: its own rounding to float32 is above the steps' error.
    void gradientsAreDifferences()
    {
        FETCH_TEXT(change);
        Json config = turnedConfig();
        config.update(Json::parse(change));
        const auto network = made(config, setupOf(false, PositionRule::Own, at::kDouble));
        const auto input = imagesFor(*network, 2);
        const auto prepared = prepare(*network);
        const auto weights = network->weights();
        for (const NamedWeight& weight : weights)
            weight.value.requires_grad_(true);
        const auto factors = at::randn({2, network->describe().features},
                                       at::make_generator<at::CPUGeneratorImpl>(9), at::kDouble);
        const auto loss = [&] {
            Recorder recorder;
            network->trainingLogits(input, prepared, &recorder, nullptr);
            return network->readOut(recorder.activations.at("block.1")).features.mul(factors).sum();
        };
        loss().backward();
        int moved = 0;
        for (const NamedWeight& weight : weights) {
            const bool ofHead = weight.name.starts_with("head");
            QCOMPARE(weight.value.grad().defined(), !ofHead);
            if (ofHead)
                continue;
            const at::NoGradGuard guard;
            const auto along = at::randn(weight.value.sizes(), at::make_generator<at::CPUGeneratorImpl>(3),
                                         at::kDouble);
            const double step = 1e-5 / along.norm().item<double>();
            const auto before = weight.value.clone();
            weight.value.add_(along, step);
            const double above = loss().item<double>();
            weight.value.copy_(before).sub_(along, step);
            const double below = loss().item<double>();
            weight.value.copy_(before);
            const double expected = (above - below) / (2 * step),
                         found = weight.value.grad().mul(along).sum().item<double>();
            QVERIFY2(
                std::abs(found - expected) <= 1e-5 * (1 + std::abs(expected)),
                (weight.name + ": " + std::to_string(found) + " instead of " + std::to_string(expected)).c_str());
            moved += std::abs(found) > 1e-9 ? 1 : 0;
        }
        QVERIFY(moved > int(weights.size()) / 2);
    }

    void onlyPlainFirstLayersAreTakenApart()
    {
        const c10::InferenceMode guard;
        const auto first = [](const std::shared_ptr<TrainableClassifier>& network) {
            return std::dynamic_pointer_cast<FirstLayerSource>(network)->firstLayer(imagesFor(*network, 1));
        };
        QVERIFY(!first(made(turnedConfig())));
        QVERIFY(!first(openVit("s1_clip_quickgelu")));
        // Layer scale, registers and bare prefixes are no obstacle.
        const auto network = openVit("s1_deit3");
        const auto layer = first(network);
        QVERIFY(layer);
        Recorder recorder;
        network->logits(imagesFor(*network, 1), prepare(*network), &recorder);
        const auto normed = at::layer_norm(layer->content + layer->position, {layer->content.size(1)},
                                           layer->normWeight, layer->normBias, layer->eps);
        const auto queries = at::linear(normed, layer->queryWeight, layer->queryBias)
                                 .unflatten(1, {layer->heads, -1})
                                 .transpose(0, 1);
        QVERIFY(difference(recorder.inputs[0].q[0], queries) < 1e-5);
    }

private:
    static void addCases() { rows("name", vitCases()); }
    static void addExecutions()
    {
        columns<QString, bool>("name", "optimized");
        for (const std::string& name : vitCases())
            for (const bool optimized : {false, true})
                row(name + (optimized ? " optimized" : " reference"), name, optimized);
    }
};

ATTNSCOPE_TEST(TestVit)
#include "tst_vit.moc"
