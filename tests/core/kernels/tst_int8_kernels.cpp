// Linear layers with weights in 8 bits, of each instruction set that this processor has, against their integers in float64.
#include "kernel_numbers.h"
#include "tests/support/test_class.h"

#include <array>
#include <limits>

using namespace attnscope;
using namespace attnscope::kernels;

namespace {

/// A layer in 8 bits and what its integers make of inputs x, to rounding of float32.
struct Int8Case {
    int64_t rows, in, out;
    bool packed;  ///< inputs are bfloat16
    Floats x, bias, addend, scales;
    std::vector<int> weight;  ///< (out,in)

    Int8Case(std::mt19937& random, bool bfloat16Inputs, std::array<int64_t, 3> size)
        : rows(size[0])
        , in(size[1])
        , out(size[2])
        , packed(bfloat16Inputs)
        , x(normal(random, rows * in))
        , bias(normal(random, out))
        , addend(normal(random, rows * out))
    {
        x[size_t(in / 2)] = 60;  // an outlier spoils its own group alone
        if (packed)
            x = rounded(x);
        std::uniform_int_distribution<int> integers(-127, 127);
        for (int64_t i = 0; i < out * in; ++i)
            weight.push_back(i % 7 == 0 ? -127 : integers(random));
        for (int64_t i = 0; i < out; ++i)
            scales.push_back(0.001f * float(1 + i % 5));
    }

    /// Words of four weights + 128, as strips.
    Floats packedWeights(const CpuKernels& cpu) const
    {
        Floats quads(weight.size() / 4);
        std::vector<uint8_t> bytes;
        for (const int w : weight)
            bytes.push_back(uint8_t(w + 128));
        std::memcpy(quads.data(), bytes.data(), bytes.size());
        return packedWeightsOf(cpu.int8StripColumns, quads, out, in / 4);
    }

    /// addend + bias + Σ groups of (Σ rounded input · integer weight) · scales, in float64.
    Doubles expected() const
    {
        Doubles y;
        for (int64_t n = 0; n < rows; ++n)
            for (int64_t c = 0; c < out; ++c) {
                double sum = double(addend[size_t(n * out + c)]) + double(bias[size_t(c)]);
                for (int64_t begin = 0; begin < in; begin += int8Group)
                    sum += group(n, c, begin, std::min(begin + int8Group, in)) * double(scales[size_t(c)]);
                y.push_back(sum);
            }
        return y;
    }

private:
    double group(int64_t n, int64_t c, int64_t begin, int64_t end) const
    {
        float largest = 0;
        for (int64_t d = begin; d < end; ++d)
            largest = std::max(largest, std::abs(x[size_t(n * in + d)]));
        const float inverse = 127 / largest;
        int64_t sum = 0;
        for (int64_t d = begin; d < end; ++d)
            sum += std::lrint(x[size_t(n * in + d)] * inverse) * weight[size_t(c * in + d)];
        return double(sum) * double(largest) / 127;
    }
};

// More rows than are rounded at a time, more inputs than a pass takes, groups that end early, strips that are not full.
constexpr std::array<int64_t, 3> sizes[] = {
    {1, 16, 16}, {7, 208, 80}, {50, 96, 144}, {115, 784, 64}, {3, 1536, 16}};

}

