#pragma once

#include "core/media/image/decoder_process.h"
#include "core/media/video/rgb_converter.h"
#include "core/media/video/video_source.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

namespace attnscope {

/// A folder of numbered images as a video of 30 frames per second. An image is decoded when its pixels are requested; one that the
/// validator rejects is skipped, and the times of the others don't change.
class FolderVideo : public VideoSource {
public:
    FolderVideo(const std::filesystem::path& folder, const VideoReadOptions& options, std::stop_token stop);
    ~FolderVideo() override;

    bool advance() override;
    int64_t pts() const override { return m_next - 1; }
    void writeRgb(uint8_t* rgb, int64_t stride, FrameSize size) override;
    void seek(int64_t pts) override;
    VideoDamage damage() const override { return m_damage; }

private:
    /// Reads the image's bytes and header; false if the validator rejects it.
    bool load(int64_t frame);

    std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_images;
    Limits m_limits;
    std::stop_token m_stop;
    std::unique_ptr<DecoderProcess> m_decoder;  ///< null: images are decoded in this process
    int64_t m_next = 0;                         ///< the next frame of `advance`
    std::vector<uint8_t> m_encoded;             ///< of the current frame
    std::vector<bool> m_refused;
};

}
