// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/table_output.h"
#include "core/base/json.h"
#include "core/device/device.h"

#include <vector>

/// Devices as `devices` and `doctor` show them.
namespace attnscope::cli {

Table deviceTable(const std::vector<DeviceInfo>& devices);
Json devicesJson(const std::vector<DeviceInfo>& devices);

}  // namespace attnscope::cli
