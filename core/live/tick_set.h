#pragma once

#include <bit>
#include <cstdint>
#include <map>

namespace attnscope {

/// A set of ticks at one bit each, so that hours of a camera take little memory. Ticks are not negative.
class TickSet {
public:
    bool contains(std::int64_t tick) const { return count(tick, tick + 1) == 1; }

    void set(std::int64_t tick, bool in)
    {
        std::uint64_t& word = m_words[tick / 64];
        word = (word & ~bit(tick)) | (in ? bit(tick) : 0);
    }

    /// How many there are in [begin, end).
    std::int64_t count(std::int64_t begin, std::int64_t end) const
    {
        std::int64_t counted = 0;
        for (auto at = m_words.lower_bound(begin / 64); at != m_words.end() && at->first * 64 < end; ++at) {
            std::uint64_t word = at->second;
            if (at->first * 64 < begin)
                word &= ~(bit(begin) - 1);
            if (at->first * 64 + 64 > end)
                word &= bit(end) - 1;
            counted += std::popcount(word);
        }
        return counted;
    }

    /// Removes all of [begin, end).
    void clear(std::int64_t begin, std::int64_t end)
    {
        for (std::int64_t tick = begin; tick < end; ++tick)
            if (const auto word = m_words.find(tick / 64); word != m_words.end())
                word->second &= ~bit(tick);
    }

private:
    static std::uint64_t bit(std::int64_t tick) { return std::uint64_t{1} << (tick % 64); }

    std::map<std::int64_t, std::uint64_t> m_words;  // by tick / 64
};

}
