// Causal streams: recurrent against parallel form, limits, counts, and the reference files.
#include "core/attention/methods/positional.h"
#include "core/attention/noise.h"
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/device/dtype.h"
#include "core/lab/attend/attend.h"
#include "core/lab/decode/stream_tensors.h"
#include "tests/support/folder.h"
#include "tests/support/tensor_file.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <QDir>

#include <array>
#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const QString goldens = TEST_DATA_DIR "/mechanisms";

at::Tensor normal(uint64_t seed, at::IntArrayRef sizes, at::ScalarType type = at::kFloat)
{
    SeededNoise noise(seed, 0);
    return noise.sharedNormal("test", sizes, at::TensorOptions().dtype(at::kFloat)).to(type);
}

/// Two elements of `heads` heads; queries, keys and values of their own widths.
StreamInput inputOf(int64_t tokens, int64_t heads = 3, at::ScalarType type = at::kFloat)
{
    return {normal(1, {2, heads, tokens, 8}, type),
            normal(2, {2, heads, tokens, 8}, type),
            normal(3, {2, heads, tokens, 5}, type),
            {}};
}

StreamInput completedFor(const StreamSpec& spec, StreamInput input)
{
    completeParameters(spec, input, 7);
    return input;
}

at::Tensor outputOf(const std::string& spec, const StreamInput& input)
{
    const StreamSpec parsed = StreamSpec::parse(spec);
    return runRecurrent(parsed, completedFor(parsed, input), StreamLosses::Skipped).out;
}

StreamInput part(const StreamInput& input, int64_t first, int64_t count)
{
    return {input.q.narrow(2, first, count), input.k.narrow(2, first, count), input.v.narrow(2, first, count), {}};
}

/// Every mechanism, with options that let every rule act within 40 tokens.
const std::vector<std::string> everything{
    "cache",
    "window:window=6",
    "window:window=1",
    "alibi",
    "alibi:slope=0.5",
    "xl:segment=6,memory=4",
    "xl:segment=5,memory=0",
    "xl:segment=3,memory=11",
    "compressive:segment=5,memory=4,compressed=6,rate=2",
    "compressive:segment=5,memory=4,compressed=3,function=max",
    "compressive:segment=5,memory=4,compressed=6,rate=2,function=dilated",
    "compressive:segment=5,memory=4,compressed=5,rate=2,function=most-used",
    "compressive:segment=4,memory=7,compressed=5,rate=3,function=most-used,counted",
    "compressive:segment=4,memory=6,compressed=5,counted",
    "compressive:segment=7,memory=0,compressed=3,rate=4",
    "compressive:segment=4,memory=3,compressed=0",
    "retrieval:window=5,topk=3,capacity=12",
    "retrieval:window=5,topk=4,capacity=64,combine=joint",
    "retrieval:window=3,topk=9,capacity=4,gate=0.9",
    "retrieval:window=4,capacity=0",
    "elu",
    "elu:eps=0.1",
    "rfa:samples=256",
    "rfa:samples=256,norm=exact",
    "rfa:samples=256,gate=0.9",
    "rfa:samples=256,gate=0.9,gate_form=sum",
    "rfa:samples=256,norm=exact,gate=0.7",
    "performer",
    "performer:features=hyperbolic,samples=9"};

void everyMechanism()
{
    rows("text", everything);
}

template <typename Work>
std::string errorOf(const Work& work)
{
    return refusal([&] { work(); });
}

}

class TestStreams : public QObject {
    Q_OBJECT

private slots:
    void everyReferenceFileAgreesWithItsState_data()
    {
        columns<QString>("file");
        const QStringList names = QDir(goldens).entryList({"d_*.safetensors"});
        QVERIFY(names.size() >= 18);
        for (const QString& name : names)
            row(name, goldens + "/" + name);
    }
    void everyReferenceFileAgreesWithItsState()
    {
        FETCH_TEXT(file);
        Folder folder;
        AttendRequest request;
        request.file = file;
        request.latency = false;
        request.out = folder / "out.safetensors";
        const AttendReport report = attend(request, {}, {});
        QCOMPARE(report.cases.size(), size_t(1));
        const AttendCase& one = report.cases.front();
        QVERIFY(one.expected);
        qInfo("%s: %.3g of %.3g", one.attention.c_str(), one.expected->maximumDifference, one.expected->tolerance);
        QVERIFY2(one.expected->within(), one.notes.empty() ? "" : one.notes.front().c_str());
        const auto written = readTensors(request.out.string()), theirs = readTensors(file);
        for (const auto& [name, tensor] : theirs)
            if (name == "out" || name == "losses" || name.rfind("state", 0) == 0 || name == "multiply_adds")
                QVERIFY2(written.count(name) > 0
                             && difference(written.at(name), tensor) <= one.expected->tolerance,
                         name.c_str());
    }

