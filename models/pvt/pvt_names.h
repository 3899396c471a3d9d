#pragma once

#include <string>

namespace attnscope {

/// The original repository's name of a PVTv2 tensor that timm renamed: "stages.1.downsample.proj.weight" → "patch_embed2.proj.weight",
/// "stages.0.blocks.1.mlp.dwconv.bias" → "block1.1.mlp.dwconv.dwconv.bias". Other names, including original ones, are returned unchanged.
std::string pvtOriginalName(const std::string& timmName);

}
