#pragma once

#include "core/attention/attention_spec.h"

#include <cstdint>
#include <string>
#include <vector>

/// Which attentions leave the program.
namespace attnscope {

/// What becomes of a method in an exported network.
enum class ExportForm {
    Exact,   ///< the same for every seed, and exported as it is
    Frozen,  ///< what it draws once for a network becomes constants
    Masked,  ///< softmax over all keys with those masked that it leaves out: as exact, but no faster than softmax
    Refused,
};

const char* toText(ExportForm form);

/// Part of a specification that is exported, in place of one that is not.
struct RefusedOptions {
    std::string reason;  ///< one clause; empty: these options are exported
    AttentionSpec nearest;
};

struct ExportRule {
    std::string method;
    ExportForm form = ExportForm::Exact;
    std::string reason;   ///< of a refused method: one clause
    std::string nearest;  ///< of a refused method: a specification that is exported
    /// Options that are refused, though the method is not. Null: there are none.
    RefusedOptions (*refused)(const AttentionSpec& spec) = nullptr;
};

/// One rule for each method, in the order of `backends()`.
const std::vector<ExportRule>& exportRules();

/// Throws UsageError if a layer of a resolved specification cannot be exported: what is wrong, and the nearest that can.
void requireExportable(const AttentionSpec& spec, int64_t layers);

/// The specification that can be exported and is nearest to this one: of the same method, or another.
std::string nearestExportable(const AttentionSpec& spec);

}
