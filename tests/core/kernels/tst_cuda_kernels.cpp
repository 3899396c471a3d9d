// The CUDA kernels' own source on an emulated device, against the plain formulas in float64, and RA's draws against the CPU kernels'.
#include "tests/core/kernels/cuda_emulation.h"
#include "tests/support/test_class.h"

#include "core/base/random.h"
#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/cuda/launch.cuh"

#include <array>
#include <functional>
#include <random>

using namespace attnscope;
using namespace attnscope::kernels::cuda;
namespace cpu = attnscope::kernels;
using attnscope::emulated::Starter;

namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;

/// Numbers of either type, as they lie in memory.
struct Elements {
    ElementType type;
    std::vector<Bfloat16> half;
    Floats whole;

    Elements(ElementType type, const Floats& values)
        : type(type)
    {
        if (type == ElementType::Float32)
            whole = values;
        else
            for (const float x : values)
                half.push_back(narrowed<Bfloat16>(x));
    }
    void* data() { return type == ElementType::Float32 ? static_cast<void*>(whole.data()) : half.data(); }
    double at(int64_t i) const
    {
        const auto place = size_t(i);
        return double(type == ElementType::Float32 ? whole[place] : widened(half[place]));
    }
};

/// q, k and v as a projection leaves them: token by token, all three next to each other, all heads.
struct Problem {
    ElementType type;
    Counts counts;
    int64_t queries, keys;  ///< keys of one group
    int width, valueDim;
    float scale;
    std::mt19937 random;
    Elements q, kv;
    mutable Doubles halfNorms;  ///< made when first asked for

    Problem(ElementType type, Counts counts, int64_t queries, int64_t keys, int width, int valueDim,
            double size = 1)
        : type(type)
        , counts(counts)
        , queries(queries)
        , keys(keys)
        , width(width)
        , valueDim(valueDim)
        , scale(1 / std::sqrt(float(width)))
        , random(unsigned(7 * queries + keys + width))
        , q(type, normal(counts.samples * queries * qRow(), size))
        , kv(type, normal(counts.samples * counts.groups * keys * kvRow(), size))
    {}

    int64_t qRow() const { return counts.heads * width; }
    int64_t kvRow() const { return counts.heads * (width + valueDim); }
    Matrices qMatrices() { return {q.data(), queries * qRow(), width, 0, qRow()}; }
    Matrices kMatrices() { return {kv.data(), counts.groups * keys * kvRow(), width, keys * kvRow(), kvRow()}; }
    Matrices vMatrices()
    {
        Matrices m = kMatrices();
        const int64_t first = counts.heads * width;
        m.data = type == ElementType::Float32 ? static_cast<const void*>(kv.whole.data() + first)
                                              : kv.half.data() + first;
        m.head = valueDim;
        return m;
    }
    double qAt(int64_t matrix, int64_t n, int64_t d) const
    {
        const auto [b, h, g] = place(matrix);
        return q.at(b * queries * qRow() + n * qRow() + h * width + d);
    }
    double kAt(int64_t matrix, int64_t m, int64_t d) const
    {
        const auto [b, h, g] = place(matrix);
        return kv.at(((b * counts.groups + g) * keys + m) * kvRow() + h * width + d);
    }
    double vAt(int64_t matrix, int64_t m, int64_t d) const
    {
        const auto [b, h, g] = place(matrix);
        return kv.at(((b * counts.groups + g) * keys + m) * kvRow() + counts.heads * width + h * valueDim + d);
    }
    std::array<int64_t, 3> place(int64_t matrix) const
    {
        return {matrix / (counts.heads * counts.groups), matrix / counts.groups % counts.heads,
                matrix % counts.groups};
    }
    int64_t pairOf(int64_t matrix) const { return matrix / counts.groups; }
    int64_t headOf(int64_t matrix) const { return place(matrix)[1]; }
    double halfNorm(int64_t matrix, int64_t m) const
    {
        for (int64_t at = int64_t(halfNorms.size()); at < counts.matrices() * keys; ++at) {
            double sum = 0;
            for (int d = 0; d < width; ++d)
                sum += kAt(at / keys, at % keys, d) * kAt(at / keys, at % keys, d);
            halfNorms.push_back(double(scale) / 2 * sum);
        }
        return halfNorms[size_t(matrix * keys + m)];
    }

