#include "ui/live/live_backend.h"

#include "core/live/video_play_source.h"
#include "core/media/camera/camera.h"

namespace attnscope::ui {

namespace {

class CoreLiveBackend : public LiveBackend {
public:
    bool isVideo(const std::string& path) override { return looksLikeVideo(path); }

    std::unique_ptr<PlaySource> openVideo(const std::string& path, const Limits& limits,
                                          std::stop_token stop) override
    {
        VideoReadOptions options;
        options.limits = limits;
        return playVideo(path, options, std::move(stop));
    }

    std::vector<CameraChoice> cameras() override
    {
        std::vector<CameraChoice> found;
        for (const CameraInfo& camera : attnscope::cameras())
            found.push_back({camera.device.string(), camera.name});
        return found;
    }

    std::unique_ptr<PlaySource> openCamera(const std::string& device, std::stop_token stop) override
    {
        const CameraOptions options;
        auto camera = std::make_unique<Camera>(device, options, std::move(stop));
        const std::string name = camera->info().name;
        return playLive(std::move(camera), name, options.rate);
    }

    std::unique_ptr<LivePredictor> predictor(std::vector<ComparedNetwork> networks,
                                             const LiveQuestion& question) override
    {
        return livePredictor(std::move(networks), question);
    }
};

}

std::shared_ptr<LiveBackend> coreLiveBackend()
{
    return std::make_shared<CoreLiveBackend>();
}

}
