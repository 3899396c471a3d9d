#include "core/data/preprocess/normalise.h"
#include "core/nn/layers.h"
#include "core/run/classifier.h"
#include "core/train/trainable_classifier.h"
#include "models/open_model.h"
#include "tests/models/golden_models.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <ATen/record_function.h>

#include <fstream>
#include <map>
#include <string_view>

using namespace attnscope;
using namespace attnscope::test;

namespace {

int plainLayers = 0;

/// Linear layers and convolutions as they are written.
std::unique_ptr<at::ObserverContext> countPlainLayers(const at::RecordFunction& function)
{
    const std::string_view name = function.name();
    plainLayers += name == "aten::linear" || name == "aten::conv2d";
    return nullptr;
}

/// The largest difference against the largest value.
double relative(const at::Tensor& a, const at::Tensor& b)
{
    const auto wide = b.to(at::kDouble);
    return ((a.to(at::kDouble) - wide).abs().max() / wide.abs().max()).item<double>();
}

/// Where inputs are rounded to 8 bits, a difference of float32's last digit may be one of them.
double toleranceOf(const std::string& attention, const std::string& dtype)
{
    return dtype != "float32" ? 0.05 : attention.ends_with("weights=int8") ? 0.04 : 2e-5;
}

const char* const dividedVideo =
    R"({"family": "motionformer", "name": "divided", "crop": 64, "frames": 8, "frame_interval": 4,
    "tubelet": 2, "patch": 16, "embed_dim": 256, "depth": 2, "num_heads": 4, "attn": "divided", "num_classes": 8})";

/// Plain vision transformers with what the default one has not. Their hidden numbers are no whole number of chunks.
const std::map<std::string, std::string> plainVits{
    {"quick", R"("act": "quick_gelu", "pre_norm": true, "patch_bias": false, "mlp_hidden": 272)"},
    {"tanh", R"("act": "gelu_tanh", "class_token": false, "pool": "map", "mlp_hidden": 272)"},
    {"gated",
     R"("act": "silu", "mlp": "glu", "mlp_hidden": 208, "layer_scale": "both", "reg_tokens": 2, "rope": {"type": "axial"})"},
    {"inner_norm", R"("act": "silu", "mlp": "glu", "mlp_norm": true, "attn_norm": true, "mlp_hidden": 203,
        "rope": {"type": "centred", "half": true})"},
    {"inner_norm_plain", R"("mlp_norm": true, "mlp_hidden": 272, "rope": {"type": "mixed"})"},
    {"rms", R"("act": "silu", "mlp": "glu", "norm": "rms", "qk_norm": true, "mlp_hidden": 176, "kv_heads": 1,
        "rope": {"type": "centred", "half": true})"}};

}

/// What is planned for speed against what is written: the same network, opened twice.
class TestOptimizedExecution : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyActivationIsTheSame_data();
    void everyActivationIsTheSame();
    void unwatchedPassesGiveTheSameAnswer_data() { everyActivationIsTheSame_data(); }
    void unwatchedPassesGiveTheSameAnswer();
    void anAnswerDependsOnNoOtherSample_data();
    void anAnswerDependsOnNoOtherSample();
    void anotherImageSizeIsTheSame_data();
    void anotherImageSizeIsTheSame();
    void pixelsAreTheirNormalisedPicture_data();
    void pixelsAreTheirNormalisedPicture();
    void weightsOfOptimizedNetworksAreNotHandedOut();
    void layersIn8BitsAreTheReference();
    void weightsIn8BitsTakeLessAndChangeLittle();

private:
    struct Pair {
        std::shared_ptr<const Classifier> plain, optimized;
        at::Tensor input;
    };

    Pair open(const std::string& model, const std::string& dtype, int64_t batch, int64_t side = 0) const;

    Folder m_folder;
};

void TestOptimizedExecution::initTestCase()
{
    std::ofstream(m_folder / "divided.json") << dividedVideo;
    for (const auto& [name, switches] : plainVits)
        std::ofstream(m_folder / (name + ".json"))
            << R"({"family": "vit", "name": ")" << name
            << R"(", "patch_size": 8, "img_size": 88, "embed_dim": 128, "depth": 2, "num_heads": 2,
                "num_classes": 10, )"
            << switches << "}";
}

