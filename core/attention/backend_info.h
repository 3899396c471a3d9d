// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/option.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Free of torch: the app's controls are built from these.
namespace attnscope {

class AttentionBackend;
class AttentionSpec;
struct BackendContext;

/// What a backend is to softmax attention, on the weights of a network that was trained with softmax.
enum class AttentionKind {
    Exact,          ///< softmax itself
    Approximation,  ///< estimates softmax over all keys
    OtherKernel,    ///< another function of q and k: its error against softmax is large by design
    NeedsTraining,  ///< has weights of its own, or leaves keys out: sensible where the network was trained with it
};

/// "approximation": as JSON spells it; and in a sentence's words.
const char* toText(AttentionKind kind);
const char* describe(AttentionKind kind);

/// The powers of the number of tokens with which time and peak memory grow, other things held.
struct Complexity {
    int time = 1, memory = 1;
};

struct BackendInfo {
    std::string name;                 ///< "lara"
    std::string title;                ///< "LARA"
    std::string help;                 ///< one line
    std::string citation;
    std::string complexity;           ///< "O(C·(N+M)·D)"
    bool random = false;              ///< some setting of it draws random numbers
    bool needsReduction = false;      ///< only networks with spatial reduction (PVTv2) have it
    AttentionKind kind = AttentionKind::Approximation;
    Complexity tokenComplexity;                    ///< with its default options
    bool landmarks = false;           ///< `samples` counts landmarks: no more than there are tokens
    bool everyKey = true;             ///< equal keys share a query's weight evenly; false: some keys are left out
    std::vector<OptionInfo> options;
    std::shared_ptr<AttentionBackend> (*make)(const AttentionSpec&, const BackendContext&) = nullptr;
};

/// Every backend, in the order in which they are shown. One explicit table: see backends.cpp.
const std::vector<BackendInfo>& backends();

/// Null when there is none of that name.
const BackendInfo* findBackend(std::string_view name);

}  // namespace attnscope
