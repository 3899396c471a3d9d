// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "models/weights/exported_model.h"

namespace attnscope {

/// A network of family `vit` under the tensor names of timm, with the config.json of the architecture that has its switches. Other families
/// are left as they are.
[[nodiscard]] ExportedModel exportedToTimm(const Json& description, const NamedTensors& tensors);

}  // namespace attnscope
