#pragma once

#include <bit>
#include <cstdint>
#include <map>

namespace attnscope {

/// A set of ticks at one bit each, so that hours of a camera take little memory. Ticks are not negative.
class TickSet {
public:
    bool contains(int64_t tick) const { return count(tick, tick + 1) == 1; }

    void set(int64_t tick, bool in)
    {
        uint64_t& word = m_words[tick / 64];
        word = (word & ~bit(tick)) | (in ? bit(tick) : 0);
    }

    /// How many there are in [begin, end).
    int64_t count(int64_t begin, int64_t end) const
    {
        int64_t counted = 0;
        for (auto at = m_words.lower_bound(begin / 64); at != m_words.end() && at->first * 64 < end; ++at) {
            uint64_t word = at->second;
            if (at->first * 64 < begin)
                word &= ~(bit(begin) - 1);
            if (at->first * 64 + 64 > end)
                word &= bit(end) - 1;
            counted += std::popcount(word);
        }
        return counted;
    }

    /// Removes all of [begin, end).
    void clear(int64_t begin, int64_t end)
    {
        for (int64_t tick = begin; tick < end; ++tick)
            if (const auto word = m_words.find(tick / 64); word != m_words.end())
                word->second &= ~bit(tick);
    }

private:
    static uint64_t bit(int64_t tick) { return uint64_t{1} << (tick % 64); }

    std::map<int64_t, uint64_t> m_words;  // by tick / 64
};

}
