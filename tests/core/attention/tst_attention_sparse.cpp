#include "core/attention/methods/softmax.h"
#include "core/attention/sparse/sparse_places.h"
#include "core/base/error.h"
#include "core/lab/attend/attend.h"
#include "core/measure/memory.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <QDir>

#include <c10/core/InferenceMode.h>

#include <functional>
#include <map>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::test;

namespace {

constexpr double rounding = 1e-10;  // float64

AttentionInput inputOf(const TokenLayout& layout, int64_t heads = 3, uint64_t seed = 1)
{
    AttentionInput in = randomInput({2, heads, layout.count(), layout.count(), 8, 5}, seed);
    in.tokens = layout;
    return in;
}

at::Tensor withNoise(const std::string& spec, const AttentionInput& in, std::map<std::string, at::Tensor> tensors)
{
    SeededNoise drawn(0, 0);
    RecordedNoise noise(std::move(tensors), drawn);
    return make(spec, in)->attend(in, noise);
}

using Allowed = std::function<bool(int64_t head, int64_t query, int64_t key)>;

/// Softmax over the allowed patches, written out: prefix tokens see all and are seen by all, an empty row
/// sees all.
at::Tensor maskedByLoop(const AttentionInput& in, int64_t queryPrefix, int64_t keyPrefix, const Allowed& allowed)
{
    auto mask = at::zeros({in.q.size(1), in.q.size(2), in.k.size(2)}, at::kBool);
    for (int64_t h = 0; h < mask.size(0); ++h)
        for (int64_t n = 0; n < mask.size(1); ++n)
            for (int64_t m = 0; m < mask.size(2); ++m)
                mask[h][n][m] = n < queryPrefix || m < keyPrefix || allowed(h, n - queryPrefix, m - keyPrefix);
    mask = mask.logical_or(mask.any(-1, true).logical_not());
    const auto logits = at::matmul(in.q, in.k.transpose(-1, -2)) * in.scale;
    return at::matmul(logits.masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity()).softmax(-1),
                      in.v);
}

AllowedPairs pairsOf(const std::string& spec, const AttentionInput& in)
{
    SeededNoise noise(0, 0);
    return make(spec, in)->allowedPairs(in, noise);
}

}

/// Softmax over an allowed set of keys for every query, and the methods that are made of it.
class TestAttentionSparse : public QObject {
    Q_OBJECT

private slots:
    void goldensAgreeWithinTheirTolerance_data()
    {
        columns<QString>("file");
        const QDir folder(QStringLiteral(TEST_DATA_DIR "/mechanisms"));
        for (const char* method :
             {"strided", "blockwise", "longformer", "etc", "bigbird", "lsh", "clustered", "span"}) {
            const QStringList files = folder.entryList({u"m_%1_*.safetensors"_s.arg(method)}, QDir::Files);
            QVERIFY2(files.size() >= 3, method);
            for (const QString& file : files)
                row(file, folder.filePath(file));
        }
        for (const char* name :
             {"m_alibi_causal", "m_alibi_p1", "m_alibi_six_heads", "m_distance_heads", "m_distance_p1"})
            row(name, folder.filePath(QString(name) + ".safetensors"));
    }

    void goldensAgreeWithinTheirTolerance()
    {
        FETCH_TEXT(file);
        AttendRequest request;
        request.file = file;
        request.latency = false;
        for (const char* dtype : {"float32", "float64"}) {
            request.dtype = dtype;
            const AttendReport report = attnscope::attend(request, {}, {});
            QCOMPARE(report.cases.size(), 1);
            const AttendCase& result = report.cases.front();
            QVERIFY2(result.expected && result.expected->within(),
                     qPrintable(QString::number(result.expected->maximumDifference)));
            for (const std::string& note : result.notes)
                QVERIFY2(!contains(note, "ignored"), note.c_str());
        }
    }

    void ownDrawsAreThoseOfTheFiles_data()
    {
        columns<QString>("file");
        for (const char* name : {"m_bigbird_ends_line", "m_bigbird_p1", "m_bigbird_uneven_p2",
                                 "m_blockwise_random_p2", "m_clustered_random_start"})
            row(name, QStringLiteral(TEST_DATA_DIR "/mechanisms/") + name + ".safetensors");
    }

    void ownDrawsAreThoseOfTheFiles()
    {
        FETCH_TEXT(file);
        AttendRequest request;
        request.file = file;
        request.latency = false;
        request.noise = NoiseOrigin::Drawn;
        request.seeds = 1;
        const AttendCase result = attnscope::attend(request, {}, {}).cases.front();
        QVERIFY2(result.expected && result.expected->within(),
                 qPrintable(QString::number(result.expected->maximumDifference)));
    }

