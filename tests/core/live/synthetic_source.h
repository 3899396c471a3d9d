#pragma once

#include "core/base/error.h"
#include "core/live/play_source.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace attnscope::test {

/// What a synthetic source does besides counting.
struct SourceHabits {
    int frames = 90;
    double rate = 30;
    int width = 16, height = 12;
    int decodeMs = 0;  ///< how long each frame takes
    int failAt = -1;   ///< throws FileError instead of this frame
    int rotation = 0;
    bool live = false, knowsDuration = true;
    double unit = 1.0 / 90'000;
    std::vector<double> times;  ///< of the frames, when they are not a rate apart
};

/// Frames whose number stands in their first four bytes.
class SyntheticSource : public PlaySource {
public:
    explicit SyntheticSource(SourceHabits habits, std::atomic<int>* conversions = nullptr)
        : m_habits(std::move(habits))
        , m_conversions(conversions)
    {
        m_info.name = "synthetic";
        m_info.width = m_habits.width;
        m_info.height = m_habits.height;
        m_info.rate = m_habits.rate;
        m_info.unit = m_habits.unit;
        m_info.start = 1234;
        m_info.rotation = m_habits.rotation;
        m_info.live = m_habits.live;
        m_info.seekable = !m_habits.live;
        if (m_habits.knowsDuration && !m_habits.live)
            m_info.duration = timeOf(m_habits.frames - 1) + 1 / m_habits.rate;
    }

    const SourceInfo& info() const override { return m_info; }
    bool advance() override
    {
        if (m_current + 1 >= m_habits.frames)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(m_habits.decodeMs));
        if (++m_current == m_habits.failAt)
            throw FileError(m_info.name, "cannot be decoded", "give another file");
        return true;
    }
    int64_t pts() const override { return ptsOf(m_current); }
    double seconds() const override { return timeOf(m_current); }
    void write(uint8_t* rgb, int64_t stride) override
    {
        std::memset(rgb, m_current % 251, size_t(stride * m_info.height));
        std::memcpy(rgb, &m_current, sizeof m_current);
        if (m_conversions != nullptr)
            ++*m_conversions;
    }
    void seek(int64_t pts) override
    {
        m_current = -1;
        while (m_current + 2 < m_habits.frames && ptsOf(m_current + 2) <= pts)
            ++m_current;
    }

    double timeOf(int frame) const
    {
        return m_habits.times.empty() ? frame / m_habits.rate : m_habits.times[size_t(std::max(frame, 0))];
    }

private:
    int64_t ptsOf(int frame) const { return m_info.ptsAt(timeOf(frame)); }

    SourceHabits m_habits;
    std::atomic<int>* m_conversions;
    SourceInfo m_info;
    int m_current = -1;
};

/// The number that a frame carries.
inline int numberOf(const uint8_t* rgb)
{
    int number = 0;
    std::memcpy(&number, rgb, sizeof number);
    return number;
}

inline auto opens(SourceHabits habits, std::atomic<int>* conversions = nullptr)
{
    return [habits, conversions](std::stop_token) -> std::unique_ptr<PlaySource> {
        return std::make_unique<SyntheticSource>(habits, conversions);
    };
}

}
