#include "ui/engine/workbench.h"

#include "core/base/error.h"
#include "core/media/image/decoder_process.h"
#include "core/media/video/video_reader.h"
#include "core/media/views/open_views.h"
#include "core/run/view_request.h"

namespace attnscope::ui {

namespace {

class CoreWorkbench : public Workbench {
public:
    std::unique_ptr<FileReader> reader() override { return std::make_unique<CoreWorkbench>(); }

    Surroundings surroundings() override { return {devices(), catalogue(), attnscope::setThreads(m_threads)}; }

    void setThreads(int64_t threads) override
    {
        m_threads = threads;
        attnscope::setThreads(threads);
    }

    OpenedModel open(const ModelRequest& request) override
    {
        OpenedModel model;
        model.classifier = openModel(request);
        model.summary = summary(*model.classifier);
        model.transform = evaluationTransform(*model.classifier);
        model.arithmetic = attentionFraction(*model.classifier);
        model.device = resolveDevice(request.device);
        return model;
    }

    Inspection inspect(const ModelRequest& request) override { return inspectCheckpoint(request); }

    Clip read(const std::string& path, const std::vector<uint8_t>& bytes, const ImageReadOptions& options) override
    {
        return bytes.empty() ? m_decoder.read(std::filesystem::path(path), options)
                             : m_decoder.read(std::span<const uint8_t>(bytes), path, options);
    }

    bool isVideo(const std::string& path) override { return looksLikeVideo(path); }

    Glance glance(const std::string& path, const Limits& limits) override
    {
        VideoReader video(path, {.limits = limits});
        const VideoInfo& info = video.info();
        Glance glance{.width = info.width,
                      .height = info.height,
                      .turned = info.rotation != 0,
                      .rate = info.averageRate.value()};
        if (info.duration) {
            glance.seconds = double(*info.duration) * info.timeBase.value();
            video.seek(info.start + *info.duration / 2);
        }
        if (!video.advance())
            throw FileError(path, "has no frame that can be decoded", "give another video");
        video.appendTo(glance.frame);
        turn(glance.frame, info.rotation);
        return glance;
    }

    VideoViews views(const OpenedModel& model, const std::string& path, const ViewGrid& grid, const Limits& limits,
                     std::stop_token stop) override
    {
        ViewRequest request = viewRequestOf(model.summary, model.transform);
        request.grid = grid;
        return openVideoViews(path, {.limits = limits}, request, std::move(stop));
    }

    std::vector<ComparedNetwork> networks(const std::vector<ModelRequest>& checkpoints,
                                          const std::vector<AttentionSpec>& columns,
                                          const NetworkOpener& open) override
    {
        return openNetworks(checkpoints, columns, false, open);
    }

    RunReport run(const std::vector<ComparedNetwork>& networks, const std::vector<InputSource>& inputs,
                  const RunRequest& request, RunObserver& observer, std::stop_token stop) override
    {
        return attnscope::run(networks, inputs, request, observer, stop);
    }

private:
    int64_t m_threads = 0;
    DecoderProcess m_decoder;  // starts with the first image
};

}

std::unique_ptr<Workbench> coreWorkbench()
{
    return std::make_unique<CoreWorkbench>();
}

}
