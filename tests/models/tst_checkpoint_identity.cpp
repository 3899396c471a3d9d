#include "checkpoint_builder.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/classifier.h"
#include "core/run/load_report.h"
#include "models/labels/known_labels.h"
#include "models/open_model.h"
#include "models/weights/checkpoint_identity.h"
#include "models/weights/convert.h"
#include "models/weights/inspection.h"
#include "models/weights/yaml_values.h"
#include "tests/models/golden_models.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QFile>

#include <fstream>
#include <set>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const std::string checkpointFolder = TEST_DATA_DIR "/checkpoints/";

CheckpointIdentity identityOf(const std::string& path)
{
    return identify(readCheckpoint(path));
}

/// The logits of the checkpoint goldens' input.
at::Tensor logitsOf(const ModelRequest& request)
{
    const Json expected = Json::parse(std::ifstream(checkpointFolder + "expected.json"));
    const auto model = openModel(request);
    auto values = expected.at("input").get<std::vector<float>>();
    const c10::InferenceMode guard;
    const auto input =
        at::from_blob(values.data(), expected.at("input_shape").get<std::vector<int64_t>>()).clone();
    return model->logits(input, prepare(*model));
}

template <typename Thrown>
std::string problem(const ModelRequest& request)
{
    return refusal<Thrown>([&] { openModel(request); });
}

}

namespace {

const ModelRequest plainRequest{.weights = checkpointFolder + "plain.safetensors", .heads = 3, .device = "cpu"};

Entries prefixed(const std::string& prefix, Entries entries)
{
    Entries all;
    for (auto& [name, entry] : entries)
        all[prefix + name] = std::move(entry);
    return all;
}

Entries plainEntries()
{
    return entriesOf(plainRequest.weights);
}

}
namespace {

/// Half of the tensors in each of two files, and their index.
Json writeParts(const fs::path& folder)
{
    fs::create_directories(folder);
    Entries first = plainEntries(), second;
    Json map = Json::object();
    for (auto it = first.begin(); it != first.end();) {
        const bool moves = map.size() % 2 != 0;
        map[it->first] = moves ? "model-00002-of-00002.safetensors" : "model-00001-of-00002.safetensors";
        const auto next = std::next(it);
        if (moves)
            second.insert(first.extract(it));
        it = next;
    }
    writeSafetensors(folder / "model-00001-of-00002.safetensors", first, {});
    writeSafetensors(folder / "model-00002-of-00002.safetensors", second, {});
    return {{"metadata", {{"total_size", 1}}}, {"weight_map", map}};
}

}

class TestCheckpointIdentity : public QObject {
    Q_OBJECT

private slots:
    void familiesAreToldByNamesAndShapes_data()
    {
        columns<QString, QString>("family", "naming");
        row("deit_tiny_cfg.weights.official", "deit", "original");
        row("deit_distilled_tiny_cfg.weights.official", "deit", "original");
        row("evit_lara_tiny_cfg.weights.official", "evit", "original");
        row("pvtv2_sra_tiny_cfg.weights.official", "pvt_v2", "original");
        row("pvtv2_sra_tiny_cfg.weights.timm", "pvt_v2", "timm");
        row("pvtv2_linear_tiny_cfg.weights.timm", "pvt_v2", "timm");
        row("pvtv2_lara_tiny_cfg.weights.official", "pvt_v2_lara", "original");
        row("motionformer_trajectory_tiny_cfg.weights.official", "motionformer", "original");
        row("motionformer_divided_tiny_cfg.weights.official", "motionformer", "original");
        row("motionformer_joint_tiny_cfg.weights.official", "motionformer", "original");
    }

    /// What shapes say equals the golden cases' own descriptions; what they do not say is listed as undecided.
    void familiesAreToldByNamesAndShapes()
    {
        const QString file = currentDataTag();
        FETCH_TEXT(family);
        QFETCH(const QString, naming);
        const CheckpointIdentity identity = identityOf(modelFolder + file.toStdString() + ".safetensors");
        QCOMPARE(identity.family, family);
        QCOMPARE(QString::fromStdString(identity.naming), naming);
        QVERIFY(!identity.reason.empty());
        const std::string caseName = file.split('.').first().toStdString();
        const Json config = Json::parse(std::ifstream(modelFolder + caseName + ".json")).at("config");
        int compared = 0;
        for (const auto& [key, value] : identity.config.items()) {
            if (key == "input" || !config.contains(key) || key == "img_size")
                continue;
            QVERIFY2(config[key] == value,
                     (key + ": " + value.dump() + " instead of " + config[key].dump()).c_str());
            ++compared;
        }
        QVERIFY2(compared >= 5, identity.config.dump().c_str());
        QVERIFY(std::count(identity.undecided.begin(), identity.undecided.end(), "num_heads") == 1);
    }