    Floats normal(int64_t count, double size = 1)
    {
        std::normal_distribution<float> distribution(0, static_cast<float>(size));
        Floats numbers(static_cast<size_t>(count));
        for (float& x : numbers)
            x = distribution(random);
        return numbers;
    }

    /// (B,N,G,H,Dv), as the projection behind wants it.
    Elements emptyAnswers()
    {
        return {type, Floats(size_t(counts.matrices() * queries * valueDim), std::nanf(""))};
    }
    Output outputIn(Elements& out) const
    {
        const int64_t row = counts.heads * valueDim;
        return {out.data(), queries * counts.groups * row, valueDim, row, counts.groups * row};
    }
    double answerAt(const Elements& out, int64_t matrix, int64_t n, int64_t d) const
    {
        const auto [b, h, g] = place(matrix);
        return out.at((((b * queries + n) * counts.groups + g) * counts.heads + h) * valueDim + d);
    }

    FusedAttention fused(Weights weights)
    {
        FusedAttention task{.number = type,
                            .weights = weights,
                            .counts = counts,
                            .queries = qMatrices(),
                            .keys = kMatrices(),
                            .values = vMatrices(),
                            .queryCount = queries,
                            .keyCount = keys,
                            .width = width,
                            .valueDim = valueDim};
        task.scale = scale;
        return task;
    }
    /// Largest difference to Σ_m w(n,m) v_m / Σ_m w(n,m), over the size of the values.
    double error(const Elements& out, const std::function<double(int64_t, int64_t, int64_t)>& weight) const
    {
        double worst = 0;
        for (int64_t matrix = 0; matrix < counts.matrices(); ++matrix)
            for (int64_t n = 0; n < queries; ++n) {
                Doubles mean(static_cast<size_t>(valueDim));
                double sum = 0;
                for (int64_t m = 0; m < keys; ++m) {
                    const double w = weight(matrix, n, m);
                    sum += w;
                    for (int d = 0; d < valueDim; ++d)
                        mean[size_t(d)] += w * vAt(matrix, m, d);
                }
                for (int d = 0; d < valueDim; ++d) {
                    const double difference = std::abs(answerAt(out, matrix, n, d) - mean[size_t(d)] / sum);
                    worst = difference <= worst ? worst : difference;  // not a number is the worst
                }
            }
        return worst;
    }
};

void perform(FusedAttention task, const Starter& starter)
{
    Floats scratch(size_t(scratchFor(task)), std::nanf(""));
    task.scratch = scratch.data();
    QCOMPARE((task.number == ElementType::Float32 ? fusedAttentionOf<Starter, float>(task, starter)
                                                  : fusedAttentionOf<Starter, Bfloat16>(task, starter)),
             0);
}

void perform(const DrawKeys& task, const Starter& starter)
{
    QCOMPARE((task.number == ElementType::Float32 ? drawOf<Starter, float>(task, starter)
                                                  : drawOf<Starter, Bfloat16>(task, starter)),
             0);
}

/// Projections of all samples, of each head: √scale ω.
struct Projections {
    int64_t samples;
    Elements rows;

    Projections(Problem& problem, int64_t samples)
        : samples(samples)
        , rows(problem.type,
               problem.normal(problem.counts.heads * samples * problem.width, std::sqrt(problem.scale)))
    {}
    Matrices matrices(const Problem& problem)
    {
        return {rows.data(), 0, samples * problem.width, 0, problem.width};
    }
    double ofQuery(const Problem& p, int64_t matrix, int64_t n, int64_t s) const
    {
        if (m_ofQueries.empty())
            m_ofQueries = products(p, p.queries,
                                   [&](int64_t at, int64_t row, int d) { return p.qAt(at, row, d); });
        return m_ofQueries[size_t((matrix * p.queries + n) * samples + s)];
    }
    double ofKey(const Problem& p, int64_t matrix, int64_t m, int64_t s) const
    {
        if (m_ofKeys.empty())
            m_ofKeys = products(p, p.keys, [&](int64_t at, int64_t row, int d) { return p.kAt(at, row, d); });
        return m_ofKeys[size_t((matrix * p.keys + m) * samples + s)];
    }

private:
    template <typename At>
    Doubles products(const Problem& p, int64_t count, const At& at) const
    {
        Doubles all;
        for (int64_t i = 0; i < p.counts.matrices() * count * samples; ++i) {
            const int64_t matrix = i / (count * samples), row = i / samples % count, s = i % samples;
            double sum = 0;
            for (int d = 0; d < p.width; ++d)
                sum += rows.at((p.headOf(matrix) * samples + s) * p.width + d) * at(matrix, row, d);
            all.push_back(sum);
        }
        return all;
    }

