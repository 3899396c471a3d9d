#pragma once

#include "ui/workspace/accuracy_text.h"

#include "core/report/result_tables.h"

#include <memory>
#include <optional>

namespace attnscope::ui {

/// One run of a stored evaluation, as the Results screen lists it.
struct ResultRow {
    std::shared_ptr<const StoredEvaluation> evaluation;
    size_t run = 0;
    Accuracy accuracy;

    const StoredRun& stored() const { return evaluation->runs[run]; }
    int64_t id() const { return stored().id; }
    Measurements measurements() const { return measurementsOf(stored(), accuracy); }
};

}
