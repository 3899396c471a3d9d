// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/video/rgb_converter.h"
#include "core/media/video/video_damage.h"
#include "core/media/video/video_source.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

namespace attnscope {

/// A folder of numbered pictures as a video of 30 frames a second. A picture is decoded when its pixels are asked
/// for; one that the gate refuses is left out, and the times of the others stay.
class FolderVideo : public VideoSource {
public:
    FolderVideo(const std::filesystem::path& folder, const VideoReadOptions& options, std::stop_token stop);

    bool advance() override;
    std::int64_t pts() const override { return m_next - 1; }
    void writeRgb(std::uint8_t* rgb, std::int64_t stride, FrameSize size) override;
    void seek(std::int64_t pts) override;
    std::string damage() const override;

private:
    /// Reads the picture's bytes and header; false when the gate refuses it.
    bool load(std::int64_t frame);

    std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_images;
    Limits m_limits;
    std::stop_token m_stop;
    std::int64_t m_next = 0;              ///< the frame that `advance` takes
    std::vector<std::uint8_t> m_encoded;  ///< of the current frame
    std::vector<bool> m_refused;
    VideoDamage m_damage;
};

std::unique_ptr<VideoSource> openFrameFolder(const std::filesystem::path& folder, const VideoReadOptions& options,
                                             std::stop_token stop);

/// Whether the folder holds pictures that are numbered almost without a gap; the first is one by its content.
bool looksLikeFrameFolder(const std::filesystem::path& folder);

}  // namespace attnscope