    void foreignFamiliesAreNamedAndRefused_data()
    {
        columns<QString>("title");
        row("layers.0.blocks.0.attn.relative_position_bias_table", "Swin Transformer");
        row("layer1.0.conv1.weight", "ResNet");
        row("visual.transformer.resblocks.0.ln_1.weight", "CLIP");
        row("model.layers.0.self_attn.q_proj.weight", "a language model");
        row("blocks.0.temporal_attn.qkv.weight", "TimeSformer");
        row("stages.0.blocks.0.conv_dw.weight", "ConvNeXt");
    }

    void foreignFamiliesAreNamedAndRefused()
    {
        const std::string tensor = currentDataTag();
        FETCH_TEXT(title);
        const std::string file = path("foreign.safetensors");
        writeSafetensors(file, {{tensor, zeros({2, 2})}});
        const std::string text = problem<Unsupported>({.weights = file, .device = "cpu"});
        SAYS(text, "a checkpoint of " + title);
        SAYS(text, tensor);
    }

    void publishedSizesDecideHeadsAndName()
    {
        const std::string file = path("model.safetensors");
        writeSafetensors(file, namedCheckpoint("deit_small_distilled_patch16_224", 1000));
        const auto model = openModel({.weights = file, .device = "cpu"});
        QCOMPARE(model->describe().name, "deit_small_distilled_patch16_224");
        QCOMPARE(model->describe().heads, 6);
        SAYS(model->describe().load.reason, "dist_token");
    }

    void anotherSizeOfImageIsReadFromThePositions()
    {
        auto entries = namedCheckpoint("deit_tiny_patch16_224", 37);
        entries["pos_embed"] = zeros({1, 1 + 18 * 18, 192});
        const std::string file = path("finetuned.safetensors");
        writeSafetensors(file, entries);
        const auto own = openModel({.weights = file, .device = "cpu"});
        QCOMPARE(own->describe().input, (std::vector<int64_t>{3, 288, 288}));
        QCOMPARE(own->describe().classes, 37);
        QVERIFY(own->describe().load.resized.empty());
        const auto requested = openModel({.model = "deit_tiny_patch16_224", .weights = file, .device = "cpu"});
        QCOMPARE(requested->describe().input, (std::vector<int64_t>{3, 224, 224}));
        QCOMPARE(requested->describe().load.resized.size(), 1);
        SAYS(requested->describe().load.resized[0], "18×18 to 14×14");
    }

    void everyGoldenFileGivesItsLogitsOrIsRefused_data()
    {
        columns<QString, double>("expect", "tolerance");
        const Json expected = Json::parse(std::ifstream(checkpointFolder + "expected.json"));
        for (const auto& [name, entry] : expected.at("files").items())
            row(name, entry.at("expect").get<std::string>(),
                entry.value("atol", expected.at("atol").get<double>()));
    }

    /// Widened types have tolerances of their own in the file; the others differ by rounding alone.
    void everyGoldenFileGivesItsLogitsOrIsRefused()
    {
        FETCH_TEXT(expect);
        QFETCH(const double, tolerance);
        const ModelRequest request{.model = checkpointFolder + "expected.json",
                                   .weights = checkpointFolder + currentDataTag(),
                                   .device = "cpu"};
        if (expect.starts_with("refuse")) {
            THROWS(FileError, logitsOf(request));
            return;
        }
        const at::Tensor logits = logitsOf(request);
        if (expect != "load")
            return;
        const Json wanted = Json::parse(std::ifstream(checkpointFolder + "expected.json")).at("logits");
        const auto values = (wanted.front().is_array() ? wanted.front() : wanted).get<std::vector<float>>();
        QCOMPARE(size_t(logits.numel()), values.size());
        for (size_t i = 0; i < values.size(); ++i)
            QVERIFY(std::abs(logits.data_ptr<float>()[i] - values[i]) <= tolerance);
    }