    mutable Doubles m_ofQueries, m_ofKeys;  // made when first asked for: (matrix, row, sample)
};

/// What keys are summed up to: a row of features each.
struct Summary {
    Floats logSums;
    Elements values;
    int64_t rows;

    Summary(const Problem& problem, int64_t rows)
        : logSums(size_t(problem.counts.matrices() * rows), std::nanf(""))
        , values(problem.type, Floats(logSums.size() * size_t(problem.valueDim), std::nanf("")))
        , rows(rows)
    {}
    int64_t matrix(const Problem& p) const { return rows * p.valueDim; }
    Output output(const Problem& p)
    {
        return {values.data(), p.counts.heads * p.counts.groups * matrix(p), p.counts.groups * matrix(p),
                matrix(p), p.valueDim};
    }
    Matrices matrices(const Problem& p)
    {
        const Output a = output(p);
        return {a.data, a.sample, a.head, a.group, a.row};
    }
};

Summary summed(Problem& problem, Projections& projections, const Starter& starter,
               Weights weights = Weights::Softmax)
{
    const bool waves = weights == Weights::FourierKeys;
    Summary summary(problem, projections.samples * (waves ? 2 : 1));
    FusedAttention task = problem.fused(weights);
    task.queries = projections.matrices(problem);
    task.queryCount = summary.rows;
    task.scale = 1;
    task.normWeight = problem.scale / (waves ? -2 : 2);
    task.features = int(projections.samples);
    task.output = summary.output(problem);
    task.logSums = summary.logSums.data();
    perform(task, starter);
    return summary;
}

FusedAttention attending(Problem& problem, Projections& projections, Summary& summary, Weights weights)
{
    FusedAttention task = problem.fused(weights);
    task.keys = projections.matrices(problem);
    task.keyCount = summary.rows;
    task.values = summary.matrices(problem);
    task.scale = 1;
    task.bias = summary.logSums.data();
    return task;
}

}

namespace {

/// Values are about 1; brain floats have 8 bits, and weights, means and outputs are rounded to them.
void verify(const Problem& problem, double error, double single = 1e-5, double half = 0.025)
{
    QCOMPARE_LT(error, (problem.type == ElementType::Float32 ? single : half));
}

}

class TestCudaKernels : public QObject {
    Q_OBJECT

private slots:
    void softmaxIsTheFormula_data() { addProblems(); }
    void softmaxIsTheFormula()
    {
        Problem problem = fetchedProblem();
        Elements out = problem.emptyAnswers();
        FusedAttention task = problem.fused(Weights::Softmax);
        task.output = problem.outputIn(out);
        perform(task, fetchedStarter());
        verify(problem, problem.error(out, [&](int64_t matrix, int64_t n, int64_t m) {
            double logit = 0;
            for (int d = 0; d < problem.width; ++d)
                logit += problem.qAt(matrix, n, d) * problem.kAt(matrix, m, d);
            return std::exp(double(problem.scale) * logit);
        }));
    }

    void positiveFeaturesAreTheFormula_data() { addProblems(); }
    void positiveFeaturesAreTheFormula()
    {
        Problem problem = fetchedProblem();
        const Starter starter = fetchedStarter();
        for (const int64_t samples : {16, 70}) {
            Projections projections(problem, samples);
            Summary summary = summed(problem, projections, starter);
            FusedAttention task = attending(problem, projections, summary, Weights::Softmax);
            Elements out = problem.emptyAnswers();
            task.output = problem.outputIn(out);
            perform(task, starter);
            verify(problem, problem.error(out, [&](int64_t matrix, int64_t n, int64_t m) {
                double weight = 0;
                for (int64_t s = 0; s < samples; ++s)
                    weight += std::exp(projections.ofQuery(problem, matrix, n, s)
                                       + projections.ofKey(problem, matrix, m, s) - problem.halfNorm(matrix, m));
                return weight;
            }));
        }
    }