    void pairsAreThoseOfTheFiles_data()
    {
        columns<QString, int, int>("file", "pairs", "emptyRows");
        const auto row = [](const char* name, int pairs, int emptyRows = 0) {
            QTest::newRow(name) << QStringLiteral(TEST_DATA_DIR "/mechanisms/") + name + ".safetensors" << pairs
                                << emptyRows;
        };
        row("m_strided_alternate", 665);
        row("m_strided_fixed_distinct_p1", 3844);
        row("m_blockwise_random_p2", 1456);
        row("m_blockwise_tiles", 792);
        row("m_longformer_cross", 232);
        row("m_longformer_frames", 1260);
        row("m_longformer_empty_rows", 240, 24);
        row("m_bigbird_uneven_p2", 3900);
        row("m_lsh_buckets_p1", 2038);
        row("m_lsh_duplicates_uncentred_p1", 1601);
        row("m_lsh_auto_uneven", 1950);
        row("m_span_heads", 2874);
        row("m_span_p1", 3364);
    }

    void pairsAreThoseOfTheFiles()
    {
        FETCH_TEXT(file);
        QFETCH(const int, pairs);
        QFETCH(const int, emptyRows);
        AttendRequest request;
        request.file = file;
        request.latency = false;
        const AttendCase result = attnscope::attend(request, {}, {}).cases.front();
        QCOMPARE(result.allowedPairs, int64_t{pairs});
        QCOMPARE(result.emptyRows, int64_t{emptyRows});
        const bool said = std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
            return note.find("saw no key") != std::string::npos;
        });
        QCOMPARE(said, emptyRows > 0);
    }

    void limitsAreSoftmax_data()
    {
        rows("spec", {"longformer:radius=5", "longformer:radius=256", "longformer:radius=29,places=line",
                      "longformer:radius=0,global=30", "strided:stride=30", "strided:stride=1,use=second",
                      "strided:stride=1,pattern=strided", "blockwise:blocks=1", "etc:samples=0,radius=5",
                      "bigbird:radius=2", "bigbird:radius=0,random=64", "bigbird:block=8", "span:span=8",
                      "span:span=65536", "lsh:form=chunks,chunk=30", "lsh:form=chunks,chunk=15,duplicates=true",
                      "clustered:samples=30,topk=0", "clustered:samples=4,topk=99"});
    }

    void limitsAreSoftmax()
    {
        FETCH_TEXT(spec);
        for (const int64_t prefix : {0, 2, 5}) {
            const AttentionInput in = inputOf({prefix, 1, 5, 6});
            QVERIFY2(difference(attend(spec, in), softmaxOf(in)) < rounding, qPrintable(QString::number(prefix)));
        }
    }

    void setsAreTheWrittenOnesForAnyPrefix_data()
    {
        columns<int>("prefix");
        for (const int prefix : {0, 1, 2, 5})
            addRow("prefix %d", prefix) << prefix;
    }

    void setsAreTheWrittenOnesForAnyPrefix()
    {
        QFETCH(const int, prefix);
        const AttentionInput in = inputOf({prefix, 1, 4, 7}, 4);
        const auto agrees = [&](const std::string& spec, const Allowed& allowed) {
            return difference(attend(spec, in), maskedByLoop(in, prefix, prefix, allowed)) < rounding;
        };
        const auto rows = [](int64_t a, int64_t b) { return std::abs(a / 7 - b / 7); };
        const auto columns = [](int64_t a, int64_t b) { return std::abs(a % 7 - b % 7); };
        QVERIFY(agrees("strided", [&](auto, auto i, auto j) { return rows(i, j) == 0 || columns(i, j) == 0; }));
        QVERIFY(agrees("strided:pattern=strided,stride=5",
                       [](auto, auto i, auto j) { return std::abs(i - j) < 5 || (i - j) % 5 == 0; }));
        QVERIFY(agrees("strided:pattern=fixed,stride=5,summary=2,distinct=true", [](auto h, auto i, auto j) {
            const auto group = h % 2;
            return i / 5 == j / 5 || (j % 5 >= 5 - 2 * (group + 1) && j % 5 < 5 - 2 * group);
        }));
        QVERIFY(agrees("strided:use=alternate",
                       [&](auto h, auto i, auto j) { return h % 2 == 0 ? rows(i, j) == 0 : columns(i, j) == 0; }));
        QVERIFY(agrees("blockwise:blocks=5,identity=0.25", [](auto h, auto i, auto j) {
            const int64_t shift = h == 0 ? 0 : 1 + (h - 1) % 4;
            return (i * 5 / 28 + shift) % 5 == j * 5 / 28;
        }));
        QVERIFY(agrees("longformer:radius=1,dilation=2,dilated=odd", [&](auto h, auto i, auto j) {
            const int64_t d = h % 2 == 0 ? 1 : 2, r = rows(i, j), c = columns(i, j);
            return r <= d && c <= d && r % d == 0 && c % d == 0;
        }));
        QVERIFY(agrees("longformer:radius=1,global=2", [&](auto, auto i, auto j) {
            const auto global = [](int64_t x) { return x == 7 || x == 21; };
            return global(i) || global(j) || (rows(i, j) <= 1 && columns(i, j) <= 1);
        }));
        QVERIFY(agrees("bigbird:block=3,radius=0,random=0,ends=true", [](auto, auto i, auto j) {
            const auto block = [](int64_t x) { return x / 7 / 3 * 3 + x % 7 / 3; };
            const auto end = [&](int64_t x) { return block(x) == 0 || block(x) == 5; };
            return block(i) == block(j) || end(i) || end(j);
        }));
    }

    void keysOfAnotherGridStandForTheQueriesAtTheirCentres()
    {
        AttentionInput in = randomInput({1, 2, 31, 7, 8, 5}, 3);
        in.tokens = {1, 1, 5, 6};
        in.keyTokens = {1, 1, 2, 3};
        const auto expected = maskedByLoop(in, 1, 1, [](auto, auto i, auto j) {
            const int64_t row = (2 * (j / 3) + 1) * 5 / 4, column = (2 * (j % 3) + 1) * 6 / 6;
            return std::abs(i / 6 - row) <= 1 && std::abs(i % 6 - column) <= 1;
        });
        QVERIFY(difference(attend("longformer:radius=1", in), expected) < rounding);
        in.keyTokens = {0, 1, 2, 3};
        THROWS(Error, attend("longformer", in));
    }

    void keysWithoutAGridAreSpreadOverTheQueriesLine()
    {
        AttentionInput in = randomInput({1, 2, 30, 13, 8, 5}, 3);
        in.tokens = {0, 1, 5, 6};
        const auto expected = maskedByLoop(in, 0, 0, [](auto, auto i, auto j) {
            const int64_t place = (2 * j + 1) * 30 / 26;
            return std::abs(i / 6 - place / 6) <= 1 && std::abs(i % 6 - place % 6) <= 1;
        });
        QVERIFY(difference(attend("longformer:radius=1", in), expected) < rounding);
    }

    void tokensOfSeveralFramesWithOneNormaliserAreOneLine()
    {
        const AttentionInput in = inputOf({0, 3, 3, 4});
        const auto expected = maskedByLoop(in, 0, 0, [](auto, auto i, auto j) { return std::abs(i - j) <= 2; });
        QVERIFY(difference(attend("longformer:radius=2", in), expected) < rounding);
    }

    void framesCompareTokensByTheirPlaceInAFrame()
    {
        AttentionInput in = inputOf({0, 3, 3, 4});
        in.keyGroups = 3;
        const auto out = attend("longformer:radius=1", in);  // (B,H,N,F,Dv)
        for (int64_t f = 0; f < 3; ++f) {
            AttentionInput frame = in;
            frame.k = in.k.slice(2, 12 * f, 12 * f + 12), frame.v = in.v.slice(2, 12 * f, 12 * f + 12);
            const auto expected = maskedByLoop(frame, 0, 0, [](auto, auto i, auto j) {
                return std::abs(i % 12 / 4 - j / 4) <= 1 && std::abs(i % 4 - j % 4) <= 1;
            });
            QVERIFY(difference(out.select(3, f), expected) < rounding);
        }
    }

    void queriesThatSeeNothingSeeAllAndAreCounted()
    {
        AttentionInput in = randomInput({2, 2, 30, 6, 8, 5}, 3);
        in.tokens = {0, 1, 5, 6};
        in.keyTokens = {0, 1, 1, 6};
        const AllowedPairs counted = pairsOf("longformer:radius=1", in);
        QCOMPARE(counted.rows, int64_t{2 * 2 * 30});
        QCOMPARE(counted.emptyRows, int64_t{2 * 2 * 12});  // the first and the last row of the grid
        const auto out = attend("longformer:radius=1", in), exact = softmaxOf(in);
        QVERIFY(difference(out.slice(2, 0, 6), exact.slice(2, 0, 6)) < rounding);
        QVERIFY(difference(out.slice(2, 6, 24), exact.slice(2, 6, 24)) > 0.01);
        QCOMPARE(pairsOf("softmax", in).rows, 0);
    }

    void windowsOfRadiusZeroReturnTheValues()
    {
        const AttentionInput in = inputOf({0, 1, 5, 6});
        QVERIFY(difference(attend("longformer:radius=0", in), in.v) < rounding);
    }

    void etcWithoutSummariesIsTheWindow()
    {
        const AttentionInput in = inputOf({2, 1, 5, 6});
        QVERIFY(difference(attend("etc:samples=0,radius=2", in), attend("longformer:radius=2", in)) < rounding);
    }

    void etcCountsASummaryAsOftenAsItHasTokens()
    {
        // One summary and a window of the token itself: two keys, of which the summary counts once or 30 times.
        AttentionInput in = inputOf({0, 1, 5, 6});
        in.q = at::zeros_like(in.q);
        const auto mean = in.v.mean(2, true);
        QVERIFY(difference(attend("etc:samples=1,radius=0", in), (in.v + mean) / 2) < rounding);
        QVERIFY(difference(attend("etc:samples=1,radius=0,counted=true", in), (in.v + mean * 30) / 31) < rounding);
    }

    void etcRefusesOtherKeysInOneSentence()
    {
        AttentionInput in = randomInput({1, 2, 30, 6, 8, 5}, 3);
        REFUSES(Error, attend("etc", in), "keys=all");
    }

    void hardSpansAreWindows()
    {
        const AttentionInput in = inputOf({1, 1, 5, 6});
        QVERIFY(
            difference(attend("span:span=2.5,ramp=0.001,metric=chebyshev", in), attend("longformer:radius=2", in))
            < rounding);
        const auto manhattan = maskedByLoop(
            in, 1, 1, [](auto, auto i, auto j) { return std::abs(i / 6 - j / 6) + std::abs(i % 6 - j % 6) <= 2; });
        QVERIFY(difference(attend("span:span=2.5,ramp=0.001,metric=manhattan", in), manhattan) < rounding);
    }

    void moreRoundsOfHashingSeeMoreKeys()
    {
        const AttentionInput in = inputOf({1, 1, 8, 8});
        int64_t before = 0;
        for (const int rounds : {1, 2, 4, 8}) {
            const auto rotations = at::randn({3, 8, 8, 4}, at::make_generator<at::CPUGeneratorImpl>(7),
                                             at::kDouble)
                                       .slice(1, 0, rounds);
            SeededNoise drawn(0, 0);
            RecordedNoise noise({{"rotations", rotations}}, drawn);
            const int64_t pairs = make("lsh", in)->allowedPairs(in, noise).pairs;
            QVERIFY(pairs > before);
            before = pairs;
        }
        QVERIFY(before < int64_t{2 * 3 * 65 * 65});
    }

    void centredHashesIgnoreAVectorAddedToEveryKey()
    {
        const AttentionInput in = inputOf({0, 1, 8, 8});
        AttentionInput moved = in;
        moved.k = in.k + at::full({8}, 3.0, at::kDouble);
        QVERIFY(difference(attend("lsh:buckets=8", in), attend("lsh:buckets=8", moved)) < 1e-9);
        QVERIFY(difference(attend("lsh:buckets=8,center=false", in), attend("lsh:buckets=8,center=false", moved))
                > 1e-3);
    }

    void topKeysBringClustersNearerToSoftmax()
    {
        const AttentionInput in = inputOf({1, 1, 8, 8});
        const auto exact = softmaxOf(in);
        double before = 1e9;
        for (const int kept : {0, 4, 16, 65}) {
            const double error = (attend("clustered:samples=9,topk=" + std::to_string(kept), in) - exact)
                                     .square()
                                     .mean()
                                     .item<double>();
            QCOMPARE_LT(error, before);
            before = error;
        }
        QVERIFY(before < 1e-20);
    }

    void clustersIgnoreTheOrderOfKeys()
    {
        const AttentionInput in = inputOf({0, 1, 6, 6});
        AttentionInput turned = in;
        turned.k = in.k.flip(2), turned.v = in.v.flip(2);
        QVERIFY(difference(attend("clustered:samples=4,topk=5", in), attend("clustered:samples=4,topk=5", turned))
                < rounding);
    }

    void valuesThatAreEqualComeOutAsTheyAre_data()
    {
        rows("spec", {"strided", "blockwise:permutation=random", "etc:samples=9,values=attended,counted=true",
                      "etc:samples=9,values=attended,segments=own", "clustered:samples=5,topk=3",
                      "clustered:samples=5,start=random", "lsh:duplicates=true,buckets=6",
                      "lsh:form=chunks,chunk=4", "span:span=1,span_to=3"});
    }

    void valuesThatAreEqualComeOutAsTheyAre()
    {
        FETCH_TEXT(spec);
        AttentionInput in = inputOf({1, 1, 5, 6});
        in.v = at::full_like(in.v, 0.75);
        QVERIFY(difference(attend(spec, in), in.v) < rounding);
    }

    void recordedChoicesOutsideTheirRangeAreRefused_data()
    {
        columns<QString, QString, QList<int>, double>("spec", "name", "sizes", "value");
        const auto row = [](const char* title, const char* spec, const char* name, const QList<int>& sizes,
                            double value) { attnscope::row(title, spec, name, sizes, value); };
        row("a block beyond the last", "bigbird", "random_blocks", {3, 9, 1}, 9);
        row("a block below -1", "bigbird", "random_blocks", {3, 9, 1}, -2);
        row("a block that is no whole number", "bigbird", "random_blocks", {3, 9, 1}, 0.5);
        row("blocks of another grid", "bigbird", "random_blocks", {3, 8, 1}, 0);
        row("a permutation that repeats", "blockwise:blocks=4", "perm", {3, 4}, 1);
        row("a permutation of other blocks", "blockwise:blocks=4", "perm", {3, 5}, 1);
        row("a start that is no query", "clustered:samples=3", "starts", {2, 3, 3}, 30);
        row("starts of another batch", "clustered:samples=3", "starts", {1, 3, 3}, 0);
        row("rotations of another width", "lsh", "rotations", {3, 2, 9, 2}, 1);
        row("a negative span", "span", "spans", {3}, -1);
        row("spans of other heads", "span", "spans", {2}, 1);
    }

    void recordedChoicesOutsideTheirRangeAreRefused()
    {
        FETCH_TEXT(spec);
        QFETCH(const QString, name);
        QFETCH(const QList<int>, sizes);
        QFETCH(const double, value);
        const std::vector<int64_t> shape(sizes.begin(), sizes.end());
        const std::string sentence = refusal([&] {
            withNoise(spec, inputOf({0, 1, 5, 6}), {{name.toStdString(), at::full(shape, value, at::kDouble)}});
        });
        SAYS(sentence, name);
    }

    void optionsThatCannotBeAreRefusedWithTheirRange_data()
    {
        columns<QString, QString>("spec", "range");
        row("more buckets than keys", "lsh:buckets=32", "2 to 30");
        row("odd buckets", "lsh:buckets=7", "even number from 2 to 1024");
        row("tiles that are no square", "blockwise:blocks=5,tiles=true", "4 and 9");
        row("a window beyond the option", "longformer:radius=257", "0 to 256");
        row("a dilation of zero", "longformer:dilation=0", "1 to 64");
        row("no blocks", "blockwise:blocks=0", "1 to 4096");
        row("a ramp of zero", "span:ramp=0", "0.001 to 65536");
        row("no clusters", "clustered:samples=0", "1 to 4096");
    }

    void optionsThatCannotBeAreRefusedWithTheirRange()
    {
        FETCH_TEXT(spec);
        QFETCH(const QString, range);
        REFUSES(Error, attend(spec, inputOf({0, 1, 5, 6})), range);
    }

    void omittedMethodsAreRefusedWithTheirReason()
    {
        for (const char* name : {"routing", "sinkhorn"}) {
            const std::string sentence = refusal([&] { AttentionSpec::parse(name); });
            SAYS(sentence, "is not offered");
            SAYS(sentence, "learned");
        }
        AttendRequest request;
        request.file = TEST_DATA_DIR "/mechanisms/m_routing_p1.safetensors";
        const AttendCase result = attnscope::attend(request, {}, {}).cases.front();
        SAYS(result.unavailable, "is not offered");
    }

    void memoryOfGradientsIsBoundedToo()
    {
        // Keys gathered for all pairs at once would be 2048 · 49 · (16 + 16) · 4 bytes for each head, 13 MB.
        AttentionInput in = randomInput({1, 2, 2048, 2048, 16, 16}, 5, at::kFloat);
        in.tokens = {0, 1, 32, 64};
        for (at::Tensor* x : {&in.q, &in.k, &in.v})
            x->requires_grad_();
        AllocationMeter meter(at::kCPU);
        attend("longformer", in).sum().backward();
        QCOMPARE_LT(meter.peak(), 16'000'000);
        QVERIFY(isFinite(in.q.grad()));
    }
};

ATTNSCOPE_TEST(TestAttentionSparse)
#include "tst_attention_sparse.moc"
