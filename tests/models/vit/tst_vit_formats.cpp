#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors.h"
#include "core/run/classifier.h"
#include "core/train/trainable_classifier.h"
#include "models/open_model.h"
#include "models/vit/formats/recognise_plain_vit.h"
#include "models/vit/formats/signature.h"
#include "models/vit/formats/timm_config.h"
#include "models/vit/formats/timm_storage.h"
#include "models/weights/convert.h"
#include "models/weights/described_checkpoint.h"
#include "models/weights/inspection.h"
#include "tests/models/vit/timm_tensors.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const fs::path goldenFolder = TEST_DATA_DIR "/vit";

Json goldenCase(const std::string& name)
{
    return Json::parse(std::ifstream(goldenFolder / (name + ".json")));
}

/// config.json for a layout of a golden case; null if its code has none.
Json configFor(const Json& golden, const std::string& layout)
{
    if (layout == "timm")
        return golden.at("hf_config");
    const Json configs = golden.value("library_configs", Json::object());
    return configs.value(layout, Json());
}

/// Keys in which a recognised configuration differs from the expected one; how images are prepared, and names, are left out.
std::set<std::string> differences(Json found, Json expected)
{
    std::set<std::string> keys;
    for (const auto& config : {found, expected})
        for (const auto& [key, value] : config.items())
            if (!std::set<std::string>{"name", "family", "mean", "std", "crop_pct", "interpolation", "squash"}
                     .contains(key)
                && !sameJson(found.value(key, Json("absent")), expected.value(key, Json("absent"))))
                keys.insert(key);
    return keys;
}

std::set<std::string> undecidedOf(const CheckpointIdentity& identity)
{
    return {identity.undecided.begin(), identity.undecided.end()};
}

std::string textOf(const std::set<std::string>& keys)
{
    return joined({keys.begin(), keys.end()}, ", ");
}

StateDict withTensor(StateDict state, const std::string& name, const std::vector<int64_t>& shape)
{
    state.tensors[name] = zeroTensor(shape);
    return state;
}

StateDict tinyTimm()
{
    Json description = reducedDescription(*findPlainVit("vit_small_patch14_dinov2"), 2);
    return stateOf(canonicalTensors(description));
}

void writeState(const fs::path& path, const StateDict& state)
{
    std::map<std::string, SafetensorsEntry> entries;
    for (const auto& [name, tensor] : state.tensors)
        entries[name] = {tensor.type, tensor.shape, tensor.read()};
    writeSafetensors(path, entries, {});
}

}

namespace {

/// As the library writes it for a ViT.
Json processor(const Json& changes)
{
    Json json{{"do_normalize", true},
              {"do_rescale", true},
              {"do_resize", true},
              {"image_mean", {0.5, 0.5, 0.5}},
              {"image_processor_type", "ViTImageProcessor"},
              {"image_std", {0.5, 0.5, 0.5}},
              {"resample", 2},
              {"rescale_factor", 1 / 255.0},
              {"size", {{"height", 224}, {"width", 224}}}};
    json.update(changes);
    return json;
}

CheckpointIdentity withProcessor(const Json& changes)
{
    return *recognisePlainVit(tinyTimm(), {nullptr, processor(changes)});
}

}

class TestVitFormats : public QObject {
    Q_OBJECT

private slots:
    void goldensAreRecognised_data()
    {
        columns<QString, QString, bool>("name", "layout", "withConfig");
        for (const auto& file : fs::directory_iterator(goldenFolder)) {
            const std::string name = file.path().stem().string();
            if (file.path().extension() != ".json" || !name.starts_with("s") || name.starts_with("s4"))
                continue;
            const Json golden = goldenCase(name);
            for (const auto& [layout, weights] : golden.at("weights_files").items())
                for (const bool withConfig : {false, true})
                    if (!withConfig || configFor(golden, layout).is_object())
                        row(name + " " + layout + (withConfig ? " with config.json" : " alone"), name, layout,
                            withConfig);
        }
    }