    void landmarkWeightsAreTheFormula_data() { addProblems(); }
    void landmarkWeightsAreTheFormula()
    {
        Problem problem = fetchedProblem();
        const Starter starter = fetchedStarter();
        for (const int64_t samples : {9, 70}) {
            Projections projections(problem, samples), landmarks(problem, samples);
            Summary summary = summed(problem, projections, starter);
            const int64_t pairCount = problem.counts.samples * problem.counts.heads;
            Floats balance = problem.normal(pairCount * samples), normaliser(balance.size());
            for (float& fraction : balance)
                fraction = std::abs(fraction) / float(samples);
            // The normaliser: landmarks as queries, queries as keys, no values.
            FusedAttention normalise = problem.fused(Weights::Softmax);
            normalise.counts.groups = 1;
            normalise.queries = landmarks.matrices(problem);
            normalise.queryCount = samples;
            normalise.keys = problem.qMatrices();
            normalise.keyCount = problem.queries;
            normalise.values = {};
            normalise.valueDim = 0;
            normalise.scale = 1;
            normalise.logSums = normaliser.data();
            perform(normalise, starter);
            FusedAttention task = attending(problem, projections, summary, Weights::Landmarks);
            task.landmarks = {landmarks.matrices(problem), normaliser.data(), balance.data(), 1.5f, 1e-8f};
            Elements out = problem.emptyAnswers();
            task.output = problem.outputIn(out);
            perform(task, starter);

            Doubles totals(size_t(problem.counts.matrices() * samples));
            for (int64_t i = 0; i < problem.counts.matrices() * problem.queries * samples; ++i) {
                const int64_t matrix = i / (problem.queries * samples);
                totals[size_t(matrix * samples + i % samples)] += std::exp(
                    landmarks.ofQuery(problem, matrix, i / samples % problem.queries, i % samples));
            }
            const auto r = [&](int64_t matrix, int64_t n, int64_t c) {
                return std::exp(landmarks.ofQuery(problem, matrix, n, c)) / totals[size_t(matrix * samples + c)];
            };
            Doubles alpha(size_t(problem.counts.matrices() * problem.queries * samples));
            for (int64_t row = 0; row < problem.counts.matrices() * problem.queries; ++row) {
                double* own = alpha.data() + row * samples;
                const int64_t matrix = row / problem.queries;
                double mean = 0;
                for (int64_t c = 0; c < samples; ++c)
                    mean += (own[c] = r(matrix, row % problem.queries, c)) / double(samples);
                for (int64_t c = 0; c < samples; ++c)
                    own[c] = std::max(double(balance[size_t(problem.pairOf(matrix) * samples + c)])
                                          + 1.5 * (own[c] - mean),
                                      1e-8);
            }
            verify(problem, problem.error(out, [&](int64_t matrix, int64_t n, int64_t m) {
                double weight = 0;
                for (int64_t s = 0; s < samples; ++s)
                    weight += alpha[size_t((matrix * problem.queries + n) * samples + s)]
                              * std::exp(projections.ofQuery(problem, matrix, n, s)
                                         + projections.ofKey(problem, matrix, m, s) - problem.halfNorm(matrix, m));
                return weight;
            }));
        }
    }

    void wavesAreTheFormula_data() { addProblems({false}); }
    void wavesAreTheFormula()
    {
        Problem problem = fetchedProblem(0.4);
        const Starter starter = fetchedStarter();
        constexpr int64_t samples = 150;  // few, and the sums nearly vanish for some query
        Projections projections(problem, samples);
        Summary summary = summed(problem, projections, starter, Weights::FourierKeys);
        FusedAttention task = attending(problem, projections, summary, Weights::FourierQueries);
        task.bias = nullptr;
        task.keySums = summary.logSums.data();
        task.features = samples;
        task.minDenominator = 1e-6f;
        Elements out = problem.emptyAnswers();
        task.output = problem.outputIn(out);
        perform(task, starter);
        verify(problem, problem.error(out, [&](int64_t matrix, int64_t n, int64_t m) {
            double weight = 0;
            for (int64_t s = 0; s < samples; ++s)
                weight += std::cos(projections.ofQuery(problem, matrix, n, s)
                                   - projections.ofKey(problem, matrix, m, s));
            return weight * std::exp(problem.halfNorm(matrix, m));
        }));
    }

