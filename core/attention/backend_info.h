// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/option.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Independent of torch: the app's controls are built from these.
namespace attnscope {

class AttentionBackend;
class AttentionSpec;
struct BackendContext;

/// How a backend relates to softmax attention when applied to a network that was trained with softmax.
enum class AttentionKind {
    Exact,          ///< softmax itself
    Approximation,  ///< estimates softmax over all keys
    OtherKernel,    ///< another function of q and k: its error relative to softmax is large by design
    NeedsTraining,  ///< has learned weights, or ignores some keys: useful if the network was trained with it
};

/// "approximation", as spelled in JSON; and as words for a sentence.
const char* toText(AttentionKind kind);
const char* describe(AttentionKind kind);

/// Exponents of the growth of time and peak memory with the number of tokens, everything else fixed.
struct Complexity {
    int time = 1, memory = 1;
};

struct BackendInfo {
    std::string name;                 ///< "lara"
    std::string title;                ///< "LARA"
    std::string help;                 ///< one line
    std::string citation;
    std::string complexity;           ///< "O(C·(N+M)·D)"
    bool random = false;              ///< some of its settings use random numbers
    bool needsReduction = false;      ///< only available in networks with spatial reduction (PVTv2)
    AttentionKind kind = AttentionKind::Approximation;
    Complexity tokenComplexity;                    ///< with its default options
    bool landmarks = false;           ///< `samples` counts landmarks: at most the number of tokens
    bool everyKey = true;             ///< equal keys get equal weights from a query; false: some keys are ignored
    std::vector<OptionInfo> options;
    std::shared_ptr<AttentionBackend> (*make)(const AttentionSpec&, const BackendContext&) = nullptr;
};

/// All backends in display order. One explicit table: see backend_info.cpp.
const std::vector<BackendInfo>& backends();

/// Null if there is no backend of that name.
const BackendInfo* findBackend(std::string_view name);

}  // namespace attnscope
