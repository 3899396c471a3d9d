// Each kernel of each instruction set that this processor has, against the plain formula in float64.
#include "kernel_numbers.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

using namespace attnscope;
using namespace attnscope::kernels;

namespace {

/// One head of random numbers.
struct Head {
    int64_t width, samples, valueDim, queries, keys;
    Floats q, k, v, omega, landmarks;
    double scale;

    Head(std::mt19937& random, bool usual)
    {
        const auto size = [&](int64_t most) { return int64_t(1 + random() % uint64_t(most)); };
        width = usual ? 64 : size(70);
        samples = usual ? 16 : size(70);
        valueDim = usual ? 64 : size(70);
        queries = size(150);
        keys = size(150);
        scale = 1 / std::sqrt(double(width));
        q = normal(random, queries * width);
        k = normal(random, keys * width);
        v = normal(random, keys * valueDim);
        omega = normal(random, samples * width);
        landmarks = normal(random, samples * width);
    }

    double logit(int64_t n, int64_t m) const { return scale * product(q, n, k, m, width); }
    double direction(const Floats& x, int64_t n, int64_t s) const
    {
        return std::sqrt(scale) * product(x, n, omega, s, width);
    }
    double halfNorm(int64_t m) const { return scale / 2 * product(k, m, k, m, width); }

    /// Rows of S, times √scale → what kernels take.
    Floats packed(const CpuKernels& cpu, const Floats& rows, const FeatureShape& shape) const
    {
        Floats out = scratchFor(width * shape.paddedSamples);
        cpu.packProjections({shape, {rows.data(), width}, float(std::sqrt(scale)), out.data()});
        return out;
    }
};

/// Σ_m w(n,m) v_m / Σ_m w(n,m).
Doubles weightedMeans(const Head& head, const std::function<double(int64_t, int64_t)>& weight)
{
    Doubles out(size_t(head.queries * head.valueDim));
    for (int64_t n = 0; n < head.queries; ++n) {
        double sum = 0;
        for (int64_t m = 0; m < head.keys; ++m) {
            const double w = weight(n, m);
            sum += w;
            for (int64_t d = 0; d < head.valueDim; ++d)
                out[size_t(n * head.valueDim + d)] += w * double(head.v[size_t(m * head.valueDim + d)]);
        }
        for (int64_t d = 0; d < head.valueDim; ++d)
            out[size_t(n * head.valueDim + d)] /= sum;
    }
    return out;
}

struct Answered {
    FeatureShape shape;
    Floats projections, bias, values, out;
};

/// Keys summed up, and what a query needs of them.
Answered summed(const CpuKernels& cpu, const Head& head)
{
    Answered a{.shape = cpu.shape(head.width, head.samples, head.valueDim)};
    a.projections = head.packed(cpu, head.omega, a.shape);
    const auto padded = size_t(a.shape.paddedSamples);
    Floats maximum(padded), sum(padded), scratch = scratchFor(featureScratch(a.shape));
    a.values.resize(padded * size_t(a.shape.paddedValues));
    a.out.resize(size_t(head.queries * head.valueDim));
    cpu.summariseKeys({a.shape,
                       a.projections.data(),
                       float(head.scale / 2),
                       {head.k.data(), head.width},
                       {head.v.data(), head.valueDim},
                       nullptr,
                       head.keys,
                       {maximum.data(), sum.data(), a.values.data()},
                       scratch.data()});
    a.bias.assign(padded, paddedLogit);
    for (int64_t s = 0; s < head.samples; ++s) {
        const auto at = size_t(s);
        a.bias[at] = maximum[at] + std::log(sum[at]);
        for (int64_t d = 0; d < a.shape.paddedValues; ++d)
            a.values[at * size_t(a.shape.paddedValues) + size_t(d)] /= sum[at];
    }
    return a;
}

void attend(const CpuKernels& cpu, const Head& head, Answered& a, const LandmarkWeights& weights)
{
    Floats scratch = scratchFor(featureScratch(a.shape));
    cpu.attendQueries({.shape = a.shape,
                       .projections = a.projections.data(),
                       .queries = {head.q.data(), head.width},
                       .count = head.queries,
                       .bias = a.bias.data(),
                       .values = a.values.data(),
                       .weights = weights,
                       .out = {a.out.data(), head.valueDim},
                       .scratch = scratch.data()});
}

/// Queries [first, first + queryBlock) as columns.
Floats columnsOf(const CpuKernels& cpu, const Head& head, int64_t first)
{
    Floats columns = scratchFor(queryBlock * head.width);
    cpu.packQueries({{head.q.data() + first * head.width, head.width},
                     std::min(queryBlock, head.queries - first),
                     head.width,
                     columns.data()});
    return columns;
}

/// Which keys each query sees, cut at random into parts with blocks of queries of their own.
struct SparsePattern {
    std::vector<std::vector<bool>> seen;  ///< of each query and key; query 0 sees nothing
    std::vector<std::vector<int>> partOf;

