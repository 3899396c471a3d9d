// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/device/device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope::cli {

/// A place where the app keeps things, by the XDG variables.
struct Place {
    std::string what;  ///< "config"
    std::string path;   ///< empty where there is no home folder
    std::string state;  ///< "there", "not there yet", "not writable", "no home folder"
};

/// Something that cannot be done here, and what would change that.
struct Lack {
    std::string what;
    std::string remedy;
};

/// The process that decodes images.
struct DecoderState {
    std::string program;                   ///< empty when there is none
    std::vector<std::string> protections;  ///< that hold around it
    std::vector<std::string> lacking;      ///< that this system or build does not give
    std::string problem;                   ///< why it cannot be started
};

/// What FFmpeg can do for us here; empty without media.
struct VideoFormats {
    std::string version;
    std::vector<std::string> containers, codecs, hardware;
    std::vector<std::string> missing;  ///< of those that we would read
};

/// What `doctor` finds.
struct SystemInfo {
    Environment environment;
    std::string openCv;  ///< empty without media
    std::string system;  ///< "Debian GNU/Linux 12 (bookworm), x86_64"
    std::string processor;
    std::vector<std::string> instructionSets;  ///< those that matter here, as the processor names them
    std::vector<std::string> kernels;          ///< of our kernels, those that this processor runs, the best first
    std::int64_t processors = 0, threads = 0;
    std::int64_t memoryBytes = 0, freeBytes = 0;
    std::vector<DeviceInfo> devices;
    std::vector<std::string> imageFormats;
    DecoderState decoder;
    VideoFormats video;
    std::vector<Place> places;
    std::vector<Lack> missing;
};

SystemInfo systemInfo();

}  // namespace attnscope::cli