class TestInt8Kernels : public QObject {
    Q_OBJECT

private slots:
    void layersAreTheirIntegers_data() { addSets(); }
    void layersAreTheirIntegers()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        std::mt19937 random(21);
        for (const bool packed : {false, true})
            for (const auto& size : sizes) {
                const Int8Case given(random, packed, size);
                const Floats weights = given.packedWeights(cpu), x = packed ? narrowed(given.x) : given.x;
                const int64_t words = packed ? given.in / 2 : given.in;
                Floats out = scratchFor(given.rows * given.out);
                (packed ? cpu.linearInt8Bfloat16 : cpu.linearInt8)(
                    {.x = {x.data(), words},
                     .rows = given.rows,
                     .weight = {weights.data(), given.in / 4, given.out, given.scales.data()},
                     .depthEnd = words,
                     .columnEnd = given.out,
                     .bias = given.bias.data(),
                     .addend = {given.addend.data(), given.out},
                     .out = {out.data(), given.out}});
                const double error = relativeError(out, given.expected());
                QCOMPARE_LT(error, 1e-6);
            }
    }

    void partsOfTheDepthAddUp_data() { addSets(); }
    void partsOfTheDepthAddUp()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        std::mt19937 random(22);
        const Int8Case given(random, true, {9, 512, 96});
        const Floats weights = given.packedWeights(cpu), x = narrowed(given.x);
        Floats sums = scratchFor(given.rows * given.out), half = scratchFor(given.rows * given.out / 2);
        LinearRows task{.x = {x.data(), given.in / 2},
                        .rows = given.rows,
                        .weight = {weights.data(), given.in / 4, given.out, given.scales.data()},
                        .depthEnd = 2 * int8Group / 2,
                        .columnEnd = given.out,
                        .bias = given.bias.data(),
                        .addend = {given.addend.data(), given.out},
                        .out = {sums.data(), given.out}};
        for (int64_t begin = 0; begin < given.out; begin += 48) {  // parts of strips
            LinearRows part = task;
            part.columnBegin = begin, part.columnEnd = std::min<int64_t>(begin + 48, given.out);
            part.addend.data += begin, part.out.data += begin;
            cpu.linearInt8Bfloat16(part);
        }
        task.x.data += task.depthEnd;
        task.depthBegin = task.depthEnd, task.depthEnd = given.in / 2;
        task.add = true;
        task.activation = Activation::QuickGelu;
        task.bfloat16 = {half.data(), given.out / 2};
        cpu.linearInt8Bfloat16(task);
        Doubles expected = given.expected();
        for (double& y : expected)
            y = y / (1 + std::exp(-1.702 * y));
        const double error = relativeError(widened(half), expected);
        QCOMPARE_LT(error, 3e-3);  // 2⁻⁹ is 2e-3
    }

    void extremesDoNotOverflow_data() { addSets(); }
    /// All products as large as they can be, with equal signs: 127 · 127 · 128 and its negative, exactly.
    void extremesDoNotOverflow()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        for (const int w : {127, -127})
            for (const float input : {1.0f, -1.0f}) {
                const Floats x(int8Group, input), scales(16, 1), bias(16, 0);
                std::vector<uint8_t> bytes(16 * int8Group, uint8_t(w + 128));
                Floats weights(bytes.size() / 4), out = scratchFor(16);
                std::memcpy(weights.data(), bytes.data(), bytes.size());
                cpu.linearInt8({.x = {x.data(), int8Group},
                                .rows = 1,
                                .weight = {weights.data(), int8Group / 4, 16, scales.data()},
                                .depthEnd = int8Group,
                                .columnEnd = 16,
                                .bias = bias.data(),
                                .out = {out.data(), 16}});
                for (const float y : out)
                    QVERIFY2(std::abs(y / (float(w * int8Group) * input) - 1) < 1e-6f,
                             qPrintable(QString::number(double(y))));
            }
    }

    void whatIsNoNumberStaysNone_data() { addSets(); }
    /// NaN and infinity of one input make all outputs of its row no number, and none of another; a row of zeros leaves the bias.
    void whatIsNoNumberStaysNone()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        std::mt19937 random(23);
        const Int8Case given(random, false, {3, 144, 16});
        const Floats weights = given.packedWeights(cpu);
        for (const float bad :
             {std::nanf("1"), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
            Floats x = given.x, out = scratchFor(3 * 16);
            x[20] = bad;
            std::fill_n(x.begin() + 2 * 144, 144, 0.0f);
            cpu.linearInt8({.x = {x.data(), 144},
                            .rows = 3,
                            .weight = {weights.data(), 36, 16, given.scales.data()},
                            .depthEnd = 144,
                            .columnEnd = 16,
                            .bias = given.bias.data(),
                            .out = {out.data(), 16}});
            for (size_t c = 0; c < 16; ++c) {
                QVERIFY(!std::isfinite(out[c]));
                QVERIFY(std::isfinite(out[16 + c]));
                QCOMPARE(out[32 + c], given.bias[c]);
            }
        }
    }
};

ATTNSCOPE_TEST(TestInt8Kernels)
#include "tst_int8_kernels.moc"
