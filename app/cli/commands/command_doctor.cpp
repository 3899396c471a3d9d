// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/device_output.h"
#include "app/cli/output/json_output.h"
#include "app/cli/output/system_facts.h"
#include "app/cli/output/table_output.h"
#include "core/base/format.h"

namespace attnscope::cli {

namespace {

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string section(const std::string& title, const std::string& body)
{
    return emphasised(title) + "\n" + body + "\n";
}

Table pairs()
{
    return Table({{""}, {""}});
}

std::string versions(const SystemFacts& facts)
{
    Table table = pairs();
    table.add({"Attnscope", facts.environment.attnscope});
    table.add({"LibTorch", facts.environment.torch});
    table.add({"OpenCV", facts.openCv.empty() ? "not in this build" : facts.openCv});
    table.add({"compiler", facts.environment.compiler});
    table.add({"system", facts.system});
    return table.text(2);
}

std::string machine(const SystemFacts& facts)
{
    Table table = pairs();
    table.add({"processor", facts.processor});
    table.add({"instruction sets",
               joined(facts.instructionSets) + " (kernels use " + facts.environment.kernels + ", LibTorch " + facts.environment.instructionSet + ")"});
    table.add(
        {"threads", std::to_string(facts.threads) + " of " + std::to_string(facts.processors) + " processors"});
    table.add(
        {"memory", formatBytes(facts.memoryBytes).text() + ", " + formatBytes(facts.freeBytes).text() + " free"});
    return table.text(2);
}

std::string describe(const DecoderState& decoder)
{
    if (decoder.program.empty())
        return decoder.problem.empty() ? "none" : "cannot be started";
    return decoder.program + " (a process of its own: " + joined(decoder.protections) + ")";
}

std::string describe(const VideoFormats& video)
{
    if (video.version.empty())
        return "none: this build has no video decoder";
    return "FFmpeg " + video.version + ": " + joined(video.codecs) + "; in hardware: "
           + (video.hardware.empty() ? "none" : joined(video.hardware));
}

std::string media(const SystemFacts& facts)
{
    const Limits limits;
    Table table = pairs();
    table.add({"image formats",
               facts.imageFormats.empty() ? "none: this build has no image decoder" : joined(facts.imageFormats)});
    table.add({"limits of a picture", formatQuantity(static_cast<double>(limits.imagePixels)).text() + "pixels, "
                                          + std::to_string(limits.imageSide) + " a side, "
                                          + formatBytes(limits.imageBytes).text()});
    table.add({"picture decoder", describe(facts.decoder)});
    table.add({"videos", describe(facts.video)});
    return table.text(2);
}

std::string places(const SystemFacts& facts)
{
    Table table = pairs();
    for (const Place& place : facts.places)
        table.add({place.what, place.path.empty() ? place.state : place.path + " (" + place.state + ")"});
    return table.text(2);
}

std::string missing(const SystemFacts& facts)
{
    if (facts.missing.empty())
        return "  nothing\n";
    Table table = pairs();
    for (const Lack& lack : facts.missing)
        table.add({lack.what, lack.remedy});
    return table.text(2);
}

std::string describe(const SystemFacts& facts)
{
    return section("Versions", versions(facts)) + section("Machine", machine(facts))
           + section("Devices", deviceTable(facts.devices).text(2)) + section("Media", media(facts))
           + section("Places", places(facts)) + emphasised("Missing") + "\n" + missing(facts);
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

Json toJson(const SystemFacts& facts)
{
    Json json{{"versions",
               {{"attnscope", facts.environment.attnscope},
                {"torch", facts.environment.torch},
                {"opencv", facts.openCv.empty() ? Json(nullptr) : Json(facts.openCv)},
                {"compiler", facts.environment.compiler}}},
              {"system", facts.system}};
    json["cpu"] = {{"name", facts.processor},
                   {"instruction_sets", facts.instructionSets},
                   {"torch_uses", facts.environment.instructionSet},
                   {"kernels_use", facts.environment.kernels},
                   {"kernels_available", facts.kernels},
                   {"processors", facts.processors},
                   {"threads", facts.threads}};
    json["memory_bytes"] = {{"total", facts.memoryBytes}, {"free", facts.freeBytes}};
    json["devices"] = devicesJson(facts.devices);
    json["image_formats"] = facts.imageFormats;
    json["picture_decoder"] = {{"program", facts.decoder.program.empty() ? Json(nullptr) : Json(facts.decoder.program)},
                               {"protections", facts.decoder.protections},
                               {"lacking", facts.decoder.lacking}};
    json["videos"] = {{"ffmpeg", facts.video.version.empty() ? Json(nullptr) : Json(facts.video.version)},
                      {"containers", facts.video.containers},
                      {"codecs", facts.video.codecs},
                      {"hardware", facts.video.hardware},
                      {"missing", facts.video.missing}};
    json["limits"] = limitsJson();
    json["paths"] = Json::object();
    for (const Place& place : facts.places)
        json["paths"][place.what] = {{"path", place.path.empty() ? Json(nullptr) : Json(place.path)}, {"state", place.state}};
    json["missing"] = Json::array();
    for (const Lack& lack : facts.missing)
        json["missing"].push_back({{"what", lack.what}, {"remedy", lack.remedy}});
    return json;
}

ExitCode examine(const OutputArguments& output)
{
    const JsonTarget target(output.json);
    const SystemFacts facts = systemFacts();
    if (!target.replacesTables())
        writeData(describe(facts));
    target.write(toJson(facts));
    return ExitCode::Done;
}

}  // namespace

void addDoctorCommand(CommandList& commands)
{
    const auto output = std::make_shared<OutputArguments>();
    CLI::App& command = commands.add(
        "doctor", "What is installed, which device works, what is missing and how to get it",
        {"doctor", "doctor --json -"}, [output](std::stop_token) { return examine(*output); });
    addJson(command, *output);
}

}  // namespace attnscope::cli
