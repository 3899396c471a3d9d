#include "core/attention/methods/softmax.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensor_file.h"
#include "tests/support/test_class.h"

#include <c10/core/InferenceMode.h>

#include <QFile>

#include <map>
#include <vector>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const QString folder = QStringLiteral(TEST_DATA_DIR "/attention/");

/// One row of fig1_reference.csv: mean and standard deviation of the squared error over `seeds` draws of the reference.
struct Row {
    std::string data, backend, options;
    double tau = 1;
    int64_t samples = 0, seeds = 1;
    double mse = 0, stddev = 0, relative = 0, exactMeanSquare = 0;

    std::string spec() const
    {
        std::string text = backend + ":samples=" + std::to_string(samples);
        if (backend == "nystrom")
            return text;  // "pool=segments" of the table is what it has
        return options.empty() ? text : text + "," + options;
    }
    std::string name() const { return data + " tau=" + toText(OptionValue(tau)) + " " + spec(); }
};

/// Fields separated by commas; one in quotation marks may hold commas.
QStringList fieldsOf(const QString& line)
{
    QStringList fields{QString()};
    bool quoted = false;
    for (const QChar c : line.trimmed()) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.append(QString());
        else
            fields.back().append(c);
    }
    return fields;
}

std::vector<Row> readRows()
{
    QFile file(folder + "fig1_reference.csv");
    std::vector<Row> rows;
    if (!file.open(QIODevice::ReadOnly))
        return rows;
    file.readLine();
    while (!file.atEnd()) {
        const QStringList f = fieldsOf(QString::fromUtf8(file.readLine()));
        if (f.size() != 10)
            continue;
        Row row{f[0].toStdString(), f[2].toStdString(), f[3].toStdString()};
        row.tau = f[1].toDouble(), row.samples = f[4].toLongLong(), row.seeds = f[5].toLongLong();
        row.mse = f[6].toDouble(), row.stddev = f[7].toDouble(), row.relative = f[8].toDouble();
        row.exactMeanSquare = f[9].toDouble();
        rows.push_back(row);
    }
    return rows;
}

/// q, k, v of a data set at one temperature, (layers, heads, 196, 64) on 14 × 14 patches, and softmax attention's output.
struct Case {
    AttentionInput input;
    at::Tensor exact;
};

const Case& caseOf(const std::string& data, double tau)
{
    static std::map<std::pair<std::string, double>, Case> cases;
    Case& found = cases[{data, tau}];
    if (!found.exact.defined()) {
        const auto tensors = readTensors(
            (folder + "fig1_" + QString::fromStdString(data) + ".safetensors").toStdString());
        const double root = std::sqrt(tau);
        found.input.q = tensors.at("q") * root;
        found.input.k = tensors.at("k") * root;
        found.input.v = tensors.at("v");
        found.input.scale = 0.125;
        found.input.tokens = {0, 1, 14, 14};
        found.exact = at::matmul(attentionMatrix(found.input.q, found.input.k, 0.125), found.input.v);
    }
    return found;
}

struct Errors {
    double mse = 0, relative = 0;
};

Errors errorOf(const at::Tensor& out, const at::Tensor& exact)
{
    const auto square = (out - exact).square();
    const auto ratio = square.sum({2, 3}) / exact.square().sum({2, 3});
    return {square.mean().item<double>(), ratio.sqrt().mean().item<double>()};
}

Errors errorOf(const Row& row, uint64_t seed)
{
    const Case& data = caseOf(row.data, row.tau);
    if (row.backend == "mean-value")
        return errorOf(data.input.v.mean(2, true).expand_as(data.exact), data.exact);
    return errorOf(attend(row.spec(), data.input, seed), data.exact);
}

/// rfa with norm=exact has no mean to compare: its squared error is 10² … 10⁶ from draw to draw.
bool isComparable(const Row& row)
{
    return row.backend == "mean-value" || (row.backend != "rfa" && findBackend(row.backend) != nullptr);
}

double mean(const std::string& spec, uint64_t seeds)
{
    const Case& data = caseOf("structured", 2);
    double sum = 0;
    for (uint64_t seed = 0; seed < seeds; ++seed)
        sum += errorOf(attend(spec, data.input, seed), data.exact).mse / double(seeds);
    return sum;
}

}

/// Appendix H.1 of the LARA paper on constructed q, k, v: our errors are those of the reference implementation.
class TestFigure1 : public QObject {
    Q_OBJECT

private slots:
    void deterministicErrorsAreThoseOfTheReference_data() { addRows(true); }
    void deterministicErrorsAreThoseOfTheReference()
    {
        QFETCH(const int, index);
        const Row row = readRows()[size_t(index)];
        const Errors ours = errorOf(row, 0);
        QVERIFY2(std::abs(ours.mse - row.mse) < 1e-4 * row.mse,
                 qPrintable(QString("%1, not %2").arg(ours.mse).arg(row.mse)));
        QVERIFY2(std::abs(ours.relative - row.relative) < 1e-4 * row.relative,
                 qPrintable(QString("%1, not %2").arg(ours.relative).arg(row.relative)));
        const double square = caseOf(row.data, row.tau).exact.square().mean().item<double>();
        QVERIFY(std::abs(square - row.exactMeanSquare) < 1e-4 * square);
    }

    void meansOfRandomErrorsAreThoseOfTheReference_data() { addRows(false); }
    void meansOfRandomErrorsAreThoseOfTheReference()
    {
        QFETCH(const int, index);
        const Row row = readRows()[size_t(index)];
        constexpr int own = 6;
        double sum = 0;
        for (int seed = 0; seed < own; ++seed)
            sum += errorOf(row, uint64_t(seed)).mse / own;
        const double allowed = 4 * row.stddev * std::sqrt(1.0 / double(row.seeds) + 1.0 / own);
        QVERIFY2(std::abs(sum - row.mse) < allowed,
                 qPrintable(QString("%1, not %2 ± %3").arg(sum).arg(row.mse).arg(allowed)));
    }

    void orderOfTheBackendsIsThatOfThePaper()
    {
        const double randomized = mean("ra:mode=biased,noise=none", 1);
        for (const int samples : {1, 4, 16, 49, 196}) {
            const std::string count = "samples=" + std::to_string(samples);
            const double lara = mean("lara:noise=unit," + count, 4), performer = mean("performer:" + count, 4);
            QVERIFY2(randomized < lara && lara < performer,
                     qPrintable(
                         QString("%1 samples: %2, %3, %4").arg(samples).arg(randomized).arg(lara).arg(performer)));
        }
    }

    void centredKeysHelpPerformer()
    {
        const double plain = mean("performer", 8), centred = mean("performer:center_keys=true", 8);
        QVERIFY2(std::abs(plain - 0.33) < 0.08 && std::abs(centred - 0.21) < 0.05 && centred < 0.8 * plain,
                 qPrintable(QString("%1 and %2").arg(plain).arg(centred)));
    }

private:
    static void addRows(bool deterministic);
    const c10::InferenceMode m_guard;
};

void TestFigure1::addRows(bool deterministic)
{
    columns<int>("index");
    const std::vector<Row> rows = readRows();
    QVERIFY2(rows.size() > 300, "the reference's table is there");
    for (size_t i = 0; i < rows.size(); ++i)
        if (isComparable(rows[i]) && (rows[i].stddev == 0) == deterministic)
            row(rows[i].name(), int(i));
}

ATTNSCOPE_TEST(TestFigure1)
#include "tst_figure1.moc"