    /// With the file next to them everything is known. Alone, what no tensor shows is undecided, and everything else is as expected.
    void goldensAreRecognised()
    {
        FETCH_TEXT(name);
        QFETCH(const QString, layout);
        QFETCH(const bool, withConfig);
        const Json golden = goldenCase(name);
        const std::string code = layout.toStdString();
        const StateDict state = readCheckpoint(goldenFolder
                                               / golden.at("weights_files").at(code).get<std::string>());
        const auto identity = recognisePlainVit(state, {withConfig ? configFor(golden, code) : Json(), nullptr});
        QVERIFY(identity);
        QVERIFY2(!identity->family.empty(), identity->title.c_str());
        const std::set<std::string> undecided = undecidedOf(*identity);
        std::set<std::string> different = differences(identity->config, golden.at("config"));
        if (name == "s2_dinov3_plus" && code == "dinov3")
            different.erase("qkv_bias");  // its biases are there, and are zero
        if (name == "s2_dinov3_plus" && code == "transformers_dinov3") {
            different.erase("num_classes");  // the library's class has no head, and
            different.erase("pool");         // therefore no pooling either
        }
        if (withConfig) {
            QVERIFY2(undecided.empty(), textOf(undecided).c_str());
            QVERIFY2(different.empty(), textOf(different).c_str());
            return;
        }
        if (name == "s1_avgmax_rect")
            return;  // 5×3 positions and a class token look like 4×4: only config.json tells
        if (identity->family == "deit")
            QCOMPARE(different.erase("num_heads"), 1);  // asked for by the family itself
        for (const std::string& key : undecided)
            different.erase(key);
        QVERIFY2(different.empty(), textOf(different).c_str());
        static const std::set<std::string> open{"num_heads", "act", "img_size", "pool", "rope", "map_heads"};
        for (const std::string& key : undecided)
            QVERIFY2(open.contains(key), key.c_str());
    }

    void namesAreRecognisedAtReducedDepth_data()
    {
        columns<QString>("name");
        for (const PlainVit& vit : plainVits())
            if (vit.runs())
                row(vit.name, vit.name);
    }

    void namesAreRecognisedAtReducedDepth()
    {
        FETCH_TEXT(name);
        const PlainVit& vit = *findPlainVit(name);
        const Json expected = reducedDescription(vit, 2);
        const StateDict state = stateOf(timmStorage(vit, canonicalTensors(expected)));
        const auto named = recognisePlainVit(state, {{{"architecture", vit.name}}, nullptr});
        QVERIFY(named && named->family == "vit");
        QVERIFY2(named->undecided.empty(), textOf(undecidedOf(*named)).c_str());
        const std::set<std::string> wrong = differences(named->config, expected);
        QVERIFY2(wrong.empty(), textOf(wrong).c_str());

        const auto alone = recognisePlainVit(state, {});
        QVERIFY(alone && !alone->family.empty());
        std::set<std::string> different = differences(alone->config, expected);
        const std::set<std::string> undecided = undecidedOf(*alone);
        const bool clip = vit.name.find("_clip_") != std::string::npos,
                   lingbot = vit.name.find("_lingbot") != std::string::npos;
        for (const std::string& key : undecided) {
            QVERIFY2((key == "act" && clip)
                         || (key == "num_heads" && vit.name.find("_gap_224") != std::string::npos),
                     key.c_str());
            different.erase(key);
        }
        if (vit.name.ends_with("_384") && vit.patch == 14)
            different.erase("img_size");  // 27 patches of 14 pixels: 378, and a rest that no patch covers
        if (lingbot)
            for (const char* key :
                 {"pool", "img_size"})  // no tensor tells it from DINOv3: its features are shown both ways
                different.erase(key);
        QVERIFY2(different.empty(), textOf(different).c_str());
    }

    void namesOutOfScopeAreRefusedByName_data()
    {
        columns<QString>("what");
        row("naflexvit_base_patch16_gap", "NaFlex");
        row("vit_base_r50_s16_224", "convolutional stem");
        row("samvit_base_patch16", "window attention");
        row("vitamin_base_224", "ViTamin");
        row("cait_s24_224", "class attention");
        row("qwen3_vit_88m", "language model");
        row("resnet50", "not one of its plain vision transformers");
    }

