// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/device_output.h"
#include "app/cli/output/json_output.h"
#include "core/device/device.h"

namespace attnscope::cli {

namespace {

ExitCode listDevices(const OutputArguments& output)
{
    const JsonTarget target(output.json);
    const auto list = devices();
    target.print(deviceTable(list).text(), {{"devices", devicesJson(list)}});
    return ExitCode::Done;
}

}  // namespace

void addDevicesCommand(CommandList& commands)
{
    const auto output = std::make_shared<OutputArguments>();
    CLI::App& command = commands.add(
        "devices", "Lists the devices that models can run on, and why others cannot be used",
        {"devices", "devices --json -"}, [output](std::stop_token) { return listDevices(*output); });
    addJson(command, *output);
}

}  // namespace attnscope::cli
