#pragma once

#include "models/training/train_model.h"

#include <QString>

namespace attnscope::ui {

/// The demo DeiT's softmax weights, which lie next to `demoImage`'s folder, distilled into Performer as the shipped ones were, for two
/// epochs on the demo data in `folder`.
TrainRequest trainingDemo(const QString& folder, const QString& demoImage);

}