    void namesOutOfScopeAreRefusedByName()
    {
        const std::string name = currentDataTag();
        QFETCH(const QString, what);
        const auto identity = recognisePlainVit(tinyTimm(), {{{"architecture", name}}, nullptr});
        QVERIFY(identity && identity->family.empty());
        SAYS(identity->title, what);
        SAYS(identity->title, name);
    }

    void whatIsNoPlainVitIsNamed_data()
    {
        columns<QString>("what");
        row("radio_model.model.blocks.0.attn.qkv.weight", "RADIO");
        row("preprocessor.patchifier.proj.weight", "AIMv2");
        row("blocks.0.attn.wq.weight", "Sapiens2");
        row("visual.attn_pool.probe", "Perception Encoder");
        row("visual.attn_pool.query", "CoCa");
        row("blocks.0.norm11.weight", "Three things");
        row("rel_pos_bias.relative_position_bias_table", "before fine-tuning");
        row("beit.encoder.relative_position_bias.relative_position_bias_table", "before fine-tuning");
        row("token_embedding.weight", "text tower");
        row("embeds.proj.weight", "NaFlex");
    }

    void whatIsNoPlainVitIsNamed()
    {
        const std::string tensor = currentDataTag();
        QFETCH(const QString, what);
        const auto identity = recognisePlainVit(withTensor({}, tensor, {4, 4}), {});
        QVERIFY(identity && identity->family.empty());
        SAYS(identity->title, what);
        SAYS(identity->reason, tensor);
    }

    void unknownArgumentsAreRefusedByName()
    {
        Json config{{"architecture", "vit_small_patch14_dinov2"}, {"model_args", {{"block_fn", "mine"}}}};
        const auto refused = recognisePlainVit(tinyTimm(), {config, nullptr});
        QVERIFY(refused && refused->family.empty());
        SAYS(refused->title, "`block_fn`");
        config["model_args"] = {{"block_fn", std::string(58, 'x') + "é"}};  // cut within a character
        for (const int64_t side : {int64_t{1} << 59, int64_t{-224}})
            QVERIFY(statedImageSize(
                        {{"architecture", "vit_small_patch14_dinov2"}, {"model_args", {{"img_size", side}}}})
                    == std::pair(int64_t{0}, int64_t{0}));
        const auto cut = recognisePlainVit(tinyTimm(), {config, nullptr});
        QVERIFY(cut && printable(cut->title) == cut->title);
        config["model_args"] = {
            {"drop_path_rate", 0.1}, {"in_chans", 3}, {"dynamic_img_size", true}, {"act_layer", "silu"}};
        const auto taken = recognisePlainVit(tinyTimm(), {config, nullptr});
        QVERIFY(taken && taken->family == "vit");
        QCOMPARE(taken->config.at("act").get<std::string>(), "silu");
    }

    void aConfigOfAnotherNetworkIsRefused()
    {
        const auto refused = recognisePlainVit(tinyTimm(), {{{"architecture", "vit_small_patch16_224"}}, nullptr});
        QVERIFY(refused && refused->family.empty());
        SAYS(refused->title, "layer_scale");
        const auto library = recognisePlainVit(tinyTimm(), {{{"model_type", "swin"}}, nullptr});
        QVERIFY(library && library->title.find("`swin`") != std::string::npos);
    }

    void everySwitchHasAWitness()
    {
        const auto identity = recognisePlainVit(tinyTimm(), {});
        QVERIFY(identity);
        QCOMPARE(identity->switches.size(), vitDefaults().size());
        const auto witness = [&](const char* key) {
            return std::ranges::find(identity->switches, key, &WitnessedKey::key)->witness;
        };
        QCOMPARE(witness("layer_scale"), "`blocks.0.ls1.gamma`");
        QCOMPARE(witness("pre_norm"), "no `norm_pre.weight`");
        QVERIFY(witness("act").starts_with("as in "));
        QCOMPARE(witness("map_act"), "default");
    }