    void recurrentEqualsParallel_data() { everyMechanism(); }
    void recurrentEqualsParallel()
    {
        FETCH_TEXT(text);
        const StreamSpec spec = StreamSpec::parse(text);
        for (const int64_t tokens : {1, 2, 23, 40}) {
            StreamInput input = completedFor(spec, inputOf(tokens));
            // Long vectors leave sin/cos features little of their normaliser, and rounding is divided by it: see float64 below.
            if (contains(text, "norm=exact"))
                input.q = input.q / 2, input.k = input.k / 2;
            const double found = difference(runRecurrent(spec, input, StreamLosses::Skipped).out,
                                            runParallel(spec, input));
            QVERIFY2(found <= 1e-5, qPrintable(QString("%1 tokens: %2").arg(tokens).arg(found)));
            StreamInput wide = completedFor(spec, inputOf(tokens, 3, at::kDouble));
            QVERIFY(difference(runRecurrent(spec, wide, StreamLosses::Skipped).out, runParallel(spec, wide))
                    <= 1e-9);
        }
    }

    void countsOfEveryStepFollowTheClosedForm_data() { everyMechanism(); }
    void countsOfEveryStepFollowTheClosedForm()
    {
        FETCH_TEXT(text);
        const StreamSpec spec = StreamSpec::parse(text);
        const StreamInput input = completedFor(spec, inputOf(40));
        const StreamRun run = runRecurrent(spec, input, StreamLosses::Skipped);
        const StreamShape shape{8, 5, input.parameters.omega.defined() ? input.parameters.omega.size(1) : 0};
        for (int64_t t = 1; t <= 40; ++t)
            QCOMPARE(run.stateElements[size_t(t - 1)], streamCost(spec, shape, t).stateElements);
        int64_t written = 0;
        for (const auto& [name, tensor] : run.state)
            written += name == "weight" ? 0 : tensor.numel() / 6;
        QCOMPARE(written, run.stateElements.back());
    }

    void theFirstOutputIsTheFirstValue_data() { everyMechanism(); }
    void theFirstOutputIsTheFirstValue()
    {
        FETCH_TEXT(text);
        const double loose = text.starts_with("rfa") || text == "elu" ? 1e-4
                             : text.starts_with("elu")                ? 0.5
                                                                      : 1e-5;
        const StreamInput input = inputOf(1);
        QVERIFY(difference(outputOf(text, input), input.v) <= loose);
    }

    void tokensWithoutAnOutputLeaveTheSameState_data() { everyMechanism(); }
    void tokensWithoutAnOutputLeaveTheSameState()
    {
        FETCH_TEXT(text);
        const StreamSpec spec = StreamSpec::parse(text);
        const StreamInput input = completedFor(spec, inputOf(31));
        const StreamShape widths{8, 5, 0};
        auto heads = streamHeads<float>(spec, 3, widths, input.parameters);
        const auto all = makeStream<float>(spec, heads[1]), last = makeStream<float>(spec, heads[1]);
        const at::Tensor q = input.q[0][1].contiguous(), k = input.k[0][1].contiguous(),
                         v = input.v[0][1].contiguous();
        std::array<float, 5> a{}, b{};
        for (int t = 0; t < 31; ++t) {
            const StreamToken<float> token{q.data_ptr<float>() + t * 8, k.data_ptr<float>() + t * 8,
                                           v.data_ptr<float>() + t * 5, 0.5f};
            all->step(token, a.data());
            if (t < 30)
                last->skip(token);
            else
                last->step(token, b.data());
        }
        QVERIFY(a == b);
    }

    void whatSeesEveryTokenIsTheCache_data()
    {
        rows("text", {"window:window=40", "alibi:slope=0", "xl:segment=6,memory=40",
                      "compressive:segment=5,memory=40", "compressive:segment=5,memory=5,compressed=40,rate=1",
                      "compressive:segment=5,memory=5,compressed=40,rate=1,function=max",
                      "compressive:segment=5,memory=5,compressed=40,rate=1,function=most-used",
                      "retrieval:window=4,topk=40,capacity=40,combine=joint"});
    }
    void whatSeesEveryTokenIsTheCache()
    {
        FETCH_TEXT(text);
        QVERIFY(difference(outputOf(text, inputOf(40)), outputOf("cache", inputOf(40))) <= 1e-6);
    }

