#include "core/media/views/frame_store.h"

#include "core/base/process/processors.h"

#include <algorithm>
#include <thread>

namespace attnscope {

namespace {

unsigned cores()
{
    return unsigned(std::min(usableProcessors(), 8));
}

/// A few frames per thread, so that the cost of starting threads is negligible; at most 128 MiB of pixels.
size_t batchSize(int64_t frameBytes)
{
    constexpr int64_t maxBytes = int64_t{128} << 20;
    return size_t(std::clamp<int64_t>(maxBytes / std::max<int64_t>(frameBytes, 1), 1, 4 * cores()));
}

}

FrameStore::FrameStore(const VideoInfo& info, const ViewRequest& request)
    : m_request(request)
    , m_turn(request.rotation == Rotation::Apply ? info.rotation : 0)
    , m_width(m_turn % 180 == 0 ? info.width : info.height)
    , m_height(m_turn % 180 == 0 ? info.height : info.width)
    , m_batch(batchSize(info.width * info.height * 3))
{
    if (request.frames > 0)
        m_transform.emplace(m_width, m_height, request.transform, request.grid.crops);
}

int64_t FrameStore::bytesPerFrame() const
{
    const Transform& t = m_request.transform;
    const int64_t elements = m_transform ? m_transform->frameElements() : 3 * t.cropWidth * t.cropHeight;
    return elements * int64_t(sizeof(float));
}

void FrameStore::add(int64_t time, VideoReader& reader)
{
    Clip clip;
    reader.appendTo(clip);
    m_waiting.emplace_back(time, std::move(clip));
    if (m_waiting.size() >= m_batch)
        flush();
}

std::vector<float> FrameStore::transformed(Clip& clip) const
{
    turn(clip, m_turn);
    if (m_transform)
        return m_transform->frame(clip.pixels.data(), clip.width * 3);
    return applyTransform(clip, m_request.transform).values;
}

void FrameStore::flush()
{
    std::vector<std::vector<float>> results(m_waiting.size());
    const size_t threads = std::min<size_t>(cores(), m_waiting.size());
    const auto work = [&](size_t first) {
        for (size_t i = first; i < m_waiting.size(); i += threads)
            results[i] = transformed(m_waiting[i].second);
    };
    {
        std::vector<std::jthread> others;
        for (size_t thread = 1; thread < threads; ++thread)
            others.emplace_back(work, thread);
        if (threads > 0)
            work(0);
    }
    for (size_t i = 0; i < results.size(); ++i)
        m_frames[m_waiting[i].first] = std::move(results[i]);
    m_waiting.clear();
}

void FrameStore::keep(const std::unordered_set<int64_t>& times)
{
    flush();
    std::erase_if(m_frames, [&](const auto& frame) { return !times.contains(frame.first); });
}

FloatArray FrameStore::assemble(const std::vector<int64_t>& times, int64_t crop) const
{
    const Transform& t = m_request.transform;
    if (!m_transform)
        return {{3, t.cropHeight, t.cropWidth}, m_frames.at(times.front())};
    const auto count = int64_t(times.size());
    FloatArray view{{3, count, t.cropHeight, t.cropWidth}, {}};
    view.values.reserve(size_t(3 * count * t.cropHeight * t.cropWidth));  // resizing would write all of it again
    for (int64_t channel = 0; channel < 3; ++channel)
        for (const int64_t time : times) {
            const VideoTransform::Frame& frame = m_frames.at(time);
            for (int64_t y = 0; y < t.cropHeight; ++y) {
                const float* row = m_transform->cropRow(frame, crop, channel, y);
                view.values.insert(view.values.end(), row, row + t.cropWidth);
            }
        }
    return view;
}

}
