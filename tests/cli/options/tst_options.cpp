// What asks for a request asks for the same again: parse(words(request)) == request, for every list of options.
#include "app/cli/input/declare_options.h"
#include "core/lab/decode/decode_options.h"
#include "core/lab/scale/scale_options.h"
#include "models/evaluate_options.h"
#include "models/training/train_options.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace attnscope;

namespace {

/// Gives the options of a request any values that they accept, about half of them.
class RandomOptions {
public:
    explicit RandomOptions(unsigned seed)
        : m_random(seed)
    {}
    void operator()(const char*, bool& value, const std::string&) { value = below(2) == 1; }
    template <typename Value>
    void operator()(const char*, Value& value, const OptionRule& rule, const std::string&)
    {
        if (rule.required || below(2) == 1)
            draw(value, rule);
    }
    void plugins() {}

private:
    size_t below(size_t count) { return m_random() % count; }
    double number(const OptionRule& rule)
    {
        return rule.low + (rule.high - rule.low) * double(below(1'000'001)) / 1'000'000;
    }
    template <typename Value>
    void draw(Value& value, const OptionRule& rule)
    {
        if constexpr (ToldByWords<Value>)
            value = Value(below(rule.words.size()));
        else if constexpr (std::is_convertible_v<Value, std::string>)
            value = rule.words.empty() ? text() : rule.words[below(rule.words.size())];
        else if constexpr (std::is_arithmetic_v<Value>)
            value = Value(number(rule));
        else if constexpr (requires { value.push_back(value.front()); })
            drawList(value, rule);
        else if constexpr (requires { value.emplace(); })
            draw(value.emplace(), rule);
        else
            value = Value::parse(below(2) == 1 ? "224" : "320x192");
    }
    template <typename Values>
    void drawList(Values& values, const OptionRule& rule)
    {
        const size_t count = rule.count > 0 ? size_t(rule.count) : 1 + below(4);
        values.assign(count, {});
        for (auto& value : values)
            draw(value, rule);
    }
    /// Names of files have spaces, quotes, dashes and letters of all kinds.
    std::string text()
    {
        static const std::vector<std::string> parts{"a", " ", "'", "\"",  "-",  "=",
                                                    "ü", "/", "$", "--x", "画", ","};
        std::string made = "f";
        if (below(4) == 0)
            made = "-";
        for (size_t i = below(6); i > 0; --i)
            made += parts[below(parts.size())];
        return made;
    }

    std::mt19937 m_random;
};

template <typename Request>
void asksForTheSame(const char* name)
{
    for (unsigned seed = 0; seed < 300; ++seed) {
        Request request, read;
        RandomOptions random(seed);
        visitOptions(request, random);
        std::vector<std::string> words = optionWords(request);
        const std::string line = shellLine(words);
        CLI::App app;
        cli::declareOptions(app, read);
        std::ranges::reverse(words);  // as CLI11 takes them
        try {
            app.parse(std::move(words));
        } catch (const CLI::Error& error) {
            QFAIL((std::string(name) + ": " + line + ": " + error.what()).c_str());
        }
        QVERIFY2(shellLine(optionWords(read)) == line,
                 (line + " was read as " + shellLine(optionWords(read))).c_str());
    }
}

}

class TestOptions : public QObject {
    Q_OBJECT

private slots:
    void wordsOfARequestAskForItAgain()
    {
        asksForTheSame<ModelRequest>("model");
        asksForTheSame<AugmentOptions>("augmentation");
        asksForTheSame<TrainOptions>("train");
        asksForTheSame<ScaleOptions>("scale");
        asksForTheSame<DecodeOptions>("decode");
        asksForTheSame<ApproximateOptions>("approximate");
        asksForTheSame<PlanOptions>("plan");
        asksForTheSame<LayersOptions>("layers");
        asksForTheSame<ClassifyOptions>("classify");
        asksForTheSame<CompareOptions>("compare");
        asksForTheSame<NeighboursOptions>("neighbours");
        asksForTheSame<ExitsOptions>("exits");
        asksForTheSame<EvaluateOptions>("evaluate");
    }
};

ATTNSCOPE_TEST(TestOptions)
#include "tst_options.moc"
