#include "models/model_family.h"
#include "tests/models/golden_models.h"
#include "tests/support/test_class.h"

using namespace attnscope;
using namespace attnscope::test;

namespace {

std::unique_ptr<ModelDescription> describedBy(const std::string& name)
{
    return parseDescription(goldenJson(name)["config"], name);
}

}

/// What every family of networks promises: its own tests have only what is its own.
class TestFamilyConformance : public QObject {
    Q_OBJECT

private slots:
    void everyActivationEqualsThePublishedCode_data()
    {
        columns<bool, int>("plain", "activations");
        for (const bool plain : {false, true})
            for (const auto& [names, activations] : std::map<const char*, int>{
                     {"deit_tiny_cfg,deit_distilled_tiny_cfg,evit_softmax_tiny_cfg,evit_ra_mean_tiny_cfg,"
                      "evit_performer_tiny_cfg,evit_lara_tiny_cfg",
                      5},
                     {"pvtv2_sra_tiny_cfg,pvtv2_sra_tiny_cfg timm,pvtv2_linear_tiny_cfg,"
                      "pvtv2_linear_tiny_cfg timm,pvtv2_lara_tiny_cfg",
                      13},
                     {"motionformer_trajectory_tiny_cfg,motionformer_trajectory_4x32x32_cfg,"
                      "motionformer_trajectory_fixed_v_tiny_cfg,motionformer_orthoformer_tiny_cfg,"
                      "motionformer_joint_tiny_cfg,motionformer_divided_tiny_cfg",
                      6}})
                for (const QString& name : QString(names).split(','))
                    row(name + (plain ? ", plain" : ""), plain, activations);
    }

    void everyActivationEqualsThePublishedCode()
    {
        QFETCH(const bool, plain);
        QFETCH(const int, activations);
        const std::string tag = currentDataTag(), name = tag.substr(0, tag.find_first_of(" ,"));
        ModelRequest request{.positionRule = "deit", .plain = plain};
        if (contains(tag, " timm"))
            request.weights = modelFolder + name + ".weights.timm.safetensors";
        const auto model = goldenModel(name, request);
        const Json json = goldenJson(name);
        auto golden = goldenTensors(name);
        if (!contains(name, "performer"))  // the case also counts the stored projection
            QCOMPARE(model->describe().parameters, json["params"].get<int64_t>());
        auto native = prepare(*model);
        QCOMPARE(native.weights, WeightsKind::Trained);
        QVERIFY(native.deterministic || !name.starts_with("pvt"));
        giveFirstLandmarks(json, native);
        Recorder recorder;
        recorder.activations["logits"] = model->logits(golden.at("input"), native, &recorder);
        if (golden.contains("probs"))
            golden["act.probs"] = golden.at("probs"),
            recorder.activations["probs"] = recorder.activations["logits"].softmax(-1);
        golden["act.logits"] = golden.at("logits");
        int compared = 0;
        for (const auto& [key, expected] : golden) {
            if (!key.starts_with("act."))
                continue;
            const auto found = recorder.activations.find(key.substr(4));
            QVERIFY2(found != recorder.activations.end(), key.c_str());
            const double far = difference(found->second.reshape(expected.sizes()), expected);
            QVERIFY2(far <= goldenTolerance, (key + " differs by " + std::to_string(far)).c_str());
            ++compared;
        }
        QCOMPARE_GE(compared, activations + 1 + int(golden.contains("probs")));
    }

    void otherSizesEqualThePublishedCode_data()
    {
        columns<QString, QString>("input", "logits");
        row("deit_tiny_cfg", "input_big", "logits_big.deit_bicubic");
        row("deit_distilled_tiny_cfg", "input_big", "logits_big.deit_bicubic");
        row("pvtv2_sra_tiny_cfg", "input_rect", "logits_rect");
        row("pvtv2_linear_tiny_cfg", "input_rect", "logits_rect");
    }

