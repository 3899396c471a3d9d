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

std::string versions(const SystemInfo& info)
{
    Table table = pairs();
    table.add({"Attnscope", info.environment.attnscope});
    table.add({"LibTorch", info.environment.torch});
    table.add({"OpenCV", info.openCv.empty() ? "not in this build" : info.openCv});
    table.add({"compiler", info.environment.compiler});
    table.add({"system", info.system});
    return table.text(2);
}

std::string machine(const SystemInfo& info)
{
    Table table = pairs();
    table.add({"processor", info.processor});
    table.add({"instruction sets",
               joined(info.instructionSets, ", ") + " (kernels use " + info.environment.kernels + ", LibTorch " + info.environment.instructionSet + ")"});
    table.add(
        {"threads", std::to_string(info.threads) + " of " + std::to_string(info.processors) + " processors"});
    table.add(
        {"memory", formatBytes(info.memoryBytes).text() + ", " + formatBytes(info.freeBytes).text() + " free"});
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

std::string media(const SystemInfo& info)
{
    const Limits limits;
    Table table = pairs();
    table.add({"image formats",
               info.imageFormats.empty() ? "none: this build has no image decoder" : joined(info.imageFormats, ", ")});
    table.add({"image limits", formatQuantity(static_cast<double>(limits.imagePixels)).text() + "pixels, "
                                          + std::to_string(limits.imageSide) + " per side, "
                                          + formatBytes(limits.imageBytes).text()});
    table.add({"image decoder", describe(info.decoder)});
    table.add({"videos", describe(info.video)});
    return table.text(2);
}

std::string places(const SystemInfo& info)
{
    Table table = pairs();
    for (const Place& place : info.places)
        table.add({place.what, place.path.empty() ? place.state : place.path + " (" + place.state + ")"});
    return table.text(2);
}

std::string missing(const SystemInfo& info)
{
    if (info.missing.empty())
        return "  nothing\n";
    Table table = pairs();
    for (const Lack& lack : info.missing)
        table.add({lack.what, lack.remedy});
    return table.text(2);
}

std::string describe(const SystemInfo& info)
{
    return section("Versions", versions(info)) + section("Machine", machine(info))
           + section("Devices", deviceTable(info.devices).text(2)) + section("Media", media(info))
           + section("Places", places(info)) + emphasised("Missing") + "\n" + missing(info);
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

Json toJson(const SystemInfo& info)
{
    Json json{{"versions",
               {{"attnscope", info.environment.attnscope},
                {"torch", info.environment.torch},
                {"opencv", textOrNull(info.openCv)},
                {"compiler", info.environment.compiler}}},
              {"system", info.system}};
    json["cpu"] = {{"name", info.processor},
                   {"instruction_sets", info.instructionSets},
                   {"torch_uses", info.environment.instructionSet},
                   {"kernels_use", info.environment.kernels},
                   {"kernels_available", info.kernels},
                   {"processors", info.processors},
                   {"threads", info.threads}};
    json["memory_bytes"] = {{"total", info.memoryBytes}, {"free", info.freeBytes}};
    json["devices"] = devicesJson(info.devices);
    json["image_formats"] = info.imageFormats;
    json["picture_decoder"] = {{"program", textOrNull(info.decoder.program)},
                               {"protections", info.decoder.protections},
                               {"lacking", info.decoder.lacking}};
    json["videos"] = {{"ffmpeg", textOrNull(info.video.version)},
                      {"containers", info.video.containers},
                      {"codecs", info.video.codecs},
                      {"hardware", info.video.hardware},
                      {"missing", info.video.missing}};
    json["limits"] = limitsJson();
    json["paths"] = Json::object();
    for (const Place& place : info.places)
        json["paths"][place.what] = {{"path", textOrNull(place.path)}, {"state", place.state}};
    json["missing"] = jsonList(info.missing, [&](const Lack& lack) { return Json{{"what", lack.what}, {"remedy", lack.remedy}}; });
    return json;
}

ExitCode examine(const OutputArguments& output)
{
    const JsonTarget target(output.json);
    const SystemInfo info = systemInfo();
    target.print(describe(info), toJson(info));
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
