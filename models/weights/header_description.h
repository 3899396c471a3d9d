#pragma once

#include "core/base/json.h"
#include "core/checkpoint/state_dict.h"
#include "core/data/preprocess/transform.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// The metadata of our own checkpoints. Independent of torch.
namespace attnscope {

/// The `__metadata__` of a safetensors file that we wrote. Each entry is JSON text, since the format allows only strings:
///   `model`         the description of the network (the keys of docs/models.md)
///   `labels`        names of the classes, a list
///   `preprocessing` {"resize", "crop", "interpolation", "mean", "std"}
///   `provenance`    where the weights come from: {"program", "source", "sha256", "container", "nesting", …}; for a converted file
///                   of ours, `before` is its previous provenance
/// The attention that it was trained with is `attention` in the model.
struct HeaderDescription {
    Json model = Json::object();
    std::vector<std::string> labels;
    Json preprocessing = Json::object();
    Json provenance = Json::object();
};

/// Empty if the file has no valid `model`; other malformed entries are ignored.
std::optional<HeaderDescription> readHeaderDescription(const StateDict& state);

/// The entry `preprocessing` of a network with this transform.
Json preprocessingJson(const Transform& transform);

/// For writeSafetensors. Also sets `format` to "pt", so that other tools know the tensors' layout.
std::map<std::string, std::string> headerMetadata(const HeaderDescription& description);

}