    SparsePattern(std::mt19937& random, const Head& head, int parts)
    {
        const unsigned density = 1 + random() % 8;
        for (int64_t n = 0; n < head.queries; ++n) {
            std::vector<bool> row;
            std::vector<int> part;
            for (int64_t m = 0; m < head.keys; ++m) {
                row.push_back(n > 0 && (m == n % head.keys || random() % 8 < density));
                part.push_back(int(random() % unsigned(parts)));
            }
            seen.push_back(row), partOf.push_back(part);
        }
    }

    bool at(int64_t n, int64_t m) const { return seen[size_t(n)][size_t(m)]; }
    bool at(int64_t n, int64_t m, int part) const { return at(n, m) && partOf[size_t(n)][size_t(m)] == part; }
};

/// A bias for every query and key.
float biasOf(int64_t n, int64_t m)
{
    return float((n * 7 + m * 3) % 11) / 4 - 1;
}

/// Tiles of some length of what a block of queries sees in a part.
struct SparseBlock {
    std::vector<int32_t> keys;
    std::vector<uint64_t> seenBy;
    Floats bias;
    std::vector<SparseTile> tiles;

    SparseBlock(const SparsePattern& pattern, const std::vector<int32_t>& queries, int64_t count, int part,
                bool biased, int64_t length)
    {
        for (int64_t m = 0; m < count; ++m) {
            uint64_t bits = 0;
            for (size_t i = 0; i < queries.size(); ++i)
                bits |= uint64_t{pattern.at(queries[i], m, part)} << i;
            if (bits == 0)
                continue;
            keys.push_back(int32_t(m)), seenBy.push_back(bits);
            bias.resize(bias.size() + size_t(queryBlock));
            for (size_t i = 0; i < queries.size(); ++i)
                bias[(keys.size() - 1) * size_t(queryBlock) + i] = biasOf(queries[i], m);
        }
        const uint64_t every = (uint64_t{1} << queries.size()) - 1;
        for (size_t begin = 0; begin < keys.size(); begin += size_t(length)) {
            const auto own = std::min(size_t(length), keys.size() - begin);
            const bool all = std::all_of(seenBy.begin() + ptrdiff_t(begin),
                                         seenBy.begin() + ptrdiff_t(begin + own),
                                         [&](uint64_t bits) { return bits == every; });
            tiles.push_back({keys.data() + begin, int64_t(own), all ? nullptr : seenBy.data() + begin,
                             biased ? bias.data() + begin * size_t(queryBlock) : nullptr});
        }
    }
};

/// weightedMeans over what each query sees, zeros if it is nothing.
Doubles sparseMeans(const Head& head, const SparsePattern& pattern, bool biased)
{
    Doubles out = weightedMeans(head, [&](int64_t n, int64_t m) {
        return pattern.at(n, m) ? std::exp(head.logit(n, m) + (biased ? double(biasOf(n, m)) : 0)) : 0.0;
    });
    std::fill_n(out.begin(), head.valueDim, 0.0);  // 0/0
    return out;
}

/// Heads of many sizes, every third of the usual ones.
void forHeads(int set, const std::function<void(const CpuKernels&, const Head&)>& check)
{
    std::mt19937 random(7);
    for (int i = 0; i < 18; ++i)
        check(*supportedCpuKernels()[size_t(set)], Head(random, i % 3 == 0));
}

}

