#include "core/base/random.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace attnscope;

namespace {

using Counter = std::array<uint32_t, 4>;

/// Philox4x32-10 in plain steps, to hold the vectorised one against.
Counter philox(Counter c, uint32_t k0, uint32_t k1)
{
    for (int round = 0; round < 10; ++round) {
        const uint64_t p0 = uint64_t{0xd2511f53u} * c[0], p1 = uint64_t{0xcd9e8d57u} * c[2];
        c = {uint32_t(p1 >> 32) ^ c[1] ^ k0, uint32_t(p1), uint32_t(p0 >> 32) ^ c[3] ^ k1, uint32_t(p0)};
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c;
}

uint64_t splitMix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// The n-th number of a stream, from the definition in random.h.
float expected(const StreamKey& key, uint64_t n)
{
    const uint64_t folded = splitMix(splitMix(splitMix(key.seed) ^ key.layer) ^ key.purpose), block = n / 4;
    const Counter out = philox(
        {uint32_t(block), uint32_t(block >> 32), uint32_t(key.sample), uint32_t(key.sample >> 32)},
        uint32_t(folded), uint32_t(folded >> 32));
    return (float(out[n % 4] >> 9) + 0.5f) * 0x1p-23f;
}

std::vector<float> numbers(const StreamKey& key, uint64_t first, size_t count)
{
    std::vector<float> result(count);
    fillUniform(key, first, result);
    return result;
}

}

class TestRandom : public QObject {
    Q_OBJECT

private slots:
    void plainPhiloxGivesThePublishedAnswers()
    {
        // Random123's kat_vectors, philox4x32 with 10 rounds.
        QVERIFY((philox({0, 0, 0, 0}, 0, 0) == Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
        constexpr uint32_t ones = 0xffffffff;
        QVERIFY((philox({ones, ones, ones, ones}, ones, ones)
                 == Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
        QVERIFY((philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0)
                 == Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    }

    void streamsArePhiloxOfTheirKey()
    {
        std::mt19937_64 random(1);
        for (int trial = 0; trial < 50; ++trial) {
            const StreamKey key{random(), uint32_t(random()), random(), uint32_t(random())};
            const uint64_t first = random() % 1000;
            const auto got = numbers(key, first, 1 + random() % 200);
            for (size_t i = 0; i < got.size(); ++i)
                QCOMPARE(got[i], expected(key, first + i));
        }
    }

    void streamsContinueBeyondThirtyTwoBits()
    {
        const StreamKey key{1, 2, 3, 4};
        for (const uint64_t first : {(uint64_t{1} << 34) - 30, (uint64_t{1} << 40) + 3}) {
            const auto got = numbers(key, first, 100);
            for (size_t i = 0; i < got.size(); ++i)
                QCOMPARE(got[i], expected(key, first + i));
        }
    }

    void numbersAreUniform()
    {
        // Kolmogorov-Smirnov: D·√n exceeds 1.95 once in a thousand.
        for (const uint64_t seed : {0u, 1u, 2u, 12345u}) {
            auto got = numbers({seed, 0, 0, streamPurpose("u")}, 0, 100'000);
            std::sort(got.begin(), got.end());
            const auto n = double(got.size());
            double largest = 0;
            for (size_t i = 0; i < got.size(); ++i)
                largest = std::max(
                    {largest, std::abs(got[i] - double(i) / n), std::abs(got[i] - double(i + 1) / n)});
            QCOMPARE_LT(largest * std::sqrt(n), 1.95);
        }
    }

    void neighboursAndNeighbouringStreamsAreUncorrelated()
    {
        constexpr size_t count = 100'000;
        const auto correlation = [](const std::vector<float>& a, const std::vector<float>& b, size_t shift) {
            double sum = 0;
            for (size_t i = 0; i + shift < count; ++i)
                sum += (a[i] - 0.5) * (b[i + shift] - 0.5);
            return std::abs(sum * 12 / std::sqrt(double(count)));  // in standard errors
        };
        const auto a = numbers({7, 0, 0, 0}, 0, count);
        for (const size_t shift : {1u, 2u, 3u, 4u, 64u})
            QVERIFY(correlation(a, a, shift) < 4);
        for (const StreamKey& other :
             {StreamKey{8, 0, 0, 0}, StreamKey{7, 1, 0, 0}, StreamKey{7, 0, 1, 0}, StreamKey{7, 0, 0, 1}})
            QVERIFY(correlation(a, numbers(other, 0, count), 0) < 4);
    }

    void purposesOfOurDrawsDiffer()
    {
        std::vector<uint32_t> purposes;
        for (const char* name : {"omega", "omega.angle", "omega.directions", "omega.directions.angle",
                                 "omega.lengths", "omega.lengths.angle", "eps", "eps.angle", "u", "first"})
            purposes.push_back(streamPurpose(name));
        std::sort(purposes.begin(), purposes.end());
        QVERIFY(std::adjacent_find(purposes.begin(), purposes.end()) == purposes.end());
    }
};

ATTNSCOPE_TEST(TestRandom)
#include "tst_random.moc"
