#pragma once

// Stands in for a CUDA device, so that the kernels' own source runs and is tested where there is none: include this before any .cuh.
//
// Copies to shared memory happen as late as the hardware may do them. A block's threads are fibers (ucontext), run one at a time until they wait for each other: deterministic, in ascending or descending
// order of threads. Blocks run one after the other. Warp-wide instructions (shuffles, ballots, matrix products, ldmatrix) exchange their
// operands among 32 fibers, laid out as the PTX manual lays fragments out, written down here a second time.
//
// What it finds: wrong indices, layouts and arithmetic, reads of shared memory that nobody wrote (it begins as NaN), a barrier that not
// all threads reach, missing barriers where the order of threads matters (run both orders), unaligned vector accesses.
// It counts bank conflicts of ldmatrix (`conflicts`), not those of other accesses to shared memory.
// What it cannot find: races that neither order shows, too many registers, anything about speed; and the last bits differ: a tensor core rounds its sums in its own way, and exp2f, sinf, logf are the host's.

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#define ATTNSCOPE_EMULATED
#define __global__
#define __device__
#define __host__

namespace attnscope::emulated {

struct Index {
    unsigned x = 0, y = 0, z = 0;
};

constexpr unsigned warpSize = 32;

/// Wherever fibers meet. An exchange has two sides in turn, so that one meeting is enough: nobody is two exchanges ahead.
struct Meeting {
    unsigned members = 0, arrived = 0;
    uint64_t rounds = 0;
};

struct Warp {
    Meeting meeting;
    std::array<std::array<std::array<unsigned char, 64>, warpSize>, 2> operands;
};

/// How often the addresses of a warp's access lie in different rows of the same banks: 1 is the best.
struct Conflicts {
    int64_t accesses = 0;
    unsigned worst = 0;

    /// Eight rows of 16 bytes at a time, which fill the 32 banks of 4 bytes where they do not collide.
    void add(const void* const* rows)
    {
        std::array<unsigned, 8> banks{};
        for (unsigned i = 0; i < 8; ++i)
            if (std::find(rows, rows + i, rows[i]) == rows + i)
                worst = std::max(worst, ++banks[reinterpret_cast<std::uintptr_t>(rows[i]) / 16 % 8]);
        ++accesses;
    }
};
inline thread_local Conflicts conflicts;

class Block;
inline thread_local Block* running = nullptr;

/// One block of threads at work.
class Block {
public:
    Block(Index blocks, Index block, unsigned threads, size_t shared, bool descending)
        : gridSize(blocks)
        , blockIndex(block)
        , blockSize{threads, 1, 1}
        , m_shared(std::max<size_t>((shared + 15) / 16, 1))
        , m_fibers(threads)
        , m_warps((threads + warpSize - 1) / warpSize)
        , m_descending(descending)
    {
        m_all.members = threads;
        for (unsigned w = 0; w < m_warps.size(); ++w)
            m_warps[w].meeting.members = std::min(warpSize, threads - w * warpSize);
        std::memset(m_shared.data(), 0xff, m_shared.size() * sizeof(Sixteen));
    }

    void run(const std::function<void()>& kernel)
    {
        running = this;
        m_kernel = &kernel;
        for (unsigned t = 0; t < m_fibers.size(); ++t)
            start(t);
        unsigned left = unsigned(m_fibers.size());
        while (left > 0) {
            bool moved = false;
            for (unsigned i = 0; i < m_fibers.size(); ++i) {
                threadIndex.x = m_descending ? unsigned(m_fibers.size()) - 1 - i : i;
                Fiber& fiber = m_fibers[threadIndex.x];
                if (fiber.done || (fiber.waitsFor != nullptr && fiber.waitsFor->rounds == fiber.round))
                    continue;
                fiber.waitsFor = nullptr;
                moved = true;
                swapcontext(&m_scheduler, &fiber.context);
                left -= fiber.done ? 1 : 0;
            }
            if (!moved) {
                std::fprintf(stderr, "emulated block: a barrier was not reached by all of its threads\n");
                std::abort();
            }
        }
        running = nullptr;
    }

    void meet(Meeting& meeting)
    {
        if (++meeting.arrived == meeting.members) {
            meeting.arrived = 0;
            ++meeting.rounds;
            return;
        }
        Fiber& fiber = m_fibers[threadIndex.x];
        fiber.waitsFor = &meeting;
        fiber.round = meeting.rounds;
        swapcontext(&fiber.context, &m_scheduler);
    }

    void meetAll() { meet(m_all); }
    Warp& warp() { return m_warps[threadIndex.x / warpSize]; }
    unsigned lane() const { return threadIndex.x % warpSize; }
    unsigned char* shared() { return m_shared.data()->bytes; }

