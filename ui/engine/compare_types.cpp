#include "ui/engine/compare_types.h"

#include <QFileInfo>

#include <utility>

namespace attnscope::ui {

QString shortCheckpointName(const QString& weights)
{
    return QFileInfo(weights).completeBaseName();
}

RunContext ColumnSpec::context(RunContext run) const
{
    if (checkpoint) {
        run.weights = checkpoint->weights;
        run.model = checkpoint->model;
        run.heads = checkpoint->heads;
    }
    return run;
}

}
