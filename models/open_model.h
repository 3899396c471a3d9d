#pragma once

#include "core/base/limits.h"
#include "core/data/preprocess/input_size.h"
#include "core/data/preprocess/transform.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// How window and command line get a model. Independent of torch.
namespace attnscope {

class Classifier;

struct ModelRequest {
    std::string model;  ///< a name of the catalogue, a JSON description, or empty if the checkpoint determines it
    std::string weights;  ///< a checkpoint, or "untrained" / "untrained:SEED" for seeded random weights
    /// The key in the checkpoint that contains the weights (model_ema); empty: the usual one.
    std::string checkpointKey;
    /// Attention heads if `model` is empty and the checkpoint does not state them; 0: as determined by the
    /// checkpoint.
    int64_t heads = 0;
    /// Keys of the model description that the checkpoint does not contain: "act=quick_gelu".
    std::vector<std::string> given;
    std::string device = "auto";
    std::string dtype = "float32";
    InputSize imageSize;  ///< of the input, after resizing and cropping
    /// How position embeddings are resized: own | deit | timm | dinov2 (docs/models.md).
    std::string positionRule = "own";
    /// How images are prepared: native | timm (docs/models.md); deit is an older name of native.
    std::string preset = "native";
    int64_t resize = 0;  ///< that short side explicitly; 0: the preset's
    bool plain = false;  ///< compute layers by the reference implementation instead of the optimized one
    /// A file of models/class_embeddings.h, whose classes it gets; empty: it has its own, or none.
    std::string classEmbeddings;
    Limits limits;

    friend bool operator==(const ModelRequest&, const ModelRequest&) = default;
};

/// Loads a model. Missing, unexpected and mismatching tensors are all listed and make it fail; adaptations (another number of classes,
/// resized position embedding, class embeddings) are reported in `summary().load`. Throws UsageError, CheckpointMismatch, FileError or Unsupported.
std::shared_ptr<const Classifier> openModel(const ModelRequest& request);

/// The same network with the reference implementation of its layers, whose gradients can be taken: its tensors are no inference tensors.
std::shared_ptr<const Classifier> openDifferentiable(ModelRequest request);

/// How the checkpoint's tensors would fit `request.model`, or the recognised model: reads only names and shapes. Never throws
/// CheckpointMismatch. Throws UsageError if the model is undetermined, FileError if the file can't be read.
LoadReport fitOf(const ModelRequest& request);

/// The summary of an opened model, independent of torch.
ModelSummary summary(const Classifier& classifier);
/// The model's evaluation transform.
Transform evaluationTransform(const Classifier& classifier);

struct CatalogueEntry {
    std::string name;
    std::string family;
    std::string title;
    int64_t parameters = 0;
    double macs = 0;  ///< multiply-adds with the native attention, at the native size
    std::vector<int64_t> input;
    std::string nativeAttention;
    std::string note;  ///< published top-1, and its source
};

/// All models with names, in the order of the documentation.
const std::vector<CatalogueEntry>& catalogue();

}
