// Kernels that see each token or each channel alone, of each instruction set that this processor has, against the plain formula in float64.
#include "kernel_numbers.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <tuple>
#include <utility>

using namespace attnscope;
using namespace attnscope::kernels;

namespace {

double geluOf(double x)
{
    return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
}

/// Every activation by its formula.
double activationOf(Activation kind, double x)
{
    switch (kind) {
    case Activation::None:
        break;
    case Activation::Gelu:
        return geluOf(x);
    case Activation::GeluTanh:
        return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::QuickGelu:
        return x / (1 + std::exp(-1.702 * x));
    case Activation::Silu:
        return x / (1 + std::exp(-x));
    }
    return x;
}

constexpr std::pair<Activation, const char*> activations[] = {
    {Activation::None, "none"},          {Activation::Gelu, "gelu"},
    {Activation::GeluTanh, "gelu tanh"}, {Activation::QuickGelu, "quick gelu"},
    {Activation::Silu, "silu"},
};

void addSetsAndActivations()
{
    columns<int, int>("set", "activation");
    for (size_t i = 0; i < supportedCpuKernels().size(); ++i)
        for (const auto& [kind, name] : activations)  // None is the layer itself
            addRow("%s %s", supportedCpuKernels()[i]->name, name) << int(i) << int(kind);
}

/// A layer of random numbers and its output before GELU.
struct Case {
    int64_t rows, in, out;
    Floats x, weight, addend, bias;
    Doubles expected;

    Case(std::mt19937& random, bool packed, const std::tuple<int64_t, int64_t, int64_t>& size)
        : rows(std::get<0>(size))
        , in(std::get<1>(size))
        , out(std::get<2>(size))
        , x(normal(random, rows * in))
        , weight(normal(random, out * in))
        , addend(normal(random, rows * out))
        , bias(normal(random, out))
    {
        if (packed)
            for (Floats* numbers : {&x, &weight, &addend})
                *numbers = rounded(*numbers);
        expected.assign(addend.begin(), addend.end());
        for (int64_t n = 0; n < rows; ++n)
            for (int64_t c = 0; c < out; ++c)
                expected[size_t(n * out + c)] += double(bias[size_t(c)]) + product(x, n, weight, c, in);
    }

    Doubles activated() const
    {
        Doubles y = expected;
        for (double& value : y)
            value = geluOf(value);
        return y;
    }
};

const std::tuple<int64_t, int64_t, int64_t> sizes[] = {{1, 32, 16}, {7, 208, 80}, {50, 96, 144}, {96, 400, 64}};

/// Depthwise convolution of channels-last x (rows·columns, width) by weight (9, width), GELU of it.
Doubles convolved(const Floats& x, int64_t rows, int64_t columns, int64_t width, const Floats& weight,
                  const Floats& bias)
{
    Doubles out;
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column)
            for (int64_t d = 0; d < width; ++d) {
                auto sum = double(bias[size_t(d)]);
                for (int64_t i = 0; i < 9; ++i) {
                    const int64_t r = row + i / 3 - 1, c = column + i % 3 - 1;
                    if (r >= 0 && r < rows && c >= 0 && c < columns)
                        sum += double(x[size_t((r * columns + c) * width + d)])
                               * double(weight[size_t(i * width + d)]);
                }
                out.push_back(geluOf(sum));
            }
    return out;
}

constexpr double halfRounding = 3e-3;  // 2⁻⁹ is 2e-3

}