    void withoutSlotsCompressiveMemoryIsTransformerXl()
    {
        QVERIFY(difference(outputOf("compressive:segment=5,memory=4,compressed=0", inputOf(31)),
                           outputOf("xl:segment=5,memory=4", inputOf(31)))
                <= 1e-6);
    }

    void withoutMemoryEverySegmentIsAlone()
    {
        const StreamInput input = inputOf(23);
        const at::Tensor out = outputOf("xl:segment=6,memory=0", input);
        for (int64_t first = 0; first < 23; first += 6) {
            const int64_t count = std::min<int64_t>(6, 23 - first);
            QVERIFY(difference(out.narrow(2, first, count), outputOf("cache", part(input, first, count))) <= 1e-6);
        }
    }

    void aGateOfZeroRetrievesNothing()
    {
        QVERIFY(difference(outputOf("retrieval:window=4,gate=0", inputOf(30)),
                           outputOf("window:window=4", inputOf(30)))
                <= 1e-6);
    }

    void aSumUnderGatesOfOneIsUngated()
    {
        StreamInput gated = inputOf(23);
        gated.parameters.gate = at::ones({2, 3, 23});
        QVERIFY(difference(outputOf("rfa:gate_form=sum", gated), outputOf("rfa", inputOf(23))) <= 1e-5);
    }

    void aConstantGateGivesAverageAndSumTheSameOutput()
    {
        const StreamInput input = inputOf(23, 3, at::kDouble);
        QVERIFY(difference(outputOf("rfa:gate=0.8,floor=0", input),
                           outputOf("rfa:gate=0.8,floor=0,gate_form=sum", input))
                <= 1e-9);
    }

    void theStateForgetsByTheProductOfItsGates()
    {
        StreamInput input = inputOf(20, 1, at::kDouble);
        input.v.zero_();
        input.v.narrow(2, 3, 1).fill_(1);
        input.parameters.gate = at::sigmoid(normal(9, {2, 1, 20}, at::kDouble));
        const StreamSpec spec = StreamSpec::parse("rfa:gate_form=sum");
        const StreamInput whole = completedFor(spec, input);
        StreamInput beginning = part(whole, 0, 4);
        beginning.parameters = {whole.parameters.omega, whole.parameters.gate.narrow(2, 0, 4), {}};
        const at::Tensor early = runRecurrent(spec, beginning, StreamLosses::Skipped).state.at("S");
        const at::Tensor late = runRecurrent(spec, whole, StreamLosses::Skipped).state.at("S");
        const at::Tensor kept = whole.parameters.gate.narrow(2, 4, 16).prod(-1).reshape({2, 1, 1, 1});
        QVERIFY(difference(late, early * kept) <= 1e-12);
    }

    void performerDoesNotOverflow()
    {
        StreamInput input = inputOf(23);
        input.q = 40 * input.q, input.k = 40 * input.k;
        const at::Tensor out = outputOf("performer", input);
        QVERIFY(isFinite(out));
        QVERIFY(out.abs().max().item<double>() <= input.v.abs().max().item<double>() * 1.001);
    }

    void equalKeysCompressWithoutLossIfCounted()
    {
        StreamInput input = inputOf(31);
        input.k = input.k.narrow(2, 0, 1).expand_as(input.k);
        QVERIFY(
            difference(outputOf("compressive:segment=5,memory=5,compressed=31", input), outputOf("cache", input))
            > 1e-3);
        QVERIFY(difference(outputOf("compressive:segment=5,memory=5,compressed=31,counted", input),
                           outputOf("cache", input))
                <= 1e-6);
    }

    void compressionsAreThoseOfTheDefinition()
    {
        // Segment 4, memory 3, rate 2, 2 slots: before token 8, tokens 0 … 4 have left in the blocks {0} and {1, 2, 3, 4}.
        const StreamSpec spec = StreamSpec::parse("compressive:segment=4,memory=3,compressed=2,rate=2");
        const StreamInput input = inputOf(12);
        const StreamRun run = runRecurrent(spec, input, StreamLosses::Collected);
        const auto pooled = [](const at::Tensor& x) {
            return at::cat({x.narrow(2, 1, 2).mean(2, true), x.narrow(2, 3, 2).mean(2, true), x.narrow(2, 5, 4)},
                           2);
        };
        const at::Tensor logits = at::matmul(input.q.narrow(2, 8, 1), pooled(input.k).transpose(-1, -2))
                                  / std::sqrt(8.0);
        QVERIFY(difference(run.out.narrow(2, 8, 1), at::matmul(logits.softmax(-1), pooled(input.v))) <= 1e-6);
        QCOMPARE(run.losses.size(0), int64_t(2));
        QCOMPARE(run.losses[0].abs().max().item<double>(), 0.0);  // a block of one token is kept whole
        QVERIFY(run.losses[1].min().item<double>() > 0);
    }

