#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "tests/support/test_class.h"

#include <random>
#include <set>
#include <tuple>

using namespace attnscope;

namespace {

std::string problem(const std::string& text)
{
    return refusal<UsageError>([&] { AttentionSpec::parse(text); });
}

std::string randomValue(const OptionInfo& option, std::mt19937& random)
{
    switch (option.type) {
    case OptionType::Flag:
        return random() % 2 == 0 ? "true" : "false";
    case OptionType::Choice:
        return option.choices[random() % option.choices.size()].name;
    case OptionType::Integer:
        return std::to_string(int64_t(option.minimum)
                              + int64_t(random() % 1000) % int64_t(option.maximum - option.minimum + 1));
    case OptionType::Real:
        break;
    }
    const double part = double(random() % 1001) / 1000;
    return toText(OptionValue(option.minimum + part * (option.maximum - option.minimum)));
}

}

class TestAttentionSpec : public QObject {
    Q_OBJECT

private slots:
    void canonicalSpellingLeavesDefaultsOutAndFollowsTheTable()
    {
        QCOMPARE(AttentionSpec::parse("lara:beta=2,samples=16").canonical(), "lara:samples=16,beta=2");
        QCOMPARE(AttentionSpec::parse("lara:samples=49,weights=decoupled,beta=1.0").canonical(), "lara");
        QCOMPARE(AttentionSpec::parse("lara:proposal=segment").canonical(), "lara");
        QCOMPARE(AttentionSpec::parse(" rfa:samples=64,norm=exact ").canonical(), "rfa");
        QCOMPARE(AttentionSpec::parse("ra:mode=biased,seed=0").canonical(), "ra:mode=biased,seed=0");
        QCOMPARE(AttentionSpec::parse("native").canonical(), "native");
        QCOMPARE(AttentionSpec::parse("lara:beta=-0").canonical(), "lara:beta=0");
        QCOMPARE(AttentionSpec::parse("ra:seed=007").canonical(), "ra:seed=7");
        QCOMPARE(AttentionSpec::parse("ra:seed=9007199254740992").seedOr(0), uint64_t{1} << 53);
        QCOMPARE(AttentionSpec::parse("softmax:keys=all").canonical(), "softmax");
        QCOMPARE(AttentionSpec::parse("lara:keys=reduced,samples=16,seed=3").canonical(),
                 "lara:samples=16,keys=reduced,seed=3");
        QVERIFY(AttentionSpec::parse("performer") == AttentionSpec::parse("performer:samples=64"));
        QCOMPARE(AttentionSpec::parse("ra:seed=7").seedOr(3), 7);
        QCOMPARE(AttentionSpec::parse("ra").seedOr(3), 3);
        QCOMPARE(AttentionSpec::parse("lara").real("beta"), 1.0);
    }

    void canonicalSpellingParsesToItself()
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

    void definitionsLeaveOutWhatOnlySaysHowItIsComputed()
    {
        const auto definition = [](const char* text) {
            return AttentionSpec::parse(text).definition().canonical();
        };
        QCOMPARE(definition("lara:kernel=plain"), "lara");
        QCOMPARE(definition("lara:samples=16,kernel=plain,seed=3"), "lara:samples=16");
        QCOMPARE(definition("performer:kernel=plain"), "performer");
        QCOMPARE(definition("ra:block=7,mode=biased,seed=1"), "ra:mode=biased");
        QCOMPARE(definition("softmax:form=explicit"), "softmax");
        QCOMPARE(definition("lara:keys=reduced"), "lara:keys=reduced");
        QCOMPARE(definition("native"), "native");
        const std::set<std::string> computing{"kernel", "seed", "block", "form"},
            patterns{"bigbird block", "lsh form",    "monarch block",
                     "blocks block",  "hyper block", "scatterbrain block"};
        for (const BackendInfo& info : backends())
            for (const OptionInfo& option : info.options)
                QVERIFY2(
                    option.definesAttention
                        != (computing.contains(option.name) && !patterns.contains(info.name + " " + option.name)),
                    (info.name + ": " + option.name).c_str());
    }

