#pragma once

#include "ui/compare/table/run_table_model.h"

namespace attnscope::ui {

/// The verdict in words: one sentence, and one line of differences to the reference.
struct Verdict {
    QString headline;
    QString detail;
};

/// What stands between the parts of `Verdict::detail`.
QString detailSeparator();

Verdict verdict(const RunTableModel& model);

}
