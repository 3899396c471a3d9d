#pragma once

#include "core/base/error.h"
#include "core/base/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// What happened to a checkpoint's tensors when they were loaded into a model. The lists contain the names of the family's original code,
/// with the difference: "head.weight is 10×192 instead of 1000×192".
struct LoadReport {
    std::string file;
    std::string container;                  ///< "safetensors", "torch zip", "torch legacy"
    std::string nesting;                    ///< the key that contained the weights; empty if flat
    std::vector<std::string> alternatives;  ///< other keys with weights (averaged copies)
    std::string naming;  ///< naming scheme of the tensors: "original", "timm", "Transformers library"
    std::string model;   ///< into which they were loaded
    std::string reason;  ///< why this model; empty if the user named it
    int64_t used = 0;    ///< number of tensors used by the model
    std::vector<std::string> missing, mismatching, unexpected;  ///< any of these makes loading fail
    std::vector<std::string> resized;    ///< "pos_embed from 24×24 to 14×14 (bicubic, …)"
    std::vector<std::string> ignored;    ///< recognised but not needed
    std::vector<std::string> notFinite;  ///< tensors containing NaN or infinity, with how many
    std::vector<std::string> notes;      ///< other decisions

    bool fits() const { return missing.empty() && mismatching.empty() && unexpected.empty(); }
};

/// "152 tensors of deit_tiny_patch16_224 from a torch zip, under `model`; 1 resized, 2 ignored."
std::string oneLine(const LoadReport& report);
/// Anything beyond that line that the user should know, most important first; empty if there is nothing.
std::vector<std::string> lines(const LoadReport& report);
/// All lists in full.
Json toJson(const LoadReport& report);

/// A checkpoint that does not fit the model; the message names the first problem, the report all of them.
class CheckpointMismatch : public FileError {
public:
    CheckpointMismatch(LoadReport report, const std::string& remedy);
    const LoadReport& report() const { return m_report; }

private:
    LoadReport m_report;
};

}
