// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/json.h"
#include "core/nn/layers.h"
#include "core/train/trainable_classifier.h"
#include "models/blocks/position_embedding.h"
#include "models/weights/checkpoint_identity.h"
#include "models/weights/named_tensors.h"
#include "models/weights/weight_loader.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// Where a network is put, and how its position embedding is brought to another size.
struct ModelSetup {
    at::Device device = at::kCPU;
    at::ScalarType dtype = at::kFloat;
    Execution execution = Execution::Reference;
    PositionRule positionRule = PositionRule::Deit;
    std::string source;  ///< what the weights are called: a path, or "untrained, seed 0"
    std::string advice;  ///< ends the refusal of a checkpoint that does not fit
};

/// A model as data, of whatever family: what the catalogue lists, JSON descriptions say and checkpoints carry. From it and
/// tensors comes a network.
class ModelDescription {
public:
    virtual ~ModelDescription() = default;
    virtual std::unique_ptr<ModelDescription> clone() const = 0;

    virtual std::string name() const = 0;
    virtual void setName(const std::string& name) = 0;
    virtual std::string family() const = 0;
    virtual std::vector<std::int64_t> input() const = 0;  ///< (C,H,W) or (C,T,H,W)
    virtual std::int64_t classes() const = 0;
    virtual void setClasses(std::int64_t classes) = 0;
    virtual std::vector<std::string> labels() const = 0;
    virtual void setLabels(std::vector<std::string> labels) = 0;
    virtual AttentionSpec attention() const = 0;          ///< what `native` stands for
    virtual std::int64_t layers() const = 0;              ///< that an attention has: a mixed specification names them
    virtual std::int64_t parameters() const = 0;
    virtual double multiplyAdds() const = 0;              ///< of one forward pass with that attention

    /// Another square input. Throws UsageError when the network cannot take it.
    virtual void setImageSize(std::int64_t side) = 0;
    /// The short side before the crop. Image families have 256 for a crop of 224 by default.
    virtual void setEvaluationResize(std::int64_t resize) = 0;
    virtual std::int64_t evaluationResize() const = 0;

    /// The keys of the golden cases' `config`; the family's `parse` reads it back to the same description.
    virtual Json toJson() const = 0;

    /// Brings tensors of a related form to this one (PVTv2's `q` and `kv` to the joint `qkv` of its LARA form), and notes it.
    virtual void adapt(NamedTensors& tensors, LoadReport& report) const { (void)tensors, (void)report; }

    /// A network with the tensors of `loader`, which has the names of the family's original code; the loader's report becomes
    /// its summary's. Throws CheckpointMismatch when they do not fit, FileError when the file ends early.
    virtual std::shared_ptr<TrainableClassifier> load(WeightLoader& loader, const ModelSetup& setup) const = 0;
    /// The same network with seeded random weights, equal on every machine.
    virtual std::shared_ptr<TrainableClassifier> untrained(std::uint64_t seed, const ModelSetup& setup) const = 0;
};

struct NamedModel {
    std::string title;  ///< "DeiT-Tiny, distilled"
    std::string note;   ///< published top-1, where it comes from
    std::shared_ptr<const ModelDescription> description;
};

/// A family of networks: everything by which the rest of the program knows it.
struct ModelFamily {
    std::vector<std::string> names;  ///< what `family` of its descriptions may be
    std::unique_ptr<ModelDescription> (*parse)(const Json& config, const std::string& subject) = nullptr;
    std::vector<NamedModel> (*models)() = nullptr;  ///< those that have names
    /// Tells its checkpoints by their tensors; nothing when they are of another family. Fills everything but `model` and `labels`.
    std::optional<CheckpointIdentity> (*recognise)(const StateDict& state) = nullptr;
    std::vector<std::string> freeKeys = {};  ///< of descriptions: networks of one size may differ in them (besides those of all families)
};

/// Every family, in the order in which their models are listed: one explicit table. Checkpoints are shown to the last family first: names
/// of plain vision transformers occur in others.
const std::vector<ModelFamily>& modelFamilies();
/// The family that has this name; null when there is none.
const ModelFamily* findFamily(const std::string& name);

/// Reads `config` by its `family`. Throws UsageError that names the families, or the key that is wrong.
std::unique_ptr<ModelDescription> parseDescription(const Json& config, const std::string& subject);

/// Every model that has a name, in the order in which they are listed.
const std::vector<NamedModel>& namedModels();
/// Null when there is none of that name.
const NamedModel* findModel(const std::string& name);

}  // namespace attnscope
