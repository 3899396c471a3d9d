// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/device_output.h"
#include "app/cli/json_output.h"
#include "core/run/device.h"

namespace attnscope::cli {

namespace {

ExitCode listDevices(const OutputArguments& output)
{
    const JsonTarget target(output.json);
    const auto list = devices();
    if (!target.replacesTables())
        writeData(deviceTable(list).text());
    target.write({{"devices", devicesJson(list)}});
    return ExitCode::Done;
}

}  // namespace

void addDevicesCommand(CommandList& commands)
{
    const auto output = std::make_shared<OutputArguments>();
    CLI::App& command = commands.add(
        "devices", "The devices that models can run on, and why others cannot be used",
        {"devices", "devices --json -"}, [output](std::stop_token) { return listDevices(*output); });
    addJson(command, *output);
}

}  // namespace attnscope::cli