    void whatNoTensorSaysIsAskedFor()
    {
        const std::string text = problem<UsageError>(
            {.weights = checkpointFolder + "plain.safetensors", .device = "cpu"});
        SAYS(text, "it does not contain the number of heads");
        SAYS(text, "--heads");
    }

    void headsCanBeGiven()
    {
        const std::string file = checkpointFolder + "plain.safetensors";
        const at::Tensor described = logitsOf(
            {.model = checkpointFolder + "expected.json", .weights = file, .device = "cpu"});
        QVERIFY(described.equal(logitsOf({.weights = file, .heads = 3, .device = "cpu"})));
        QVERIFY(!described.equal(logitsOf({.weights = file, .heads = 2, .device = "cpu"})));
        QVERIFY(
            !problem<UsageError>({.model = "deit_tiny_patch16_224", .weights = file, .heads = 3, .device = "cpu"})
                 .empty());
    }

    void namesOfTheTransformersLibraryGiveTheSameLogits()
    {
        const std::string file = path("transformers.safetensors");
        writeSafetensors(file, transformersNames(entriesOf(checkpointFolder + "plain.safetensors")));
        const ModelRequest original{
            .weights = checkpointFolder + "plain.safetensors", .heads = 3, .device = "cpu"};
        const ModelRequest exported{.weights = file, .heads = 3, .device = "cpu"};
        QVERIFY(logitsOf(original).equal(logitsOf(exported)));
        QCOMPARE(openModel(exported)->describe().load.naming, "Transformers library");
    }

    void queryKeyAndValueApartAreJoined()
    {
        auto entries = entriesOf(checkpointFolder + "plain.safetensors");
        splitRows(entries, "blocks.0.attn.qkv.weight",
                  {"blocks.0.attn.q_proj.weight", "blocks.0.attn.k_proj.weight", "blocks.0.attn.v_proj.weight"});
        splitRows(entries, "blocks.0.attn.qkv.bias",
                  {"blocks.0.attn.q_proj.bias", "blocks.0.attn.k_proj.bias", "blocks.0.attn.v_proj.bias"});
        const std::string file = path("split.safetensors");
        writeSafetensors(file, entries);
        const ModelRequest original{
            .weights = checkpointFolder + "plain.safetensors", .heads = 3, .device = "cpu"};
        QVERIFY(logitsOf(original).equal(logitsOf({.weights = file, .heads = 3, .device = "cpu"})));
        entries.erase("blocks.0.attn.k_proj.bias");
        writeSafetensors(file, entries);
        const std::string text = problem<CheckpointMismatch>(
            {.model = checkpointFolder + "expected.json", .weights = file, .device = "cpu"});
        SAYS(text, "blocks.0.attn.qkv.bias");
        SAYS(text, "blocks.0.attn.q_bias");
    }

    void averagedWeightsAreChosenByKey()
    {
        const std::string file = checkpointFolder + "training_namespace_zip.pth",
                          model = checkpointFolder + "expected.json";
        const auto usual = openModel({.model = model, .weights = file, .device = "cpu"});
        QCOMPARE(usual->describe().load.nesting, "model");
        QCOMPARE(usual->describe().load.alternatives, std::vector<std::string>{"model_ema"});
        const auto averaged = openModel(
            {.model = model, .weights = file, .checkpointKey = "model_ema", .device = "cpu"});
        QCOMPARE(averaged->describe().load.nesting, "model_ema");
        QVERIFY(!problem<FileError>({.model = model, .weights = file, .checkpointKey = "nothing", .device = "cpu"})
                     .empty());
    }

    void everyMismatchIsInTheReport()
    {
        const LoadReport fit = fitOf(
            {.model = checkpointFolder + "expected.json", .weights = checkpointFolder + "missing_key.pth"});
        QCOMPARE(fit.missing, std::vector<std::string>{"blocks.0.attn.proj.bias"});
        QCOMPARE(fit.unexpected, std::vector<std::string>{"extra.weight"});
        QVERIFY(!fit.fits());
        const LoadReport shape = fitOf(
            {.model = checkpointFolder + "expected.json", .weights = checkpointFolder + "wrong_shape.pth"});
        QCOMPARE(shape.mismatching.size(), 1);
        SAYS(shape.mismatching[0], "48×13 instead of 48×12");
    }

