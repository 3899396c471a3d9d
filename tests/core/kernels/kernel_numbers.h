#pragma once

#include "core/kernels/cpu/cpu_kernels.h"

#include "tests/support/checks.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <random>
#include <vector>

/// What tests of kernels share: random numbers, products and errors in float64, words of bfloat16.
namespace attnscope::kernels {

/// Memory that ends where a page without access begins: a kernel that reads or writes behind an array ends the test.
template <typename T>
struct GuardedAllocator {
    using value_type = T;

    GuardedAllocator() = default;
    template <typename U>
    GuardedAllocator(const GuardedAllocator<U>&)
    {}

    T* allocate(size_t count)
    {
        const size_t room = roomFor(count);
        void* const begin = ::mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                                   0);
        if (begin == MAP_FAILED || ::mprotect(static_cast<char*>(begin) + room, page, PROT_NONE) != 0)
            throw std::bad_alloc();
        return reinterpret_cast<T*>(static_cast<char*>(begin) + room) - count;
    }
    void deallocate(T* data, size_t count)
    {
        const size_t room = roomFor(count);
        ::munmap(reinterpret_cast<char*>(data + count) - room, room + page);
    }
    bool operator==(const GuardedAllocator&) const = default;

private:
    static size_t roomFor(size_t count) { return (count * sizeof(T) + page - 1) / page * page; }

    static inline const size_t page = size_t(::sysconf(_SC_PAGESIZE));
};

using Floats = std::vector<float, GuardedAllocator<float>>;
using Doubles = std::vector<double>;

inline Floats normal(std::mt19937& random, int64_t count)
{
    std::normal_distribution<float> distribution;
    Floats numbers(static_cast<size_t>(count));
    for (float& x : numbers)
        x = distribution(random);
    return numbers;
}

inline double product(const Floats& a, int64_t i, const Floats& b, int64_t j, int64_t width)
{
    double sum = 0;
    for (int64_t d = 0; d < width; ++d)
        sum += double(a[size_t(i * width + d)]) * double(b[size_t(j * width + d)]);
    return sum;
}

inline double relativeError(const Floats& found, const Doubles& expected)
{
    double error = 0, size = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        error += std::pow(double(found[i]) - expected[i], 2);
        size += expected[i] * expected[i];
    }
    return std::sqrt(error / size);
}

inline Floats scratchFor(int64_t count)
{
    return Floats(size_t(count), std::nanf(""));  // what nobody wrote must not be read
}

/// What bfloat16 keeps of them.
inline Floats rounded(Floats numbers)
{
    for (float& x : numbers) {
        uint32_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        bits = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000;
        std::memcpy(&x, &bits, sizeof bits);
    }
    return numbers;
}

/// As words of two bfloat16 (the upper halves of their float32).
inline Floats narrowed(const Floats& numbers)
{
    std::vector<uint16_t> halves;
    for (const float x : rounded(numbers)) {
        uint32_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        halves.push_back(uint16_t(bits >> 16));
    }
    Floats packedInputs(numbers.size() / 2);
    std::memcpy(packedInputs.data(), halves.data(), packedInputs.size() * sizeof(float));
    return packedInputs;
}

/// Words of two → the numbers.
inline Floats widened(const Floats& packedInputs)
{
    std::vector<uint16_t> halves(packedInputs.size() * 2);
    std::memcpy(halves.data(), packedInputs.data(), packedInputs.size() * sizeof(float));
    Floats numbers;
    for (const uint16_t half : halves) {
        const uint32_t bits = uint32_t(half) << 16;
        float x;
        std::memcpy(&x, &bits, sizeof x);
        numbers.push_back(x);
    }
    return numbers;
}

/// weight (out, words) → strips of packed weights.
inline Floats packedWeightsOf(int64_t stripColumns, const Floats& weight, int64_t out, int64_t packedInputs)
{
    Floats packedWeights;
    for (int64_t begin = 0; begin < out; begin += stripColumns)
        for (int64_t d = 0; d < packedInputs; ++d)
            for (int64_t c = begin; c < std::min(begin + stripColumns, out); ++c)
                packedWeights.push_back(weight[size_t(c * packedInputs + d)]);
    return packedWeights;
}

/// A row of test data for each instruction set that this processor has.
inline void addSets()
{
    columns<int>("set");
    for (size_t i = 0; i < supportedCpuKernels().size(); ++i)
        row(supportedCpuKernels()[i]->name, int(i));
}

}