    /// DINOv2 with registers: the row of the positions is added to the class token, and the rest are positions of patches.
    void theClassTokenTakesItsPosition()
    {
        const Json golden = goldenCase("s1_dinov2_reg4");
        const auto tensors = [&](const char* layout) {
            return plainVitTensors(
                readCheckpoint(goldenFolder / golden.at("weights_files").at(layout).get<std::string>()));
        };
        const NamedTensors timm = tensors("timm");
        for (const char* layout : {"dinov2", "transformers_dinov2"}) {
            const NamedTensors own = tensors(layout);
            for (const auto& [name, tensor] : timm) {
                QVERIFY2(own.contains(name), name.c_str());
                QCOMPARE(own.at(name).shape(), tensor.shape());
                const std::vector<float> values = own.at(name).readFloat(), expected = tensor.readFloat();
                for (size_t i = 0; i < values.size(); ++i)
                    QVERIFY2(std::abs(values[i] - expected[i]) < 1e-6f, name.c_str());
            }
        }
    }

    void projectionsAreTransposedAndHaveNoBias()
    {
        const Json golden = goldenCase("s1_clip_quickgelu");
        const auto tensors = [&](const char* layout) {
            return plainVitTensors(
                readCheckpoint(goldenFolder / golden.at("weights_files").at(layout).get<std::string>()));
        };
        const NamedTensors timm = tensors("timm"), openClip = tensors("openclip"),
                           library = tensors("transformers_clip");
        QCOMPARE(openClip.size(), timm.size());
        QCOMPARE(library.size(), timm.size());
        for (const auto& [name, tensor] : timm) {
            QVERIFY2(openClip.at(name).readFloat() == tensor.readFloat(), name.c_str());
            QVERIFY2(library.at(name).readFloat() == tensor.readFloat(), name.c_str());
        }
    }

    void theKeysBiasIsMasked()
    {
        const Json golden = goldenCase("s2_dinov3");
        const auto tensors = [&](const char* layout) {
            return plainVitTensors(
                readCheckpoint(goldenFolder / golden.at("weights_files").at(layout).get<std::string>()));
        };
        const NamedTensors timm = tensors("timm");
        for (const char* layout : {"dinov3", "transformers_dinov3"}) {
            const NamedTensors own = tensors(layout);
            QCOMPARE(own.size(), timm.size());
            for (const auto& [name, tensor] : timm)
                QVERIFY2(own.at(name).readFloat() == tensor.readFloat(), name.c_str());
        }
    }

    /// vit_base_patch16_224 was trained with several means.
    void preparationFollowsTheTag()
    {
        const PlainVit& vit = *findPlainVit("vit_base_patch16_224");
        const StateDict state = stateOf(canonicalTensors(reducedDescription(vit, 1)));
        const auto meanFor = [&](const char* tag) {
            const Json config{{"architecture", vit.name}, {"pretrained_cfg", {{"tag", tag}}}};
            return parseImagePreparation(recognisePlainVit(state, {config, nullptr})->config, tag).mean[0];
        };
        QCOMPARE(meanFor("augreg2_in21k_ft_in1k"), 0.5);
        QCOMPARE(meanFor("mae"), 0.485);
        const Json stated{{"architecture", vit.name},
                          {"pretrained_cfg", {{"mean", {0.1, 0.2, 0.3}}, {"crop_mode", "squash"}}}};
        const ImagePreparation preparation = parseImagePreparation(
            recognisePlainVit(state, {stated, nullptr})->config, "stated");
        QCOMPARE(preparation.mean[2], 0.3);
        QVERIFY(preparation.squash);
        QCOMPARE(ImagePreparation{.cropFraction = 0.9}.resizeFor(224), 248);
        QCOMPARE(ImagePreparation{.cropFraction = 0.95}.resizeFor(256), 269);
    }