class TestCpuKernels : public QObject {
    Q_OBJECT

private slots:
    void positiveFeaturesAreTheFormula_data() { addSets(); }
    void positiveFeaturesAreTheFormula()
    {
        QFETCH(int, set);
        forHeads(set, [](const CpuKernels& cpu, const Head& head) {
            Answered a = summed(cpu, head);
            attend(cpu, head, a, {});
            const Doubles expected = weightedMeans(head, [&](int64_t n, int64_t m) {
                double weight = 0;
                for (int64_t s = 0; s < head.samples; ++s)
                    weight += std::exp(head.direction(head.q, n, s) + head.direction(head.k, m, s)
                                       - head.halfNorm(m));
                return weight;
            });
            QCOMPARE_LT(relativeError(a.out, expected), 5e-6);
        });
    }

    void projectionsArePackedAsColumns_data() { addSets(); }
    void projectionsArePackedAsColumns()
    {
        QFETCH(int, set);
        forHeads(set, [](const CpuKernels& cpu, const Head& head) {
            const FeatureShape shape = cpu.shape(head.width, head.samples, head.valueDim);
            const auto factor = float(std::sqrt(head.scale));
            const Floats columns = head.packed(cpu, head.omega, shape);
            for (int64_t d = 0; d < head.width; ++d)
                for (int64_t s = 0; s < shape.paddedSamples; ++s)
                    QCOMPARE(columns[size_t(d * shape.paddedSamples + s)],
                             s < head.samples ? factor * head.omega[size_t(s * head.width + d)] : 0.0f);
        });
    }

    void columnsAreNormalisedOverAllRows_data() { addSets(); }
    void columnsAreNormalisedOverAllRows()
    {
        QFETCH(int, set);
        forHeads(set, [](const CpuKernels& cpu, const Head& head) {
            constexpr float factor = 2.5f;
            const FeatureShape shape = cpu.shape(head.width, head.samples, head.valueDim);
            const auto padded = size_t(shape.paddedSamples), rows = size_t(head.keys);
            const Floats projections = head.packed(cpu, head.omega, shape);
            Floats shift(rows), maximum(padded), sum(padded), scratch = scratchFor(featureScratch(shape));
            for (size_t m = 0; m < rows; ++m)
                shift[m] = float(head.halfNorm(int64_t(m)));
            const size_t diagonals = std::min(rows, size_t(head.samples));
            Floats diagonal(diagonals);
            cpu.normaliseColumns({.shape = shape,
                                  .projections = projections.data(),
                                  .rows = {head.k.data(), head.width},
                                  .count = head.keys,
                                  .factor = factor,
                                  .shift = shift.data(),
                                  .maximum = maximum.data(),
                                  .sum = sum.data(),
                                  .diagonal = diagonal.data(),
                                  .scratch = scratch.data()});
            const auto exponent = [&](int64_t m, int64_t s) {
                return double(factor) * head.direction(head.k, m, s) - double(shift[size_t(m)]);
            };
            for (int64_t s = 0; s < head.samples; ++s) {
                double largest = exponent(0, s), total = 0;
                for (int64_t m = 0; m < head.keys; ++m)
                    largest = std::max(largest, exponent(m, s));
                for (int64_t m = 0; m < head.keys; ++m)
                    total += std::exp(exponent(m, s) - largest);
                const auto at = size_t(s);
                QVERIFY(std::abs(double(maximum[at]) - largest) < 2e-5);
                QVERIFY(std::abs(double(maximum[at] + std::log(sum[at])) - largest - std::log(total)) < 2e-5);
            }
            for (size_t s = 0; s < diagonals; ++s) {
                const auto at = int64_t(s);
                QVERIFY(std::abs(double(diagonal[s]) - exponent(at, at)) < 2e-5);
            }
        });
    }

