#pragma once

#include "core/run/run_record.h"

#include <QString>

#include <vector>

namespace attnscope::ui {

class RunTableModel;
class Workspace;

/// The numbers of a comparison with `separator` between columns, a line for each input and attention: those of the JSON below that are no
/// lists, under their names there ("latency_ms.median"), and with which other settings a line was made.
QString comparisonText(const RunTableModel& runs, QChar separator);

/// What `attnscope-cli compare --json` reports. Throws UsageError where a result was made with other settings than the present ones, which
/// are those that the report names. `others`: the networks behind the first.
QString comparisonJson(const RunTableModel& runs, const Workspace& workspace, std::vector<ComparedModel> others);

}
