// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/decode/decode.h"
#include "core/lab/scale/scale.h"
#include "ui/scale/scale_jobs.h"

#include <QByteArray>

namespace attnscope::ui {

/// What the command line's `--json` writes.
QByteArray jsonText(const ScaleReport& report);
QByteArray jsonText(const DecodeReport& report);
QByteArray jsonText(const ApproximateReport& report);
QByteArray jsonText(const KernelReport& report);
QByteArray jsonText(const PlanReport& report);

}  // namespace attnscope::ui
