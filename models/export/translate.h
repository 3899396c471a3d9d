#pragma once

#include "models/export/onnx_model.h"
#include "models/export/trace.h"

#include <string>

namespace attnscope {

/// "block.3.attn/attention" → "blocks.3.attn/attention", as weights are named.
std::string exportedScope(const std::string& scope);

/// Adds what two traces of one network have recorded to `model`, as operators between its input (batch,3,H,W) and its output. `two` is of a
/// batch of two images, `three` of three others: what differs between them is a size of the batch. What depends on no image is computed
/// here. Throws Unsupported if an operator has no counterpart, or if anything but sizes depends on the images.
void translate(const Trace& two, const Trace& three, const std::string& outputName, onnx::Model& model);

}