    void otherSizesEqualThePublishedCode()
    {
        FETCH_TEXT(input);
        FETCH_TEXT(logits);
        const auto golden = goldenTensors(currentDataTag());
        for (const bool plain : {false, true}) {
            const auto model = goldenModel(currentDataTag(), {.positionRule = "deit", .plain = plain});
            model->checkInput(golden.at(input).sizes().slice(1).vec());
            const auto found = model->logits(golden.at(input), prepare(*model));
            QCOMPARE_LE(difference(found, golden.at(logits)), goldenTolerance);
        }
    }

    void halfPrecisionStaysNearFloat32_data()
    {
        rows("name", {"deit_tiny_cfg", "pvtv2_sra_tiny_cfg", "motionformer_trajectory_tiny_cfg"});
    }

    void halfPrecisionStaysNearFloat32()
    {
        FETCH_TEXT(name);
        const auto golden = goldenTensors(name);
        for (const bool plain : {false, true}) {
            const auto model = goldenModel(name, {.dtype = "bfloat16", .plain = plain});
            const auto logits = model->logits(golden.at("input").to(at::kBFloat16), prepare(*model));
            QCOMPARE(logits.scalar_type(), at::kFloat);
            // 8 bits of mantissa through a few blocks.
            QCOMPARE_LT(difference(logits, golden.at("logits")), 0.1 * largest(golden.at("logits")));
        }
    }

    void explicitSoftmaxEqualsTheFusedOne_data()
    {
        rows("name", {"deit_tiny_cfg", "motionformer_trajectory_tiny_cfg"});
    }

    void explicitSoftmaxEqualsTheFusedOne()
    {
        FETCH_TEXT(name);
        const auto input = goldenTensors(name).at("input");
        for (const bool plain : {false, true}) {
            const auto model = goldenModel(name, {.plain = plain});
            const auto fused = prepare(*model, "softmax"), withMatrix = prepare(*model, "softmax:form=explicit");
            QCOMPARE(withMatrix.weights, WeightsKind::Trained);
            QCOMPARE_LT(difference(model->logits(input, fused), model->logits(input, withMatrix)), 1e-5);
        }
    }

    void inputsThatDoNotFitAreRefused()
    {
        using Shape = std::vector<int64_t>;
        struct Case {
            const char* name;
            Shape fits;
            std::vector<Shape> others;
        };
        for (const Case& one :
             std::vector<Case>{{"deit_tiny_cfg", {3, 32, 40}, {{3, 32, 33}, {1, 32, 32}, {3, 4, 32, 32}}},
                               {"pvtv2_linear_tiny_cfg",
                                {3, 1, 1},
                                {{1, 64, 64}, {3, 64}, {3, 4, 64, 64}, {3, 0, 64}, {3, 16384, 16384}}},
                               {"motionformer_trajectory_tiny_cfg",
                                {3, 8, 48, 32},
                                {{3, 7, 48, 48}, {3, 8, 50, 48}, {1, 8, 48, 48}, {3, 48, 48}, {3, 0, 48, 48}}}}) {
            const auto model = goldenModel(one.name);
            model->checkInput(one.fits);
            for (const Shape& shape : one.others)
                THROWS(UsageError, model->checkInput(shape));
        }
    }

    void describedParametersAreThoseOfTheTensors_data()
    {
        rows("name", {"deit_tiny_cfg", "deit_distilled_tiny_cfg", "evit_softmax_tiny_cfg", "pvtv2_sra_tiny_cfg",
                      "pvtv2_linear_tiny_cfg", "pvtv2_lara_tiny_cfg"});
    }

    void describedParametersAreThoseOfTheTensors()
    {
        FETCH_TEXT(name);
        const auto description = describedBy(name);
        QCOMPARE(description->parameters(), goldenJson(name)["params"].get<int64_t>());
        int64_t elements = 0;
        const auto network = description->untrained(0, {});
        for (const NamedWeight& weight : network->weights())
            elements += weight.value.numel();
        QCOMPARE(elements, description->parameters());
    }

    void untrainedWeightsDependOnTheSeedAlone_data() { describedParametersAreThoseOfTheTensors_data(); }
    void untrainedWeightsDependOnTheSeedAlone()
    {
        FETCH_TEXT(name);
        const auto input = goldenTensors(name).at("input");
        const auto answer = [&](uint64_t seed) {
            const auto network = describedBy(name)->untrained(seed, {});
            return network->logits(input, prepare(*network));
        };
        QVERIFY(answer(1).equal(answer(1)));
        QVERIFY(!answer(1).equal(answer(2)));
    }

