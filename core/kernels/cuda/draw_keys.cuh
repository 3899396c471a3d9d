#pragma once

#include "core/kernels/cuda/fused_attention.cuh"
#include "core/kernels/cuda/philox.cuh"

/// Exact categorical sampling in O(N) memory: the first pass sums up stretches of keys, and only the stretch that contains the sample is
/// revisited. Gives the same samples as core/kernels/cpu from the same uniform numbers, except where rounding decides.
namespace attnscope::kernels::cuda {

/// Maximum number of stretches summed per row, so that shared memory does not grow with the keys.
constexpr int maxStretches = 128;

template <typename T, int D>
class Drawer {
public:
    ATTNSCOPE_DEVICE explicit Drawer(const DrawKeys& task)
        : m_task(task)
        , m_rows(int(blockDim.x) / lanesOfWarp * 16)
        , m_blocks((task.queryCount + m_rows - 1) / m_rows)
        , m_place(task.counts, int64_t(blockIdx.x) / m_blocks)
        , m_first(int64_t(blockIdx.x) % m_blocks * m_rows)
        , m_room(sharedMemory(), m_rows)
        , m_stretch(keysOfStretch(task.keyCount))
        , m_stretches(int((task.keyCount + m_stretch - 1) / m_stretch))
        , m_sums(reinterpret_cast<float*>(m_room.values))
        , m_maxima(m_sums + m_rows * m_stretches)
    {}

    ATTNSCOPE_DEVICE static int64_t keysOfStretch(int64_t keys)
    {
        const int64_t tiles = (keys + keyTile - 1) / keyTile;
        return (tiles + maxStretches - 1) / maxStretches * keyTile;
    }

    ATTNSCOPE_DEVICE void run()
    {
        const T* queries = m_place.template in<T>(m_task.queries) + m_first * m_task.queries.row;
        const auto count = int(min<int64_t>(m_rows, m_task.queryCount - m_first));
        loadTile(m_room.queries, m_room.keyStride, m_rows, queries, m_task.queries.row, count, m_task.width,
                 wholeDepths(m_task.width));
        for (int s = 0; s < m_stretches; ++s)
            sumStretch(s);
        __syncwarp();
        // One lane for each row of the warp: rescales the sums to the last maximum, and adds up the total.
        if (laneOf() < 16)
            unite(16 * warpOf() + laneOf());
        __syncwarp();
        for (int row = 0; row < 16; ++row)
            for (int draw = 0; draw < m_task.draws; ++draw)
                if (m_first + 16 * warpOf() + row < m_task.queryCount)
                    drawOne(16 * warpOf() + row, draw);
    }

private:
    ATTNSCOPE_DEVICE float& sumAt(int row, int stretch) const { return m_sums[row * m_stretches + stretch]; }
    ATTNSCOPE_DEVICE float& maximumAt(int row, int stretch) const { return m_maxima[row * m_stretches + stretch]; }

    ATTNSCOPE_DEVICE void sumStretch(int stretch)
    {
        float sums[2] = {0, 0};
        const int64_t begin = stretch * m_stretch, end = min(begin + m_stretch, m_task.keyCount);
        for (int64_t at = begin; at < end; at += keyTile)
            sumTile(at, int(min<int64_t>(keyTile, end - at)), sums);
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane) {
            if (laneOf() % 4 != 0)
                continue;
            const int row = 16 * warpOf() + laneOf() / 4 + 8 * rowOfLane;
            sumAt(row, stretch) = sums[rowOfLane];
            maximumAt(row, stretch) = m_maximum[rowOfLane];
        }
    }

