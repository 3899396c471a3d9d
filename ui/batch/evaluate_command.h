#pragma once

#include "ui/batch/evaluation_task.h"

#include <QString>

namespace attnscope::ui {

/// The `attnscope-cli evaluate …` line of an evaluation, quoted for a POSIX shell. What stands at its default is left out.
QString evaluateCommand(const EvaluationSetup& plan);

/// The plan that goes on with a stored evaluation.
EvaluationSetup planOf(const StoredEvaluation& evaluation, const std::string& store);

}