    void mistakesNameTheAlternatives_data()
    {
        columns<QString, QString>("text", "named");
        row("backend", "loras", "softmax, performer, rfa, ra, lara");
        row("empty", "", "softmax");
        row("option", "ra:sample=1", "mode, samples, noise");
        row("choice", "ra:mode=fast", "unbiased, biased or mean-key");
        row("too small", "lara:samples=0", "from 1 to 16384");
        row("no integer", "lara:samples=4.5", "an integer from 1");
        row("no number", "lara:beta=nan", "a number from 0 to 100");
        row("seed that JSON readers would round", "ra:seed=9007199254740993", "to 9007199254740992");
        row("not finite", "lara:beta=inf", "a number from 0 to 100");
        row("out of a double's range", "lara:beta=1e999", "a number from 0 to 100");
        row("upper case", "LARA", "sra");
        row("flag", "performer:orthogonal=1", "true or false");
        row("no value", "lara:samples", "key=value");
        row("twice", "lara:samples=4,samples=9", "twice");
        row("trailing comma", "lara:samples=4,", "key=value");
        row("native with options", "native:samples=4", "no options");
        row("overlapping ranges", "0-3=softmax;3-5=lara", "layer 3 is given twice");
        row("range that goes down", "5-3=softmax", "first-last");
        row("no range", "0-x=softmax", "such as 0-3");
        row("more layers than any network", "0-99999999=softmax", "to 4095");
        row("part without layers", "0-3=softmax;lara", "layers=attention");
        row("part without attention", "0-3", "layers=attention");
        row("empty part", "0-3=softmax;", "layers=attention");
        row("backend of a part", "0-3=loras", "softmax, performer");
        row("option of a part", "0-3=lara:sample=1", "samples, proposal");
        row("layers inside layers", "0-3=1=softmax", "layers=attention");
        row("control characters", "la\x1bra", "\\x1b");
    }

    void mistakesNameTheAlternatives()
    {
        FETCH_TEXT(text);
        QFETCH(const QString, named);
        const QString message = QString::fromStdString(problem(text));
        SAYS(message, named);
    }

    void flagMayBeGivenByItsNameAlone()
    {
        QCOMPARE(AttentionSpec::parse("sra:linear").canonical(), "sra:linear=true");
        QVERIFY(AttentionSpec::parse("performer:orthogonal,samples=9")
                == AttentionSpec::parse("performer:samples=9,orthogonal=true"));
        QCOMPARE(AttentionSpec::parse("sra:linear=false").canonical(), "sra");
        SAYS(problem("sra:linear,linear=true"), "twice");
        SAYS(problem("ra:mode"), "key=value");
    }

    void changingOneOptionKeepsTheOthers()
    {
        const auto spec = AttentionSpec::parse("lara:samples=16,noise=unit");
        QCOMPARE(spec.with("beta", 2.0).canonical(), "lara:samples=16,beta=2,noise=unit");
        QCOMPARE(spec.with("samples", int64_t{49}).canonical(), "lara:noise=unit");
        THROWS(UsageError, spec.with("samples", int64_t{0}));
    }

    void everyOptionIsDescribed()
    {
        for (const BackendInfo& info : backends()) {
            QVERIFY(!info.help.empty() && !info.citation.empty() && !info.complexity.empty()
                    && info.make != nullptr);
            bool seed = false;
            for (const OptionInfo& option : info.options) {
                QVERIFY2(!option.help.empty(), option.name.c_str());
                QVERIFY(option.defaultValue || option.name == "seed");
                seed = seed || option.name == "seed";
            }
            QCOMPARE(seed, info.random);
        }
    }

    void mixedSpecificationsAreSpelledInOrder()
    {
        const auto spelled = [](const char* text) { return AttentionSpec::parse(text).canonical(); };
        QCOMPARE(spelled("0-3=softmax;4-11=lara:samples=49"), "0-3=softmax;4-11=lara");
        QCOMPARE(spelled(" 4-11 = lara:beta=2,samples=16 ; 0-3=softmax "),
                 "0-3=softmax;4-11=lara:samples=16,beta=2");
        QCOMPARE(spelled("2=ra;0-1=ra"), "0-2=ra");
        QCOMPARE(spelled("0,2-3,9=softmax;1=ra"), "0=softmax;1=ra;2-3=softmax;9=softmax");
        QCOMPARE(spelled("0-3=native;4=lara"), "4=lara");
        QCOMPARE(spelled("0-11=native"), "native");
        const auto spec = AttentionSpec::parse("0-3=softmax;4-11=lara");
        QVERIFY(spec.isMixed() && !spec.isNative());
        QCOMPARE(spec.backend(), "mixed");
        QCOMPARE(spec.parts().size(), 2);
        QVERIFY(AttentionSpec::parse(spec.canonical()) == spec);
        THROWS(UsageError, spec.with("samples", int64_t{4}));
    }