    void landmarkWeightsAreTheFormula_data() { addSets(); }
    void landmarkWeightsAreTheFormula()
    {
        QFETCH(int, set);
        forHeads(set, [](const CpuKernels& cpu, const Head& head) {
            constexpr float beta = 1.5f;
            Answered a = summed(cpu, head);
            const Floats landmarks = head.packed(cpu, head.landmarks, a.shape);
            const auto padded = size_t(a.shape.paddedSamples);
            Floats normaliser(padded), sum(padded), balance(padded), scratch = scratchFor(featureScratch(a.shape));
            Floats exponents = scratchFor(head.queries * a.shape.paddedSamples);
            cpu.normaliseColumns({.shape = a.shape,
                                  .projections = landmarks.data(),
                                  .rows = {head.q.data(), head.width},
                                  .count = head.queries,
                                  .maximum = normaliser.data(),
                                  .sum = sum.data(),
                                  .exponents = exponents.data(),
                                  .scratch = scratch.data()});
            for (size_t s = 0; s < padded; ++s) {
                normaliser[s] += std::log(sum[s]);
                balance[s] = s < size_t(head.samples) ? std::abs(head.landmarks[s]) : 0;
            }
            attend(cpu, head, a,
                   {landmarks.data(), normaliser.data(), balance.data(), beta, 1e-8f, exponents.data()});
            const Floats fromKept = a.out;
            attend(cpu, head, a, {landmarks.data(), normaliser.data(), balance.data(), beta, 1e-8f, nullptr});
            QCOMPARE(fromKept, a.out);
            const auto logR = [&](int64_t n, int64_t c) {
                return std::sqrt(head.scale) * product(head.q, n, head.landmarks, c, head.width);
            };
            Doubles alpha(size_t(head.queries * head.samples));
            for (int64_t c = 0; c < head.samples; ++c) {
                double total = 0;
                for (int64_t n = 0; n < head.queries; ++n)
                    total += std::exp(logR(n, c));
                for (int64_t n = 0; n < head.queries; ++n)
                    alpha[size_t(n * head.samples + c)] = std::exp(logR(n, c)) / total;
            }
            for (int64_t n = 0; n < head.queries; ++n) {
                double* row = alpha.data() + n * head.samples;
                double mean = 0;
                for (int64_t c = 0; c < head.samples; ++c)
                    mean += row[c] / double(head.samples);
                for (int64_t c = 0; c < head.samples; ++c)
                    row[c] = std::max(double(balance[size_t(c)]) + double(beta) * (row[c] - mean), 1e-8);
            }
            const Doubles expected = weightedMeans(head, [&](int64_t n, int64_t m) {
                double weight = 0;
                for (int64_t s = 0; s < head.samples; ++s)
                    weight += alpha[size_t(n * head.samples + s)]
                              * std::exp(head.direction(head.q, n, s) + head.direction(head.k, m, s)
                                         - head.halfNorm(m));
                return weight;
            });
            QCOMPARE_LT(relativeError(a.out, expected), 1e-5);
        });
    }

    void softmaxIsTheFormula_data() { addSets(); }
    void softmaxIsTheFormula()
    {
        QFETCH(int, set);
        forHeads(set, [](const CpuKernels& cpu, const Head& head) {
            Floats out(size_t(head.queries * head.valueDim)), scratch = scratchFor(softmaxScratch(head.valueDim));
            const auto add = [&](const float* bias, float outputFactor, bool toOut) {
                for (int64_t first = 0; first < head.queries; first += queryBlock)
                    cpu.softmaxRows({.columns = columnsOf(cpu, head, first).data(),
                                     .rows = std::min(queryBlock, head.queries - first),
                                     .width = head.width,
                                     .keys = {head.k.data(), head.width},
                                     .count = head.keys,
                                     .factor = float(head.scale),
                                     .bias = bias,
                                     .values = {head.v.data(), head.valueDim},
                                     .valueDim = head.valueDim,
                                     .outputFactor = outputFactor,
                                     .add = toOut,
                                     .out = {out.data() + first * head.valueDim, head.valueDim},
                                     .scratch = scratch.data()});
            };
            Floats norms(size_t(head.keys));
            cpu.squares({head.k.data(), head.width}, head.keys, head.width, float(-head.scale / 2), norms.data());
            const Doubles plain = weightedMeans(head,
                                                [&](int64_t n, int64_t m) { return std::exp(head.logit(n, m)); });
            const Doubles biased = weightedMeans(
                head, [&](int64_t n, int64_t m) { return std::exp(head.logit(n, m) - head.halfNorm(m)); });
            Doubles both(plain);
            for (size_t i = 0; i < both.size(); ++i)
                both[i] = plain[i] / 4 + biased[i] * 3 / 4;
            add(nullptr, 1, false);
            QCOMPARE_LT(relativeError(out, plain), 2e-6);
            add(nullptr, 0.25f, false);
            add(norms.data(), 0.75f, true);
            QCOMPARE_LT(relativeError(out, both), 2e-6);
        });
    }