    void whatIsLookedAtMostSurvives()
    {
        StreamInput input = inputOf(31);
        input.q = input.q.narrow(2, 0, 1).expand_as(input.q).contiguous();
        input.k = input.k.clone();
        input.k.select(2, 2).copy_(1000 * input.q.select(2, 2));
        const StreamSpec spec = StreamSpec::parse(
            "compressive:segment=5,memory=5,compressed=9,rate=5,function=most-used");
        const StreamRun run = runRecurrent(spec, input, StreamLosses::Skipped);
        QVERIFY(difference(run.state.at("k").select(2, 0), input.k.select(2, 2)) == 0);
    }

    void slopesOfEveryNumberOfHeadsArePublished()
    {
        QCOMPARE(alibiSlopes(8).front(), 0.5);
        QCOMPARE(alibiSlopes(8).back(), 1.0 / 256);
        const std::vector<double> twelve = alibiSlopes(12);
        QCOMPARE(twelve.size(), size_t(12));
        QCOMPARE(twelve[7], 1.0 / 256);
        QCOMPARE(twelve[8], std::exp2(-0.5));
        QCOMPARE(twelve[11], std::exp2(-3.5));
    }

    void specificationsHaveOneSpelling()
    {
        for (const std::string& text : everything) {
            const StreamSpec spec = StreamSpec::parse(text);
            QCOMPARE(StreamSpec::parse(spec.canonical()).canonical(), spec.canonical());
        }
        QCOMPARE(StreamSpec::parse("rfa:gate=0.90,samples=64").canonical(), "rfa:gate=0.9");
        QCOMPARE(StreamSpec::parse("compressive:counted").canonical(), "compressive:counted=true");
    }

    void wrongSpecificationsAreExplained_data()
    {
        columns<QString, QString>("text", "part");
        row("name", "lstm", "the mechanisms are cache, rfa");
        row("option", "window:memory=3", "its options are window");
        row("no options", "cache:window=3", "it has no options");
        row("range", "window:window=0", "an integer from 1 to 1048576");
        row("gate", "rfa:gate=1.5", "a number from 0 to 1");
        row("rate", "compressive:rate=65", "an integer from 1 to 64");
        row("choice", "compressive:function=conv", "mean, max, dilated or most-used");
        row("twice", "window:window=3,window=4", "given twice");
        row("form", "window:window", "key=value");
    }
    void wrongSpecificationsAreExplained()
    {
        FETCH_TEXT(text);
        FETCH_TEXT(part);
        const std::string error = errorOf([&] { StreamSpec::parse(text); });
        SAYS(error, part);
    }

    void streamsOfUnequalLengthsAreRefused()
    {
        StreamInput input = inputOf(10);
        input.k = input.k.narrow(2, 0, 9);
        const std::string error = errorOf(
            [&] { runRecurrent(StreamSpec::parse("cache"), input, StreamLosses::Skipped); });
        SAYS(error, "as many keys and values as queries");
    }

    void wrongFilesAreExplained_data()
    {
        columns<QString, double, QString>("options", "gate", "part");
        row("none", "{}", 0.5, "has no `mechanism`");
        row("unknown", R"({"mechanism": "gru"})", 0.5, "unknown mechanism `gru`");
        row("range", R"({"mechanism": "window", "window": 0})", 0.5, "an integer from 1");
        row("samples", R"({"mechanism": "rfa", "samples": 7})", 0.5, "both must be the number of features");
        row("gate", R"({"mechanism": "rfa"})", 1.5, "outside 0 to 1");
    }
    void wrongFilesAreExplained()
    {
        FETCH_TEXT(options);
        QFETCH(double, gate);
        FETCH_TEXT(part);
        Folder folder;
        AttendRequest request;
        request.file = folder / "q.safetensors";
        const StreamInput input = inputOf(6);
        writeSafetensors(request.file,
                         {{"q", safetensorsEntry(input.q)},
                          {"k", safetensorsEntry(input.k)},
                          {"v", safetensorsEntry(input.v)},
                          {"omega", safetensorsEntry(normal(4, {3, 6, 8}))},
                          {"gate", safetensorsEntry(at::full({2, 3, 6}, gate))}},
                         {{"case", "x"}, {"backend", "decode"}, {"options", options}});
        const std::string error = errorOf([&] { attend(request, {}, {}); });
        SAYS(error, part);
    }
};

ATTNSCOPE_TEST(TestStreams)
#include "tst_streams.moc"