    void drawsAreThoseOfTheCpu_data() { addProblems(); }
    void drawsAreThoseOfTheCpu()
    {
        Problem problem = fetchedProblem(1.5);
        problem.counts.groups = 1;
        constexpr int64_t draws = 2;
        const int64_t pairCount = problem.counts.samples * problem.counts.heads;
        Floats uniform(size_t(pairCount * problem.queries * draws));
        for (float& u : uniform)
            u = (float(problem.random() >> 9) + 0.5f) * 0x1p-23f;
        std::vector<int32_t> drawn(uniform.size(), -1);
        perform(DrawKeys{.number = problem.type,
                         .counts = problem.counts,
                         .queries = problem.qMatrices(),
                         .keys = problem.kMatrices(),
                         .queryCount = problem.queries,
                         .keyCount = problem.keys,
                         .width = problem.width,
                         .scale = problem.scale,
                         .draws = draws,
                         .uniform = uniform.data(),
                         .drawn = drawn.data()},
                fetchedStarter());

        const cpu::CpuKernels& kernels = cpu::cpuKernels();
        for (int64_t pair = 0; pair < pairCount; ++pair) {
            Floats q, k;
            for (int64_t n = 0; n < problem.queries; ++n)
                for (int d = 0; d < problem.width; ++d)
                    q.push_back(float(problem.qAt(pair, n, d)));
            for (int64_t m = 0; m < problem.keys; ++m)
                for (int d = 0; d < problem.width; ++d)
                    k.push_back(float(problem.kAt(pair, m, d)));
            const auto size = [](int64_t count) { return size_t(count); };
            Floats scratch(size(cpu::drawScratch(problem.keys))), columns(size(cpu::queryBlock * problem.width));
            for (int64_t first = 0; first < problem.queries; first += cpu::queryBlock) {
                const int64_t rows = std::min(cpu::queryBlock, problem.queries - first),
                              at = (pair * problem.queries + first) * draws;
                std::vector<int64_t> expected(size(rows * draws));
                kernels.packQueries(
                    {{q.data() + first * problem.width, problem.width}, rows, problem.width, columns.data()});
                kernels.drawKeys({.queries = q.data() + first * problem.width,
                                  .columns = columns.data(),
                                  .rows = rows,
                                  .width = problem.width,
                                  .keys = {k.data(), problem.width},
                                  .count = problem.keys,
                                  .factor = problem.scale,
                                  .uniform = uniform.data() + at,
                                  .draws = draws,
                                  .drawn = expected.data(),
                                  .scratch = scratch.data()});
                for (int64_t i = 0; i < rows * draws; ++i)
                    QCOMPARE(int64_t(drawn[size(at + i)]), expected[size(i)]);
            }
        }
    }

    void manyKeysAreDrawnFromInStretches()
    {
        Problem problem(ElementType::BFloat16, {1, 1, 1}, 3, maxStretches * keyTile + 100, 8, 8);
        std::vector<int32_t> drawn(30);
        const attnscope::StreamKey stream{5, 2, 0, attnscope::streamPurpose("u")};
        perform(DrawKeys{.number = problem.type,
                         .counts = problem.counts,
                         .queries = problem.qMatrices(),
                         .keys = problem.kMatrices(),
                         .queryCount = problem.queries,
                         .keyCount = problem.keys,
                         .width = problem.width,
                         .scale = problem.scale,
                         .draws = 10,
                         .stream = {.key = attnscope::foldedKey(stream)},
                         .drawn = drawn.data()},
                {});
        Floats uniform(30);
        attnscope::fillUniform(stream, 0, uniform);
        for (size_t i = 0; i < 30; ++i) {
            double total = 0, below = 0, own = 0;
            for (int64_t m = 0; m < problem.keys; ++m) {
                double logit = 0;
                for (int d = 0; d < problem.width; ++d)
                    logit += problem.qAt(0, int64_t(i) / 10, d) * problem.kAt(0, m, d);
                const double weight = std::exp(double(problem.scale) * logit);
                total += weight;
                below += m < drawn[i] ? weight : 0;
                own += m == drawn[i] ? weight : 0;
            }
            const auto u = double(uniform[i]);
            QVERIFY(u > below / total - 1e-5 && u < (below + own) / total + 1e-5);
        }
    }

