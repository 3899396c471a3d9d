// SPDX-License-Identifier: Apache-2.0
#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/random.h"
#include "core/base/text.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace attnscope;

class TestBase : public QObject {
    Q_OBJECT

private slots:
    void errorsAreOneSentence();
    void hostileNamesArePrintedAsEscapes();
    void nearestWordsComeFirst();
    void figuresReadAsPeopleWriteThem();
    void arithmeticOnSizesNoticesOverflow();
    void uniformNumbersDependOnKeyAndPositionAlone();
    void uniformNumbersAreUniformAndInsideTheInterval();
    void streamsOfDifferentKeysAreUncorrelated();
};

void TestBase::errorsAreOneSentence()
{
    const FileError error("people.mp4", "no video stream (audio only)", "give a file with pictures");
    QCOMPARE(std::string(error.what()), std::string("people.mp4: no video stream (audio only); give a file with pictures."));
    QCOMPARE(error.reason(), std::string("no video stream (audio only); give a file with pictures."));
    QCOMPARE(std::string(UsageError("", "no attention was named").what()), std::string("no attention was named."));
    QCOMPARE(std::string(FileError("a\nb", "x").what()), std::string("a\\nb: x."));
}

void TestBase::hostileNamesArePrintedAsEscapes()
{
    QCOMPARE(printable("plain ü 猫"), std::string("plain ü 猫"));
    QCOMPARE(printable("\x1b[31m"), std::string("\\x1b[31m"));
    QCOMPARE(printable("a\u202eb"), std::string("a\\u202eb"));
    QCOMPARE(printable("a\u061cb"), std::string("a\\u061cb"));
    QCOMPARE(printable("\xff\xfe"), std::string("\\xff\\xfe"));
    QCOMPARE(printable("\xc0\xaf"), std::string("\\xc0\\xaf"));      // overlong
    QCOMPARE(printable("\xed\xa0\x80"), std::string("\\xed\\xa0\\x80"));  // surrogate
    QCOMPARE(printable("\xe2\x82"), std::string("\\xe2\\x82"));      // cut off
}

void TestBase::nearestWordsComeFirst()
{
    QCOMPARE(nearestWords("laar", {"softmax", "lara", "rfa"}, 1), std::vector<std::string>{"lara"});
    QCOMPARE(joinWords({"a", "b", "c"}), std::string("a, b or c"));
    QCOMPARE(split("a,,b", ',').size(), std::size_t{3});
}

