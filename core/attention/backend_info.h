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

struct BackendInfo {
    std::string name;                 ///< "lara"
    std::string title;                ///< "LARA"
    std::string help;                 ///< one line
    std::string citation;
    std::string complexity;           ///< "O(C·(N+M)·D)"
    bool random = false;              ///< some setting of it draws random numbers
    bool needsReduction = false;      ///< only networks with spatial reduction (PVTv2) have it
    std::vector<OptionInfo> options;
    std::shared_ptr<AttentionBackend> (*make)(const AttentionSpec&, const BackendContext&) = nullptr;
};

/// Every backend, in the order in which they are shown. One explicit table: see backends.cpp.
const std::vector<BackendInfo>& backends();

/// Null when there is none of that name.
const BackendInfo* findBackend(std::string_view name);

}  // namespace attnscope