    void drawsFollowTheBiasOfKeys_data() { addProblems(); }
    /// More keys than there are stretches of one tile: sums of several tiles each.
    /// A key of bias −∞ is never drawn, the others where u lies among the sums of their weights.
    void drawsFollowTheBiasOfKeys()
    {
        Problem problem = fetchedProblem(1.5);
        problem.counts.groups = 1;
        constexpr int64_t draws = 3;
        const int64_t pairs = problem.counts.samples * problem.counts.heads;
        Floats bias = problem.normal(pairs * problem.keys), uniform(size_t(pairs * problem.queries * draws));
        for (size_t i = 0; i < bias.size(); ++i)
            if (i % 3 == 1 || int64_t(i) % problem.keys >= problem.keys - 2)
                bias[i] = -std::numeric_limits<float>::infinity();
        for (size_t i = 0; i < uniform.size(); ++i)
            uniform[i] = i % 7 == 0   ? 1 - 0x1p-24f
                         : i % 7 == 1 ? 0.0f
                                      : (float(problem.random() >> 9) + 0.5f) * 0x1p-23f;
        std::vector<int32_t> drawn(uniform.size(), -1);
        perform(DrawKeys{.number = problem.type,
                         .counts = problem.counts,
                         .queries = problem.qMatrices(),
                         .keys = problem.kMatrices(),
                         .queryCount = problem.queries,
                         .keyCount = problem.keys,
                         .width = problem.width,
                         .scale = problem.scale,
                         .bias = bias.data(),
                         .draws = draws,
                         .uniform = uniform.data(),
                         .drawn = drawn.data()},
                fetchedStarter());
        for (int64_t row = 0; row < pairs * problem.queries; ++row) {
            const int64_t pair = row / problem.queries;
            Doubles sums;
            double sum = 0;
            for (int64_t m = 0; m < problem.keys; ++m) {
                double logit = 0;
                for (int d = 0; d < problem.width; ++d)
                    logit += problem.qAt(pair, row % problem.queries, d) * problem.kAt(pair, m, d);
                sum += std::exp(double(problem.scale) * logit + double(bias[size_t(pair * problem.keys + m)]));
                sums.push_back(sum);
            }
            for (int64_t draw = 0; draw < draws; ++draw) {
                const auto at = size_t(row * draws + draw);
                const auto key = size_t(drawn[at]);
                QVERIFY(key < sums.size() && std::isfinite(bias[size_t(pair * problem.keys) + key]));
                const double level = double(uniform[at]) * sum, allowed = 1e-5 * sum;
                QVERIFY(level <= sums[key] + allowed && (key == 0 || level >= sums[key - 1] - allowed));
            }
        }
    }

    void randomQueriesAreTheFormula_data() { addProblems(); }
    void randomQueriesAreTheFormula()
    {
        Problem problem = fetchedProblem();
        problem.counts.groups = 1;
        constexpr int draws = 2;
        const int64_t pairCount = problem.counts.samples * problem.counts.heads,
                      rows = pairCount * problem.queries * draws;
        std::vector<int32_t> drawn(static_cast<size_t>(rows));
        for (int32_t& z : drawn)
            z = int32_t(problem.random() % unsigned(problem.keys));
        const attnscope::StreamKey lengths{3, 1, 0, attnscope::streamPurpose("eps")},
            angles{3, 1, 0, attnscope::streamPurpose("eps.angle")};
        const float root = std::sqrt(problem.scale);
        FusedAttention task = problem.fused(Weights::Random);
        task.scale = 1;
        task.normWeight = problem.scale / 2;
        task.random = {.draws = draws,
                       .queryFactor = problem.scale,
                       .meanFactor = problem.scale,
                       .stddev = root,
                       .drawn = drawn.data()};
        task.random.lengths.key = attnscope::foldedKey(lengths);
        task.random.angles.key = attnscope::foldedKey(angles);
        task.random.lengths.first = task.random.angles.first = 40;
        Elements out = problem.emptyAnswers();
        task.output = problem.outputIn(out);
        perform(task, fetchedStarter());

        const auto numbersOf = [&](attnscope::StreamKey key, int64_t sample) {
            key.sample = 40 + uint64_t(sample);
            Floats numbers(size_t(problem.counts.heads * problem.queries * draws * problem.width));
            attnscope::fillUniform(key, 0, numbers);
            return numbers;
        };
        double worst = 0;
        for (int64_t matrix = 0; matrix < pairCount; ++matrix) {
            const Floats length = numbersOf(lengths, problem.place(matrix)[0]),
                         angle = numbersOf(angles, problem.place(matrix)[0]);
            for (int64_t n = 0; n < problem.queries; ++n) {
                Doubles mean(size_t(problem.valueDim));
                for (int s = 0; s < draws; ++s) {
                    Doubles omega;
                    for (int d = 0; d < problem.width; ++d) {
                        const auto at = size_t(
                            ((problem.headOf(matrix) * problem.queries + n) * draws + s) * problem.width + d);
                        const double eps = std::sqrt(-2 * std::log(double(length[at])))
                                           * std::cos(2 * M_PI * double(angle[at]));
                        const double key = problem.kAt(
                            matrix, drawn[size_t((matrix * problem.queries + n) * draws + s)], d);
                        omega.push_back(double(problem.scale) * (problem.qAt(matrix, n, d) + key)
                                        + double(root) * eps);
                    }
                    double sum = 0;
                    Doubles values(mean.size());
                    for (int64_t m = 0; m < problem.keys; ++m) {
                        double logit = -problem.halfNorm(matrix, m);
                        for (int d = 0; d < problem.width; ++d)
                            logit += omega[size_t(d)] * problem.kAt(matrix, m, d);
                        sum += std::exp(logit);
                        for (int d = 0; d < problem.valueDim; ++d)
                            values[size_t(d)] += std::exp(logit) * problem.vAt(matrix, m, d);
                    }
                    for (size_t d = 0; d < mean.size(); ++d)
                        mean[d] += values[d] / sum / draws;
                }
                for (int d = 0; d < problem.valueDim; ++d) {
                    const double difference = std::abs(problem.answerAt(out, matrix, n, d) - mean[size_t(d)]);
                    worst = difference <= worst ? worst : difference;
                }
            }
        }
        // Rounding ω to 8 bits moves logits of size 10 by some hundredths.
        verify(problem, worst, 2e-5, 0.1);
    }

