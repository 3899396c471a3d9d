#pragma once

#include "core/kernels/cuda/fragments.cuh"

/// Where a thread block works, and its shared memory.
namespace attnscope::kernels::cuda {

/// The problem that a block works on.
struct Place {
    int64_t sample, head, group, matrix, pair;

    ATTNSCOPE_DEVICE Place(const Counts& counts, int64_t at)
        : sample(at / (counts.heads * counts.groups))
        , head(at / counts.groups % counts.heads)
        , group(at % counts.groups)
        , matrix(at)
        , pair(at / counts.groups)
    {}

    template <typename T>
    ATTNSCOPE_DEVICE const T* in(const Matrices& matrices) const
    {
        return static_cast<const T*>(matrices.data) + sample * matrices.sample + head * matrices.head
               + group * matrices.group;
    }
};

/// Whether keys that are few (features) stay in shared memory while a block goes through several tiles of queries.
ATTNSCOPE_EVERYWHERE bool streamsQueries(Weights weights, int64_t keyCount)
{
    return (weights == Weights::Softmax || weights == Weights::Landmarks) && keyCount <= keyTile;
}

/// Layout of a block's shared memory.
template <typename T, int D>
struct Room {
    static constexpr int keyStride = D + Fragments<T>::keyPad, valueStride = D + Fragments<T>::valuePad;

    T *queries, *keys, *values, *landmarks;
    float* biases;

    ATTNSCOPE_DEVICE Room(unsigned char* memory, int rows)
        : queries(reinterpret_cast<T*>(memory))
        , keys(queries + rows * keyStride)
        , values(keys + keyTile * keyStride)
        , landmarks(values + keyTile * valueStride)
        , biases(reinterpret_cast<float*>(landmarks))
    {}
    /// LARA's landmarks follow the values.
    ATTNSCOPE_DEVICE void addLandmarks() { biases = reinterpret_cast<float*>(landmarks + keyTile * keyStride); }

    /// Size in bytes. Without values there are no biases either, and the memory ends after the keys.
    static constexpr int64_t size(int rows, bool withValues, bool withLandmarks)
    {
        const int64_t keyRows = rows + keyTile * (withLandmarks ? 2 : 1), number = sizeof(T);
        const int64_t values = withValues ? number * keyTile * valueStride + keyTile * int64_t(sizeof(float)) : 0;
        return number * keyRows * keyStride + values;
    }
};

}