    void sparseSoftmaxIsTheFormula_data() { addSets(); }
    void sparseSoftmaxIsTheFormula()
    {
        QFETCH(int, set);
        std::mt19937 random(11);
        forHeads(set, [&](const CpuKernels& cpu, const Head& head) {
            const int parts = 1 + int(random() % 3);
            const bool biased = random() % 2 == 0;
            const SparsePattern pattern(random, head, parts);
            Floats out(size_t(head.queries * head.valueDim)),
                scratch = scratchFor(sparseScratch(head.width, head.valueDim));
            Floats state = scratchFor(2 * head.queries);
            std::vector<int32_t> order(size_t(head.queries));
            std::iota(order.begin(), order.end(), 0);
            for (int part = 0; part < parts; ++part) {
                std::shuffle(order.begin(), order.end(), random);
                for (size_t first = 0; first < order.size();) {
                    const auto rows = std::min<size_t>(1 + random() % unsigned(queryBlock), order.size() - first);
                    const std::vector<int32_t> queries(order.begin() + ptrdiff_t(first),
                                                       order.begin() + ptrdiff_t(first + rows));
                    const SparseBlock block(pattern, queries, head.keys, part, biased,
                                            1 + random() % unsigned(keyTile));
                    const OutputRows to{out.data(), head.valueDim};
                    cpu.sparseRows({.queries = {head.q.data(), head.width},
                                    .index = queries.data(),
                                    .rows = int64_t(rows),
                                    .width = head.width,
                                    .keys = {head.k.data(), head.width},
                                    .values = {head.v.data(), head.valueDim},
                                    .factor = float(head.scale),
                                    .valueDim = head.valueDim,
                                    .tiles = block.tiles.data(),
                                    .tileCount = int64_t(block.tiles.size()),
                                    .begins = part == 0,
                                    .ends = part == parts - 1,
                                    .carried = to,
                                    .state = state.data(),
                                    .out = to,
                                    .scratch = scratch.data()});
                    first += rows;
                }
            }
            const double error = relativeError(out, sparseMeans(head, pattern, biased));
            QCOMPARE_LT(error, 2e-6);
            QVERIFY(std::all_of(out.begin(), out.begin() + head.valueDim, [](float x) { return x == 0; }));
        });
    }

    void sparseSoftmaxOfBfloat16IsTheFormula_data() { addSets(); }
    void sparseSoftmaxOfBfloat16IsTheFormula()
    {
        QFETCH(int, set);
        std::mt19937 random(12);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        for (int i = 0; i < 6; ++i) {
            Head head(random, true);
            head.q = rounded(head.q), head.k = rounded(head.k), head.v = rounded(head.v);
            const Floats q = narrowed(head.q), k = narrowed(head.k), v = narrowed(head.v);
            const int64_t packedInputs = head.width / 2, packedValues = head.valueDim / 2;
            const SparsePattern pattern(random, head, 2);
            Floats out(size_t(head.queries * packedValues)),
                scratch = scratchFor(sparseScratch(packedInputs, head.valueDim));
            Floats state = scratchFor(2 * head.queries), carried = scratchFor(head.queries * head.valueDim);
            for (int part = 0; part < 2; ++part)
                for (int64_t first = 0; first < head.queries; first += queryBlock) {
                    std::vector<int32_t> queries(size_t(std::min(queryBlock, head.queries - first)));
                    std::iota(queries.begin(), queries.end(), int32_t(first));
                    const SparseBlock block(pattern, queries, head.keys, part, i % 2 == 0, keyTile);
                    cpu.sparseBfloat16({.queries = {q.data(), packedInputs},
                                        .index = queries.data(),
                                        .rows = int64_t(queries.size()),
                                        .width = packedInputs,
                                        .keys = {k.data(), packedInputs},
                                        .values = {v.data(), packedValues},
                                        .factor = float(head.scale),
                                        .valueDim = head.valueDim,
                                        .tiles = block.tiles.data(),
                                        .tileCount = int64_t(block.tiles.size()),
                                        .begins = part == 0,
                                        .ends = part == 1,
                                        .carried = {carried.data(), head.valueDim},
                                        .state = state.data(),
                                        .out = {out.data(), packedValues},
                                        .scratch = scratch.data()});
                }
            const double error = relativeError(widened(out), sparseMeans(head, pattern, i % 2 == 0));
            QCOMPARE_LT(error, 3e-3);  // 2⁻⁹ is 2e-3
        }
    }