    void weightsThatAreNotFiniteAreToldOf()
    {
        const auto model = openModel({.model = checkpointFolder + "expected.json",
                                      .weights = checkpointFolder + "nan_weights.pth",
                                      .device = "cpu"});
        QCOMPARE(model->describe().load.notFinite.size(), 1);
        QVERIFY(model->describe().load.notFinite[0].starts_with("head.bias"));
    }

    void convertedCheckpointsGiveEqualLogits_data()
    {
        rows("file",
             {"plain.safetensors", "half.safetensors", "bfloat16.safetensors", "flat_legacy.pth", "model_zip.pth",
              "state_dict_ema_zip.pth", "model_state.pyth", "training_namespace_legacy.pth", "ddp_prefix_zip.pth",
              "strided_zip.pth", "shared_storage_zip.pth", "protocol4_zip.pth", "parameters_zip.pth"});
    }

    void convertedCheckpointsGiveEqualLogits()
    {
        FETCH_TEXT(file);
        ConvertRequest request;
        request.model = {
            .model = checkpointFolder + "expected.json", .weights = checkpointFolder + file, .device = "cpu"};
        request.output = path("converted.safetensors");
        request.overwrite = true;
        const ConvertReport report = convertCheckpoint(request);
        QVERIFY(report.load.fits() && report.tensors == report.load.used);
        QVERIFY(logitsOf(request.model).equal(logitsOf({.weights = request.output, .device = "cpu"})));
    }

    void convertedCheckpointsDescribeThemselves()
    {
        ConvertRequest request;
        request.model = {.weights = checkpointFolder + "model_zip.pth", .heads = 3, .device = "cpu"};
        request.output = path("described.safetensors");
        request.labels = [](int64_t classes) { return std::vector<std::string>(size_t(classes), "a class"); };
        convertCheckpoint(request);
        const Inspection inspection = inspectCheckpoint({.weights = request.output});
        QVERIFY(inspection.header && inspection.fit && inspection.fit->fits());
        QCOMPARE(inspection.header->labels.size(), 10);
        QCOMPARE(inspection.header->model.at("num_heads").get<int>(), 3);
        QCOMPARE(inspection.header->provenance.at("nesting").get<std::string>(), "model");
        QCOMPARE(inspection.header->provenance.at("sha256").get<std::string>(),
                 inspectCheckpoint(request.model, Hash::Always).sha256);
        QVERIFY(inspection.header->preprocessing.at("crop") == Json::array({16, 16}));
        QCOMPARE(openModel({.weights = request.output, .device = "cpu"})->labels().at(9), "a class");
    }

    void anExistingOutputIsNotReplaced()
    {
        const std::string file = path("mine.safetensors");
        writeSafetensors(file, {{"a", zeros({1})}});
        ConvertRequest request;
        request.model = {.weights = checkpointFolder + "plain.safetensors", .heads = 3};
        request.output = file;
        THROWS(FileError, convertCheckpoint(request));
        QCOMPARE(readCheckpoint(file).tensors.size(), 1);
        request.overwrite = true;
        request.output = request.model.weights;
        THROWS(UsageError, convertCheckpoint(request));
    }

    void thousandClassesHaveTheNamesOfImageNet()
    {
        const std::string file = path("thousand.safetensors");
        writeSafetensors(file, namedCheckpoint("deit_tiny_patch16_224", 1000));
        const auto model = openModel({.weights = file, .device = "cpu"});
        const std::vector<std::string> names = model->labels();
        QCOMPARE(names.at(0), "tench");
        QCOMPARE(names.at(207), "golden retriever");
        QCOMPARE(names.at(134), "crane (n02012849)");
        QCOMPARE(imageNetLabels().keys.at(999), "n15075141");
        QCOMPARE(std::set<std::string>(names.begin(), names.end()).size(), 1000);
        QCOMPARE(kineticsLabels().names.front(), "abseiling");
        QCOMPARE(kineticsLabels().names.at(399), "zumba");
    }

