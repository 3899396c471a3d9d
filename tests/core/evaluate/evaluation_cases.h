#pragma once

#include "core/evaluate/evaluate.h"
#include "core/run/classifier.h"
#include "core/store/result_store.h"
#include "models/open_model.h"
#include "tests/support/folder.h"
#include "tests/support/stored_results.h"

#include <ATen/ATen.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

/// Small folders of images, a network that predicts as a test wants, and an observer that writes down what it is
/// told.
namespace attnscope::testing {

namespace fs = std::filesystem;

inline void write(const fs::path& path, const std::string& content)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
}

/// An image of 20 × 18 random pixels: PNM, which needs no foreign decoder.
inline std::string image(unsigned seed)
{
    std::minstd_rand random(seed + 1);
    std::string text = "P6\n20 18\n255\n";
    for (int i = 0; i < 20 * 18 * 3; ++i)
        text += char(random() >> 8 & 255);
    return text;
}

/// `count` images in `classes` folders, and the set that they are.
inline LabelledSet images(const fs::path& folder, int64_t count, int64_t classes)
{
    LabelledSet set;
    set.root = folder.string();
    set.layout = FolderLayout::ImageNet;
    for (int64_t label = 0; label < classes; ++label)
        set.classes.push_back("c" + std::to_string(label));
    for (int64_t i = 0; i < count; ++i) {
        const int64_t label = i * classes / count;
        const fs::path path = folder / set.classes[size_t(label)] / (std::to_string(i) + ".ppm");
        write(path, image(unsigned(i)));
        set.files.push_back({path.string(), label});
    }
    return set;
}

/// Logits (B,classes) of an input, as a test wants them; throws what a network might.
using Prediction = std::function<at::Tensor(const at::Tensor& input, const std::string& attention)>;

class FakeNetwork : public Classifier {
public:
    FakeNetwork(int64_t classes, Prediction prediction)
        : m_prediction(std::move(prediction))
    {
        m_summary.name = "fake";
        m_summary.classes = classes;
        m_summary.input = {3, 16, 16};
        m_summary.weights = WeightsKind::Trained;
        m_summary.weightsSource = "none";
    }

    const ModelSummary& describe() const override { return m_summary; }
    Transform transform() const override { return {.resize = 16, .cropHeight = 16, .cropWidth = 16}; }
    at::Device device() const override { return at::kCPU; }
    at::ScalarType dtype() const override { return at::kFloat; }
    int64_t weightBytes(const PreparedAttention&) const override { return 0; }
    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override
    {
        PreparedAttention prepared;
        prepared.requested = prepared.resolved = spec;
        prepared.seed = seed;
        prepared.weights = m_summary.weights;
        return prepared;
    }
    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver*) const override
    {
        return m_prediction(input, attention.requested.canonical());
    }
    double multiplyAdds(const PreparedAttention&) const override { return 0; }
    AttentionShape attentionShape(int64_t) const override { return {}; }
    void checkInput(const std::vector<int64_t>&) const override {}

private:
    Prediction m_prediction;
    ModelSummary m_summary;
};

/// Classes by the images' own pixels: every sample another prediction, whatever batch it is in.
inline at::Tensor byPixels(const at::Tensor& input, int64_t classes)
{
    return input.flatten(1).slice(1, 0, classes).contiguous();
}

class Notebook : public EvaluationObserver {
public:
    std::vector<std::string> messages, unreadable;
    std::vector<EvaluationProgress> progress;
    std::optional<EvaluationProgress> begun;
    int64_t evaluation = 0;
    std::stop_source stop;
    int64_t stopAfter = -1;  ///< batches
    std::function<void()> onBatch;

    void onStart(int64_t id, const EvaluationProgress& found) override
    {
        evaluation = id;
        begun = found;
    }
    void onProgress(const EvaluationProgress& now) override
    {
        progress.push_back(now);
        if (std::ssize(progress) == stopAfter)
            stop.request_stop();
        if (onBatch)
            onBatch();
    }
    void onUnreadable(const UnreadableSample& sample) override
    {
        unreadable.push_back(fs::path(sample.path).filename().string() + ": " + sample.reason);
    }
    void onMessage(const std::string& sentence) override { messages.push_back(sentence); }
};

inline constexpr const char* tinyDeit =
    R"({"family":"deit","img_size":16,"patch_size":4,"embed_dim":12,"depth":2,"num_heads":3,"num_classes":12,
"mlp_ratio":2,"qkv_bias":true,"ln_eps":1e-6,"act":"gelu_erf","attention":"softmax"})";

/// Every kind of randomness: shared draws, draws of each sample, categories; and tokens that merge.
inline std::vector<AttentionSpec> randomAttentions()
{
    std::vector<AttentionSpec> specs;
    for (const char* text : {"softmax", "performer:samples=8", "rfa:samples=8", "softmax;tokens=tome:r=2", "ra",
                             "ra;tokens=tome:r=2", "lara:samples=4"})
        specs.push_back(AttentionSpec::parse(text));
    return specs;
}

inline std::shared_ptr<const Classifier> tinyNetwork(const Folder& folder)
{
    write(folder / "tiny.json", tinyDeit);
    return openModel({.model = (folder / "tiny.json").string(), .weights = "untrained:1", .device = "cpu"});
}

inline EvaluationRequest requestFor(const LabelledSet& data, const fs::path& store,
                                    std::vector<AttentionSpec> attention = {AttentionSpec::parse("softmax")})
{
    EvaluationRequest request;
    request.data = data;
    request.store = store;
    request.attention = std::move(attention);
    request.batch = 8;
    request.workers = 2;
    request.latency = request.memory = false;
    return request;
}

inline std::string resultsIn(const fs::path& store, int64_t evaluation)
{
    return withoutTimings(ResultStore(store, ResultStore::Mode::Read), evaluation);
}

}