    void argmaxIsThatOfTheFormula_data() { addSets(); }
    void argmaxIsThatOfTheFormula()
    {
        QFETCH(int, set);
        forHeads(set, [](const CpuKernels& cpu, const Head& head) {
            Floats bias(size_t(head.keys)), scratch = scratchFor(keyTile * queryBlock);
            cpu.squares({head.k.data(), head.width}, head.keys, head.width, -0.5f, bias.data());
            std::vector<int32_t> found(size_t(head.queries));
            for (const bool bothSigns : {false, true}) {
                for (int64_t first = 0; first < head.queries; first += queryBlock)
                    cpu.argmaxKeys({.columns = columnsOf(cpu, head, first).data(),
                                    .rows = std::min(queryBlock, head.queries - first),
                                    .width = head.width,
                                    .keys = {head.k.data(), head.width},
                                    .count = head.keys,
                                    .bias = bias.data(),
                                    .bothSigns = bothSigns,
                                    .found = found.data() + first,
                                    .scratch = scratch.data()});
                for (int64_t n = 0; n < head.queries; ++n) {
                    const auto value = [&](int64_t m) {
                        const int64_t key = m % head.keys;
                        const double x = product(head.q, n, head.k, key, head.width) + double(bias[size_t(key)]);
                        return m < head.keys ? x : -x;
                    };
                    const int64_t own = found[size_t(n)];
                    QVERIFY(own >= 0 && own < (bothSigns ? 2 : 1) * head.keys);
                    for (int64_t m = 0; m < (bothSigns ? 2 : 1) * head.keys; ++m)
                        QVERIFY(value(m) <= value(own) + 1e-4);
                }
            }
            // Ties go to the lowest, and to the positive sign.
            const Floats equal(size_t(head.keys * head.width), 0.0f), none(size_t(head.keys), 0.0f);
            cpu.argmaxKeys({.columns = columnsOf(cpu, head, 0).data(),
                            .rows = 1,
                            .width = head.width,
                            .keys = {equal.data(), head.width},
                            .count = head.keys,
                            .bias = none.data(),
                            .bothSigns = true,
                            .found = found.data(),
                            .scratch = scratch.data()});
            QCOMPARE(found[0], 0);
        });
    }

    void drawsAreThoseOfTheDistributionFunction_data() { addSets(); }
    void drawsAreThoseOfTheDistributionFunction()
    {
        QFETCH(int, set);
        std::mt19937 random(3);
        forHeads(set, [&](const CpuKernels& cpu, const Head& head) {
            constexpr int64_t draws = 2;
            Floats uniform(size_t(head.queries * draws)), scratch = scratchFor(drawScratch(head.keys));
            for (float& u : uniform)
                u = (float(random() % 100000) + 0.5f) / 100000;
            std::vector<int64_t> drawn(uniform.size());
            for (int64_t first = 0; first < head.queries; first += queryBlock)
                cpu.drawKeys({.queries = head.q.data() + first * head.width,
                              .columns = columnsOf(cpu, head, first).data(),
                              .rows = std::min(queryBlock, head.queries - first),
                              .width = head.width,
                              .keys = {head.k.data(), head.width},
                              .count = head.keys,
                              .factor = float(head.scale),
                              .uniform = uniform.data() + first * draws,
                              .draws = draws,
                              .drawn = drawn.data() + first * draws,
                              .scratch = scratch.data()});
            for (int64_t i = 0; i < head.queries * draws; ++i) {
                Doubles weights(size_t(head.keys));
                double total = 0, below = 0;
                for (int64_t m = 0; m < head.keys; ++m)
                    total += weights[size_t(m)] = std::exp(head.logit(i / draws, m));
                const int64_t z = drawn[size_t(i)];
                QVERIFY(z >= 0 && z < head.keys);
                for (int64_t m = 0; m < z; ++m)
                    below += weights[size_t(m)] / total;
                const double u = double(uniform[size_t(i)]), own = weights[size_t(z)] / total;
                QVERIFY(u > below - 1e-5 && u < below + own + 1e-5);
            }
        });
    }

