// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// What became of a checkpoint's tensors when they were fitted to a model. Names in the lists are those of the family's
/// original code, with what differs: "head.weight is 10×192 instead of 1000×192".
struct LoadReport {
    std::string file;
    std::string container;                  ///< "safetensors", "torch zip", "torch legacy"
    std::string nesting;                    ///< the key that the weights were under; empty when flat
    std::vector<std::string> alternatives;  ///< other keys that hold weights (averaged copies)
    std::string naming;                     ///< whose names the tensors had: "original", "timm", "Transformers library"
    std::string model;                      ///< that they were fitted to
    std::string reason;                     ///< why this model; empty when the user named it
    std::int64_t used = 0;                  ///< tensors that the model took
    std::vector<std::string> missing, mismatching, unexpected;  ///< each of these is a refusal
    std::vector<std::string> resized;       ///< "pos_embed from 24×24 to 14×14 (bicubic, …)"
    std::vector<std::string> ignored;       ///< known and of no use here
    std::vector<std::string> notFinite;     ///< tensors that hold NaN or infinity, with how many
    std::vector<std::string> notes;         ///< what else was decided

    bool fits() const { return missing.empty() && mismatching.empty() && unexpected.empty(); }
};

/// "152 tensors of deit_tiny_patch16_224 from a torch zip, under `model`; 1 resized, 2 ignored."
std::string oneLine(const LoadReport& report);
/// What a person should know beyond that line, the most important first; empty where all was as expected.
std::vector<std::string> lines(const LoadReport& report);
/// All lists in full.
Json toJson(const LoadReport& report);

/// A checkpoint that does not fit the model; the sentence names the first of what is wrong, the report all of it.
class CheckpointMismatch : public FileError {
public:
    CheckpointMismatch(LoadReport report, const std::string& remedy);
    const LoadReport& report() const { return m_report; }

private:
    LoadReport m_report;
};

}  // namespace attnscope
