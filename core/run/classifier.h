#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/attention_spec.h"
#include "core/attention/training_free/token_merging.h"
#include "core/data/preprocess/transform.h"
#include "core/run/run_record.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// Observes a forward pass. Measurements are observers, not branches in the model.
class ForwardObserver {
public:
    virtual ~ForwardObserver() = default;
    /// Called before and after the attention of a layer: inputs q, k, v, output (B,H,N,Dv). Projections are outside.
    virtual void beforeAttention(int64_t layer) { (void)layer; }
    virtual void afterAttention(int64_t layer, const AttentionInput& input, const at::Tensor& output)
    {
        (void)layer, (void)input, (void)output;
    }
    /// Whether it uses `onActivation`; without observers a network fuses several parts.
    virtual bool seesActivations() const { return false; }
    /// The output of a named part: "patch_embed", "block.0.attn", "block.0.mlp", "block.0", "norm"; in a network with stages
    /// "patch_embed2", "block2.0.attn", "block2.0.mlp", "block2.0", "norm2".
    /// Where tokens merge, there are as many rows as without: each of the first tokens with the row of the one it has become part of.
    virtual void onActivation(const std::string& name, const at::Tensor& value) { (void)name, (void)value; }
    /// Behind the attention of a layer: `merger` says which of the first tokens are one from now on.
    virtual void onMerging(int64_t layer, const TokenMerger& merger) { (void)layer, (void)merger; }
};

/// A model prepared for one attention: the backends of its layers on the model's weights, which are shared and not copied.
struct PreparedAttention {
    AttentionSpec requested = AttentionSpec::native();
    AttentionSpec resolved = AttentionSpec::native();  ///< what `native` stands for
    uint64_t seed = 0;
    WeightsKind weights = WeightsKind::Untrained;
    std::vector<std::shared_ptr<AttentionBackend>> layers;
    std::vector<std::shared_ptr<NoiseSource>> noise;  ///< one per layer, from (seed, layer, sample)
    std::vector<uint64_t> samples;   ///< whose random numbers these are; empty: element b is sample b
    std::vector<std::string> notes;  ///< without duplicates
    bool deterministic = true;
    /// What errors are measured against: exact attention, same keys.
    AttentionSpec exact = AttentionSpec::reference();
    std::string exactMeaning = "softmax over all keys";
    MergePlan merging;  ///< of tokens behind the attention of each layer; exact attention is without

    /// From now on the elements of a batch get the random numbers of these samples. Copies share their noise and change too.
    void drawFor(std::vector<uint64_t> whose);
    /// The same attention with the random numbers of seed + `offset` in every layer, for the same samples.
    PreparedAttention reseeded(uint64_t offset) const;
    /// That for offsets 0 … count − 1; only one if it is deterministic.
    std::vector<PreparedAttention> overSeeds(int64_t count) const;
};

/// The input of a network, and the samples whose random numbers it uses: `PreparedAttention::drawFor` before a pass.
struct NetworkInput {
    at::Tensor values;              ///< (B,C,H,W), (B,C,T,H,W), or pixels (B,H,W,3); on the model's device
    std::vector<uint64_t> samples;  ///< identities (core/data/preprocess/sample_identity.h)
};

/// What a network's own head reads and predicts of tokens.
struct Readout {
    at::Tensor features;  ///< (B,C): class token, or mean of the patches, behind the final norm
    /// (B,classes) of the head; with two heads (distilled) their mean; both in float32, or float64 if the
    /// weights are. Of no use without a head.
    at::Tensor logits;
};

/// What stands in the rows of the tokens (B,N,C) behind a network's last block.
struct OutputTokens {
    /// Prefix tokens (class, distillation, registers), then patches, frame-major and row-major.
    TokenLayout layout;
    bool classToken = false;  ///< the first prefix token is a class token
};

/// Multiply-adds of a pass that can end behind any of the readable blocks, for one input of the summary's size.
struct ExitCost {
    double embedding = 0;        ///< before the first readable block
    std::vector<double> blocks;  ///< of each readable block with its attention
    double head = 0;             ///< of one prediction
};

