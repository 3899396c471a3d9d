#pragma once

#include "core/train/training_progress.h"
#include "ui/widgets/cell_table.h"

namespace attnscope::ui {

/// What distilling changed: accuracy and distance from the teacher, before and after, and each layer's error.
class DistillationModel : public CellTable {
    Q_OBJECT
public:
    enum Column { Figure, Before, After, Change, Teacher };

    using CellTable::CellTable;
    void set(const std::optional<DistillationState>& before, const std::optional<DistillationState>& after,
             const std::optional<ValidationResult>& teacher);
};

}
