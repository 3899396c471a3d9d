// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/system_info.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/kernels/cpu/cpu_kernels.h"
#ifdef ATTNSCOPE_MEDIA
#include "core/media/image/decoder_process.h"
#include "core/media/video/video_support.h"
#endif

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace attnscope::cli {

namespace {

namespace fs = std::filesystem;

std::string firstValue(const fs::path& file, const std::string& key, char separator)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t at = line.find(separator);
        if (at == std::string::npos || trim(std::string_view(line).substr(0, at)) != key)
            continue;
        std::string value(trim(std::string_view(line).substr(at + 1)));
        value.erase(std::remove(value.begin(), value.end(), '"'), value.end());
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
        if (std::find(wanted.begin(), wanted.end(), flag) != wanted.end())
            has.push_back(flag);
    return has;
}

constexpr const char* noHome = "no home folder";

Place place(const std::string& what, const char* variable, const std::string& below)
{
    const char* given = std::getenv(variable);
    const char* home = std::getenv("HOME");
    const bool usable = given != nullptr
                        && *given == '/';  // relative ones are to be ignored, says the specification
    if (!usable && (home == nullptr || *home != '/'))
        return {what, {}, noHome};
    const fs::path path = (usable ? fs::path(given) : fs::path(home) / below)
                          / "attnscope";
    std::error_code error;
    const bool there = fs::exists(path, error);
    const char* state = !there ? "not there yet" : ::access(path.c_str(), W_OK) == 0 ? "there" : "not writable";
    return {what, printable(path.string()), state};
}

/// Starts it, as a command with images would.
DecoderState decoderState()
{
    DecoderState state;
#ifdef ATTNSCOPE_MEDIA
    try {
        const DecoderInfo info = DecoderProcess().info();
        state = {printable(info.program), info.protections, info.lacking, {}};
    } catch (const Error& error) {
        state.problem = error.what();
    }
#endif
    return state;
}

VideoFormats videoFormats()
{
    VideoFormats formats;
#ifdef ATTNSCOPE_MEDIA
    const VideoSupport support = videoSupport();
    formats = {support.version, support.containers, support.codecs, support.hardware, support.missing};
#endif
    return formats;
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
        lacks.push_back({"videos", "this build has no video decoder; build with -DATTNSCOPE_MEDIA=ON (FFmpeg's libraries)"});
    for (const std::string& format : info.video.missing)
        lacks.push_back({"videos in " + format, "this FFmpeg cannot decode it; install one that can"});
    if (!info.decoder.problem.empty())
        lacks.push_back({"image decoder", info.decoder.problem});
    for (const std::string& protection : info.decoder.lacking)
        lacks.push_back({"image decoder's " + protection, "not supported by this system or build"});
    const auto homeless = [](const Place& place) { return place.state == noHome; };
    if (std::any_of(info.places.begin(), info.places.end(), homeless))
        lacks.push_back({noHome, "HOME is not set; set it, or the XDG variables; until then results need --store, and settings are "
                                 "not saved"});
    for (const Place& place : info.places)
        if (place.state == "not writable")
            lacks.push_back(
                {place.what + " folder",
                 place.path + " is not writable; change its owner, or choose another folder with the XDG variables"});
    return lacks;
}

}  // namespace

SystemInfo systemInfo()
{
    SystemInfo info;
    info.environment = environment();
#ifdef ATTNSCOPE_OPENCV_VERSION
    info.openCv = ATTNSCOPE_OPENCV_VERSION;
#endif
#ifdef ATTNSCOPE_MEDIA
    info.imageFormats = {"JPEG", "PNG", "WebP", "BMP", "PNM", "TIFF"};
#endif
    info.decoder = decoderState();
    info.video = videoFormats();
    info.system = systemName();
    info.processor = firstValue("/proc/cpuinfo", "model name", ':');
    info.instructionSets = instructionSets();
    for (const kernels::CpuKernels* one : kernels::supportedCpuKernels())
        info.kernels.emplace_back(one->name);
    info.processors = std::thread::hardware_concurrency();
    info.threads = setThreads(0);
    info.devices = devices();
    info.memoryBytes = info.devices.front().memoryBytes;
    info.freeBytes = info.devices.front().freeBytes;
    info.places = {place("config", "XDG_CONFIG_HOME", ".config"), place("data", "XDG_DATA_HOME", ".local/share"),
                    place("cache", "XDG_CACHE_HOME", ".cache"), place("state", "XDG_STATE_HOME", ".local/state")};
    info.missing = lacksOf(info);
    return info;
}

}  // namespace attnscope::cli
