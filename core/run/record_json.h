// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/run/run_record.h"

namespace attnscope {

/// The contract's JSON of `classify` and `compare`. Numbers that are not finite become null.
Json toJson(const RunReport& report);
Json toJson(const RunRecord& record);
Json toJson(const Latency& latency);
Json toJson(const Memory& memory);

}  // namespace attnscope
