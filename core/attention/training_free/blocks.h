#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Each block of queries attends exactly to the `keep` blocks of keys that are most similar to it by their means (s q̄·k̄ + log mass), and
/// with tail=mean to the mean key and value of every other block, with its mass, in the same softmax. Sparse selection after SpargeAttn
/// (Zhang et al., 2025), the tail is ours. 2·N·(keep·block + blocks − keep)·D multiply-adds per head; deterministic but for order=lsh.
BackendInfo blocksInfo();

}
