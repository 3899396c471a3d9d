// What is here to run on: `devices`, and `doctor`, which looks at all of the system.
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/linear_timings.h"
#include "core/media/image/decoder_process.h"
#include "core/media/video/video_process.h"
#include "core/media/video/video_support.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

namespace attnscope::cli {

namespace {

/// A place where the app keeps things, by the XDG variables.
struct Place {
    std::string what;   ///< "config"
    std::string path;   ///< empty where there is no home folder
    std::string state;  ///< "there", "not there yet", "not writable", "no home folder"
};

/// Something that cannot be done here, and what would change that.
struct Lack {
    std::string what;
    std::string remedy;
};

/// A process that decodes images or videos; without a program where there is none.
struct DecoderState {
    DecoderInfo info;
    std::string problem;  ///< why it cannot be started
};

/// What `doctor` finds.
struct SystemInfo {
    Environment environment;
    std::string openCv;  ///< empty without media
    std::string system;  ///< "Debian GNU/Linux 12 (bookworm), x86_64"
    std::string processor;
    std::vector<std::string> instructionSets;  ///< those that matter here, as the processor names them
    std::vector<std::string> kernels;          ///< of our kernels, those that this processor runs, the best first
    int64_t processors = 0, threads = 0;
    std::optional<double> quota;  ///< in processors
    int64_t memoryBytes = 0, freeBytes = 0;
    std::vector<DeviceInfo> devices;
    std::vector<std::string> imageFormats;
    DecoderState imageDecoder, videoDecoder;
    VideoSupport video;  ///< empty without media
    std::vector<Place> places;
    std::vector<Lack> missing;
};

namespace fs = std::filesystem;

std::string firstValue(const fs::path& file, const std::string& key, char separator)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const size_t at = line.find(separator);
        if (at == std::string::npos || trim(std::string_view(line).substr(0, at)) != key)
            continue;
        std::string value(trim(std::string_view(line).substr(at + 1)));
        value.erase(std::ranges::remove(value, '"').begin(), value.end());
        return printable(value);
    }
    return {};
}

std::string systemName()
{
    const std::string name = firstValue("/etc/os-release", "PRETTY_NAME", '=');
    utsname kernel{};
    ::uname(&kernel);
    return (name.empty() ? "Linux" : name) + ", " + printable(kernel.machine) + ", kernel "
           + printable(kernel.release);
}

std::vector<std::string> instructionSets()
{
    constexpr std::array<const char*, 9> wanted{"sse4_2",  "avx",         "avx2",        "fma",     "f16c",
                                                "avx512f", "avx512_bf16", "avx512_fp16", "amx_bf16"};
    std::istringstream flags(firstValue("/proc/cpuinfo", "flags", ':'));
    std::vector<std::string> has;
    for (std::string flag; flags >> flag;)
        if (std::ranges::find(wanted, flag) != wanted.end())
            has.push_back(flag);
    return has;
}

constexpr const char* noHome = "no home folder";

Place place(const std::string& what, const char* variable, const char* below)
{
    const fs::path path = appFolder(variable, below);
    if (path.empty())
        return {what, {}, noHome};
    std::error_code error;
    const bool there = fs::exists(path, error);
    const char* state = !there ? "not there yet" : ::access(path.c_str(), W_OK) == 0 ? "there" : "not writable";
    return {what, printable(path.string()), state};
}

/// `info` starts the program, as a command with images or videos would.
DecoderState decoderState(DecoderInfo info())
{
    DecoderState state;
    try {
        state.info = info();
        state.info.program = printable(state.info.program);
    } catch (const Error& error) {
        state.problem = error.what();
    }
    return state;
}

std::vector<Lack> lacksOf(const SystemInfo& info)
{
    std::vector<Lack> lacks;
    for (const DeviceInfo& device : info.devices)
        if (!device.available)
            lacks.push_back({device.description, device.reason});
    if (info.imageFormats.empty())
        lacks.push_back(
            {"images", "this build has no image decoder; build with -DATTNSCOPE_MEDIA=ON (OpenCV's imgcodecs)"});
    if (info.video.version.empty())
        lacks.push_back(
            {"videos", "this build has no video decoder; build with -DATTNSCOPE_MEDIA=ON (FFmpeg's libraries)"});
    for (const std::string& format : info.video.missing)
        lacks.push_back({"videos in " + format, "this FFmpeg cannot decode it; install one that can"});
    for (const auto& [title, decoder] :
         {std::pair<std::string, const DecoderState&>{"image decoder", info.imageDecoder},
          {"video decoder", info.videoDecoder}}) {
        if (!decoder.problem.empty())
            lacks.push_back({title, decoder.problem});
        for (const std::string& protection : decoder.info.lacking)
            lacks.push_back({title + "'s " + protection, "not supported by this system or build"});
    }
    const auto homeless = [](const Place& place) { return place.state == noHome; };
    if (std::ranges::any_of(info.places, homeless))
        lacks.push_back(
            {noHome,
             "HOME is not set; set it, or the XDG variables; until then results need --store, and settings are "
             "not saved"});
    for (const Place& place : info.places)
        if (place.state == "not writable")
            lacks.push_back(
                {place.what + " folder",
                 place.path
                     + " is not writable; change its owner, or choose another folder with the XDG variables"});
    return lacks;
}

