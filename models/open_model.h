// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/limits.h"
#include "core/data/preprocess/transform.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// Free of torch: how the window and the command line get a model.
namespace attnscope {

class Classifier;

struct ModelRequest {
    std::string model;    ///< a name of the catalogue, a JSON description, or empty where the checkpoint decides it
    std::string weights;  ///< a checkpoint, or "untrained" / "untrained:SEED" for seeded random weights
    std::string checkpointKey;             ///< the key in the checkpoint that the weights are under (model_ema); empty: the usual one
    std::int64_t heads = 0;                ///< attention heads where `model` is empty and the checkpoint does not say; 0: as it decides
    std::string device = "auto";
    std::string dtype = "float32";
    std::int64_t imageSize = 0;            ///< 0: the model's own
    std::string positionRule = "deit";     ///< how position embeddings are resized: deit | timm (docs/models.md)
    std::string preset = "deit";           ///< short side before the crop: deit (256 for 224) | timm (248 for 224, 384 for 384)
    std::int64_t resize = 0;               ///< that short side itself; 0: the preset's
    bool plain = false;                    ///< compute layers as they are written, not as planned for speed: the reference
    Limits limits;

    friend bool operator==(const ModelRequest&, const ModelRequest&) = default;
};

/// Loads a model. Missing, unexpected and mismatching tensors are all listed and refused; what was adapted (another
/// number of classes, resized position embedding) is said in `summary().load`.
/// Throws UsageError, CheckpointMismatch, FileError or Unsupported.
std::shared_ptr<const Classifier> openModel(const ModelRequest& request);

/// How the checkpoint's tensors would fit `request.model`, or the model that it is taken for: names and shapes alone, no value is
/// read. Never throws CheckpointMismatch. Throws UsageError when the model is not decided, FileError when the file cannot be read.
LoadReport fitOf(const ModelRequest& request);

/// What `openModel` gave, without torch.
ModelSummary summary(const Classifier& classifier);
/// The evaluation transform that belongs to the model.
Transform evaluationTransform(const Classifier& classifier);

struct CatalogueEntry {
    std::string name;
    std::string family;
    std::string title;
    std::int64_t parameters = 0;
    double macs = 0;                  ///< multiply-adds with the native attention, at the native size
    std::vector<std::int64_t> input;
    std::string nativeAttention;
    std::string note;                 ///< published top-1, where it comes from
};

/// Every model that can be named, in the order of the documentation.
const std::vector<CatalogueEntry>& catalogue();

}  // namespace attnscope
