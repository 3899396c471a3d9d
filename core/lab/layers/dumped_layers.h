#pragma once

#include "core/attention/attention_backend.h"
#include "core/lab/subject.h"

namespace attnscope {

/// q, k and v of a file, each (layers, heads, tokens, channels), with the tokens' positions: from the request's grid, the header's, else a
/// square if they form one, else none. Throws FileError if the grid does not fit the tokens.
AttentionInput readDumpedLayers(const TensorFile& dump);

}
