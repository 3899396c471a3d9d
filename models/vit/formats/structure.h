#pragma once

#include "models/vit/formats/findings.h"
#include "models/vit/formats/translation.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

/// Whether tensors of these names, after translation, are those of a plain vision transformer.
bool isPlainVit(const TensorIndex& index);

/// Everything that names and shapes of translated tensors show, with the tensor that shows it. `imageSize`: that of a file next to the
/// checkpoint, height and width, or zeros: only it tells a grid of positions that is not square.
void readStructure(const Translation& translation, std::pair<int64_t, int64_t> imageSize, Findings& findings);

/// Keys and values per head, one number a layer, once the heads are known; nothing is found if all layers have as many as queries.
void readKeyHeads(const Translation& translation, Findings& findings);

}