    void softmaxOfBfloat16IsTheFormula_data() { addSets(); }
    void softmaxOfBfloat16IsTheFormula()
    {
        QFETCH(int, set);
        std::mt19937 random(7);
        for (const int64_t keys : {1, 2, 63, 64, 65, 129, 196}) {
            Head head(random, true);
            const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
            head.k = rounded(normal(random, keys * head.width));
            head.v = rounded(normal(random, keys * head.valueDim));
            head.q = rounded(head.q);
            head.keys = keys;
            const Floats q = narrowed(head.q), k = narrowed(head.k), v = narrowed(head.v);
            const int64_t packedInputs = head.width / 2, outWords = head.valueDim / 2;
            Floats out(size_t(head.queries * outWords)), scratch = scratchFor(softmaxScratch(head.valueDim));
            for (int64_t first = 0; first < head.queries; first += queryBlock) {
                const int64_t rows = std::min(queryBlock, head.queries - first);
                Floats columns = scratchFor(queryBlock * packedInputs);
                cpu.packQueries(
                    {{q.data() + first * packedInputs, packedInputs}, rows, packedInputs, columns.data()});
                cpu.softmaxBfloat16({.columns = columns.data(),
                                     .rows = rows,
                                     .width = packedInputs,
                                     .keys = {k.data(), packedInputs},
                                     .count = keys,
                                     .factor = float(head.scale),
                                     .values = {v.data(), outWords},
                                     .valueDim = head.valueDim,
                                     .out = {out.data() + first * outWords, outWords},
                                     .scratch = scratch.data()});
            }
            const Floats wide = widened(out);
            const Doubles expected = weightedMeans(
                head, [&](int64_t n, int64_t m) { return std::exp(head.logit(n, m)); });
            QCOMPARE_LT(relativeError(wide, expected), 3e-3);  // 2⁻⁹ is 2e-3
        }
    }

    void fourierFeaturesAreTheFormula_data() { addSets(); }
    void fourierFeaturesAreTheFormula()
    {
        QFETCH(int, set);
        forHeads(set, [](const CpuKernels& cpu, const Head& head) {
            Answered a{.shape = cpu.shape(head.width, head.samples, head.valueDim)};
            a.projections = head.packed(cpu, head.omega, a.shape);
            Floats sum(size_t(2 * a.shape.paddedSamples)), out(size_t(head.queries * head.valueDim));
            Floats values(sum.size() * size_t(a.shape.paddedValues)),
                scratch = scratchFor(featureScratch(a.shape));
            const float shift = float(head.scale / 2)
                                * cpu.largestSquare({head.k.data(), head.width}, head.keys, head.width);
            cpu.summariseFourier({a.shape,
                                  a.projections.data(),
                                  float(head.scale / 2),
                                  shift,
                                  {head.k.data(), head.width},
                                  {head.v.data(), head.valueDim},
                                  head.keys,
                                  sum.data(),
                                  values.data(),
                                  scratch.data()});
            cpu.attendFourier({.shape = a.shape,
                               .projections = a.projections.data(),
                               .queries = {head.q.data(), head.width},
                               .count = head.queries,
                               .sum = sum.data(),
                               .valueSums = values.data(),
                               .floor = 1e-6f,
                               .out = {out.data(), head.valueDim},
                               .scratch = scratch.data()});
            Doubles sizes(size_t(head.queries)), sums(sizes.size());
            const Doubles expected = weightedMeans(head, [&](int64_t n, int64_t m) {
                double weight = 0;
                for (int64_t s = 0; s < head.samples; ++s)
                    weight += std::cos(head.direction(head.q, n, s) - head.direction(head.k, m, s));
                weight *= std::exp(head.halfNorm(m));
                sizes[size_t(n)] += std::abs(weight);
                sums[size_t(n)] += weight;
                return weight;
            });
            // The ratio of sums with signs loses as many digits as the signs take away.
            for (int64_t n = 0; n < head.queries; ++n) {
                const double condition = sizes[size_t(n)] / std::abs(sums[size_t(n)]);
                if (condition > 50)
                    continue;
                const auto row = [&](const auto& x) {
                    return std::decay_t<decltype(x)>(x.begin() + n * head.valueDim,
                                                     x.begin() + (n + 1) * head.valueDim);
                };
                QVERIFY(relativeError(row(out), row(expected)) < 2e-5 * condition);
            }
        });
    }

