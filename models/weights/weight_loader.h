// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/run/load_report.h"
#include "models/weights/named_tensors.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace attnscope {

/// Hands out the tensors of a checkpoint by name and shape and keeps account: what was missing, had another shape, was not used,
/// holds NaN or infinity.
class WeightLoader {
public:
    /// Names as they are in the file.
    WeightLoader(const StateDict& state, std::string subject);
    /// Names as the family's original code has them; the report goes on from `report`.
    WeightLoader(NamedTensors tensors, LoadReport report);

    /// To know what fits without reading: the tensors handed out have their shapes and no meaning.
    void takeShapesOnly() { m_shapesOnly = true; }

    bool has(const std::string& name) const { return m_tensors.count(name) > 0; }
    /// The shape in the file, empty when it is not there.
    std::vector<std::int64_t> shape(const std::string& name) const;

    /// The tensor as float32 on the CPU. A missing one or one of another shape is noted, and zeros are returned, so that one
    /// refusal can name all of them: see `finish`.
    at::Tensor take(const std::string& name, const std::vector<std::int64_t>& shape);
    /// Whatever its shape. Noted when missing.
    at::Tensor takeAny(const std::string& name);
    /// Known, and of no use to the model.
    void ignore(const std::string& name);

    /// For the report: a tensor that was taken in another shape than the model's, and by which rule.
    void noteResized(const std::string& text) { m_report.resized.push_back(text); }
    void note(const std::string& text) { m_report.notes.push_back(text); }

    std::vector<std::string> unused() const;
    /// The names that were handed out.
    const std::set<std::string>& taken() const { return m_taken; }

    /// The account so far, with what is left over as unexpected.
    LoadReport report() const;

    /// The full account. Throws CheckpointMismatch when anything was missing, mismatching or left over; `modelName` stands in
    /// the sentence, `advice` ends it.
    LoadReport finish(const std::string& modelName, const std::string& advice) const;

private:
    at::Tensor read(const std::string& name);

    NamedTensors m_tensors;
    LoadReport m_report;
    std::set<std::string> m_used;   // accounted for: handed out, of another shape, or ignored
    std::set<std::string> m_taken;  // handed out
    bool m_shapesOnly = false;
};

}  // namespace attnscope