    void configurationsOfVideoTrainingsAreRead()
    {
        const auto values = yamlValues("DATA:\n  NUM_FRAMES: 16\n  MEAN:\n  - 0.5\n  PATH: 'a: b'\nVIT:\n  "
                                       "NUM_HEADS: 12\n  X: {a: 1}\nTOP: 3\n");
        QCOMPARE(values.at("DATA.NUM_FRAMES"), "16");
        QCOMPARE(values.at("DATA.PATH"), "a: b");
        QCOMPARE(values.at("VIT.NUM_HEADS"), "12");
        QCOMPARE(values.at("TOP"), "3");
        StateDict state = readCheckpoint(modelFolder
                                         + "motionformer_trajectory_tiny_cfg.weights.official.safetensors");
        state.metadata["cfg"] =
            "DATA:\n  TRAIN_CROP_SIZE: 48\n  NUM_FRAMES: 8\n  SAMPLING_RATE: 8\nVIT:\n  NUM_HEADS: 3\n";
        const CheckpointIdentity identity = identify(state);
        QVERIFY2(identity.undecided.empty(), identity.config.dump().c_str());
        QCOMPARE(identity.config.at("crop").get<int>(), 48);
        QCOMPARE(identity.config.at("frame_interval").get<int>(), 8);
    }

    void verbsAndNounsAreTwoHeads()
    {
        StateDict state = readCheckpoint(modelFolder
                                         + "motionformer_trajectory_tiny_cfg.weights.official.safetensors");
        for (const char* part : {"weight", "bias"}) {
            const std::string name = std::string("head.") + part;
            state.tensors[std::string("head0.") + part] = state.tensors[std::string("head1.") + part] =
                state.tensors.at(name);
            state.tensors.erase(name);
        }
        state.metadata["cfg"] = "DATA:\n  TRAIN_CROP_SIZE: 48\nVIT:\n  NUM_HEADS: 3\n";
        const CheckpointIdentity identity = identify(state);
        QVERIFY2(identity.undecided.empty(), identity.config.dump().c_str());
        QCOMPARE(identity.config.at("num_classes").get<std::vector<int>>(), (std::vector<int>{10, 10}));
    }

    void aChangedPublishedFileIsTold()
    {
        const std::string digits =
            inspectCheckpoint({.weights = checkpointFolder + "model_zip.pth"}, Hash::Always).sha256.substr(0, 8);
        fs::copy_file(checkpointFolder + "model_zip.pth", m_folder / ("net-" + digits + ".pth"));
        fs::copy_file(checkpointFolder + "model_zip.pth", m_folder / "net-01234567.pth");
        QVERIFY(inspectCheckpoint({.weights = path("net-" + digits + ".pth")}).digitsAgree());
        const Inspection changed = inspectCheckpoint({.weights = path("net-01234567.pth")});
        QVERIFY(changed.publishedDigits == "01234567" && !changed.digitsAgree());
    }

    void networksInsideOthersGiveTheirLogits_data()
    {
        rows("prefix", {"_orig_mod.", "module._orig_mod.", "_orig_mod.module.", "model._orig_mod.",
                        "_fsdp_wrapped_module.", "timm_model.", "base_encoder.", "net.", "vit.", "model.vit."});
    }

    /// What is outside is left out, and said.
    void networksInsideOthersGiveTheirLogits()
    {
        FETCH_TEXT(prefix);
        Entries entries = prefixed(prefix, plainEntries());
        const bool wrapper = contains(prefix, "_orig_mod") || contains(prefix, "fsdp");
        if (!wrapper)
            entries["criterion.weight"] = zeros({10});
        const std::string file = path("prefixed.safetensors");
        writeSafetensors(file, entries);
        const ModelRequest request{.weights = file, .heads = 3, .device = "cpu"};
        QVERIFY(logitsOf(request).equal(logitsOf(plainRequest)));
        const LoadReport report = fitOf(request);
        const std::string notes = lines(report).empty() ? "" : joined(report.notes, "; ");
        SAYS(notes, "removed from the names of");
        QCOMPARE(wrapper || report.ignored.at(0).find("criterion.weight") != std::string::npos, true);
    }