    void describedModelsReadBackAsThemselves()
    {
        for (const ModelFamily& family : modelFamilies())
            for (const NamedModel& model : family.models()) {
                const ModelDescription& d = *model.description;
                const Json json = d.toJson();
                const auto read = family.parse(json, "test");
                QCOMPARE(read->toJson().dump(), json.dump());
                QCOMPARE(read->parameters(), d.parameters());
                QCOMPARE(read->multiplyAdds(), d.multiplyAdds());
            }
    }

    void impossibleDescriptionsAreRefused_data()
    {
        columns<QString, QString, QString>("base", "change", "named");
        const auto refused = [](const char* base,
                                std::initializer_list<std::pair<const char*, const char*>> changes) {
            for (const auto& [change, named] : changes)
                row(std::string(base) + change, base, change, named);
        };
        refused("pvtv2_sra_tiny_cfg",
                {{R"({"family":"pvt"})", "family"},
                 {R"({"embed_dims":[]})", "embed_dims"},
                 {R"({"embed_dims":[8,16,20,-1]})", "embed_dims"},
                 {R"({"embed_dims":[8,16,20,32,64]})", "num_heads"},
                 {R"({"num_heads":[3,2,5,8]})", "num_heads"},
                 {R"({"depths":[1,2,1]})", "depths"},
                 {R"({"depths":[1,2,1,1.5]})", "depths"},
                 {R"({"mlp_ratios":[8,8,4,"4"]})", "mlp_ratios"},
                 {R"({"sr_ratios":null})", "sr_ratios"},
                 {R"({"sr_ratios":[8,4,2,0]})", "sr_ratios"},
                 {R"({"linear":1})", "linear"},
                 {R"({"act":"relu"})", "act"},
                 {R"({"input":16})", "too small"},
                 {R"({"input":[64]})", "input"},
                 {R"({"attention":"native"})", "attention"},
                 {R"({"attention":"sra:linear"})", "attention"},
                 {R"({"attention":"lora"})", "lora"},
                 {R"({"attention":"lara","landmark_maps":"thick"})", "landmark_maps"},
                 {R"({"family":"pvt_v2_lara","attention":"softmax:keys=reduced"})", "no spatial reduction"},
                 {R"({"family":"pvt_v2_lara","linear":true})", "linear"},
                 {R"({"attn":"lara","attn_args":{"pool_module_type":"mlp"}})", "pool_module_type"},
                 {R"({"attn":"a\nb"})", R"("a\nb" is unknown)"},
                 {R"({"attn":"lara","attn_args":{"mis_type":"\u202e"}})",
                  R"(`mis_type` = "\u202e" is not supported)"}});
        refused("motionformer_trajectory_tiny_cfg",
                {{R"({"crop":50})", "crop"},
                 {R"({"crop":16384})", "crop"},  // more than a million tokens
                 {R"({"frames":7})", "frames"},
                 {R"({"num_heads":5})", "num_heads"},
                 {R"({"attn":"spiral"})", "attn"},
                 {R"({"approx":"linformer"})", "approx"},
                 {R"({"pos_embed":"none"})", "pos_embed"},
                 {R"({"num_classes":[]})", "num_classes"},
                 {R"({"num_classes":[1,2,3]})", "num_classes"},
                 {R"({"head_act":"relu"})", "head_act"},
                 {R"({"attention":"native"})", "attention"},
                 {R"({"use_original_traj_attn_code":"yes"})", "use_original_traj_attn_code"}});
    }

    void impossibleDescriptionsAreRefused()
    {
        FETCH_TEXT(base);
        FETCH_TEXT(change);
        FETCH_TEXT(named);
        Json config = goldenJson(base)["config"];
        parseDescription(config, "test");
        config.update(Json::parse(change));
        REFUSES(UsageError, parseDescription(config, "test"), named);
    }
};

ATTNSCOPE_TEST(TestFamilyConformance)
#include "tst_family_conformance.moc"