    void largeAnglesKeepTheirDigits_data() { addSets(); }
    void largeAnglesKeepTheirDigits()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        const FeatureShape shape = cpu.shape(1, 1, 1);
        const auto padded = size_t(shape.paddedSamples);
        const Floats one{1.0f};
        Floats projection = scratchFor(shape.paddedSamples), scratch = scratchFor(featureScratch(shape));
        Floats sum = scratchFor(2 * shape.paddedSamples),
               values = scratchFor(2 * shape.paddedSamples * shape.paddedValues);
        cpu.packProjections({shape, {one.data(), 1}, 1.0f, projection.data()});
        for (int angle = -4000; angle <= 4000; angle += 3) {
            const Floats key{float(angle)};
            cpu.summariseFourier({shape,
                                  projection.data(),
                                  0,
                                  0,
                                  {key.data(), 1},
                                  {one.data(), 1},
                                  1,
                                  sum.data(),
                                  values.data(),
                                  scratch.data()});
            const double sine = double(sum[0]), cosine = double(sum[padded]);
            QVERIFY2(std::abs(sine - std::sin(angle)) < 2e-7 && std::abs(cosine - std::cos(angle)) < 2e-7,
                     qPrintable(QString::number(angle)));
        }
    }

    void sumsAndRangesOfColumnsAreThoseOfTheFormula_data() { addSets(); }
    void sumsAndRangesOfColumnsAreThoseOfTheFormula()
    {
        QFETCH(int, set);
        forHeads(set, [](const CpuKernels& cpu, const Head& head) {
            const auto width = size_t(head.width);
            Floats sums(width), squares(width), low(width), high(width);
            cpu.sumsOfColumns({head.k.data(), head.width}, head.keys, head.width, sums.data(), squares.data());
            cpu.rangeOfColumns({head.k.data(), head.width}, head.keys, head.width, low.data(), high.data());
            for (size_t d = 0; d < width; ++d) {
                double sum = 0, square = 0;
                float least = head.k[d], most = head.k[d];
                for (size_t m = 0; m < size_t(head.keys); ++m) {
                    const float x = head.k[m * width + d];
                    sum += double(x), square += double(x) * double(x);
                    least = std::min(least, x), most = std::max(most, x);
                }
                QVERIFY(std::abs(double(sums[d]) - sum) < 1e-6 * (std::sqrt(double(head.keys) * square) + 1));
                QVERIFY(std::abs(double(squares[d]) - square) < 2e-6 * (square + 1));
                QCOMPARE(low[d], least);
                QCOMPARE(high[d], most);
            }
        });
    }

    void normalNumbersAreTheFormula_data() { addSets(); }
    void normalNumbersAreTheFormula()
    {
        QFETCH(int, set);
        std::mt19937 random(5);
        constexpr size_t count = 10007;  // not a multiple of any vector
        Floats a(count), b(count), out(count);
        for (size_t i = 0; i < count; ++i) {
            a[i] = (float(random() >> 9) + 0.5f) / 8388608;
            b[i] = (float(random() >> 9) + 0.5f) / 8388608;
        }
        supportedCpuKernels()[size_t(set)]->normal(a.data(), b.data(), out.data(), count);
        for (size_t i = 0; i < count; ++i) {
            const double expected = std::sqrt(-2 * std::log(double(a[i]))) * std::cos(2 * M_PI * double(b[i]));
            QVERIFY(std::abs(double(out[i]) - expected) < 3e-6);
        }
    }
};

ATTNSCOPE_TEST(TestCpuKernels)
#include "tst_cpu_kernels.moc"
