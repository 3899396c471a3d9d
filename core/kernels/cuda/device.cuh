#pragma once

// The GPU primitives that kernels need. Everything else in this folder is plain C++ with CUDA's built-ins (threadIdx, __syncthreads, …), so
// that tests/core/kernels/cuda_emulation.h can replace the GPU: it is included first and defines ATTNSCOPE_EMULATED.

#include "core/kernels/cuda/cuda_kernels.h"

#include <cstdint>

#if defined(ATTNSCOPE_EMULATED)
#define ATTNSCOPE_UNROLL
#define ATTNSCOPE_DEVICE inline
#define ATTNSCOPE_EVERYWHERE inline
#else
#define ATTNSCOPE_UNROLL _Pragma("unroll")
#define ATTNSCOPE_DEVICE __device__ __forceinline__
#define ATTNSCOPE_EVERYWHERE __host__ __device__ __forceinline__
#endif

namespace attnscope::kernels::cuda {

constexpr int lanesOfWarp = 32;
constexpr unsigned wholeWarp = 0xffffffffu;
constexpr float nothing = -1e30f;  ///< for −∞: its exponential is negligible

/// Packs two bfloat16 into a register, the first in the lower half; rounds to nearest, ties to even.
ATTNSCOPE_DEVICE uint32_t packed(float first, float second);
/// c += a b for 16×16 times 16×8 bfloat16; fragments are laid out over a warp as in PTX's mma.m16n8k16.
ATTNSCOPE_DEVICE void multiply16(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]);
/// c += a b for 16×8 times 8×8 float32: mma.m16n8k8 in three products of tf32 parts, as accurate as float32 except for the last bits.
ATTNSCOPE_DEVICE void multiply8(float (&c)[4], const float (&a)[4], const float (&b)[2]);
/// Four transposed 8×8 blocks of 16-bit numbers; lane 8i + r gives the address of row r of block i (PTX's ldmatrix .x4.trans).
ATTNSCOPE_DEVICE void loadTransposed(uint32_t (&blocks)[4], const void* row);
/// Copies 16 bytes to shared memory asynchronously, complete after waitForCopies(); both addresses are multiples of 16.
ATTNSCOPE_DEVICE void copyLater(void* shared, const void* global);
ATTNSCOPE_DEVICE void waitForCopies();

#if !defined(ATTNSCOPE_EMULATED)

/// The block's dynamic shared memory.
ATTNSCOPE_DEVICE unsigned char* sharedMemory()
{
    extern __shared__ __align__(16) unsigned char memory[];
    return memory;
}

ATTNSCOPE_DEVICE uint32_t packed(float first, float second)
{
    uint32_t both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
    return both;
}

ATTNSCOPE_DEVICE void multiply16(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

ATTNSCOPE_DEVICE void multiplyParts(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// x = high + low, each with tf32's 10-bit mantissa and a remainder below 2^-21 of x.
ATTNSCOPE_DEVICE void split(float x, uint32_t& high, uint32_t& low)
{
    high = (__float_as_uint(x) + 0x1000u) & 0xffffe000u;
    low = (__float_as_uint(x - __uint_as_float(high)) + 0x1000u) & 0xffffe000u;
}

ATTNSCOPE_DEVICE void multiply8(float (&c)[4], const float (&a)[4], const float (&b)[2])
{
    uint32_t aHigh[4], aLow[4], bHigh[2], bLow[2];
    ATTNSCOPE_UNROLL
    for (int i = 0; i < 4; ++i)
        split(a[i], aHigh[i], aLow[i]);
    ATTNSCOPE_UNROLL
    for (int i = 0; i < 2; ++i)
        split(b[i], bHigh[i], bLow[i]);
    multiplyParts(c, aLow, bHigh);  // small parts first
    multiplyParts(c, aHigh, bLow);
    multiplyParts(c, aHigh, bHigh);
}

ATTNSCOPE_DEVICE void loadTransposed(uint32_t (&blocks)[4], const void* row)
{
    const auto address = uint32_t(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(blocks[0]), "=r"(blocks[1]), "=r"(blocks[2]), "=r"(blocks[3])
                 : "r"(address)
                 : "memory");
}

ATTNSCOPE_DEVICE void copyLater(void* shared, const void* global)
{
    const auto address = uint32_t(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
}

ATTNSCOPE_DEVICE void waitForCopies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

#endif

template <typename T>
ATTNSCOPE_DEVICE T min(T a, T b)
{
    return a < b ? a : b;
}

template <typename T>
ATTNSCOPE_DEVICE T max(T a, T b)
{
    return a > b ? a : b;
}

ATTNSCOPE_DEVICE float exponential(float x)
{
    return exp2f(x * 1.44269504088896341f);
}

/// Maximum over the four lanes that hold the same rows of a fragment.
ATTNSCOPE_DEVICE float largestOfFour(float x)
{
    x = max(x, __shfl_xor_sync(wholeWarp, x, 1));
    return max(x, __shfl_xor_sync(wholeWarp, x, 2));
}

ATTNSCOPE_DEVICE float sumOfFour(float x)
{
    x += __shfl_xor_sync(wholeWarp, x, 1);
    return x + __shfl_xor_sync(wholeWarp, x, 2);
}

ATTNSCOPE_DEVICE float largestOfWarp(float x)
{
    for (int lanes = lanesOfWarp / 2; lanes > 0; lanes /= 2)
        x = max(x, __shfl_xor_sync(wholeWarp, x, lanes));
    return x;
}

ATTNSCOPE_DEVICE float sumOfWarp(float x)
{
    for (int lanes = lanesOfWarp / 2; lanes > 0; lanes /= 2)
        x += __shfl_xor_sync(wholeWarp, x, lanes);
    return x;
}

ATTNSCOPE_DEVICE int laneOf()
{
    return int(threadIdx.x) % lanesOfWarp;
}
ATTNSCOPE_DEVICE int warpOf()
{
    return int(threadIdx.x) / lanesOfWarp;
}

}
