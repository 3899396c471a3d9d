#include "core/live/live_window.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace attnscope {

namespace {

/// Copies the rows of `frame` to `clip`'s buffer, rotated upright.
void copyUpright(const Frame& frame, int rotation, Clip& clip)
{
    const bool exchanged = rotation % 180 != 0;
    clip.frames = 1;
    clip.width = exchanged ? frame.height : frame.width;
    clip.height = exchanged ? frame.width : frame.height;
    clip.pixels.resize(size_t(clip.width * clip.height * 3));
    const int64_t row = clip.width * 3;
    // Offsets of the pixels to the right of a pixel and below it.
    const int64_t right = rotation == 0 ? 3 : rotation == 90 ? row : rotation == 180 ? -3 : -row;
    const int64_t last = int64_t(clip.pixels.size()) - 3;
    for (int64_t y = 0; y < frame.height; ++y) {
        const uint8_t* from = frame.rgb.data() + y * frame.stride;
        const int64_t begin = rotation == 0     ? y * row
                              : rotation == 90  ? row - 3 - y * 3
                              : rotation == 180 ? last - y * row
                                                : last - row + 3 + y * 3;
        if (rotation == 0) {
            std::memcpy(clip.pixels.data() + begin, from, size_t(row));
            continue;
        }
        for (int64_t x = 0; x < frame.width; ++x)
            std::copy_n(from + x * 3, 3, clip.pixels.data() + begin + x * right);
    }
}

}

LiveWindow::LiveWindow(int64_t ahead)
    : m_ahead(ahead)
{}

void LiveWindow::setRecipe(Recipe recipe)
{
    const std::scoped_lock lock(m_mutex);
    m_recipe = std::move(recipe);
    ++m_recipeNumber;
    m_grid = m_recipe.wish.grid(m_rate, m_unit);
    resize();
}

ClipGrid LiveWindow::grid() const
{
    const std::scoped_lock lock(m_mutex);
    return m_grid;
}

void LiveWindow::resize()
{
    m_kept.clear();
    m_next = 0;
    m_lastTick = m_firstTick = -1;
    m_endedEpoch = 0;
    if (!m_recipe.prepare)
        return;
    m_kept.resize(size_t(m_grid.frames + m_ahead));
    for (Kept& kept : m_kept)
        kept.planes.resize(size_t(3 * m_recipe.height * m_recipe.width));
}

double LiveWindow::reach() const
{
    const std::scoped_lock lock(m_mutex);
    return m_recipe.prepare ? m_grid.reach() : 0;
}

void LiveWindow::begin(const SourceInfo& info, uint64_t epoch)
{
    const std::scoped_lock lock(m_mutex);
    m_rotation = info.rotation;
    if (info.rate != m_rate || info.unit != m_unit) {
        m_rate = info.rate;
        m_unit = info.unit;
        m_grid = m_recipe.wish.grid(m_rate, m_unit);
        resize();
    }
    m_epoch = epoch;
    m_lastTick = m_firstTick = -1;
}

bool LiveWindow::wants(double seconds)
{
    const std::scoped_lock lock(m_mutex);
    const int64_t tick = m_grid.tickOf(seconds);
    return m_recipe.prepare && tick > m_lastTick && tick >= m_grid.firstTickOf(seconds);
}

void LiveWindow::take(const Frame& frame)
{
    Recipe recipe;
    uint64_t number = 0;
    {
        const std::scoped_lock lock(m_mutex);
        recipe = m_recipe;
        number = m_recipeNumber;
        m_scratch.tick = m_grid.firstTickOf(frame.seconds);
    }
    if (!recipe.prepare)
        return;
    m_scratch.epoch = frame.epoch;
    m_scratch.seconds = frame.seconds;
    m_scratch.planes.resize(size_t(3 * recipe.height * recipe.width));
    copyUpright(frame, m_rotation, m_frame);
    recipe.prepare(m_frame, m_scratch.planes.data());
    const std::scoped_lock lock(m_mutex);
    if (number != m_recipeNumber)
        return;
    m_lastTick = m_grid.tickOf(frame.seconds);
    if (m_firstTick < 0)
        m_firstTick = m_scratch.tick;
    std::swap(m_kept[m_next], m_scratch);
    m_next = (m_next + 1) % m_kept.size();
}

void LiveWindow::end()
{
    const std::scoped_lock lock(m_mutex);
    m_endedEpoch = m_epoch;
}

const LiveWindow::Kept* LiveWindow::keptAt(uint64_t epoch, int64_t tick) const
{
    const Kept* found = nullptr;
    for (const Kept& kept : m_kept)
        if (kept.epoch == epoch && kept.tick >= 0 && kept.tick <= tick
            && (found == nullptr || kept.tick > found->tick))
            found = &kept;
    return found;
}

int64_t LiveWindow::shortClipLocked(uint64_t epoch) const
{
    const bool isShort = m_endedEpoch == epoch && m_epoch == epoch && m_firstTick == 0
                         && m_lastTick < m_grid.frames - 1;
    return isShort ? m_lastTick : -1;
}

int64_t LiveWindow::shortClip(uint64_t epoch) const
{
    const std::scoped_lock lock(m_mutex);
    return shortClipLocked(epoch);
}

std::optional<LiveClip> LiveWindow::clipAt(uint64_t epoch, int64_t tick) const
{
    const std::scoped_lock lock(m_mutex);
    const int64_t frames = m_grid.frames, plane = m_recipe.height * m_recipe.width;
    const bool isShort = tick >= 0 && shortClipLocked(epoch) == tick;
    LiveClip clip;
    clip.epoch = epoch;
    clip.tick = tick;
    clip.pixels.shape = frames > 1 ? std::vector<int64_t>{3, frames, m_recipe.height, m_recipe.width}
                                   : std::vector<int64_t>{3, m_recipe.height, m_recipe.width};
    clip.pixels.values.resize(size_t(3 * frames * plane));
    for (int64_t i = 0; i < frames; ++i) {
        const Kept* kept = keptAt(epoch, isShort ? std::min(i, tick) : tick - (frames - 1) + i);
        if (kept == nullptr)
            return std::nullopt;
        for (int64_t c = 0; c < 3; ++c)
            std::copy_n(kept->planes.data() + c * plane, plane,
                        clip.pixels.values.data() + (c * frames + i) * plane);
        clip.frameSeconds.push_back(kept->seconds);
    }
    clip.seconds = clip.frameSeconds.back();
    return clip;
}

int64_t LiveWindow::bytes() const
{
    const std::scoped_lock lock(m_mutex);
    int64_t sum = 0;
    for (const Kept& kept : m_kept)
        sum += int64_t(kept.planes.size() * sizeof(float));
    return sum;
}

}
