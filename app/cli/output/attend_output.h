// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/lab/attend/attend.h"

#include <string>

namespace attnscope::cli {

/// For people.
std::string describeAttend(const AttendReport& report);

/// The JSON of `attend` (docs/cli.md). Numbers that are not finite become null.
Json attendJson(const AttendReport& report);

}  // namespace attnscope::cli
