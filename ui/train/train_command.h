#pragma once

#include "models/training/train_model.h"

#include <QString>

namespace attnscope::ui {

/// The `attnscope-cli train …` line of a training, quoted for a POSIX shell. What stands at its default is left out.
QString trainCommand(const TrainRequest& request, int threads);

}