    /// What this thread copies, not before it waits for it.
    std::vector<std::pair<void*, const void*>>& copies() { return m_fibers[threadIndex.x].copies; }

    /// Every lane's operand of one warp-wide instruction.
    template <typename T>
    std::array<T, warpSize> exchange(const T& own)
    {
        static_assert(sizeof(T) <= 64);
        Warp& together = warp();
        if (together.meeting.members != warpSize)
            std::abort();
        auto& operands = together.operands[together.meeting.rounds % 2];
        std::memcpy(operands[lane()].data(), &own, sizeof own);
        meet(together.meeting);
        std::array<T, warpSize> all;
        for (unsigned i = 0; i < warpSize; ++i)
            std::memcpy(&all[i], operands[i].data(), sizeof(T));
        return all;
    }

    const Index gridSize, blockIndex, blockSize;
    Index threadIndex;

private:
    struct Fiber {
        ucontext_t context;
        std::unique_ptr<unsigned char[]> stack;
        Meeting* waitsFor = nullptr;
        uint64_t round = 0;
        std::vector<std::pair<void*, const void*>> copies;
        bool done = false;
    };
    struct alignas(16) Sixteen {
        unsigned char bytes[16];
    };

    void start(unsigned t)
    {
        constexpr size_t stackSize = 64 * 1024;
        Fiber& fiber = m_fibers[t];
        fiber.stack.reset(new unsigned char[stackSize]);
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = stackSize;
        fiber.context.uc_link = &m_scheduler;
        makecontext(&fiber.context, &Block::enter, 0);
    }

    static void enter()
    {
        Block* block = running;
        (*block->m_kernel)();
        block->m_fibers[block->threadIndex.x].done = true;
    }

    std::vector<Sixteen> m_shared;
    std::vector<Fiber> m_fibers;
    std::vector<Warp> m_warps;
    bool m_descending;
    Meeting m_all;
    ucontext_t m_scheduler;
    const std::function<void()>* m_kernel = nullptr;
};

/// Starts kernels as launch.cuh asks for it.
struct Starter {
    bool descending = false;     ///< order of threads
    int64_t limit = 227 * 1024;  ///< bytes of shared memory of a block: an H200's
    bool onlyAsks = false;       ///< whether a launch can be configured

    template <typename Kernel, typename Grid, typename... Arguments>
    int launch(Kernel kernel, const Grid& grid, const Arguments&... arguments) const
    {
        if (grid.shared > limit)
            return refuse();
        if (onlyAsks)
            return 0;
        const Index blocks{unsigned(grid.blocks), unsigned(grid.chunks), 1};
        for (unsigned y = 0; y < blocks.y; ++y)
            for (unsigned x = 0; x < blocks.x; ++x)
                Block(blocks, {x, y, 0}, unsigned(grid.threads), size_t(grid.shared), descending).run([&] {
                    kernel(arguments...);
                });
        return 0;
    }
    int64_t sharedLimit() const { return limit; }
    int64_t busyWarps() const { return 1; }  // so that blocks go through several tiles
    int refuse() const { return 1; }
};

}

// --- CUDA's words ---

#define threadIdx (::attnscope::emulated::running->threadIndex)
#define blockIdx (::attnscope::emulated::running->blockIndex)
#define blockDim (::attnscope::emulated::running->blockSize)
#define gridDim (::attnscope::emulated::running->gridSize)

inline void __syncthreads()
{
    attnscope::emulated::running->meetAll();
}

inline void __syncwarp()
{
    attnscope::emulated::running->meet(attnscope::emulated::running->warp().meeting);
}

template <typename T>
T __shfl_xor_sync(unsigned, T value, int mask)
{
    const unsigned lane = attnscope::emulated::running->lane();
    return attnscope::emulated::running->exchange(value)[lane ^ unsigned(mask)];
}

template <typename T>
T __shfl_up_sync(unsigned, T value, unsigned step)
{
    const unsigned lane = attnscope::emulated::running->lane();
    return attnscope::emulated::running->exchange(value)[lane >= step ? lane - step : lane];
}

template <typename T>
T __shfl_sync(unsigned, T value, int lane)
{
    return attnscope::emulated::running->exchange(value)[unsigned(lane)];
}

inline unsigned __ballot_sync(unsigned, int predicate)
{
    unsigned bits = 0, lane = 0;
    for (const int one : attnscope::emulated::running->exchange(predicate))
        bits |= one != 0 ? 1u << lane++ : (++lane, 0u);
    return bits;
}