TestOptimizedExecution::Pair TestOptimizedExecution::open(const std::string& model, const std::string& dtype,
                                                          int64_t batch, int64_t side) const
{
    const ModelRequest request{.model = model,
                               .weights = "untrained:3",
                               .device = "cpu",
                               .dtype = dtype,
                               .imageSize = InputSize::square(side)};
    ModelRequest plain = request;
    plain.plain = true;
    Pair pair{openModel(plain), openModel(request), {}};
    auto shape = pair.plain->describe().input;
    shape.insert(shape.begin(), batch);
    pair.input = at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(7)).to(pair.plain->dtype());
    return pair;
}

void TestOptimizedExecution::everyActivationIsTheSame_data()
{
    columns<QString, QString, QString, int>("model", "attention", "dtype", "batch");
    const std::string demo = RESOURCE_DIR "/demo/models/";
    const auto add = [](const std::string& model, const std::string& attention, const std::string& dtype,
                        int batch) {
        const std::string name = model.substr(model.rfind('/') + 1) + " " + attention + " " + dtype + " "
                                 + std::to_string(batch);
        row(name, model, attention, dtype, batch);
    };
    add(demo + "deit.json", "softmax", "float32", 1);
    add(demo + "deit.json", "lara:samples=16", "float32", 3);
    add("deit_tiny_distilled_patch16_224", "performer:samples=32", "float32", 1);
    add(demo + "pvt_v2.json", "softmax", "float32", 2);
    add("pvt_v2_b1", "sra", "float32", 1);
    add("pvt_v2_b2_li", "sra:linear", "float32", 1);
    add("pvt_v2_b1", "lara:samples=16", "float32", 1);
    add(demo + "motionformer.json", "softmax", "float32", 1);
    add(demo + "motionformer.json", "performer:samples=16", "float32", 2);
    add(m_folder / "divided.json", "performer:samples=16", "float32", 1);
    add(demo + "deit.json", "softmax", "bfloat16", 2);
    add("pvt_v2_b0", "sra", "bfloat16", 1);
    add("deit_tiny_distilled_patch16_224", "softmax;weights=int8", "float32", 2);
    add("pvt_v2_b0", "sra;weights=int8", "float32", 2);
    add("pvt_v2_b0", "lara:samples=16;weights=int8", "bfloat16", 1);
    add(demo + "motionformer.json", "softmax;weights=int8", "float32", 2);
    for (const char* name : {"gated", "inner_norm", "rms"})
        add(m_folder / (std::string(name) + ".json"), "softmax;weights=int8", "float32", 2);
    for (const char* dtype : {"float32", "bfloat16"})
        for (const auto& [name, switches] : plainVits)
            add(m_folder / (name + ".json"), "softmax", dtype, 2);
}

void TestOptimizedExecution::everyActivationIsTheSame()
{
    FETCH_TEXT(model);
    FETCH_TEXT(attention);
    FETCH_TEXT(dtype);
    QFETCH(int, batch);
    const c10::InferenceMode guard;
    const Pair pair = open(model, dtype, batch);
    Recorder plain, optimized;
    pair.plain->logits(pair.input, prepare(*pair.plain, attention, 5), &plain);
    pair.optimized->logits(pair.input, prepare(*pair.optimized, attention, 5), &optimized);
    QVERIFY(plain.activations.size() > 5);
    QCOMPARE(optimized.activations.size(), plain.activations.size());
    const double tolerance = toleranceOf(attention, dtype);
    for (const auto& [name, value] : plain.activations) {
        const double difference = relative(optimized.activations.at(name), value);
        QVERIFY2(difference < tolerance, (name + " differs by " + std::to_string(difference)).c_str());
    }
}