    void severalNetworksAreChosenByKey()
    {
        Entries entries = prefixed("first.", plainEntries());
        entries.merge(prefixed("second.backbone.", plainEntries()));
        const std::string file = path("several.safetensors");
        writeSafetensors(file, entries);
        const std::string text = problem<Unsupported>({.weights = file, .heads = 3, .device = "cpu"});
        SAYS(text, "`first.` and `second.backbone.`");
        SAYS(text, "--checkpoint-key");
        for (const char* key : {"first", "second", "second.backbone"})
            QVERIFY(logitsOf({.weights = file, .checkpointKey = key, .heads = 3, .device = "cpu"})
                        .equal(logitsOf(plainRequest)));
        QVERIFY(problem<FileError>({.weights = file, .checkpointKey = "third", .heads = 3, .device = "cpu"})
                    .find("third")
                != std::string::npos);
    }

    /// The copy that follows the weights, and the projection behind a network that is trained with one.
    void copiesOfTrainingAreLeftOut()
    {
        Entries body = plainEntries();
        body.erase("head.weight");
        body.erase("head.bias");
        Entries entries = prefixed("base_encoder.", body);
        entries.merge(prefixed("momentum_encoder.", body));
        entries["base_encoder.head.0.weight"] = zeros({8, 48});
        entries["predictor.0.weight"] = zeros({8, 8});
        const std::string file = path("moco.safetensors");
        writeSafetensors(file, entries);
        const LoadReport report = fitOf({.weights = file, .heads = 3, .device = "cpu"});
        QVERIFY(report.fits());
        SAYS(joined(report.ignored, "; "), "projection of pretraining");
    }

    void aClassifierBesideANetworkIsNotGuessed()
    {
        Entries entries = prefixed("backbone.", plainEntries());
        const int64_t width = entries.at("backbone.norm.bias").shape.front();
        entries.erase("backbone.head.weight");
        entries.erase("backbone.head.bias");
        entries["fc.weight"] = zeros({5, width});
        entries["fc.bias"] = zeros({5});
        const std::string file = path("classifier.safetensors");
        writeSafetensors(file, entries);
        const std::string text = problem<Unsupported>({.weights = file, .heads = 3, .device = "cpu"});
        SAYS(text, "under `backbone.`");
        SAYS(text, "`fc.weight`");
        QVERIFY(fitOf({.weights = file, .checkpointKey = "backbone", .heads = 3, .device = "cpu"}).fits());
    }

    void whatIsOfTrainingIsLeftOut()
    {
        Entries entries = plainEntries();
        for (const char* name : {"n_averaged", "step", "loss.temperature", "total_ops",
                                 "blocks.0.attn.qkv.total_ops", "blocks.0.attn.qkv.total_params"})
            entries[name] = zeros({1});
        const std::string file = path("counters.safetensors");
        writeSafetensors(file, entries);
        const ModelRequest request{.weights = file, .heads = 3, .device = "cpu"};
        QVERIFY(logitsOf(request).equal(logitsOf(plainRequest)));
        QCOMPARE(fitOf(request).ignored.size(), 6);
    }

    void aScalarInsideTheNetworkIsNotLeftOut()
    {
        Entries entries = plainEntries();
        entries["blocks.0.attn.temperature"] = zeros({1});
        const std::string file = path("scalar.safetensors");
        writeSafetensors(file, entries);
        QCOMPARE(fitOf({.weights = file, .heads = 3, .device = "cpu"}).unexpected,
                 std::vector<std::string>{"blocks.0.attn.temperature"});
    }

    void wholeNumbersAreNoWeights()
    {
        for (const ElementType type : {ElementType::Int8, ElementType::UInt8}) {
            Entries entries = plainEntries();
            SafetensorsEntry& qkv = entries.at("blocks.0.attn.qkv.weight");
            qkv.type = type;
            qkv.bytes.resize(qkv.bytes.size() / 4);
            const std::string file = path("integers.safetensors");
            writeSafetensors(file, entries);
            const std::string text = problem<Unsupported>({.weights = file, .heads = 3, .device = "cpu"});
            SAYS(text, "`blocks.0.attn.qkv.weight`");
            SAYS(text, "quantised");
        }
    }