/// A vision model whose attention can be replaced at run time. It has no "current" backend: each call specifies it, so that interleaved
/// timing switches for free. To be used by one thread at a time.
class Classifier {
public:
    virtual ~Classifier() = default;

    virtual const ModelSummary& describe() const = 0;
    virtual Transform transform() const = 0;
    virtual std::vector<std::string> labels() const { return {}; }
    virtual at::Device device() const = 0;
    virtual at::ScalarType dtype() const = 0;
    /// Of the weights with which a pass of this attention computes: they may be stored in fewer bits.
    virtual int64_t weightBytes(const PreparedAttention& attention) const = 0;

    /// Throws UsageError if the options do not fit this model. The weights are not copied.
    virtual PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const = 0;

    /// Whether `logits` also takes 8-bit pixels (B,H,W,3): the transform's mean and standard deviation are then folded into the first
    /// layer.
    virtual bool takesPixels() const { return false; }

    /// input (B,C,H,W) on the model's device, in its dtype, or pixels → logits (B, classes) in float32. Without a head (0 classes): the
    /// pooled features (B, features).
    virtual at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention,
                              ForwardObserver* observer = nullptr) const = 0;

    /// Multiply-adds of one forward pass for one input of the summary's size.
    virtual double multiplyAdds(const PreparedAttention& attention) const = 0;
    virtual AttentionShape attentionShape(int64_t layer) const = 0;

    /// Throws UsageError if the model can't take an input of this shape (without batch).
    virtual void checkInput(const std::vector<int64_t>& shape) const = 0;

    /// The blocks whose tokens `readOut` takes, as observers know them ("block.3"), in the order of the pass; the last is the network's
    /// last block. Empty: this network has no such head.
    virtual std::vector<std::string> readableBlocks() const { return {}; }
    /// The network's final norm, pooling and head on the tokens (B,N,C) behind one of these blocks; behind the last that is its prediction.
    /// Throws Unsupported if there are none.
    virtual Readout readOut(const at::Tensor& tokens) const;

    /// Whether the readable blocks but the last have a norm and a head of their own, trained to exit there.
    virtual bool hasExitHeads() const { return false; }
    /// The prediction (B,classes) of the exit behind readable block number `block`: by its own norm and head if there are some, else by
    /// those of `readOut`.
    virtual at::Tensor exitLogits(size_t block, const at::Tensor& tokens) const;
    /// Throws Unsupported if no block is readable.
    virtual ExitCost exitCost(const PreparedAttention& attention) const;
    /// The rows of the tokens behind the last block for an input of this shape (without batch): where class token and patches are, behind
    /// the final norm, as observers see it ("norm"), or without one behind the block. Empty: no features can be taken of them.
    virtual std::optional<OutputTokens> outputTokens(const std::vector<int64_t>& shape) const;
};

/// `input` on a device: pinned memory is copied by a GPU itself, while the CPU continues.
at::Tensor onDevice(const at::Tensor& input, at::Device device);

/// One sample, (C,H,W) or (C,T,H,W), as a batch of one in the network's device and dtype: for float32 on the CPU a view, so that the array
/// must outlive it.
NetworkInput networkView(const FloatArray& array, const Classifier& classifier);
/// The same copied. Throws UsageError if the model can't take it.
NetworkInput networkInput(const FloatArray& array, const Classifier& classifier);
/// A decoded image or clip as a batch of one, by the model's transform: as pixels if the network takes them, so that its prediction is
/// bit-identical to that for the same image in an evaluation. Throws UsageError if the model can't take it.
NetworkInput networkInput(const Clip& clip, const Classifier& classifier);

/// 8-bit pixels (B,H,W,3) → (value / 255 − mean) / stddev (B,3,H,W) in float32, in the same order of operations as `normalised`, on their
/// device.
at::Tensor normalisedPixels(const at::Tensor& pixels, const Transform& transform);

}