SystemInfo systemInfo()
{
    SystemInfo info;
    info.environment = environment();
#ifdef ATTNSCOPE_OPENCV_VERSION
    info.openCv = ATTNSCOPE_OPENCV_VERSION;
#endif
#ifdef ATTNSCOPE_MEDIA
    info.imageFormats = {"JPEG", "PNG", "WebP", "BMP", "PNM", "TIFF"};
    info.video = videoSupport();
#endif
#ifdef ATTNSCOPE_MEDIA
    info.imageDecoder = decoderState([] { return DecoderProcess().info(); });
    info.videoDecoder = decoderState(videoDecoderInfo);
#endif
    info.system = systemName();
    info.processor = firstValue("/proc/cpuinfo", "model name", ':');
    info.instructionSets = instructionSets();
    for (const kernels::CpuKernels* one : kernels::supportedCpuKernels())
        info.kernels.emplace_back(one->name);
    info.processors = std::thread::hardware_concurrency();
    info.quota = cpuQuota();
    info.threads = setThreads(0);
    info.devices = devices();
    info.memoryBytes = info.devices.front().memoryBytes;
    info.freeBytes = info.devices.front().freeBytes;
    info.places = {place("config", "XDG_CONFIG_HOME", ".config"), place("data", "XDG_DATA_HOME", ".local/share"),
                   place("cache", "XDG_CACHE_HOME", ".cache"), place("state", "XDG_STATE_HOME", ".local/state")};
    info.missing = lacksOf(info);
    return info;
}