void TestOptimizedExecution::unwatchedPassesGiveTheSameAnswer()
{
    FETCH_TEXT(model);
    FETCH_TEXT(attention);
    FETCH_TEXT(dtype);
    QFETCH(int, batch);
    const c10::InferenceMode guard;
    const Pair pair = open(model, dtype, batch);
    const auto spec = AttentionSpec::parse(attention);
    const auto callback = at::addThreadLocalCallback(
        at::RecordFunctionCallback(&countPlainLayers).scopes({at::RecordScope::FUNCTION}));
    plainLayers = 0;
    const auto expected = pair.plain->logits(pair.input, pair.plain->prepare(spec, 5));
    const int written = plainLayers;
    plainLayers = 0;
    const auto found = pair.optimized->logits(pair.input, pair.optimized->prepare(spec, 5));
    at::removeCallback(callback);
    QCOMPARE_GE(written, 4 * pair.optimized->describe().layers);
    // The demo's smallest layers have widths that nothing is packed for.
    const int allowed = pair.optimized->describe().width >= 128 ? written / 4 : written / 2;
    QVERIFY2(plainLayers <= allowed,
             (std::to_string(plainLayers) + " of " + std::to_string(written) + " layers are not packed").c_str());
    const double difference = relative(found, expected);
    QCOMPARE_LT(difference, toleranceOf(attention, dtype));
}

/// Weights are packed for the model's own size: others must not depend on it.
void TestOptimizedExecution::anAnswerDependsOnNoOtherSample_data()
{
    columns<QString, QString>("model", "dtype");
    for (const char* dtype : {"float32", "bfloat16"}) {
        for (const char* model : {"deit_tiny_patch16_224", "deit_small_patch16_224", "pvt_v2_b0"})
            row(std::string(model) + " " + dtype, model, dtype);
        for (const auto& [name, switches] : plainVits)
            row(name + " " + dtype, (m_folder / (name + ".json")).string(), dtype);
    }
}

/// To the bit: evaluations of the same samples in other batches, by more processes or after an interruption, give the same file.
void TestOptimizedExecution::anAnswerDependsOnNoOtherSample()
{
    FETCH_TEXT(model);
    FETCH_TEXT(dtype);
    const c10::InferenceMode guard;
    const Pair pair = open(model, dtype, 3);
    for (const WeightStorage weights : {WeightStorage::Own, WeightStorage::Int8}) {
        const auto attention = pair.optimized->prepare(AttentionSpec::native().withWeights(weights), 5);
        const auto together = pair.optimized->logits(pair.input, attention);
        for (int64_t b = 0; b < 3; ++b)
            QVERIFY(at::equal(pair.optimized->logits(pair.input.narrow(0, b, 1), attention),
                              together.narrow(0, b, 1)));
    }
}

void TestOptimizedExecution::anotherImageSizeIsTheSame_data()
{
    columns<QString, int, int>("model", "height", "width");
    row("pvt_v2_b0", "pvt_v2_b0", 160, 96);
    for (const auto& [name, switches] : plainVits)  // so few tokens that threads divide the weights
        row(name, (m_folder / (name + ".json")).string(), 48, 40);
}

void TestOptimizedExecution::anotherImageSizeIsTheSame()
{
    FETCH_TEXT(model);
    QFETCH(int, height);
    QFETCH(int, width);
    const c10::InferenceMode guard;
    const Pair pair = open(model, "float32", 1);
    const auto input = at::randn({2, 3, height, width}, at::make_generator<at::CPUGeneratorImpl>(8));
    const auto spec = AttentionSpec::native();
    QVERIFY(relative(pair.optimized->logits(input, pair.optimized->prepare(spec, 0)),
                     pair.plain->logits(input, pair.plain->prepare(spec, 0)))
            < 2e-5);
}

void TestOptimizedExecution::pixelsAreTheirNormalisedPicture_data()
{
    columns<QString, QString>("model", "dtype");
    for (const char* dtype : {"float32", "bfloat16"})
        for (const char* model : {"deit_tiny_distilled_patch16_224", "pvt_v2_b0", "pvt_v2_b2_li"})
            row(std::string(model) + " " + dtype, model, dtype);
}