inline int __ffs(int bits)
{
    return __builtin_ffs(bits);
}

inline int __clz(int bits)
{
    return bits == 0 ? 32 : __builtin_clz(unsigned(bits));
}

// --- what core/kernels/cuda/device.cuh declares ---

#include "core/kernels/cuda/device.cuh"

namespace attnscope::kernels::cuda {

inline unsigned char* sharedMemory()
{
    return emulated::running->shared();
}

namespace pieces {

inline uint32_t bfloat16Bits(float x)
{
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return x == x ? (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16 : 0x7fffu;
}

inline float floatOf(uint32_t half)
{
    const uint32_t bits = half << 16;
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

/// Number i of the two in a register.
inline float part(uint32_t both, unsigned i)
{
    return floatOf(both >> (16 * i) & 0xffffu);
}

inline float roundedTo10Bits(float x)
{
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    const bool number = x == x;
    bits = number ? (bits + 0x1000u) & 0xffffe000u : bits;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

template <typename Left, typename Right>
struct Operands {
    Left a;
    Right b;
};

}

inline uint32_t packed(float first, float second)
{
    return pieces::bfloat16Bits(first) | pieces::bfloat16Bits(second) << 16;
}

/// PTX ISA, "Matrix Fragments for mma.m16n8k16": of A register r holds row g + 8·(r odd), columns 2t + 8·(r ≥ 2) and the next; of B rows
/// 2t + 8r and the next of column g; of C entry i row g + 8·(i ≥ 2), column 2t + (i odd). g = lane / 4, t = lane mod 4.
inline void multiply16(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
    struct Own {
        uint32_t a[4], b[2];
    } own;
    std::memcpy(own.a, a, sizeof own.a);
    std::memcpy(own.b, b, sizeof own.b);
    const auto all = emulated::running->exchange(own);
    const unsigned lane = emulated::running->lane();
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
        for (unsigned k = 0; k < 16; ++k) {
            const Own& left = all[4 * (row % 8) + k % 8 / 2];
            const Own& right = all[4 * column + k % 8 / 2];
            c[i] += pieces::part(left.a[row / 8 + 2 * (k / 8)], k % 2) * pieces::part(right.b[k / 8], k % 2);
        }
    }
}

/// "Matrix Fragments for mma.m16n8k8", .tf32: of A register r holds row g + 8·(r odd), column t + 4·(r ≥ 2); of B row t + 4r of column g.
inline void multiply8(float (&c)[4], const float (&a)[4], const float (&b)[2])
{
    struct Own {
        float a[4], b[2];
    } own;
    std::memcpy(own.a, a, sizeof own.a);
    std::memcpy(own.b, b, sizeof own.b);
    const auto all = emulated::running->exchange(own);
    const unsigned lane = emulated::running->lane();
    const auto high = [](float x) { return pieces::roundedTo10Bits(x); };
    const auto low = [&](float x) { return pieces::roundedTo10Bits(x - high(x)); };
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
        for (unsigned k = 0; k < 8; ++k) {
            const float left = all[4 * (row % 8) + k % 4].a[row / 8 + 2 * (k / 4)],
                        right = all[4 * column + k % 4].b[k / 4];
            c[i] += low(left) * high(right) + high(left) * low(right) + high(left) * high(right);
        }
    }
}

/// "Warp-level matrix load": lane 8i + r names row r of block i; transposed, a lane gets rows 2t, 2t + 1 of column g of each block.
inline void loadTransposed(uint32_t (&blocks)[4], const void* row)
{
    if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0)
        std::abort();
    const auto rows = emulated::running->exchange(row);
    const unsigned g = emulated::running->lane() / 4, t = emulated::running->lane() % 4;
    for (unsigned i = 0; i < 4 && emulated::running->lane() == 0; ++i)
        emulated::conflicts.add(&rows[8 * i]);
    for (unsigned i = 0; i < 4; ++i) {
        uint16_t two[2];
        for (unsigned j = 0; j < 2; ++j)
            std::memcpy(&two[j], static_cast<const unsigned char*>(rows[8 * i + 2 * t + j]) + 2 * g, 2);
        blocks[i] = two[0] | uint32_t(two[1]) << 16;
    }
}

inline void copyLater(void* shared, const void* global)
{
    if (reinterpret_cast<std::uintptr_t>(shared) % 16 != 0 || reinterpret_cast<std::uintptr_t>(global) % 16 != 0)
        std::abort();
    emulated::running->copies().push_back({shared, global});
}

inline void waitForCopies()
{
    for (const auto& [shared, global] : emulated::running->copies())
        std::memcpy(shared, global, 16);
    emulated::running->copies().clear();
}

}