    void numbersAreThoseOfTheStreams()
    {
        const attnscope::StreamKey stream{1u, 7, 123456789012345u, attnscope::streamPurpose("u")};
        Floats expected(50);
        constexpr uint64_t first = 0xfffffff0ull * 4 + 2;  // the counter's second word begins inside
        attnscope::fillUniform(stream, first, expected);
        for (uint64_t i = 0; i < 50; ++i)
            QCOMPARE(uniformAt({.key = attnscope::foldedKey(stream), .first = stream.sample}, 0, first + i),
                     expected[i]);
        const uint64_t listed[] = {1, stream.sample};
        QCOMPARE(uniformAt({.key = attnscope::foldedKey(stream), .samples = listed}, 1, first), expected[0]);
    }

    void balanceIsTheFormula()
    {
        constexpr int count = 37, width = 20;
        std::mt19937 random(9);
        std::normal_distribution<float> normal;
        Floats means(2 * count * width), samples(means.size()), own(2 * count), fraction(2 * count);
        for (float& x : means)
            x = normal(random);
        for (float& x : samples)
            x = normal(random);
        QCOMPARE(balanceOf(Balance{means.data(), samples.data(), 2, count, width, own.data(), fraction.data()},
                           Starter{}),
                 0);
        for (int at = 0; at < 2 * count; ++at) {
            const auto density = [&](int c) {
                double x = 0;
                for (int d = 0; d < width; ++d) {
                    const auto mean = double(means[size_t((at / count * count + c) * width + d)]);
                    x += mean * double(samples[size_t(at * width + d)]) - mean * mean / 2;
                }
                return x;
            };
            double total = 0;
            for (int c = 0; c < count; ++c)
                total += std::exp(density(c));
            QVERIFY(std::abs(double(own[size_t(at)]) - density(at % count)) < 1e-4);
            QVERIFY(std::abs(double(fraction[size_t(at)]) - std::exp(density(at % count)) / total) < 1e-5);
        }
    }

    void extremeLogitsStayFinite()
    {
        Problem problem(ElementType::Float32, {1, 1, 1}, 20, 100, 32, 32, 6);  // logits of some hundreds
        Projections projections(problem, 16);
        Summary summary = summed(problem, projections, {});
        FusedAttention task = attending(problem, projections, summary, Weights::Softmax);
        Elements out = problem.emptyAnswers();
        task.output = problem.outputIn(out);
        perform(task, {});
        for (const float x : out.whole)
            QVERIFY(std::abs(x) < 40);
    }

    /// Of 128 channels in float32 an RTX 4090 cannot hold 64 queries next to a tile.
    void blocksShrinkWhereSharedMemoryIsScarce()
    {
        Problem problem(ElementType::Float32, {1, 1, 1}, 70, 80, 128, 128);
        Elements wide = problem.emptyAnswers(), narrow = problem.emptyAnswers();
        FusedAttention task = problem.fused(Weights::Softmax);
        task.output = problem.outputIn(wide);
        perform(task, {});
        task.output = problem.outputIn(narrow);
        perform(task, {.limit = 99 * 1024});
        QCOMPARE(narrow.whole, wide.whole);
        QCOMPARE((fusedAttentionOf<Starter, float>(task, Starter{.limit = 48 * 1024})), 1);
    }

