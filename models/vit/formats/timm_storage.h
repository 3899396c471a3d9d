#pragma once

#include "models/vit/formats/plain_vits.h"
#include "models/weights/exported_model.h"
#include "models/weights/named_tensors.h"

namespace attnscope {

/// Tensors that the network uses under the names in which a timm architecture stores them: the inverse of joinTimmNames.
NamedTensors timmStorage(const PlainVit& vit, const NamedTensors& tensors);

/// timm's config.json for a network with this description, which has the switches of the architecture.
Json timmConfig(const PlainVit& vit, const Json& description);

/// The architecture whose switches a description has: the one of its name, else the one of the closest sizes. Null if there is none.
const PlainVit* architectureOf(const Json& description);

/// A network of family `vit` under the tensor names of timm, with the config.json of the architecture that has its switches. Other families
/// are left as they are.
ExportedModel exportedToTimm(const Json& description, const NamedTensors& tensors);

}
