// The causal laboratory: what is measured, over made tokens and those of a file.
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/device/dtype.h"
#include "core/lab/decode/decode_output.h"
#include "core/lab/decode/stream_tensors.h"
#include "core/lab/decode/token_source.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <set>

using namespace attnscope;

namespace {

DecodeRequest smallRequest(const std::vector<std::string>& mechanisms)
{
    DecodeRequest request;
    for (const std::string& text : mechanisms)
        request.mechanisms.push_back(StreamSpec::parse(text));
    request.positions = {64, 256, 640};
    request.heads = 2;
    request.width = 16;
    request.minimumRepetitions = 16;
    return request;
}

const DecodeRow& rowOf(const DecodeReport& report, const std::string& mechanism)
{
    for (const DecodeRow& row : report.rows)
        if (row.mechanism == mechanism)
            return row;
    throw std::logic_error("no row " + mechanism);
}

std::string errorOf(const DecodeRequest& request)
{
    return refusal([&] { decode(request, {}, {}); });
}

}

class TestDecode : public QObject {
    Q_OBJECT

private slots:
    void statesFollowTheirClosedForms()
    {
        const DecodeReport report = decode(
            smallRequest({"rfa:samples=8", "window:window=32", "compressive:segment=16,memory=16,compressed=8"}),
            {}, {});
        QCOMPARE(report.rows.size(), size_t(4));
        QCOMPARE(report.rows.front().mechanism, "cache");
        for (const DecodeRow& row : report.rows) {
            const StreamSpec spec = StreamSpec::parse(row.mechanism);
            QCOMPARE(row.points.size(), size_t(3));
            for (const DecodePoint& point : row.points) {
                const StreamCost cost = streamCost(spec, {16, 16, 8}, point.position);
                QCOMPARE(point.stateBytes, 2 * 4 * cost.stateElements);
                QCOMPARE(point.multiplyAdds, 2 * cost.multiplyAdds);
                QVERIFY(point.latency.medianMs > 0 && point.latency.p05Ms <= point.latency.medianMs
                        && point.latency.medianMs <= point.latency.p95Ms);
                QVERIFY(point.latency.repetitions >= 16);
            }
            QVERIFY(row.parallel.maximumDifference <= 1e-5);
        }
        QVERIFY(std::abs(*rowOf(report, "cache").stateExponent - 1) < 1e-9);
        QVERIFY(std::abs(*rowOf(report, "rfa:samples=8").stateExponent) < 1e-9);
    }

    void positionsAreToldAsTheyAreReached()
    {
        std::vector<size_t> told;
        int64_t before = 0, steps = 0;
        const ProgressCallback progress = [&](const Progress& step) {
            if (step.total == 0)
                return;
            QCOMPARE(step.total, int64_t(640));
            QVERIFY(step.done >= before && step.done <= step.total);
            before = step.done;
            ++steps;
        };
        const DecodeReport report = decode(smallRequest({"elu"}), progress, {}, [&](const DecodeReport& now) {
            QCOMPARE(now.rows.front().points.size(), now.rows.back().points.size());
            told.push_back(now.rows.back().points.size());
        });
        QCOMPARE(told, (std::vector<size_t>{1, 2, 3}));
        QVERIFY(steps > 3 && before == 640);
        QVERIFY(report.rows.back().breakEvenState.has_value());
    }

    void mechanismsAreToldApartInFigures()
    {
        std::vector<std::string> mechanisms;
        for (const StreamSpec& spec : defaultMechanisms())
            mechanisms.push_back(spec.canonical());
        const std::vector<std::string> looks = looksOfMechanisms(mechanisms);
        std::set<std::string> marks;
        for (const std::string& look : looks) {
            const SeriesStyle style = seriesStyle(look);
            marks.insert(std::to_string(int(style.hue)) + " " + std::to_string(int(style.mark)) + " "
                         + std::to_string(style.variant));
        }
        QCOMPARE(marks.size(), mechanisms.size());
    }

    void crossingsAreThoseOfTheDefinition()
    {
        DecodeRequest request = smallRequest({"rfa", "performer", "elu"});
        request.width = 64;
        const DecodeReport report = decode(request, {}, {});
        QCOMPARE(*rowOf(report, "rfa").breakEvenState, 65.0);
        QCOMPARE(*rowOf(report, "performer").breakEvenState, 33.0);
        QCOMPARE(*rowOf(report, "elu").breakEvenState, 32.5);
        QCOMPARE(*rowOf(report, "rfa").breakEvenWork, 193.0);
        QCOMPARE(*rowOf(report, "performer").breakEvenWork, 128.5);
        QCOMPARE(*rowOf(report, "elu").breakEvenWork, 64.5);
    }

    void errorsAreThoseFromExactCausalAttention()
    {
        const DecodeReport report = decode(
            smallRequest({"window:window=1024", "window:window=4", "compressive:segment=16,memory=1024"}), {}, {});
        QVERIFY(rowOf(report, "cache").points.back().relative < 1e-5);
        QVERIFY(rowOf(report, "window:window=1024").points.back().relative < 1e-5);
        QVERIFY(rowOf(report, "compressive:segment=16,memory=1024").points.back().relative < 1e-5);
        QVERIFY(rowOf(report, "window:window=4").points.back().relative > 0.1);
    }