    /// Of every kind of weights and head, all but one fit into an RTX 4090's shared memory, and all into an A100's.
    void onlyWideLandmarksNeedMoreThan99KiB()
    {
        for (const int64_t limit : {99, 163, 227})
            for (const int width : {8, 32, 40, 64, 72, 80, 88, 96, 104, 128})
                for (const int64_t keys : {9, 64, 70, 5000})
                    for (const auto weights : {Weights::Softmax, Weights::Landmarks, Weights::FourierKeys,
                                               Weights::FourierQueries, Weights::Random}) {
                        const Starter starter{.limit = limit * 1024, .onlyAsks = true};
                        FusedAttention task{.weights = weights, .counts = {1, 3, 1}};
                        task.queryCount = 197, task.keyCount = keys, task.width = task.valueDim = width;
                        const bool tooWide = weights == Weights::Landmarks && width > 96 && limit == 99;
                        const bool waves = weights == Weights::FourierKeys || weights == Weights::FourierQueries;
                        QCOMPARE((fusedAttentionOf<Starter, float>(task, starter)) == 0, !tooWide);
                        QCOMPARE((fusedAttentionOf<Starter, Bfloat16>(task, starter)) == 0, !waves);
                        DrawKeys draws{.counts = {1, 3, 1}, .queryCount = 197, .keyCount = keys, .width = width};
                        QCOMPARE((drawOf<Starter, float>(draws, starter)), 0);
                        QCOMPARE((drawOf<Starter, Bfloat16>(draws, starter)), 0);
                    }
    }

    void matricesAreLoadedWithoutBankConflicts()
    {
        for (const int width : {16, 32, 64, 96, 128}) {
            Problem problem(ElementType::BFloat16, {1, 1, 1}, 20, 70, width, width);
            Elements out = problem.emptyAnswers();
            FusedAttention task = problem.fused(Weights::Softmax);
            task.output = problem.outputIn(out);
            attnscope::emulated::conflicts = {};
            perform(task, {});
            QVERIFY(attnscope::emulated::conflicts.accesses > 0);
            QCOMPARE(attnscope::emulated::conflicts.worst, 1u);
        }
        // What is counted: rows 128 bytes apart lie in the same banks.
        attnscope::emulated::Conflicts colliding;
        std::array<const void*, 8> rows;
        for (size_t i = 0; i < rows.size(); ++i)
            rows[i] = reinterpret_cast<const void*>(4096 + 128 * (i / 2));
        colliding.add(rows.data());
        QCOMPARE(colliding.worst, 4u);
    }

private:
    static void addProblems(std::initializer_list<bool> types = {false, true})
    {
        // `sizes`: B H G N M D Dv
        columns<bool, bool, QList<int>>("half", "descending", "sizes");
        const QList<QList<int>> sizes{{1, 1, 1, 70, 130, 64, 64}, {2, 1, 1, 17, 29, 12, 6},
                                      {1, 2, 3, 5, 33, 40, 48},   {1, 1, 1, 33, 64, 128, 72},
                                      {1, 1, 1, 20, 600, 16, 32}, {1, 2, 1, 210, 41, 24, 20}};
        for (const bool half : types)
            for (const QList<int>& size : sizes) {
                QString name = half ? "bfloat16" : "float32";
                for (const int x : size)
                    name += " " + QString::number(x);
                const bool descending = size.front() == 2 || size[2] == 3;
                row(name, half, descending, size);
            }
    }
    static Problem fetchedProblem(double size = 1)
    {
        QFETCH(const bool, half);
        QFETCH(const QList<int>, sizes);
        return {half ? ElementType::BFloat16 : ElementType::Float32,
                {sizes[0], sizes[1], sizes[2]},
                sizes[3],
                sizes[4],
                sizes[5],
                sizes[6],
                size};
    }
    static Starter fetchedStarter()
    {
        QFETCH(const bool, descending);
        return {.descending = descending};
    }
};

ATTNSCOPE_TEST(TestCudaKernels)
#include "tst_cuda_kernels.moc"
