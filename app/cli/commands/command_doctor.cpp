// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/device_output.h"
#include "app/cli/output/json_output.h"
#include "app/cli/output/system_info.h"
#include "app/cli/output/table_output.h"
#include "core/base/format.h"
#include "core/base/text.h"

namespace attnscope::cli {

namespace {

std::string section(const std::string& title, const std::string& body)
{
    return emphasised(title) + "\n" + body + "\n";
}

Table pairs()
{
    return Table({{""}, {""}});
}

std::string versions(const SystemInfo& settings)
{
    Table table = pairs();
    table.add({"Attnscope", settings.environment.attnscope});
    table.add({"LibTorch", settings.environment.torch});
    table.add({"OpenCV", settings.openCv.empty() ? "not in this build" : settings.openCv});
    table.add({"compiler", settings.environment.compiler});
    table.add({"system", settings.system});
    return table.text(2);
}

std::string machine(const SystemInfo& settings)
{
    Table table = pairs();
    table.add({"processor", settings.processor});
    table.add({"instruction sets",
               joined(settings.instructionSets, ", ") + " (kernels use " + settings.environment.kernels + ", LibTorch " + settings.environment.instructionSet + ")"});
    table.add(
        {"threads", std::to_string(settings.threads) + " of " + std::to_string(settings.processors) + " processors"});
    table.add(
        {"memory", formatBytes(settings.memoryBytes).text() + ", " + formatBytes(settings.freeBytes).text() + " free"});
    return table.text(2);
}

std::string describe(const DecoderState& decoder)
{
    if (decoder.program.empty())
        return decoder.problem.empty() ? "none" : "cannot be started";
    return decoder.program + " (a separate process: " + joined(decoder.protections, ", ") + ")";
}

std::string describe(const VideoFormats& video)
{
    if (video.version.empty())
        return "none: this build has no video decoder";
    return "FFmpeg " + video.version + ": " + joined(video.codecs, ", ") + "; in hardware: "
           + (video.hardware.empty() ? "none" : joined(video.hardware, ", "));
}

std::string media(const SystemInfo& settings)
{
    const Limits limits;
    Table table = pairs();
    table.add({"image formats",
               settings.imageFormats.empty() ? "none: this build has no image decoder" : joined(settings.imageFormats, ", ")});
    table.add({"image limits", formatQuantity(static_cast<double>(limits.imagePixels)).text() + "pixels, "
                                          + std::to_string(limits.imageSide) + " per side, "
                                          + formatBytes(limits.imageBytes).text()});
    table.add({"image decoder", describe(settings.decoder)});
    table.add({"videos", describe(settings.video)});
    return table.text(2);
}

std::string places(const SystemInfo& settings)
{
    Table table = pairs();
    for (const Place& place : settings.places)
        table.add({place.what, place.path.empty() ? place.state : place.path + " (" + place.state + ")"});
    return table.text(2);
}

std::string missing(const SystemInfo& settings)
{
    if (settings.missing.empty())
        return "  nothing\n";
    Table table = pairs();
    for (const Lack& lack : settings.missing)
        table.add({lack.what, lack.remedy});
    return table.text(2);
}

std::string describe(const SystemInfo& settings)
{
    return section("Versions", versions(settings)) + section("Machine", machine(settings))
           + section("Devices", deviceTable(settings.devices).text(2)) + section("Media", media(settings))
           + section("Places", places(settings)) + emphasised("Missing") + "\n" + missing(settings);
}

Json limitsJson()
{
    const Limits limits;
    return {{"image_bytes", limits.imageBytes},   {"image_pixels", limits.imagePixels},
            {"image_side", limits.imageSide},     {"safetensors_header_bytes", limits.safetensorsHeaderBytes},
            {"tensors", limits.tensors},          {"tensor_rank", limits.tensorRank},
            {"pickle_depth", limits.pickleDepth}, {"pickle_operations", limits.pickleOperations},
            {"zip_entries", limits.zipEntries},   {"json_bytes", limits.jsonBytes}};
}

Json toJson(const SystemInfo& settings)
{
    Json json{{"versions",
               {{"attnscope", settings.environment.attnscope},
                {"torch", settings.environment.torch},
                {"opencv", textOrNull(settings.openCv)},
                {"compiler", settings.environment.compiler}}},
              {"system", settings.system}};
    json["cpu"] = {{"name", settings.processor},
                   {"instruction_sets", settings.instructionSets},
                   {"torch_uses", settings.environment.instructionSet},
                   {"kernels_use", settings.environment.kernels},
                   {"kernels_available", settings.kernels},
                   {"processors", settings.processors},
                   {"threads", settings.threads}};
    json["memory_bytes"] = {{"total", settings.memoryBytes}, {"free", settings.freeBytes}};
    json["devices"] = devicesJson(settings.devices);
    json["image_formats"] = settings.imageFormats;
    json["picture_decoder"] = {{"program", textOrNull(settings.decoder.program)},
                               {"protections", settings.decoder.protections},
                               {"lacking", settings.decoder.lacking}};
    json["videos"] = {{"ffmpeg", textOrNull(settings.video.version)},
                      {"containers", settings.video.containers},
                      {"codecs", settings.video.codecs},
                      {"hardware", settings.video.hardware},
                      {"missing", settings.video.missing}};
    json["limits"] = limitsJson();
    json["paths"] = Json::object();
    for (const Place& place : settings.places)
        json["paths"][place.what] = {{"path", textOrNull(place.path)}, {"state", place.state}};
    json["missing"] = jsonList(settings.missing, [&](const Lack& lack) { return Json{{"what", lack.what}, {"remedy", lack.remedy}}; });
    return json;
}

ExitCode examine(const OutputArguments& output)
{
    const JsonTarget target(output.json);
    const SystemInfo settings = systemInfo();
    target.print(describe(settings), toJson(settings));
    return ExitCode::Done;
}

}  // namespace

void addDoctorCommand(CommandList& commands)
{
    const auto output = std::make_shared<OutputArguments>();
    CLI::App& command = commands.add(
        "doctor", "Shows what is installed, which devices work, what is missing and how to get it",
        {"doctor", "doctor --json -"}, [output](std::stop_token) { return examine(*output); });
    addJson(command, *output);
}

}  // namespace attnscope::cli
