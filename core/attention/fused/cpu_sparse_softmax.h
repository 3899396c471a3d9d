#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/sparse/key_pattern.h"

#include <ATen/ATen.h>

namespace attnscope {

/// sparseSoftmax (sparse_softmax.h) of tensors for which fitsCpuKernels or fitsPairKernels holds: float32, or bfloat16 with sums in
/// float32. Queries are computed in blocks of those that see many keys in common, as exact attention over the union of their keys in which
/// a query's weights of the others' keys are zero; values of the union must be finite. The output does not depend on the number of
/// threads. Memory: the output, and sums of a query where sets come in parts; for each thread a tile of keys and the union of one block.
at::Tensor sparseSoftmaxOnCpu(const AttentionInput& in, const KeyPattern& pattern);

}