class TestLayerKernels : public QObject {
    Q_OBJECT

private slots:
    void linearLayersAreTheFormula_data() { addSets(); }
    void linearLayersAreTheFormula()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        std::mt19937 random(11);
        for (const bool packed : {false, true}) {
            for (const auto& size : sizes) {
                Case given(random, packed, size);
                const int64_t packedInputs = packed ? given.in / 2 : given.in, half = packedInputs / 16 * 8;
                const Floats rowsOfX = packed ? narrowed(given.x) : given.x;
                const Floats packedWeights = packedWeightsOf(
                    cpu.stripColumns, packed ? narrowed(given.weight) : given.weight, given.out, packedInputs);
                OutputRows out{given.addend.data(), given.out};
                LinearRows task{.x = {rowsOfX.data(), packedInputs},
                                .rows = given.rows,
                                .weight = {packedWeights.data(), packedInputs, given.out},
                                .depthEnd = half,
                                .columnEnd = given.out,
                                .bias = given.bias.data(),
                                .addend = {out.data, out.stride},
                                .out = out};
                const auto multiply = packed ? cpu.linearBfloat16 : cpu.linearRows;
                multiply(task);  // into its own addend, the second half of the inputs after the first
                task.x.data += half;
                task.depthBegin = half;
                task.depthEnd = packedInputs;
                task.add = true;
                task.activation = Activation::Gelu;
                multiply(task);
                const double error = relativeError(given.addend, given.activated());
                QCOMPARE_LT(error, 2e-6);
            }
        }
    }

    void linearLayersTakeAndLeaveBfloat16_data() { addSets(); }
    void linearLayersTakeAndLeaveBfloat16()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        std::mt19937 random(12);
        for (const auto& size : sizes)
            for (const bool gelu : {false, true})
                for (const bool addendIsBfloat16 : {false, true}) {
                    const Case given(random, true, size);
                    const int64_t packedInputs = given.in / 2;
                    const Floats x = narrowed(given.x),
                                 packedWeights = packedWeightsOf(cpu.stripColumns, narrowed(given.weight),
                                                                 given.out, packedInputs);
                    const Floats bfloat16Addend = narrowed(given.addend);
                    Floats sums = scratchFor(given.rows * given.out),
                           half = scratchFor(given.rows * given.out / 2);
                    LinearRows task{.x = {x.data(), packedInputs},
                                    .rows = given.rows,
                                    .weight = {packedWeights.data(), packedInputs, given.out},
                                    .depthEnd = packedInputs,
                                    .columnEnd = given.out,
                                    .bias = given.bias.data(),
                                    .addend = {given.addend.data(), given.out},
                                    .bfloat16Addend = addendIsBfloat16,
                                    .activation = gelu ? Activation::Gelu : Activation::None,
                                    .out = {sums.data(), given.out},
                                    .bfloat16 = {half.data(), given.out / 2}};
                    if (addendIsBfloat16)
                        task.addend = {bfloat16Addend.data(), given.out / 2};
                    for (int64_t begin = 0, width = 48; begin < given.out;
                         begin += width, width = 64 - width) {  // parts of strips
                        LinearRows part = task;
                        part.columnBegin = begin;
                        part.columnEnd = std::min(begin + width, given.out);
                        part.addend.data += addendIsBfloat16 ? begin / 2 : begin;
                        part.out.data += begin;
                        part.bfloat16.data += begin / 2;
                        cpu.linearBfloat16(part);
                    }
                    const double error = relativeError(widened(half), gelu ? given.activated() : given.expected);
                    QCOMPARE_LT(error, halfRounding);
                }
    }

    void bfloat16IsTheNearestAndKeepsWhatIsNoNumber_data() { addSets(); }
    /// A layer of no input but its bias leaves the bias.
    void bfloat16IsTheNearestAndKeepsWhatIsNoNumber()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        constexpr float infinity = std::numeric_limits<float>::infinity(),
                        unit = 1.0f / 128;  // of bfloat16's last place from 1 on
        const Floats bias{0.0f,
                          -0.0f,
                          1.0f,
                          1 + unit / 2,
                          1 + 3 * unit / 2,
                          1 + unit / 2 + 1e-6f,
                          -1 - unit / 2,
                          3.3895314e38f,
                          infinity,
                          -infinity,
                          -2.5f,
                          65504.0f,
                          3.1415927f,
                          std::nanf("1"),
                          1 + unit,
                          2 - 1e-7f};
        const Floats expected{0.0f,      -0.0f,         1.0f,     1.0f,      1 + 2 * unit, 1 + unit,
                              -1.0f,     3.3895314e38f, infinity, -infinity, -2.5f,        65536.0f,
                              3.140625f, NAN,           1 + unit, 2.0f};
        const Floats weight(16 * 16), zeros(16);
        Floats sums = scratchFor(16), half = scratchFor(8);
        cpu.linearBfloat16({.x = {zeros.data(), 16},
                            .rows = 1,
                            .weight = {weight.data(), 16, 16},
                            .depthEnd = 16,
                            .columnEnd = 16,
                            .bias = bias.data(),
                            .out = {sums.data(), 16},
                            .bfloat16 = {half.data(), 8}});
        const Floats found = widened(half);
        for (size_t i = 0; i < bias.size(); ++i)
            QVERIFY2(std::isnan(expected[i]) ? std::isnan(found[i]) : found[i] == expected[i],
                     qPrintable(QString("%1: %2").arg(double(bias[i])).arg(double(found[i]))));
    }

    void activationsAreTheFormulaEverywhere_data() { addSetsAndActivations(); }
    /// A layer without input outputs the activation of its bias.
    void activationsAreTheFormulaEverywhere()
    {
        QFETCH(int, set);
        QFETCH(int, activation);
        const auto kind = static_cast<Activation>(activation);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        constexpr int64_t count = 16384;
        Floats x;
        for (int64_t i = 0; i < count; ++i)
            x.push_back(float(i - count / 2) / 1024);  // −8 … 8
        for (const float far : {-1e20f, -1e4f, -100.0f, -12.5f, 12.5f, 100.0f, 1e4f, 1e20f})
            x.insert(x.end(), 4, far);
        x.resize((x.size() + 15) / 16 * 16);
        const auto columns = int64_t(x.size());
        const Floats weight(x.size() * 16), zeros(16);
        for (const bool packed : {false, true}) {
            Floats out = scratchFor(columns), half = scratchFor(columns / 2);
            LinearRows task{.x = {zeros.data(), 16},
                            .rows = 1,
                            .weight = {weight.data(), 16, columns},
                            .depthEnd = 16,
                            .columnEnd = columns,
                            .bias = x.data(),
                            .activation = kind,
                            .out = {out.data(), columns}};
            if (packed)
                task.bfloat16 = {half.data(), columns / 2};
            (packed ? cpu.linearBfloat16 : cpu.linearRows)(task);
            const Floats found = packed ? widened(half) : out;
            for (size_t i = 0; i < x.size(); ++i) {
                const double expected = activationOf(kind, double(x[i])), size = std::abs(double(x[i]));
                const double rounding = packed ? std::abs(expected) / 256 + 1.7e-5 + 1e-7 * size
                                               : 4e-7 * size + 1e-9;
                QVERIFY2(
                    std::abs(double(found[i]) - expected) < rounding,
                    qPrintable(QString("%1: %2, not %3").arg(double(x[i])).arg(double(found[i])).arg(expected)));
            }
        }
    }

    void whatIsNoNumberStaysNone_data() { addSetsAndActivations(); }
    void whatIsNoNumberStaysNone()
    {
        QFETCH(int, set);
        QFETCH(int, activation);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        constexpr float infinity = std::numeric_limits<float>::infinity();
        Floats x(16, 1.0f);
        x[3] = std::nanf("1"), x[5] = infinity, x[14] = -infinity;
        const Floats weight(16 * 16), zeros(16);
        for (const bool packed : {false, true}) {
            Floats out = scratchFor(16), half = scratchFor(8);
            LinearRows task{.x = {zeros.data(), 16},
                            .rows = 1,
                            .weight = {weight.data(), 16, 16},
                            .depthEnd = 16,
                            .columnEnd = 16,
                            .bias = x.data(),
                            .activation = static_cast<Activation>(activation),
                            .out = {out.data(), 16}};
            if (packed)
                task.bfloat16 = {half.data(), 8};
            (packed ? cpu.linearBfloat16 : cpu.linearRows)(task);
            const Floats found = packed ? widened(half) : out;
            QVERIFY(std::isnan(found[3]));
            QVERIFY(!std::isfinite(found[5]));  // nothing that overflowed looks like a result
            QVERIFY(!std::isfinite(found[14]));
            for (const size_t i : {0, 2, 4, 6, 13, 15})
                QVERIFY(std::abs(double(found[i]) - activationOf(static_cast<Activation>(activation), 1)) < 0.004);
        }
    }

    void gatedUnitsAreTheFormula_data() { addSetsAndActivations(); }
    void gatedUnitsAreTheFormula()
    {
        QFETCH(int, set);
        QFETCH(int, activation);
        const auto kind = static_cast<Activation>(activation);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        std::mt19937 random(14);
        constexpr int64_t rows = 3;
        for (const int64_t width : {16, 80}) {
            const Floats x = normal(random, rows * 2 * width);
            Doubles expected;
            for (int64_t n = 0; n < rows; ++n)
                for (int64_t c = 0; c < width; ++c) {
                    const auto gate = x.begin() + 2 * n * width + c;
                    expected.push_back(activationOf(kind, double(*gate)) * double(gate[width]));
                }
            Floats out = scratchFor(rows * width), half = scratchFor(rows * width / 2);
            GateRows task{.x = {x.data(), 2 * width},
                          .rows = rows,
                          .width = width,
                          .activation = kind,
                          .out = {out.data(), width}};
            cpu.gateRows(task);
            QVERIFY(relativeError(out, expected) < 1e-6);
            task.out = {half.data(), width / 2};
            cpu.gateIntoBfloat16(task);
            QVERIFY(relativeError(widened(half), expected) < halfRounding);
        }
    }

    void rotaryPositionsAreTheFormula_data() { addSets(); }
    void rotaryPositionsAreTheFormula()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        std::mt19937 random(15);
        constexpr int64_t rows = 5, heads = 6;
        for (const int64_t width : {4, 12, 64, 72, 88, 128})
            for (const bool half : {false, true})
                for (const int64_t tables : {1, 3}) {
                    const int64_t pairs = width / 2,
                                  stride = heads * width + 8;  // a row is followed by other numbers
                    const Floats x = normal(random, rows * stride);
                    Floats cosine, sine;
                    for (const float angle : normal(random, tables * rows * pairs))
                        cosine.push_back(std::cos(angle)), sine.push_back(std::sin(angle));
                    const auto expectedOf = [&](const Floats& numbers) {
                        Doubles expected(numbers.begin(), numbers.end());
                        for (int64_t n = 0; n < rows; ++n)
                            for (int64_t h = 0; h < heads; ++h)
                                for (int64_t i = 0; i < pairs; ++i) {
                                    const int64_t head = n * stride + h * width;
                                    const auto one = size_t(head + (half ? i : 2 * i));
                                    const auto two = size_t(head + (half ? i + pairs : 2 * i + 1));
                                    const auto at = size_t((h % tables * rows + n) * pairs + i);
                                    const double a = double(numbers[one]), b = double(numbers[two]);
                                    const double c = double(cosine[at]), s = double(sine[at]);
                                    expected[one] = a * c - b * s;
                                    expected[two] = b * c + a * s;
                                }
                        return expected;
                    };
                    RotateRows task{.rows = rows,
                                    .heads = heads,
                                    .width = width,
                                    .cosine = {cosine.data(), pairs},
                                    .sine = {sine.data(), pairs},
                                    .tables = tables,
                                    .tableStride = rows * pairs,
                                    .interleaved = !half};
                    Floats turned = x;
                    task.x = {turned.data(), stride};
                    cpu.rotateRows(task);
                    const Doubles expected = expectedOf(x);
                    for (size_t i = 0; i < x.size(); ++i)
                        QVERIFY(std::abs(double(turned[i]) - expected[i]) < 2e-6);
                    Floats words = narrowed(x);
                    task.x = {words.data(), stride / 2};
                    cpu.rotateBfloat16(task);
                    const Doubles ofRounded = expectedOf(rounded(x));
                    const Floats found = widened(words);
                    for (size_t i = 0; i < x.size(); ++i)
                        QVERIFY(std::abs(double(found[i]) - ofRounded[i]) <= std::abs(ofRounded[i]) / 256 + 1e-6);
                }
    }

    void normsAreTheFormula_data()
    {
        columns<int, bool>("set", "centred");
        for (size_t i = 0; i < supportedCpuKernels().size(); ++i)
            for (const bool centred : {true, false})
                addRow("%s %s", supportedCpuKernels()[i]->name, centred ? "layer norm" : "RMS norm")
                    << int(i) << centred;
    }

    void normsAreTheFormula()
    {
        QFETCH(int, set);
        QFETCH(bool, centred);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        std::mt19937 random(5);
        constexpr int64_t rows = 9, width = 80;
        Floats x = normal(random, rows * width);
        for (float& value : x)
            value += 100;  // a mean that is large against the standard deviation
        const Floats weight = normal(random, width), bias = normal(random, width);
        const auto expectedOf = [&](const Floats& numbers, int64_t count) {
            Doubles expected;
            const auto inverse = 1 / double(count);
            for (int64_t n = 0; n < rows; ++n) {
                const auto begin = numbers.begin() + n * count;
                const double mean = centred ? std::accumulate(begin, begin + count, 0.0) * inverse : 0;
                double variance = 0;
                for (auto at = begin; at != begin + count; ++at)
                    variance += std::pow(double(*at) - mean, 2) * inverse;
                for (int64_t d = 0; d < count; ++d)
                    expected.push_back((double(begin[d]) - mean) / std::sqrt(variance + 1e-5)
                                           * double(weight[size_t(d)])
                                       + double(bias[size_t(d)]));
            }
            return expected;
        };
        NormRows task{.x = {x.data(), width},
                      .rows = rows,
                      .width = width,
                      .centred = centred,
                      .weight = weight.data(),
                      .bias = bias.data(),
                      .eps = 1e-5f};
        Floats half = scratchFor(rows * width / 2);
        task.out = {half.data(), width / 2};
        cpu.normIntoBfloat16(task);
        QVERIFY(relativeError(widened(half), expectedOf(x, width)) < halfRounding);
        Floats own = narrowed(x);
        task.x = {own.data(), width / 2};
        task.out = {own.data(), width / 2};  // over what it takes
        cpu.normBfloat16(task);
        QVERIFY(relativeError(widened(own), expectedOf(rounded(x), width)) < halfRounding);
        const Doubles expected = expectedOf(x, width);
        task.x = {x.data(), width};
        task.out = {x.data(), width};
        const Floats given = x;
        cpu.normRows(task);
        QCOMPARE_LT(relativeError(x, expected), 2e-5);
        // The same rows followed by numbers that do not count.
        constexpr int64_t padding = 6, wide = width + 16;
        Floats padded(rows * wide), weights = weight, biases = bias;
        weights.resize(wide), biases.resize(wide);
        for (int64_t n = 0; n < rows; ++n)
            std::copy_n(given.begin() + n * width, width - padding, padded.begin() + n * wide);
        task = {.x = {padded.data(), wide},
                .rows = rows,
                .width = wide,
                .padding = padding + 16,
                .centred = centred,
                .weight = weights.data(),
                .bias = biases.data(),
                .eps = 1e-5f,
                .out = {padded.data(), wide}};
        Floats shorter;
        for (int64_t n = 0; n < rows; ++n)
            shorter.insert(shorter.end(), given.begin() + n * width, given.begin() + n * width + width - padding);
        std::fill(weights.begin() + width - padding, weights.end(), 0.0f),
            std::fill(biases.begin() + width - padding, biases.end(), 0.0f);
        cpu.normRows(task);
        const Doubles ofShorter = expectedOf(shorter, width - padding);
        Floats found;
        for (int64_t n = 0; n < rows; ++n) {
            found.insert(found.end(), padded.begin() + n * wide, padded.begin() + n * wide + width - padding);
            const auto end = padded.begin() + (n + 1) * wide;
            QVERIFY(std::all_of(end - 16 - padding, end, [](float zero) { return zero == 0; }));
        }
        QCOMPARE_LT(relativeError(found, ofShorter), 2e-5);
    }

    void depthwiseConvolutionsAreTheFormula_data() { addSets(); }
    void depthwiseConvolutionsAreTheFormula()
    {
        QFETCH(int, set);
        const CpuKernels& cpu = *supportedCpuKernels()[size_t(set)];
        std::mt19937 random(13);
        for (const auto& [rows, columns, width] :
             {std::tuple<int64_t, int64_t, int64_t>{1, 1, 16}, {5, 2, 32}, {7, 9, 48}}) {
            const Floats x = normal(random, rows * columns * width), weight = normal(random, 9 * width),
                         bias = normal(random, width);
            const Doubles expected = convolved(x, rows, columns, width, weight, bias);
            for (const bool packed : {false, true}) {
                const int64_t stride = packed ? width / 2 : width;
                Floats out = scratchFor(rows * columns * stride);
                for (int64_t begin = 0; begin < rows; begin += 2) {  // a band at a time, with what is around it
                    const int64_t end = std::min(begin + 2, rows), first = std::max<int64_t>(begin - 1, 0);
                    (packed ? cpu.depthwiseIntoBfloat16
                            : cpu.depthwiseRows)({.x = {x.data() + first * columns * width, width},
                                                  .first = first,
                                                  .rows = rows,
                                                  .columns = columns,
                                                  .begin = begin,
                                                  .end = end,
                                                  .width = width,
                                                  .weight = weight.data(),
                                                  .weightStride = width,
                                                  .bias = bias.data(),
                                                  .out = {out.data() + begin * columns * stride, stride}});
                }
                const double error = relativeError(packed ? widened(out) : out, expected);
                QCOMPARE_LT(error, (packed ? halfRounding : 1e-6));
            }
        }
    }
};

ATTNSCOPE_TEST(TestLayerKernels)
#include "tst_layer_kernels.moc"