    void aGatedStateRespondsByPowersOfItsGate()
    {
        const DecodeReport report = decode(
            smallRequest({"rfa:gate=0.9", "rfa:gate=0.9,gate_form=sum,norm=exact", "rfa"}), {}, {});
        for (const char* gated : {"rfa:gate=0.9", "rfa:norm=exact,gate=0.9,gate_form=sum"}) {
            const DecodeRow& row = rowOf(report, gated);
            QVERIFY(std::abs(*row.halfLife - std::log(0.5) / std::log(0.9)) < 1e-12);
            QVERIFY(row.impulse.size() > 5);
            for (const ImpulsePoint& point : row.impulse)
                QVERIFY(std::abs(*point.state - std::pow(0.9, point.lag)) < 1e-9);
        }
        for (const ImpulsePoint& point : rowOf(report, "rfa").impulse)
            QVERIFY(std::abs(*point.state - 1) < 1e-9);
        QVERIFY(!rowOf(report, "rfa").halfLife);
    }

    void aWindowRespondsOnlyWithinItself()
    {
        const DecodeReport report = decode(smallRequest({"window:window=8"}), {}, {});
        for (const ImpulsePoint& point : rowOf(report, "window:window=8").impulse)
            QCOMPARE(point.weight > 0, point.lag < 8);
    }

    void lossesOfCompressionsAreShown()
    {
        const DecodeReport report = decode(smallRequest({"compressive:segment=16,memory=16"}), {}, {});
        const DecodeRow& row = report.rows.back();
        QCOMPARE(row.losses.size(), size_t(512 / 16 - 2));
        for (const double loss : row.losses)
            QVERIFY(loss > 0);
        QCOMPARE(toJson(report)["rows"][1]["compression_losses"].size(), row.losses.size());
    }

    void madeTokensAreThoseOfTheirKind()
    {
        DecodeRequest request = smallRequest({});
        request.width = 32;
        request.tokens = TokenKind::Recall;
        const auto recall = makeTokenSource(request);
        const TokenBlock early = recall->tokens(0, 256), late = recall->tokens(256, 256);
        QVERIFY(early.k.equal(late.k) && early.v.equal(late.v));
        QVERIFY(late.q.narrow(1, 0, 128).equal(early.k.narrow(1, 128, 128)));
        request.tokens = TokenKind::Smooth;
        const auto smooth = makeTokenSource(request);
        const at::Tensor k = smooth->tokens(600, 400).k;
        const double alike = (k.narrow(1, 1, 399) * k.narrow(1, 0, 399)).mean().item<double>();
        QVERIFY2(std::abs(alike - 0.95) < 0.15, qPrintable(QString::number(alike)));
        QVERIFY((smooth->tokens(700, 10).k - k.narrow(1, 100, 10)).abs().max().item<double>() < 1e-5);
    }

    void tokensOfAFileAreTakenByLayer()
    {
        Folder folder;
        DecodeRequest request = smallRequest({"window:window=4"});
        request.file = folder / "q.safetensors";
        const auto numbers = [](double factor) {
            return at::sin(factor * at::arange(3 * 2 * 70 * 8, at::kFloat)).reshape({3, 2, 70, 8});
        };
        writeSafetensors(request.file, {{"q", safetensorsEntry(numbers(1.1))},
                                        {"k", safetensorsEntry(numbers(1.3))},
                                        {"v", safetensorsEntry(numbers(1.7))}});
        request.layer = 2;
        QVERIFY(makeTokenSource(request)->tokens(5, 3).q.equal(numbers(1.1)[2].narrow(1, 5, 3)));
        SAYS(errorOf(request), "640 is beyond the 70 tokens");
        request.positions = {};
        const DecodeReport report = decode(request, {}, {});
        QCOMPARE(report.request.positions, (std::vector<int64_t>{16, 64, 70}));
        request.layer = 3;
        SAYS(errorOf(request), "its layers are 0 to 2");
    }

    void wrongRequestsAreExplained()
    {
        DecodeRequest request = smallRequest({});
        request.positions = {64, 64};
        SAYS(errorOf(request), "ascending numbers from 1 to 1048576");
        request.positions = {1 << 21};
        SAYS(errorOf(request), "ascending numbers from 1 to 1048576");
        request.positions = {1 << 20};
        request.memoryBudgetBytes = 1 << 20;
        SAYS(errorOf(request), "may be used");
        request = smallRequest({});
        request.dtype = "bfloat16";
        SAYS(errorOf(request), "float32 or float64");
    }

    void chartsHaveARowForEveryMechanism()
    {
        const DecodeReport report = decode(smallRequest({"elu", "window:window=4"}), {}, {});
        QCOMPARE(decodeChart(report, DecodeMetric::Time).series.size(), size_t(3));
        QCOMPARE(decodeChart(report, DecodeMetric::State).series.size(), size_t(3));
        QCOMPARE(decodeChart(report, DecodeMetric::Error).series.size(), size_t(2));
        QCOMPARE(impulseChart(report).series.size(), size_t(3));
    }
};

ATTNSCOPE_TEST(TestDecode)
#include "tst_decode.moc"