    void adviceFollowsFromWhatIsLeftOver_data()
    {
        columns<QString>("advice");
        row("blocks.0.attn.qkv.lora_A", "LoRA");
        row("blocks.0.attn.qkv.base_layer.weight", "LoRA");
        row("blocks.0.attn.qkv.weight_scale", "dequantise");
        row("blocks.0.attn.qkv.SCB", "dequantise");
        row("blocks.0.attn.qkv.weight_orig", "pruning permanent");
        row("blocks.0.attn.qkv.weight_mask", "pruning permanent");
        row("head.weight_v", "weight norm");
        row("head.parametrizations.weight.original0", "weight norm");
    }

    /// Next to a whole network, and alone.
    void adviceFollowsFromWhatIsLeftOver()
    {
        const std::string tensor = currentDataTag();
        QFETCH(const QString, advice);
        Entries entries = plainEntries();
        entries[tensor] = zeros({4, 4});
        const std::string file = path("leftover.safetensors");
        writeSafetensors(file, entries);
        const std::string text = problem<CheckpointMismatch>({.weights = file, .heads = 3, .device = "cpu"});
        SAYS(text, advice);
        writeSafetensors(file, {{"base_model.model." + tensor, zeros({4, 4})}});
        const std::string alone = problem<UsageError>({.weights = file, .device = "cpu"});
        SAYS(alone, advice);
    }

    void partsAreReadThroughTheirIndex()
    {
        const fs::path folder = path("parts");
        const Json index = writeParts(folder);
        const std::string part = (folder / "model-00001-of-00002.safetensors").string();
        const std::string alone = problem<FileError>(
            {.model = checkpointFolder + "expected.json", .weights = part, .device = "cpu"});
        SAYS(alone, "one of 2 files");
        std::ofstream(folder / "model.safetensors.index.json") << index;
        for (const std::string& given : {folder.string(), (folder / "model.safetensors.index.json").string()}) {
            const ModelRequest request{.weights = given, .heads = 3, .device = "cpu"};
            QVERIFY(logitsOf(request).equal(logitsOf(plainRequest)));
            const ConvertRequest convert{
                .model = request, .output = path("joined.safetensors"), .overwrite = true};
            QVERIFY(convertCheckpoint(convert).load.fits());
        }
        const std::string hash = inspectCheckpoint({.weights = folder.string()}, Hash::Always).sha256;
        Entries changed = entriesOf((folder / "model-00002-of-00002.safetensors").string());
        changed.begin()->second.bytes.front() ^= std::byte{1};
        writeSafetensors(folder / "model-00002-of-00002.safetensors", changed, {});
        QVERIFY(inspectCheckpoint({.weights = folder.string()}, Hash::Always).sha256 != hash);
    }

    void anIndexThatLiesIsRefused_data()
    {
        columns<QString, QString>("file", "said");
        row("above", "../model.safetensors", "not a checkpoint next to it");
        row("absolute", "/etc/passwd", "not a checkpoint next to it");
        row("parent", "..", "not a checkpoint next to it");
        row("itself", "model.safetensors.index.json", "not a checkpoint next to it");
        row("empty", "", "not a checkpoint next to it");
        row("a line break", "a\nb", "not a checkpoint next to it");
        row("missing", "model-00003-of-00002.safetensors", "file not found");
        row("another's", "model-00002-of-00002.safetensors", "where it is not");
    }

    void anIndexThatLiesIsRefused()
    {
        FETCH_TEXT(file);
        QFETCH(const QString, said);
        const fs::path folder = path("lying");
        Json index = writeParts(folder);
        index["weight_map"]["blocks.0.attn.proj.bias"] = file;
        std::ofstream(folder / "model.safetensors.index.json") << index;
        const std::string text = problem<FileError>({.weights = folder.string(), .heads = 3, .device = "cpu"});
        SAYS(text, said);
    }

    void checkpointsInFoldersAreKnownByContent()
    {
        const fs::path folder = path("run");
        fs::create_directories(folder);
        fs::copy_file(checkpointFolder + "model_zip.pth", folder / "best.pth.tar");
        fs::copy_file(checkpointFolder + "model_zip.pth", folder / "optimizer.pt");
        std::ofstream(folder / "log.pth")
            << "no checkpoint, whatever its name says, although it is long enough to be one";
        QVERIFY(fitOf({.weights = folder.string(), .heads = 3, .device = "cpu"}).fits());
        fs::copy_file(checkpointFolder + "flat_legacy.pth", folder / "last.ckpt");
        const std::string text = problem<FileError>({.weights = folder.string(), .heads = 3, .device = "cpu"});
        SAYS(text, "best.pth.tar and last.ckpt");
    }

