#pragma once

#include "core/base/limits.h"
#include "core/live/live_predictor.h"
#include "core/live/play_source.h"
#include "ui/engine/workbench.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope::ui {

struct CameraChoice {
    std::string device;  ///< "/dev/video0"
    std::string name;    ///< "Integrated Camera"
};

/// How the Live screen gets at videos, cameras and predictions. Its functions are called from threads of their own, never from the
/// window's; they throw what core throws. Tests bring their own.
class LiveBackend {
public:
    virtual ~LiveBackend() = default;
    virtual bool isVideo(const std::string& path) = 0;
    virtual std::unique_ptr<PlaySource> openVideo(const std::string& path, const Limits& limits,
                                                  std::stop_token stop) = 0;
    virtual std::vector<CameraChoice> cameras() = 0;
    virtual std::unique_ptr<PlaySource> openCamera(const std::string& device, std::stop_token stop) = 0;
    virtual std::unique_ptr<LivePredictor> predictor(std::vector<ComparedNetwork> networks,
                                                     const LiveQuestion& question) = 0;
};

/// The real one.
std::shared_ptr<LiveBackend> coreLiveBackend();

}