    void processorsAreObeyed_data()
    {
        columns<QString, QString>("changes", "expected");
        row("as it is", "{}", "squash to 224 bilinear, crop 224, mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
        row("not normalised", R"({"do_normalize": false})",
            "squash to 224 bilinear, crop 224, mean 0 0 0, std 1 1 1");
        row("from -1 to 1",
            R"({"rescale_factor": 0.00784313725490196, "image_mean": [1, 1, 1], "image_std": [1, 1, 1]})",
            "squash to 224 bilinear, crop 224, mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
        row("not rescaled", R"({"do_rescale": false, "image_mean": [127.5, 127.5, 127.5], "image_std": 127.5})",
            "squash to 224 bilinear, crop 224, mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
        row("Lanczos", R"({"resample": 1})", "squash to 224 lanczos, crop 224, mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
        row("nearest", R"({"resample": 0})", "squash to 224 nearest, crop 224, mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
        row("a short side",
            R"({"size": {"shortest_edge": 256}, "crop_size": {"height": 224, "width": 224}, "do_center_crop": true, "resample": 3})",
            "resize 256 bicubic, crop 224, mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
        row("both sides, then a crop",
            R"({"size": {"height": 256, "width": 256}, "crop_size": 224, "do_center_crop": true})",
            "squash to 256 bilinear, crop 224, mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
        row("old, of CLIP",
            R"({"image_processor_type": null, "feature_extractor_type": "CLIPFeatureExtractor", "size": 256, "crop_size": 224, "do_center_crop": true})",
            "resize 256 bilinear, crop 224, mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
        row("old, of ViT",
            R"({"image_processor_type": null, "feature_extractor_type": "ViTFeatureExtractor", "size": 224})",
            "squash to 224 bilinear, crop 224, mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
    }

    void processorsAreObeyed()
    {
        FETCH_TEXT(changes);
        QFETCH(const QString, expected);
        const fs::path folder = path("processor");
        fs::create_directories(folder);
        writeState(folder / "model.safetensors", tinyTimm());
        std::ofstream(folder / "preprocessor_config.json") << processor(Json::parse(changes));
        const Transform transform = evaluationTransform(*openModel({.weights = folder.string(), .device = "cpu"}));
        QCOMPARE(QString::fromStdString(transform.name()), expected);
    }

    void settingsThatCannotBeObeyedAreRefusedByName_data()
    {
        columns<QString, QString>("changes", "name");
        const auto row = [](const char* name, const char* changes) {
            addRow("%s %s", name, changes) << QString(changes) << QString(name);
        };
        row("do_resize", R"({"do_resize": false})");
        row("do_pad", R"({"do_pad": true})");
        row("rescale_offset", R"({"rescale_offset": true})");
        row("do_flip_channel_order", R"({"do_flip_channel_order": true})");
        row("resample", R"({"resample": 4})");
        row("rescale_factor", R"({"rescale_factor": 0})");
        row("size", R"({"size": {"shortest_edge": 224}})");
        row("size",
            R"({"size": {"shortest_edge": 224, "longest_edge": 400}, "crop_size": 224, "do_center_crop": true})");
        row("size", R"({"size": {"height": 256, "width": 300}, "crop_size": 224, "do_center_crop": true})");
        row("crop_size", R"({"size": {"shortest_edge": 200}, "crop_size": 224, "do_center_crop": true})");
        row("image_std", R"({"image_std": [1, 1]})");
        row("interpolation", R"({"timm": {"interpolation": "hamming"}})");
        row("crop_mode", R"({"timm": {"crop_mode": "border"}})");
        row("crop_pct", R"({"timm": {"crop_pct": 1.2}})");
        row("mean", R"({"timm": {"mean": "ImageNet"}})");
    }

    void settingsThatCannotBeObeyedAreRefusedByName()
    {
        FETCH_TEXT(changes);
        QFETCH(const QString, name);
        const Json parsed = Json::parse(changes);
        const bool timms = parsed.contains("timm");
        const Json config{{"architecture", "vit_small_patch14_dinov2"},
                          {"pretrained_cfg", timms ? parsed["timm"] : Json::object()}};
        const CheckpointIdentity identity = timms ? *recognisePlainVit(tinyTimm(), {config, nullptr})
                                                  : withProcessor(parsed);
        QVERIFY(identity.family.empty());
        SAYS(identity.title, "`" + name.toStdString() + "`");
    }

    /// DINOv2's configuration says 518, its processor crops 224.
    void theProcessorsCropIsTheInput()
    {
        const fs::path folder = path("crop");
        fs::create_directories(folder);
        writeState(folder / "model.safetensors", tinyTimm());
        const Json changes{{"size", {{"shortest_edge", 256}}},
                           {"crop_size", {{"height", 224}, {"width", 224}}},
                           {"do_center_crop", true},
                           {"resample", 3}};
        std::ofstream(folder / "preprocessor_config.json") << processor(changes);
        const auto network = openModel({.weights = folder.string(), .device = "cpu"});
        QCOMPARE(network->describe().input, (std::vector<int64_t>{3, 224, 224}));
        const std::string notes = joined(network->describe().load.notes, "; ");
        SAYS(notes, "224");
        SAYS(notes, "518");
        QCOMPARE(network->describe().load.resized.size(), 1);
        const auto requested = openModel(
            {.weights = folder.string(), .device = "cpu", .imageSize = InputSize::square(518)});
        QCOMPARE(requested->describe().input, (std::vector<int64_t>{3, 518, 518}));
    }

    void presetsAreThoseOfEveryNetwork_data()
    {
        columns<int, int>("native", "timm");
        row("deit_tiny_patch16_224", 256, 248);
        row("deit_base_patch16_384", 438, 384);
        row("pvt_v2_b1", 256, 248);
        row("vit_base_patch16_clip_224", 235, 235);
        row("eva02_small_patch14_336", 336, 336);
        row("vit_small_patch14_dinov2", 518, 518);
        row("vit_base_patch16_siglip_256", 284, 284);
        for (const PlainVit& vit : plainVits()) {
            const int resize = int(vit.preparation.resizeFor(std::min(vit.imageHeight, vit.imageWidth)));
            if (vit.runs() && !vit.name.starts_with("deit_"))
                row(vit.name + " of the table", resize, resize);
        }
    }

    /// Short sides before the crop.
    void presetsAreThoseOfEveryNetwork()
    {
        QFETCH(const int, native);
        QFETCH(const int, timm);
        const std::string tag = currentDataTag(), model = tag.substr(0, tag.find(' '));
        const auto resizeOf = [&](const char* preset) {
            return int(
                describeModel({.model = model, .weights = "untrained", .preset = preset})->evaluationResize());
        };
        QCOMPARE(resizeOf("native"), native);
        QCOMPARE(resizeOf("timm"), timm);
        QCOMPARE(resizeOf("deit"), native);
        THROWS(UsageError,
               describeModel({.model = "motionformer_224_16x4", .weights = "untrained", .preset = "timm"}));
    }

    void timmsPresetOfALibraryFolderIsTimms()
    {
        const fs::path folder = path("library");
        fs::create_directories(folder);
        writeState(folder / "model.safetensors", tinyTimm());
        std::ofstream(folder / "preprocessor_config.json") << processor(Json::object());
        const auto transformOf = [&](const char* preset) {
            return evaluationTransform(*openModel({.weights = folder.string(), .device = "cpu", .preset = preset}))
                .name();
        };
        QVERIFY(transformOf("native").starts_with("squash to 224 bilinear"));
        QVERIFY2(transformOf("timm").starts_with("resize 224 bicubic, crop 224, mean 0.485"),
                 transformOf("timm").c_str());
    }

    void configsOfPyramidsAreRead()
    {
        const auto description = describeModel({.model = "pvt_v2_b0", .weights = "untrained"});
        std::map<std::string, SafetensorsEntry> entries;
        for (const NamedWeight& weight : description->untrained(0, {})->weights())
            entries[weight.name] = {ElementType::Float32, weight.shape,
                                    std::vector<std::byte>(4 * size_t(weight.value.numel()))};
        const fs::path folder = path("pyramid");
        fs::create_directories(folder);
        writeSafetensors(folder / "model.safetensors", entries, {});
        const auto opened = [&](const Json& weights) {
            std::ofstream(folder / "config.json")
                << Json{{"architecture", "pvt_v2_b0"}, {"pretrained_cfg", weights}};
            return evaluationTransform(*openModel({.weights = folder.string(), .device = "cpu"})).name();
        };
        QCOMPARE(opened({{"crop_pct", 0.9}, {"mean", {0.5, 0.5, 0.5}}, {"interpolation", "bilinear"}}),
                 "resize 248 bilinear, crop 224, mean 0.5 0.5 0.5, std 0.229 0.224 0.225");
        THROWS(Unsupported, opened({{"crop_mode", "border"}}));
    }

    void configsOfOtherCodesAreNoWitness_data()
    {
        columns<QString, bool>("config", "claims");
        for (const char* config : {R"({"architecture": {"depth": 6}})",
                                   R"({"architecture": "test_vit", "best": NaN})", R"({"lr": 1e-3,})"})
            row(config, config, false);
        for (const char* config :
             {R"({"architecture": "my_vit", "lr": 0.1})", R"({"model_type": "image-classifier"})"})
            row(config, config, true);
    }

    void configsOfOtherCodesAreNoWitness()
    {
        FETCH_TEXT(config);
        QFETCH(const bool, claims);
        const fs::path folder = path("foreign");
        fs::create_directories(folder);
        writeState(folder / "model.safetensors", tinyTimm());
        std::ofstream(folder / "config.json") << config;
        if (claims) {
            REFUSES(Unsupported, fitOf({.weights = folder.string()}), "rename that file");
            return;
        }
        const LoadReport report = fitOf({.weights = folder.string()});
        QVERIFY(report.fits());
        SAYS(joined(report.notes, "; "), "was not read");
    }

    void classifiersOfTheLibraryReadTheMeanOfThePatches_data()
    {
        columns<QString, QString>("name", "layout");
        row("CLIP", "s1_clip_quickgelu", "transformers_clip");
        row("SigLIP", "s2_siglip_tanh", "transformers_siglip");
    }

    void classifiersOfTheLibraryReadTheMeanOfThePatches()
    {
        FETCH_TEXT(name);
        QFETCH(const QString, layout);
        const Json golden = goldenCase(name);
        StateDict state = readCheckpoint(goldenFolder
                                         / golden.at("weights_files").at(layout.toStdString()).get<std::string>());
        state.tensors.erase("visual_projection.weight");
        const int64_t width = golden.at("config").at("embed_dim").get<int64_t>();
        state = withTensor(withTensor(state, "classifier.weight", {5, width}), "classifier.bias", {5});
        const auto identity = recognisePlainVit(state, {configFor(golden, layout.toStdString()), nullptr});
        QCOMPARE(identity->config.at("pool").get<std::string>(), "avg");
        QCOMPARE(identity->config.at("num_classes").get<int>(), 5);
        QCOMPARE(identity->config.value("final_norm", true),
                 contains(name, "siglip"));  // CLIP's reads what comes before its norm
        QVERIFY(!identity->tensors.contains("attn_pool.latent"));
    }

    void undecidedKeysCanBeGiven()
    {
        const std::string weights = (goldenFolder / "s1_clip_quickgelu.weights.timm.safetensors").string();
        const auto problem = [](const ModelRequest& request) -> std::string {
            try {
                static_cast<void>(fitOf(request));
            } catch (const UsageError& error) {
                return error.what();
            }
            return {};
        };
        const fs::path alone = path("clip.safetensors");
        fs::copy_file(weights, alone);
        const std::string asked = problem({.weights = alone.string()});
        SAYS(asked, "`act`");
        SAYS(asked, "quick_gelu");
        const ModelRequest request{.weights = alone.string(), .heads = 2, .given = {"act=quick_gelu"}};
        QVERIFY2(fitOf(request).fits(), problem(request).c_str());
        const std::string shown = problem(
            {.weights = alone.string(), .heads = 2, .given = {"act=quick_gelu", "pre_norm=false"}});
        SAYS(shown, "norm_pre.weight");
        const std::string unknown = problem({.weights = alone.string(), .heads = 2, .given = {"colour=blue"}});
        SAYS(unknown, "`colour`");
    }

    void convertedFilesAreOpenedByTheirConfig_data()
    {
        columns<QString, QString>("name", "layout");
        for (const auto& [name, layout] : {std::pair{"s1_dinov2", "transformers_dinov2"},
                                           {"s1_clip_quickgelu", "transformers_clip"},
                                           {"s2_eva02_split", "timm"},
                                           {"s2_dinov3", "transformers_dinov3"},
                                           {"s2_siglip_tanh", "transformers_siglip"},
                                           {"s3_sapiens2", "timm"},
                                           {"s3_beit", "transformers_beit"},
                                           {"s3_aimv2", "timm"},
                                           {"s2_dinov2_giant", "transformers_dinov2"},
                                           {"s2_pe_core", "timm"},
                                           {"s1_avgmax_rect", "timm"},
                                           {"s2_dinov3_plus", "timm"},
                                           {"s1_distilled", "timm"}})
            addRow("%s %s", name, layout) << QString(name) << QString(layout);
    }

    /// timm's names and values come out, and its config.json describes the same network.
    void convertedFilesAreOpenedByTheirConfig()
    {
        FETCH_TEXT(name);
        QFETCH(const QString, layout);
        const Json golden = goldenCase(name);
        const fs::path in = path("in " + name), out = path("out " + name);
        fs::create_directories(in);
        fs::create_directories(out);
        fs::copy_file(goldenFolder / golden.at("weights_files").at(layout.toStdString()).get<std::string>(),
                      in / "model.safetensors");
        std::ofstream(in / "config.json") << configFor(golden, layout.toStdString()).dump();
        const ConvertRequest request{.model = {.weights = in.string()},
                                     .output = (out / "model.safetensors").string()};
        static_cast<void>(convertCheckpoint(request));

        const StateDict written = readCheckpoint(out / "model.safetensors");
        const StateDict expected = readCheckpoint(goldenFolder
                                                  / golden.at("weights_files").at("timm").get<std::string>());
        for (const auto& [tensor, stored] : expected.tensors) {
            QVERIFY2(written.tensors.contains(tensor), tensor.c_str());
            QVERIFY2(written.tensors.at(tensor).readFloat() == stored.readFloat(), tensor.c_str());
        }
        QCOMPARE(written.tensors.size(), expected.tensors.size());
        const Json config = Json::parse(std::ifstream(out / "config.json"));
        QCOMPARE(findPlainVit(config.at("architecture").get<std::string>())->module,
                 findPlainVit(golden.at("hf_config").at("architecture").get<std::string>())->module);
        StateDict bare = written;
        bare.metadata = Json::object();
        const auto identity = recognisePlainVit(bare, {config, nullptr});
        QVERIFY(identity);
        const std::set<std::string> different = differences(identity->config, golden.at("config"));
        QVERIFY2(different.empty(), textOf(different).c_str());
        QVERIFY(
            fitOf({.weights = (out / "model.safetensors").string()}).fits());  // by the description in its header
    }

    void foldersAreOpened()
    {
        const fs::path folder = path("folder");
        fs::create_directories(folder);
        writeState(folder / "model.safetensors", tinyTimm());
        std::ofstream(folder / "config.json")
            << R"({"architecture": "vit_small_patch14_dinov2", "model_args": {"num_heads": 3}})";
        const Inspection inspection = inspectCheckpoint({.weights = folder.string()});
        QCOMPARE(inspection.identity.config.at("num_heads").get<int>(), 3);
        QVERIFY(inspection.fit && inspection.fit->fits());
    }

    void anEmptyIndexIsRefused()
    {
        const fs::path folder = path("shards");
        fs::create_directories(folder);
        std::ofstream(folder / "model.safetensors.index.json") << "{}";
        THROWS(FileError, inspectCheckpoint({.weights = folder.string()}));
        THROWS(FileError, inspectCheckpoint({.weights = (folder / "model.safetensors.index.json").string()}));
    }

    void licencesAreNamed()
    {
        const auto notesFor = [](const StateDict& state, const Json& config) {
            const auto notes = recognisePlainVit(state, {config, nullptr})->notes;
            return joined(notes, "; ");
        };
        const StateDict dinov3 = readCheckpoint(goldenFolder / "s2_dinov3.weights.dinov3.safetensors");
        SAYS(notesFor(dinov3, {}), "dinov3-license");
        const Json config{{"architecture", "vit_small_patch14_dinov2"},
                          {"pretrained_cfg", {{"license", "cc-by-nc-4.0"}}}};
        SAYS(notesFor(tinyTimm(), config), "cc-by-nc-4.0");
        QVERIFY(!contains(notesFor(tinyTimm(), {{"architecture", "vit_small_patch14_dinov2"}}), "licence"));
    }

private:
    Folder m_folder;
    fs::path path(const std::string& name) const { return m_folder.path() / name; }
};

ATTNSCOPE_TEST(TestVitFormats)
#include "tst_vit_formats.moc"