Table deviceTable(const std::vector<DeviceInfo>& devices)
{
    Table table = tableOf({"device", "what", ">memory", ">free", "state"});
    const auto bytes = [](int64_t count) { return count > 0 ? formatBytes(count).text() : ""; };
    for (const DeviceInfo& device : devices)
        table.addTexts({device.name, device.description, bytes(device.memoryBytes), bytes(device.freeBytes),
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

struct JsonOptions : OutputOptions {};

void visitOptions(JsonOptions& options, auto& visit)
{
    visitJson(options, visit);
}

ExitCode listDevices(JsonOptions& output, std::stop_token)
{
    const JsonTarget target(output.json);
    const auto list = devices();
    target.print(terminalTable(deviceTable(list)), {{"devices", devicesJson(list)}});
    return ExitCode::Done;
}

std::string section(const std::string& title, const std::string& body)
{
    return emphasised(title) + "\n" + body + "\n";
}

/// Rows of a name and what there is to say of it.
std::string pairs(const std::vector<std::vector<std::string>>& rows)
{
    Table table = tableOf({"", ""});
    for (const auto& row : rows)
        table.addTexts(row);
    return terminalTable(table, 2);
}

std::string versions(const SystemInfo& info)
{
    return pairs({{"Attnscope", info.environment.attnscope},
                  {"LibTorch", info.environment.torch + " (" + printable(torchLibrary()) + ")"},
                  {"OpenCV", info.openCv.empty() ? "not in this build" : info.openCv},
                  {"compiler", info.environment.compiler},
                  {"system", info.system}});
}

/// Who computes the linear layers of networks, by what was measured.
std::string describe(const std::vector<kernels::LinearTiming>& timings)
{
    if (timings.empty())
        return "our kernels; compared with oneDNN's when a network is opened for the first time";
    std::vector<std::string> others;
    for (const kernels::LinearTiming& timing : timings)
        if (timing.prefersOneDnn())
            others.push_back(fmt::format("{}→{} ({}, {}, {}: {:.1f} times as fast)", timing.shape.in,
                                         timing.shape.out, timing.shape.dtype, counted(timing.shape.rows, "row"),
                                         counted(timing.shape.threads, "thread"), timing.own / timing.oneDnn));
    const std::string measured = counted(int64_t(timings.size()), "shape") + " measured; ";
    return measured + (others.empty() ? "our kernels for all" : "oneDNN for " + joined(others, ", "));
}

Json toJson(const kernels::LinearTiming& timing)
{
    return {{"in", timing.shape.in},           {"out", timing.shape.out},
            {"rows", timing.shape.rows},       {"dtype", timing.shape.dtype},
            {"threads", timing.shape.threads}, {"own_ms", timing.own},
            {"onednn_ms", timing.oneDnn},      {"uses", timing.prefersOneDnn() ? "onednn" : "own"}};
}

std::string machine(const SystemInfo& info)
{
    return pairs(
        {{"processor", info.processor},
         {"instruction sets", joined(info.instructionSets, ", ") + " (kernels use " + info.environment.kernels
                                  + ", LibTorch " + info.environment.instructionSet + ")"},
         {"linear layers", describe(kernels::linearTimings())},
         {"threads", std::to_string(info.threads) + " of " + counted(info.processors, "processor")
                         + (info.quota ? fmt::format("; CPU quota {:.4g}", *info.quota) : "")},
         {"memory", formatBytes(info.memoryBytes).text() + ", " + formatBytes(info.freeBytes).text() + " free"}});
}

std::string describe(const DecoderState& decoder)
{
    if (decoder.info.program.empty())
        return decoder.problem.empty() ? "none" : "cannot be started";
    return decoder.info.program + " (a separate process: " + joined(decoder.info.protections, ", ") + ")";
}

Json toJson(const DecoderState& decoder)
{
    return {{"program", textOrNull(decoder.info.program)},
            {"protections", decoder.info.protections},
            {"lacking", decoder.info.lacking}};
}

std::string describe(const VideoSupport& video)
{
    if (video.version.empty())
        return "none: this build has no video decoder";
    return "FFmpeg " + video.version + ": " + joined(video.codecs, ", ")
           + "; in hardware: " + (video.hardware.empty() ? "none" : joined(video.hardware, ", "));
}

std::string media(const SystemInfo& info)
{
    const Limits limits;
    return pairs({{"image formats", info.imageFormats.empty() ? "none: this build has no image decoder"
                                                              : joined(info.imageFormats, ", ")},
                  {"image limits", formatQuantity(double(limits.imagePixels)).text() + "pixels, "
                                       + std::to_string(limits.imageSide) + " per side, "
                                       + formatBytes(limits.imageBytes).text()},
                  {"image decoder", describe(info.imageDecoder)},
                  {"video decoder", describe(info.videoDecoder)},
                  {"videos", describe(info.video)}});
}

std::string places(const SystemInfo& info)
{
    std::vector<std::vector<std::string>> rows;
    for (const Place& place : info.places)
        rows.push_back({place.what, place.path.empty() ? place.state : place.path + " (" + place.state + ")"});
    return pairs(rows);
}

std::string missing(const SystemInfo& info)
{
    std::vector<std::vector<std::string>> rows;
    for (const Lack& lack : info.missing)
        rows.push_back({lack.what, lack.remedy});
    return rows.empty() ? "  nothing\n" : pairs(rows);
}

std::string describe(const SystemInfo& info)
{
    return section("Versions", versions(info)) + section("Machine", machine(info))
           + section("Devices", terminalTable(deviceTable(info.devices), 2)) + section("Media", media(info))
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
                {"torch_library", torchLibrary()},
                {"opencv", textOrNull(info.openCv)},
                {"compiler", info.environment.compiler}}},
              {"system", info.system}};
    json["cpu"] = {{"name", info.processor},
                   {"instruction_sets", info.instructionSets},
                   {"torch_uses", info.environment.instructionSet},
                   {"kernels_use", info.environment.kernels},
                   {"kernels_available", info.kernels},
                   {"linear_layers", jsonList(kernels::linearTimings(),
                                              [](const kernels::LinearTiming& timing) { return toJson(timing); })},
                   {"processors", info.processors},
                   {"quota", info.quota ? Json(*info.quota) : Json(nullptr)},
                   {"threads", info.threads}};
    json["memory_bytes"] = {{"total", info.memoryBytes}, {"free", info.freeBytes}};
    json["devices"] = devicesJson(info.devices);
    json["image_formats"] = info.imageFormats;
    json["picture_decoder"] = toJson(info.imageDecoder);
    json["video_decoder"] = toJson(info.videoDecoder);
    json["videos"] = {{"ffmpeg", textOrNull(info.video.version)},
                      {"containers", info.video.containers},
                      {"codecs", info.video.codecs},
                      {"hardware", info.video.hardware},
                      {"missing", info.video.missing}};
    json["limits"] = limitsJson();
    json["paths"] = Json::object();
    for (const Place& place : info.places)
        json["paths"][place.what] = {{"path", textOrNull(place.path)}, {"state", place.state}};
    json["missing"] = jsonList(info.missing, [&](const Lack& lack) {
        return Json{{"what", lack.what}, {"remedy", lack.remedy}};
    });
    return json;
}

ExitCode examine(JsonOptions& output, std::stop_token)
{
    const JsonTarget target(output.json);
    const SystemInfo info = systemInfo();
    target.print(describe(info), toJson(info));
    return ExitCode::Done;
}

}

void addDevicesCommand(CommandList& commands)
{
    commands.add<JsonOptions>("devices", "Lists the devices that models can run on, and why others cannot be used",
                              {"devices", "devices --json -"}, listDevices);
}

void addDoctorCommand(CommandList& commands)
{
    commands.add<JsonOptions>("doctor",
                              "Shows what is installed, which devices work, what is missing and how to get it",
                              {"doctor", "doctor --json -"}, examine);
}

}