    void mixedSpecificationsGiveEachLayerItsOwn()
    {
        const auto spec = AttentionSpec::parse("1-2=lara:samples=16,seed=5;4=ra");
        QCOMPARE(spec.layer(0).canonical(), "native");
        QCOMPARE(spec.layer(2).integer("samples"), 16);
        QCOMPARE(spec.layer(2).seedOr(1), 5);
        QCOMPARE(spec.layer(4).canonical(), "ra");
        QCOMPARE(spec.layer(100).canonical(), "native");
        QCOMPARE(spec.seedOr(7), 7);
        QCOMPARE(AttentionSpec::parse("lara").layer(3).canonical(), "lara");
        const auto rebuilt = AttentionSpec::perLayer(
            {spec.layer(0), spec.layer(1), spec.layer(2), spec.layer(3), spec.layer(4)});
        QVERIFY(rebuilt == spec);
        QCOMPARE(AttentionSpec::perLayer({AttentionSpec::parse("ra"), AttentionSpec::parse("ra")}).canonical(),
                 "ra");
    }

    void networksPartsComeLastInAnyOrder()
    {
        const auto spelled = [](const char* text) { return AttentionSpec::parse(text).canonical(); };
        QCOMPARE(spelled("softmax; weights=int8 ;tokens=tome:r=8"), "softmax;tokens=tome:r=8;weights=int8");
        QCOMPARE(spelled("0-3=softmax;4-5=lara:weights=decoupled;weights=int8"),
                 "0-3=softmax;4-5=lara;weights=int8");
        QCOMPARE(spelled("lara;weights=own;tokens=none"), "lara");
        const AttentionSpec spec = AttentionSpec::parse("0-1=softmax;tokens=tome:r=8;weights=int8");
        QVERIFY(AttentionSpec::parse(spec.canonical()) == spec);
        QCOMPARE(spec.alone().canonical(), "0-1=softmax");
        QCOMPARE(spec.layer(0).canonical(), "softmax");
        QCOMPARE(spec.resolved(AttentionSpec::parse("ra"), 3).canonical(),
                 "0-1=softmax;2=ra;tokens=tome:r=8;weights=int8");
        QCOMPARE(tokensOf(spec.canonical()), "tome:r=8");
        QCOMPARE(weightsOf(spec.canonical()), "int8");
        QVERIFY(!isAttentionAlone("softmax;weights=int8") && isAttentionAlone("0-1=softmax;2=lara"));
        for (const char* wrong : {"weights=int8", "softmax;weights=int4", "softmax;weights=int8;weights=int8",
                                  "softmax;weights=int8;0-1=lara", "softmax;weights="})
            THROWS(UsageError, AttentionSpec::parse(wrong));
    }

    void layersThatAreNotNamedStayNative()
    {
        const auto lara = AttentionSpec::parse("lara"), mixed = AttentionSpec::parse("0-1=softmax");
        QCOMPARE(mixed.resolved(lara, 4).canonical(), "0-1=softmax;2-3=lara");
        QCOMPARE(mixed.resolved(AttentionSpec::parse("softmax"), 4).canonical(), "softmax");
        QCOMPARE(AttentionSpec::native().resolved(lara, 4).canonical(), "lara");
        QCOMPARE(AttentionSpec::parse("ra").resolved(lara, 4).canonical(), "ra");
        // What a model's own description mixes stays where nothing else is asked for.
        QCOMPARE(
            AttentionSpec::parse("1=ra").resolved(AttentionSpec::parse("0-1=softmax;2-3=lara"), 4).canonical(),
            "0=softmax;1=ra;2-3=lara");
    }

    void layersBeyondTheModelAreRefused()
    {
        REFUSES(UsageError, AttentionSpec::parse("0-12=lara").resolved(AttentionSpec::parse("softmax"), 12),
                "layers are 0 to 11");
    }

    void randomMixedSpecificationsRoundTrip()
    {
        std::minstd_rand random(7);
        const std::vector<std::string> names{"native",    "softmax",        "lara:samples=16",
                                             "performer", "ra:mode=biased", "rfa:seed=3"};
        for (int trial = 0; trial < 300; ++trial) {
            std::vector<AttentionSpec> layers;
            for (unsigned layer = 0, count = 1 + random() % 12; layer < count; ++layer)
                layers.push_back(AttentionSpec::parse(names[random() % names.size()]));
            const AttentionSpec spec = AttentionSpec::perLayer(layers);
            QVERIFY2(AttentionSpec::parse(spec.canonical()) == spec, spec.canonical().c_str());
            for (size_t i = 0; i < layers.size(); ++i)
                QVERIFY2(spec.layer(int64_t(i)) == layers[i], spec.canonical().c_str());
        }
    }
};

ATTNSCOPE_TEST(TestAttentionSpec)
#include "tst_attention_spec.moc"
