// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/decode/decode.h"
#include "core/lab/scale/scale.h"
#include "ui/scale/scale_jobs.h"

#include <QString>

namespace attnscope::ui {

/// What the figures of the Scale screen were made with, where that is not what the form asks for now: "made with seed 3". Empty: it is.
QString scaleStale(const ScaleRequest& was, const ScaleRequest& now);
QString scaleStale(const DecodeRequest& was, const DecodeRequest& now);
QString scaleStale(const ApproximateJob& was, const ApproximateJob& now);
QString scaleStale(const KernelJob& was, const KernelJob& now);
QString scaleStale(const PlanJob& was, const PlanJob& now);

}  // namespace attnscope::ui
