// SPDX-License-Identifier: Apache-2.0
#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"
#include "core/base/error.h"

#include <QTest>

#include <random>

using namespace attnscope;

namespace {

std::string problem(const std::string& text)
{
    try {
        AttentionSpec::parse(text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

std::string randomValue(const OptionInfo& option, std::mt19937& random)
{
    switch (option.type) {
    case OptionType::Flag:
        return random() % 2 == 0 ? "true" : "false";
    case OptionType::Choice:
        return option.choices[random() % option.choices.size()].name;
    case OptionType::Integer:
        return std::to_string(static_cast<std::int64_t>(option.minimum) + static_cast<std::int64_t>(random() % 1000) % static_cast<std::int64_t>(option.maximum - option.minimum + 1));
    case OptionType::Real:
        break;
    }
    const double part = static_cast<double>(random() % 1001) / 1000;
    return toText(OptionValue(option.minimum + part * (option.maximum - option.minimum)));
}

}  // namespace

class TestAttentionSpec : public QObject {
    Q_OBJECT

private slots:
    void canonicalSpellingLeavesDefaultsOutAndFollowsTheTable();
    void canonicalSpellingParsesToItself();
    void mistakesNameTheAlternatives_data();
    void mistakesNameTheAlternatives();
    void flagMayBeGivenByItsNameAlone();
    void changingOneOptionKeepsTheOthers();
    void everyOptionIsDescribed();
};

void TestAttentionSpec::canonicalSpellingLeavesDefaultsOutAndFollowsTheTable()
{
    QCOMPARE(AttentionSpec::parse("lara:beta=2,samples=16").canonical(), std::string("lara:samples=16,beta=2"));
    QCOMPARE(AttentionSpec::parse("lara:samples=49,weights=decoupled,beta=1.0").canonical(), std::string("lara"));
    QCOMPARE(AttentionSpec::parse("lara:proposal=segment").canonical(), std::string("lara"));
    QCOMPARE(AttentionSpec::parse(" rfa:samples=64,norm=exact ").canonical(), std::string("rfa"));
    QCOMPARE(AttentionSpec::parse("ra:mode=biased,seed=0").canonical(), std::string("ra:mode=biased,seed=0"));
    QCOMPARE(AttentionSpec::parse("native").canonical(), std::string("native"));
    QCOMPARE(AttentionSpec::parse("lara:beta=-0").canonical(), std::string("lara:beta=0"));
    QCOMPARE(AttentionSpec::parse("ra:seed=007").canonical(), std::string("ra:seed=7"));
    QCOMPARE(AttentionSpec::parse("ra:seed=9007199254740992").seedOr(0), std::uint64_t{1} << 53);
    QCOMPARE(AttentionSpec::parse("softmax:keys=all").canonical(), std::string("softmax"));
    QCOMPARE(AttentionSpec::parse("lara:keys=reduced,samples=16,seed=3").canonical(), std::string("lara:samples=16,keys=reduced,seed=3"));
    QVERIFY(AttentionSpec::parse("performer") == AttentionSpec::parse("performer:samples=64"));
    QCOMPARE(AttentionSpec::parse("ra:seed=7").seedOr(3), std::uint64_t{7});
    QCOMPARE(AttentionSpec::parse("ra").seedOr(3), std::uint64_t{3});
    QCOMPARE(AttentionSpec::parse("lara").real("beta"), 1.0);
}

void TestAttentionSpec::canonicalSpellingParsesToItself()
{
    std::mt19937 random(5);
    for (const BackendInfo& info : backends()) {
        for (int trial = 0; trial < 200; ++trial) {
            std::string text = info.name;
            char separator = ':';
            for (const OptionInfo& option : info.options) {
                if (random() % 2 == 0)
                    continue;
                text += separator + option.name + "=" + randomValue(option, random);
                separator = ',';
            }
            const AttentionSpec spec = AttentionSpec::parse(text);
            QVERIFY2(AttentionSpec::parse(spec.canonical()) == spec, text.c_str());
            QCOMPARE(AttentionSpec::parse(spec.canonical()).canonical(), spec.canonical());
        }
    }
}

void TestAttentionSpec::mistakesNameTheAlternatives_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("backend") << "loras" << "softmax, performer, rfa, ra, lara";
    QTest::newRow("empty") << "" << "softmax";
    QTest::newRow("option") << "ra:sample=1" << "mode, samples, noise";
    QTest::newRow("choice") << "ra:mode=fast" << "unbiased, biased or mean-key";
    QTest::newRow("too small") << "lara:samples=0" << "from 1 to 16384";
    QTest::newRow("no integer") << "lara:samples=4.5" << "an integer from 1";
    QTest::newRow("no number") << "lara:beta=nan" << "a number from 0 to 100";
    QTest::newRow("seed that JSON readers would round") << "ra:seed=9007199254740993" << "to 9007199254740992";
    QTest::newRow("not finite") << "lara:beta=inf" << "a number from 0 to 100";
    QTest::newRow("out of a double's range") << "lara:beta=1e999" << "a number from 0 to 100";
    QTest::newRow("upper case") << "LARA" << "and sra";
    QTest::newRow("flag") << "performer:orthogonal=1" << "true or false";
    QTest::newRow("no value") << "lara:samples" << "key=value";
    QTest::newRow("twice") << "lara:samples=4,samples=9" << "twice";
    QTest::newRow("trailing comma") << "lara:samples=4," << "key=value";
    QTest::newRow("native with options") << "native:samples=4" << "no options";
    QTest::newRow("control characters") << "la\x1bra" << "\\x1b";
}

void TestAttentionSpec::mistakesNameTheAlternatives()
{
    QFETCH(const QString, text);
    QFETCH(const QString, named);
    const QString message = QString::fromStdString(problem(text.toStdString()));
    QVERIFY2(message.contains(named), qPrintable(message));
}

void TestAttentionSpec::flagMayBeGivenByItsNameAlone()
{
    QCOMPARE(AttentionSpec::parse("sra:linear").canonical(), std::string("sra:linear=true"));
    QVERIFY(AttentionSpec::parse("performer:orthogonal,samples=9") == AttentionSpec::parse("performer:samples=9,orthogonal=true"));
    QCOMPARE(AttentionSpec::parse("sra:linear=false").canonical(), std::string("sra"));
    QVERIFY(problem("sra:linear,linear=true").find("twice") != std::string::npos);
    QVERIFY(problem("ra:mode").find("key=value") != std::string::npos);
}

void TestAttentionSpec::changingOneOptionKeepsTheOthers()
{
    const auto spec = AttentionSpec::parse("lara:samples=16,noise=unit");
    QCOMPARE(spec.with("beta", 2.0).canonical(), std::string("lara:samples=16,beta=2,noise=unit"));
    QCOMPARE(spec.with("samples", std::int64_t{49}).canonical(), std::string("lara:noise=unit"));
    QVERIFY_EXCEPTION_THROWN(spec.with("samples", std::int64_t{0}), UsageError);
}

void TestAttentionSpec::everyOptionIsDescribed()
{
    for (const BackendInfo& info : backends()) {
        QVERIFY(!info.help.empty() && !info.citation.empty() && !info.complexity.empty() && info.make != nullptr);
        bool seed = false;
        for (const OptionInfo& option : info.options) {
            QVERIFY2(!option.help.empty(), option.name.c_str());
            QVERIFY(option.defaultValue || option.name == "seed");
            seed = seed || option.name == "seed";
        }
        QCOMPARE(seed, info.random);
    }
}

QTEST_APPLESS_MAIN(TestAttentionSpec)
#include "tst_attention_spec.moc"
