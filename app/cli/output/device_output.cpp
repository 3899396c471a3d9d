// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/device_output.h"

#include "core/base/format.h"

namespace attnscope::cli {

Table deviceTable(const std::vector<DeviceInfo>& devices)
{
    Table table({{"device"}, {"what"}, {"memory", Align::Right}, {"free", Align::Right}, {"state"}});
    const auto bytes = [](std::int64_t count) { return count > 0 ? formatBytes(count).text() : ""; };
    for (const DeviceInfo& device : devices)
        table.add({device.name, device.description, bytes(device.memoryBytes), bytes(device.freeBytes),
                   device.available ? "works" : "not available: " + device.reason});
    return table;
}

Json devicesJson(const std::vector<DeviceInfo>& devices)
{
    return jsonList(devices, [&](const DeviceInfo& device) {
        return Json{{"name", device.name},
                    {"description", device.description},
                    {"available", device.available},
                    {"reason", textOrNull(device.reason)},
                    {"memory_bytes", device.memoryBytes > 0 ? Json(device.memoryBytes) : Json(nullptr)},
                    {"free_bytes", device.freeBytes > 0 ? Json(device.freeBytes) : Json(nullptr)}};
    });
}

}  // namespace attnscope::cli
