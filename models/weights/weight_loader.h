#pragma once

#include "core/run/load_report.h"
#include "models/weights/named_tensors.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace attnscope {

/// Returns the tensors of a checkpoint by name and shape and keeps a record of what is missing, has another shape, is unused, or contains
/// NaN or infinity.
class WeightLoader {
public:
    /// Names as in the family's original code; the record continues `report`.
    WeightLoader(NamedTensors tensors, LoadReport report);

    /// Checks what fits without reading: the returned tensors have the correct shapes and no values.
    void takeShapesOnly() { m_shapesOnly = true; }

    bool has(const std::string& name) const { return m_tensors.count(name) > 0; }
    /// The shape in the file, empty if there is no such tensor.
    std::vector<int64_t> shape(const std::string& name) const { return TensorIndex(m_tensors).shape(name); }

    /// The tensor as float32 on the CPU. If it is missing or has another shape, that is recorded and zeros are returned, so that one
    /// message can list all of them: see `finish`.
    at::Tensor take(const std::string& name, const std::vector<int64_t>& shape);
    /// With any shape. Recorded if missing.
    at::Tensor takeAny(const std::string& name);
    /// Marks a tensor as known, but not needed by the model.
    void ignore(const std::string& name);

    /// For the report: a tensor that was resized to the model's shape, and the rule used.
    void noteResized(const std::string& text) { m_report.resized.push_back(text); }

    std::vector<std::string> unused() const;
    /// What is left under `prefix` and belongs to some method of attention (landmark maps, stored projections), without the prefix.
    std::map<std::string, at::Tensor> takeLearned(const std::string& prefix);
    /// The names that were handed out.
    const std::set<std::string>& taken() const { return m_taken; }

    /// The record so far, with unused tensors as unexpected.
    LoadReport report() const;

    /// The full record. Throws CheckpointMismatch if anything is missing, mismatching or unused; `modelName` is used in the message,
    /// `advice` is appended.
    LoadReport finish(const std::string& modelName, const std::string& advice) const;

private:
    /// A counter, or a single number that is an integer or not of a part that the network has.
    bool isOfTraining(const std::string& name) const;
    at::Tensor read(const std::string& name);

    NamedTensors m_tensors;
    LoadReport m_report;
    std::set<std::string> m_used;   // accounted for: returned, of another shape, or ignored
    std::set<std::string> m_taken;  // returned
    bool m_shapesOnly = false;
};

}
