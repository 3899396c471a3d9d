#pragma once

#include "core/figure/table.h"
#include "core/train/training_progress.h"

#include <optional>

namespace attnscope {

/// What distilling changed: accuracy and distance from the teacher, before and after, and each layer's error. No rows before there is any.
Table distillationTable(const std::optional<DistillationState>& before,
                        const std::optional<DistillationState>& after,
                        const std::optional<ValidationResult>& teacher);

}
