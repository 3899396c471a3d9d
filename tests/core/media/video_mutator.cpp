#include "tests/core/media/video_mutator.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace attnscope::test {

namespace {

/// Numbers at which readers trip.
constexpr std::array<uint32_t, 12> evilNumbers{0,      1,          7,          8,          0x7f,       0xff,
                                               0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 0x01000000};

bool isBoxName(const VideoBytes& bytes, size_t at)
{
    return std::all_of(bytes.begin() + ptrdiff_t(at), bytes.begin() + ptrdiff_t(at + 4),
                       [](uint8_t c) { return std::isalnum(c) != 0 || c == ' '; });
}

void write32(VideoBytes& bytes, size_t at, uint32_t number, bool big)
{
    for (size_t i = 0; i < 4 && at + i < bytes.size(); ++i)
        bytes[at + i] = uint8_t(number >> (big ? 24 - 8 * i : 8 * i));
}

}

VideoMutator::VideoMutator(std::vector<VideoBytes> videos, unsigned seed)
    : m_videos(std::move(videos))
    , m_random(seed)
{}

size_t VideoMutator::below(size_t end)
{
    return end == 0 ? 0 : std::uniform_int_distribution<size_t>(0, end - 1)(m_random);
}

VideoBytes VideoMutator::next()
{
    const size_t which = below(m_videos.size());
    VideoBytes bytes = m_videos[which];
    m_description = "video " + std::to_string(which);
    for (size_t i = 0, count = 1 + below(3); i < count && bytes.size() > 64; ++i)
        mutateOnce(bytes);
    return bytes;
}

void VideoMutator::mutateOnce(VideoBytes& bytes)
{
    using Mutation = void (VideoMutator::*)(VideoBytes&);
    // Structure more often than noise, which mostly dies in the frames' data.
    constexpr std::array<std::pair<const char*, Mutation>, 11> mutations{{
        {"bits", &VideoMutator::flipBits},
        {"bytes", &VideoMutator::overwrite},
        {"gap", &VideoMutator::removeStretch},
        {"double", &VideoMutator::doubleStretch},
        {"cut", &VideoMutator::truncate},
        {"splice", &VideoMutator::splice},
        {"box", &VideoMutator::editBox},
        {"box", &VideoMutator::editBox},
        {"box", &VideoMutator::editBox},
        {"number", &VideoMutator::editNumber},
        {"number", &VideoMutator::editNumber},
    }};
    const auto& [name, mutation] = mutations[below(mutations.size())];
    m_description += std::string(", ") + name;
    (this->*mutation)(bytes);
}

void VideoMutator::flipBits(VideoBytes& bytes)
{
    for (size_t i = 0, count = 1 + below(24); i < count; ++i)
        bytes[below(bytes.size())] ^= uint8_t(1U << below(8));
}

void VideoMutator::overwrite(VideoBytes& bytes)
{
    const size_t at = below(bytes.size());
    const auto value = uint8_t(below(2) == 0 ? 0 : below(256));
    std::fill_n(bytes.begin() + ptrdiff_t(at), std::min(bytes.size() - at, 1 + below(200)), value);
}

void VideoMutator::removeStretch(VideoBytes& bytes)
{
    const size_t at = below(bytes.size());
    const size_t count = std::min(bytes.size() - at, 1 + below(2000));
    bytes.erase(bytes.begin() + ptrdiff_t(at), bytes.begin() + ptrdiff_t(at + count));
}

void VideoMutator::doubleStretch(VideoBytes& bytes)
{
    const size_t at = below(bytes.size());
    const VideoBytes stretch(bytes.begin() + ptrdiff_t(at),
                             bytes.begin() + ptrdiff_t(std::min(bytes.size(), at + 1 + below(2000))));
    bytes.insert(bytes.begin() + ptrdiff_t(below(bytes.size())), stretch.begin(), stretch.end());
}

void VideoMutator::truncate(VideoBytes& bytes)
{
    bytes.resize(64 + below(bytes.size() - 64));
}

void VideoMutator::splice(VideoBytes& bytes)
{
    const VideoBytes& other = m_videos[below(m_videos.size())];
    bytes.resize(64 + below(bytes.size() - 64));
    bytes.insert(bytes.end(), other.begin() + ptrdiff_t(below(other.size())), other.end());
}

/// The size before a box's name, or a number behind it.
void VideoMutator::editBox(VideoBytes& bytes)
{
    // Most boxes stand near the start or the end.
    const size_t reach = std::min<size_t>(bytes.size(), 4096);
    size_t at = below(2) == 0 ? below(reach) : bytes.size() - reach + below(reach);
    while (at + 40 < bytes.size() && !(at >= 4 && isBoxName(bytes, at)))
        ++at;
    if (at + 40 >= bytes.size() || at < 4)
        return flipBits(bytes);
    const size_t where = below(3) == 0 ? at - 4 : at + 4 + 4 * below(8);
    write32(bytes, where, evilNumbers[below(evilNumbers.size())], below(4) != 0);
}

void VideoMutator::editNumber(VideoBytes& bytes)
{
    const size_t reach = std::min<size_t>(bytes.size(), 2048);
    write32(bytes, below(reach), evilNumbers[below(evilNumbers.size())], below(2) == 0);
}

}