    ATTNSCOPE_DEVICE void sumTile(int64_t at, int count, float (&sums)[2])
    {
        __syncthreads();
        loadTile(m_room.keys, m_room.keyStride, keyTile,
                 m_place.template in<T>(m_task.keys) + at * m_task.keys.row, m_task.keys.row, count, m_task.width,
                 wholeDepths(m_task.width));
        waitForCopies();
        __syncthreads();
        float scores[8][4];
        scoreTile(m_room.queries + 16 * warpOf() * m_room.keyStride, m_room.keys, m_room.keyStride, WholeTile(),
                  m_task.width, scores);
        float found[2] = {m_maximum[0], m_maximum[1]}, added[2] = {0, 0};
        ATTNSCOPE_UNROLL
        for (int block = 0; block < 8; ++block)
            ATTNSCOPE_UNROLL
        for (int i = 0; i < 4; ++i) {
            const bool there = 8 * block + 2 * (laneOf() % 4) + i % 2 < count;
            scores[block][i] = there ? fmaf(scores[block][i], m_task.scale,
                                            biasOf(at + 8 * block + 2 * (laneOf() % 4) + i % 2))
                                     : nothing;
            found[i / 2] = max(found[i / 2], scores[block][i]);
        }
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane) {
            found[rowOfLane] = largestOfFour(found[rowOfLane]);
            sums[rowOfLane] *= exponential(m_maximum[rowOfLane] - found[rowOfLane]);
            m_maximum[rowOfLane] = found[rowOfLane];
        }
        ATTNSCOPE_UNROLL
        for (int block = 0; block < 8; ++block)
            ATTNSCOPE_UNROLL
        for (int i = 0; i < 4; ++i)
            added[i / 2] += exponential(scores[block][i] - m_maximum[i / 2]);
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane)
            sums[rowOfLane] += sumOfFour(added[rowOfLane]);
    }

    ATTNSCOPE_DEVICE float biasOf(int64_t key) const
    {
        return m_task.bias == nullptr ? 0.0f : m_task.bias[m_place.pair * m_task.keyCount + key];
    }

    ATTNSCOPE_DEVICE void unite(int row) const
    {
        const float maximum = maximumAt(row, m_stretches - 1);
        for (int s = 0; s < m_stretches; ++s)
            sumAt(row, s) *= exponential(maximumAt(row, s) - maximum);
    }

    ATTNSCOPE_DEVICE float uniformOf(int64_t query, int draw) const
    {
        if (m_task.uniform != nullptr)
            return m_task.uniform[(m_place.pair * m_task.queryCount + query) * m_task.draws + draw];
        const int64_t ofSample = (m_place.head * m_task.queryCount + query) * m_task.draws + draw;
        return uniformAt(m_task.stream, m_place.sample, static_cast<uint64_t>(ofSample));
    }

    /// Executed by the whole warp for one row.
    ATTNSCOPE_DEVICE void drawOne(int row, int draw) const
    {
        const int64_t query = m_first + row;
        double total = 0;
        for (int s = 0; s < m_stretches; ++s)
            total += double(sumAt(row, s));
        const double level = total * double(uniformOf(query, draw));
        double below = 0;
        int stretch = 0;
        for (; stretch + 1 < m_stretches; ++stretch) {
            const double next = below + double(sumAt(row, stretch));
            if (level < next)
                break;
            below = next;
        }
        const int64_t begin = stretch * m_stretch, end = min(begin + m_stretch, m_task.keyCount);
        int64_t key = end - 1;
        for (int64_t at = begin; at < end; at += lanesOfWarp) {
            const double own = at + laneOf() < end ? double(weightOf(row, at + laneOf())) : 0;
            double upTo = own;
            for (int step = 1; step < lanesOfWarp; step *= 2) {
                const double before = __shfl_up_sync(wholeWarp, upTo, unsigned(step));
                upTo += laneOf() >= step ? before : 0;
            }
            // Where rounding leaves the level above all sums, the last key that counts at all.
            const unsigned counting = __ballot_sync(wholeWarp, at + laneOf() < end && own > 0);
            key = counting != 0 ? at + lanesOfWarp - 1 - __clz(int(counting)) : key;
            const unsigned past = __ballot_sync(wholeWarp, at + laneOf() < end && level < below + upTo);
            if (past != 0) {
                key = at + __ffs(int(past)) - 1;
                break;
            }
            below += __shfl_sync(wholeWarp, upTo, lanesOfWarp - 1);
        }
        if (laneOf() == 0)
            m_task.drawn[(m_place.pair * m_task.queryCount + query) * m_task.draws + draw] = int32_t(key);
    }

    ATTNSCOPE_DEVICE float weightOf(int row, int64_t key) const
    {
        const T* query = m_room.queries + row * m_room.keyStride;
        const T* from = m_place.template in<T>(m_task.keys) + key * m_task.keys.row;
        constexpr int some = Vector<T>::size;
        float logit = 0;
        int d = 0;
        if (isAligned(from, 0))
            for (; d + some <= m_task.width; d += some) {
                const auto a = vectorAt(query + d), b = vectorAt(from + d);
                ATTNSCOPE_UNROLL
                for (int i = 0; i < some; ++i)
                    logit = fmaf(widened(a.x[i]), widened(b.x[i]), logit);
            }
        for (; d < m_task.width; ++d)
            logit = fmaf(widened(query[d]), widened(from[d]), logit);
        return exponential(fmaf(logit, m_task.scale, biasOf(key)) - maximumAt(row, m_stretches - 1));
    }

    const DrawKeys& m_task;
    int m_rows;
    int64_t m_blocks;
    Place m_place;
    int64_t m_first;
    Room<T, D> m_room;
    int64_t m_stretch;
    int m_stretches;
    float *m_sums, *m_maxima;
    float m_maximum[2] = {nothing, nothing};
};

template <typename T, int D>
__global__ void drawKernel(const DrawKeys task)
{
    Drawer<T, D>(task).run();
}

}
