// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/checkpoint/state_dict.h"
#include "core/data/preprocess/transform.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// Free of torch: what our own checkpoints say of themselves.
namespace attnscope {

/// The `__metadata__` of a safetensors file that we wrote. Each entry is a text of JSON, since that is all the format allows:
///   `model`         the description of the network (the keys of docs/models.md)
///   `labels`        names of the classes, a list
///   `preprocessing` {"resize", "crop", "interpolation", "mean", "std"}
///   `provenance`    where the weights come from: {"program", "source", "sha256", "container", "nesting", …}; of converted files of
///                   ours `before` holds what they said themselves
/// The attention that it was trained with is `attention` of the model.
struct HeaderDescription {
    Json model = Json::object();
    std::vector<std::string> labels;
    Json preprocessing = Json::object();
    Json provenance = Json::object();
};

/// Nothing when the file has no `model` of that form; other entries that are malformed are left out.
std::optional<HeaderDescription> readHeaderDescription(const StateDict& state);

/// The entry `preprocessing` of a network with this transform.
Json preprocessingJson(const Transform& transform);

/// For writeSafetensors. `format` is "pt" besides, so that other tools know how the tensors lie.
std::map<std::string, std::string> headerMetadata(const HeaderDescription& description);

}  // namespace attnscope