void TestBase::figuresReadAsPeopleWriteThem()
{
    QCOMPARE(counted(1, "layer") + ", " + counted(0, "head") + ", " + counted(12, "token"), std::string("1 layer, 0 heads, 12 tokens"));
    QCOMPARE(formatMilliseconds(62.13).text(), std::string("62.1 ms"));
    QCOMPARE(formatMilliseconds(0.532).text(), std::string("532 µs"));
    QCOMPARE(formatMilliseconds(12'345).text(), std::string("12.3 s"));
    QCOMPARE(formatMilliseconds(0.99961).text(), std::string("1.00 ms"));  // not 1000 µs
    QCOMPARE(formatMilliseconds(9'999.8).text(), std::string("10.0 s"));
    QCOMPARE(formatMilliseconds(std::nan("")).text(), std::string("not finite"));
    QCOMPARE(formatBytes(24'536'678).text(), std::string("23.4 MiB"));
    QCOMPARE(formatBytes(512).text(), std::string("512 B"));
    QCOMPARE(formatBytes(1024 * 1024 - 1).text(), std::string("1.00 MiB"));
    QCOMPARE(formatProbability(0.714), std::string("0.71"));
    QCOMPARE(formatProbability(0.001), std::string("<0.01"));
    QCOMPARE(formatProbability(0), std::string("0.00"));
    QCOMPARE(formatError(0), std::string("0"));
    QCOMPARE(formatError(0.833), std::string("0.83"));
    QCOMPARE(formatError(0.00083), std::string("8.3e\u22124"));
    QCOMPARE(formatError(INFINITY), std::string("not finite"));
    QCOMPARE(formatError(0.00999), std::string("1.0e\u22122"));
    QCOMPARE(formatError(1336), std::string("1.3e3"));
    QCOMPARE(formatError(900'271), std::string("9.0e5"));
    QCOMPARE(formatError(-5), std::string("\u22125.00"));
    QCOMPARE(formatCount(5'717'416), std::string("5\u202f717\u202f416"));
    QCOMPARE(formatQuantity(1.2537e9).text(), std::string("1.25 G"));
    QCOMPARE(formatChange(100, 88), std::string("\u221212 %"));
    QCOMPARE(formatRatio(1.13), std::string("1.1×"));
    QCOMPARE(formatRatio(std::nan("")), std::string("not finite"));
    QCOMPARE(formatRemaining(480), std::string("about 8 min"));
    QCOMPARE(formatRemaining(59.7), std::string("about 1 min"));
    QCOMPARE(formatRemaining(3'599), std::string("about 1 h 0 min"));
}

void TestBase::arithmeticOnSizesNoticesOverflow()
{
    QCOMPARE(checkedMultiply(3, 4), std::optional<std::int64_t>(12));
    QVERIFY(!checkedMultiply(INT64_MAX, 2));
    QVERIFY(!checkedMultiply(-1, 2));
    QVERIFY(!checkedAdd(INT64_MAX, 1));
    const std::vector<std::int64_t> huge{1LL << 40, 1LL << 40};
    QVERIFY(!checkedProduct(huge));
    QCOMPARE(checkedProduct({}), std::optional<std::int64_t>(1));
}

void TestBase::uniformNumbersDependOnKeyAndPositionAlone()
{
    const StreamKey key{7, 3, 5, streamPurpose("eps")};
    std::vector<float> whole(1001);
    fillUniform(key, 0, whole);
    for (const std::size_t first : {1u, 3u, 4u, 63u, 64u, 65u, 500u}) {
        for (const std::size_t count : {1u, 2u, 5u, 67u, 300u}) {
            std::vector<float> part(count);
            fillUniform(key, first, part);
            for (std::size_t i = 0; i < count; ++i)
                QCOMPARE(part[i], whole[first + i]);
        }
    }
}

void TestBase::uniformNumbersAreUniformAndInsideTheInterval()
{
    std::vector<float> numbers(1'000'000);
    fillUniform({1, 0, 0, 0}, 0, numbers);
    std::vector<double> bins(64);
    double sum = 0;
    for (const float x : numbers) {
        QVERIFY(x > 0 && x < 1);
        sum += x;
        bins[static_cast<std::size_t>(x * 64)] += 1;
    }
    const double expected = static_cast<double>(numbers.size()) / 64;
    double chiSquare = 0;
    for (const double bin : bins)
        chiSquare += (bin - expected) * (bin - expected) / expected;
    QVERIFY2(chiSquare < 63 + 5 * std::sqrt(2.0 * 63), qPrintable(QString::number(chiSquare)));
    QVERIFY(std::abs(sum / static_cast<double>(numbers.size()) - 0.5) < 5 * std::sqrt(1.0 / 12 / 1e6));
}

void TestBase::streamsOfDifferentKeysAreUncorrelated()
{
    const StreamKey base{1, 2, 3, streamPurpose("u")};
    std::vector<float> a(100'000), b(a.size());
    fillUniform(base, 0, a);
    for (const StreamKey& other : {StreamKey{2, 2, 3, base.purpose}, StreamKey{1, 3, 3, base.purpose}, StreamKey{1, 2, 4, base.purpose},
                                   StreamKey{1, 2, 3, streamPurpose("eps")}}) {
        fillUniform(other, 0, b);
        double covariance = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            covariance += (a[i] - 0.5) * (b[i] - 0.5);
        QVERIFY(std::abs(covariance / static_cast<double>(a.size()) * 12) < 5 / std::sqrt(static_cast<double>(a.size())));
    }
}

QTEST_APPLESS_MAIN(TestBase)
#include "tst_base.moc"