/// Mean and standard deviation are folded into the first layer, what lies around the image included; noise has no edge that could hide.
void TestOptimizedExecution::pixelsAreTheirNormalisedPicture()
{
    FETCH_TEXT(model);
    FETCH_TEXT(dtype);
    const c10::InferenceMode guard;
    const Pair pair = open(model, dtype, 2);
    QVERIFY(pair.optimized->takesPixels());
    QVERIFY(!pair.plain->takesPixels());
    const auto attention = prepare(*pair.optimized, "native", 5);
    const Transform transform = pair.optimized->transform();
    Clip clip{.frames = 1, .height = 224, .width = 224};
    clip.pixels.resize(224 * 224 * 3);
    std::vector<at::Tensor> pixels, predictions;
    for (const int sample : {0, 1}) {
        const auto noise = at::randint(256, {1, 224, 224, 3}, at::make_generator<at::CPUGeneratorImpl>(sample),
                                       at::kByte);
        std::copy_n(noise.const_data_ptr<uint8_t>(), clip.pixels.size(), clip.pixels.begin());
        const FloatArray expected = normalised(clip, transform);
        const auto image = normalisedPixels(noise, transform);
        QVERIFY(std::equal(expected.values.begin(), expected.values.end(), image.const_data_ptr<float>()));
        pixels.push_back(noise);
        predictions.push_back(pair.optimized->logits(noise, attention));
        const auto plain = pair.plain->logits(image.to(pair.plain->dtype()), prepare(*pair.plain, "native", 5));
        const double difference = relative(predictions.back(), plain);
        QCOMPARE_LT(difference, toleranceOf("native", dtype));
    }
    QVERIFY(at::equal(pair.optimized->logits(at::cat(pixels), attention), at::cat(predictions)));
}

void TestOptimizedExecution::weightsOfOptimizedNetworksAreNotHandedOut()
{
    const c10::InferenceMode guard;
    const Pair pair = open(RESOURCE_DIR "/demo/models/deit.json", "float32", 1);
    const auto trainable = [](const Classifier& network) {
        return dynamic_cast<const TrainableClassifier&>(network).weights();
    };
    QVERIFY(trainable(*pair.plain).size() > 10);
    THROWS(std::logic_error, trainable(*pair.optimized));
}

/// One layer of each kind, of the same inputs: both round the same numbers.
void TestOptimizedExecution::layersIn8BitsAreTheReference()
{
    const c10::InferenceMode guard;
    const auto made = at::make_generator<at::CPUGeneratorImpl>(9);
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
        for (const bool gated : {false, true}) {
            const auto weight = at::randn({320, 272}, made).to(type), bias = at::randn({320}, made).to(type),
                       x = at::randn({2, 130, 272}, made).to(type);
            LayerWeights layer{.weight = weight, .bias = bias, .gated = gated};
            const LayerWeights reference = int8Layer(layer, Execution::Reference);
            packLinear(layer, 260);
            const LayerWeights packed = int8Layer(layer, Execution::Optimized);
            QVERIFY(packed.packedWeights.scales.defined() && reference.roundsInputs);
            const auto expected = linear(x, reference, Activation::Silu);
            const double difference = relative(linear(x, packed, Activation::Silu), expected),
                         rounding = relative(linear(x, layer, Activation::Silu), expected);
            QCOMPARE_LT(difference, (type == at::kFloat ? 1e-5 : 0.01));
            QVERIFY2(rounding > 1e-3 && rounding < 0.03, std::to_string(rounding).c_str());
        }
}

void TestOptimizedExecution::weightsIn8BitsTakeLessAndChangeLittle()
{
    const c10::InferenceMode guard;
    const Pair pair = open("deit_tiny_patch16_224", "float32", 2);
    const auto own = prepare(*pair.optimized), small = prepare(*pair.optimized, "native;weights=int8");
    QCOMPARE(small.resolved.canonical(), "softmax;weights=int8");
    const double saved = double(pair.optimized->weightBytes(small)) / double(pair.optimized->weightBytes(own));
    QCOMPARE_LT(saved, 0.32);  // a quarter of the blocks' layers, and the others whole
    const double difference = relative(pair.optimized->logits(pair.input, small),
                                       pair.optimized->logits(pair.input, own));
    QVERIFY2(difference > 1e-4 && difference < 0.05, std::to_string(difference).c_str());
}

ATTNSCOPE_EVENT_TEST(TestOptimizedExecution)
#include "tst_optimized_execution.moc"
