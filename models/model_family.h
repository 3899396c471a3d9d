#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/data/preprocess/input_size.h"
#include "core/nn/layers.h"
#include "core/train/trainable_classifier.h"
#include "models/blocks/position_embedding.h"
#include "models/weights/checkpoint_identity.h"
#include "models/weights/companion_files.h"
#include "models/weights/exported_model.h"
#include "models/weights/named_tensors.h"
#include "models/weights/weight_loader.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// Where a network is created, and how its position embedding is resized.
struct ModelSetup {
    at::Device device = at::kCPU;
    at::ScalarType dtype = at::kFloat;
    Execution execution = Execution::Reference;
    PositionRule positionRule = PositionRule::Own;
    std::string source;  ///< the name of the weights: a path, or "untrained, seed 0"
    std::string advice;  ///< appended to the message if a checkpoint does not fit
};

/// A model of any family as data: listed in the catalogue, described in JSON and stored in checkpoints. Together with tensors it makes a
/// network.
class ModelDescription {
public:
    virtual ~ModelDescription() = default;
    virtual std::unique_ptr<ModelDescription> clone() const = 0;

    virtual std::string name() const = 0;
    virtual void setName(const std::string& name) = 0;
    virtual std::string family() const = 0;
    virtual std::vector<int64_t> input() const = 0;  ///< (C,H,W) or (C,T,H,W)
    virtual int64_t classes() const = 0;
    virtual void setClasses(int64_t classes) = 0;
    virtual std::vector<std::string> labels() const = 0;
    virtual void setLabels(std::vector<std::string> labels) = 0;
    virtual AttentionSpec attention() const = 0;  ///< what `native` resolves to
    /// Number of attention layers, which a mixed specification refers to.
    virtual int64_t layers() const = 0;
    virtual int64_t parameters() const = 0;
    virtual double multiplyAdds() const = 0;  ///< of one forward pass with that attention

    /// Sets another input size, not its own. Throws UsageError if the network doesn't support it.
    virtual void setImageSize(InputSize size) = 0;
    /// The short side before the crop. Image families default to 256 for a crop of 224.
    virtual void setEvaluationResize(int64_t resize) = 0;
    virtual int64_t evaluationResize() const = 0;
    /// That of timm's evaluations. Throws UsageError for networks that timm does not have.
    virtual int64_t timmResize() const
    {
        throw UsageError("--preset timm", "timm has no preprocessing for " + name(),
                         "leave it out, or give --resize");
    }

    /// The keys of the golden cases' `config`; the family's `parse` reads it back to the same description.
    virtual Json toJson() const = 0;

    /// Converts tensors of a related form to this one (PVTv2's `q` and `kv` to the joint `qkv` of its LARA form), and notes it.
    virtual void adapt(NamedTensors& tensors, LoadReport& report) const { (void)tensors, (void)report; }

    /// A network with the tensors of `loader`, named as in the family's original code; the loader's report becomes that of the summary.
    /// Throws CheckpointMismatch if they do not fit, FileError if the file ends early.
    virtual std::shared_ptr<TrainableClassifier> load(WeightLoader& loader, const ModelSetup& setup) const = 0;
    /// The same network with seeded random weights, equal on every machine.
    virtual std::shared_ptr<TrainableClassifier> untrained(uint64_t seed, const ModelSetup& setup) const = 0;
};

struct NamedModel {
    std::string title;  ///< "DeiT-Tiny, distilled"
    std::string note;   ///< published top-1, and its source
    std::shared_ptr<const ModelDescription> description;
};

/// A family of networks: everything that the rest of the program knows about it.
struct ModelFamily {
    std::vector<std::string> names;  ///< possible values of `family` in its descriptions
    std::unique_ptr<ModelDescription> (*parse)(const Json& config, const std::string& subject) = nullptr;
    std::vector<NamedModel> (*models)() = nullptr;  ///< its named models
    /// Recognises its checkpoints by their tensors, and by the files next to them; empty if they belong to another family. Fills everything but
    /// `model` and `labels`, which it may fill.
    std::optional<CheckpointIdentity> (*recognise)(const StateDict& state,
                                                   const CompanionFiles& companions) = nullptr;
    /// The tensors of a checkpoint of ours under the names that the network takes; null: those in the file.
    NamedTensors (*tensors)(const StateDict& state) = nullptr;
    /// The names under which a checkpoint of ours has them, and a config.json for other programs; null: those that the network takes.
    ExportedModel (*exported)(const Json& description, const NamedTensors& tensors) = nullptr;
    /// Keys of descriptions in which networks of one size may differ (in addition to those of all families).
    std::vector<std::string> freeKeys = {};
};

/// Every family, in the order in which their models are listed: one explicit table, see model_family_table.cpp. Checkpoints are shown
/// to the last family first: names of plain vision transformers occur in others.
const std::vector<ModelFamily>& modelFamilies();
/// The family of this name; null if there is none.
const ModelFamily* findFamily(const std::string& name);

/// Parses `config` according to its `family`. Throws UsageError naming the families, or the invalid key.
std::unique_ptr<ModelDescription> parseDescription(const Json& config, const std::string& subject);

/// All named models, in display order.
const std::vector<NamedModel>& namedModels();
/// Null if there is no model of that name.
const NamedModel* findModel(const std::string& name);

}
