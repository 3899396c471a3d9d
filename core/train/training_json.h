// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/train/training_plan.h"
#include "core/train/training_progress.h"

/// The history file and `attnscope-cli train --json` (docs/training.md). Independent of torch.
namespace attnscope {

Json toJson(const TrainingPlan& plan);
Json toJson(const ValidationResult& result);
Json toJson(const EpochRecord& epoch);
Json toJson(const DistillationState& state);
Json toJson(const TrainingStart& start);
Json toJson(const TrainingReport& report);

/// The plan that `toJson` wrote, without `workers`. Throws nlohmann's exceptions if a key is missing.
TrainingPlan planFromJson(const Json& json);

/// A finished epoch in a history file. Throws nlohmann's exceptions if a key is missing: the file is our own.
EpochRecord epochFromJson(const Json& json);
ValidationResult validationFromJson(const Json& json);
DistillationState distillationFromJson(const Json& json);

}  // namespace attnscope