    void torchvisionsNamesGiveTheSameLogits()
    {
        const std::pair<std::string, std::string> names[] = {{"patch_embed.proj.", "conv_proj."},
                                                             {"cls_token", "class_token"},
                                                             {"pos_embed", "encoder.pos_embedding"},
                                                             {"blocks.", "encoder.layers.encoder_layer_"},
                                                             {"norm.", "encoder.ln."},
                                                             {"head.", "heads.head."}};
        const std::pair<std::string, std::string> inner[] = {{".norm1.", ".ln_1."},
                                                             {".norm2.", ".ln_2."},
                                                             {".attn.qkv.", ".self_attention.in_proj_"},
                                                             {".attn.proj.", ".self_attention.out_proj."},
                                                             {".mlp.fc1.", ".mlp.linear_1."},
                                                             {".mlp.fc2.", ".mlp.3."}};
        Entries entries;
        for (auto& [name, entry] : plainEntries()) {
            std::string theirs = name;
            for (const auto& [from, to] : names)
                if (name.starts_with(from))
                    theirs = to + name.substr(from.size());
            for (const auto& [from, to] : inner)
                if (const size_t at = theirs.find(from); at != std::string::npos)
                    theirs.replace(at, from.size(), to);
            entries[theirs] = entry;
        }
        const std::string file = path("torchvision.safetensors");
        writeSafetensors(file, entries);
        const ModelRequest request{.weights = file, .heads = 3, .device = "cpu"};
        QVERIFY(logitsOf(request).equal(logitsOf(plainRequest)));
        QCOMPARE(evaluationTransform(*openModel(request)).filter, ResizeFilter::Bilinear);
    }

    void aHeadOfTheClassTokenAloneIsRead()
    {
        Entries entries = transformersNames(plainEntries());
        SafetensorsEntry& rows = entries.at("deit.embeddings.position_embeddings");
        const int64_t width = rows.shape.back();
        entries["deit.embeddings.distillation_token"] = zeros({1, 1, width});
        rows = zeros({1, rows.shape[1] + 1, width});
        const std::string file = path("deit.safetensors");
        writeSafetensors(file, entries);
        const ModelRequest request{.weights = file,
                                   .heads = 3,
                                   .given = {"act=gelu_erf", "ln_eps=1e-12", "rope=null", "pool=token"},
                                   .device = "cpu"};
        const LoadReport report = fitOf(request);
        QVERIFY2(report.fits(), joined(report.unexpected, ", ").c_str());
        SAYS(joined(report.notes, "; "), "class token alone");
    }

    void headersOfOtherTypesAreNoIdentity_data()
    {
        columns<QString>("model");
        row("family", R"({"family":5})");
        row("family of texts", R"({"family":["deit"],"name":7})");
        row("width", R"({"family":"deit","embed_dim":"wide"})");
        row("null", R"({"family":null,"embed_dim":null,"name":{}})");
        row("fraction", R"({"family":"deit","embed_dim":1e300})");
        row("nested",
            QString(R"({"family":"deit","name":)") + QString(1'000'000, '[') + QString(1'000'000, ']') + "}");
    }

    /// `identify` never throws; what opens the file then says what is wrong with it.
    void headersOfOtherTypesAreNoIdentity()
    {
        FETCH_TEXT(model);
        StateDict state = readCheckpoint(modelFolder + "deit_tiny_cfg.weights.official.safetensors");
        state.metadata["model"] = model;
        const CheckpointIdentity identity = identify(state);
        QCOMPARE(likelyHeads(identity), 0);
        QVERIFY(identity.model.empty());
        const std::string file = path("odd_header.safetensors");
        writeSafetensors(file, entriesOf(modelFolder + "deit_tiny_cfg.weights.official.safetensors"),
                         {{"model", model}});
        QVERIFY(!problem<Error>({.weights = file, .device = "cpu"}).empty());
    }

private:
    Folder m_folder;
    std::string path(const std::string& name) const { return m_folder / name; }
};

ATTNSCOPE_TEST(TestCheckpointIdentity)
#include "tst_checkpoint_identity.moc"
