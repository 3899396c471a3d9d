#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace attnscope::test {

using VideoBytes = std::vector<uint8_t>;

/// Damages videos as disks, networks and attackers do: bits, runs, missing and doubled stretches, cut ends, two
/// files in one, and the sizes and counts of boxes, elements and chunks.
class VideoMutator {
public:
    explicit VideoMutator(std::vector<VideoBytes> videos, unsigned seed);

    /// Another one with every call; the same sequence for the same seed.
    VideoBytes next();
    /// What was done to the last.
    const std::string& description() const { return m_description; }

private:
    size_t below(size_t end);
    void mutateOnce(VideoBytes& bytes);
    void flipBits(VideoBytes& bytes);
    void overwrite(VideoBytes& bytes);
    void removeStretch(VideoBytes& bytes);
    void doubleStretch(VideoBytes& bytes);
    void truncate(VideoBytes& bytes);
    void splice(VideoBytes& bytes);
    void editBox(VideoBytes& bytes);
    void editNumber(VideoBytes& bytes);

    std::vector<VideoBytes> m_videos;
    std::mt19937 m_random;
    std::string m_description;
};

}
