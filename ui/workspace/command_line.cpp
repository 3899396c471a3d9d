#include "ui/workspace/command_line.h"

#include "ui/style/qt_text.h"

#include "core/run/features/feature_kind.h"
#include "models/model_options.h"
#include "ui/workspace/accuracy_text.h"

#include <QFileInfo>

#include <algorithm>

namespace attnscope::ui {

namespace {

/// What the lines of a comparison and of an inspection have in common.
CommandLine lineOf(const CompareSetup& setup, const char* command)
{
    CommandLine line(command);
    for (const QString& path : setup.paths)
        line.input(path);
    line.model(setup.context);
    if (setup.videos)
        line.put("--views", setup.context.views);
    for (const QString& spec : setup.specs)
        line.put("--attention", spec);
    line.device(fromQt(setup.context.device), fromQt(setup.context.dtype), setup.context.seed);
    if (!setup.specs.isEmpty())
        line.put("--seeds", setup.seeds);
    line.threads(setup.threads);
    return line;
}

}

CommandLine::CommandLine(const char* command)
    : m_command(command)
{}

void CommandLine::input(const QString& path)
{
    input(fromQt(path));
}

void CommandLine::input(const std::string& path)
{
    m_given.push_back({"INPUT", {path}});
}

void CommandLine::flag(const char* option, bool on)
{
    if (on)
        m_given.push_back({option, {}});
}

void CommandLine::put(const char* option, const QString& value)
{
    m_given.push_back({option, {fromQt(value)}});
}

void CommandLine::put(const char* option, const std::string& value)
{
    put(option, toQt(value));
}

void CommandLine::put(const char* option, double value)
{
    put(option, toQt(shortestNumber(value)));
}

void CommandLine::put(const char* option, const std::vector<int64_t>& values)
{
    QStringList words;
    for (const int64_t value : values)
        words << QString::number(value);
    put(option, words.join(QLatin1Char(',')));
}

void CommandLine::attention(const std::vector<AttentionSpec>& specs)
{
    for (const AttentionSpec& spec : specs)
        put("--attention", spec.canonical());
}

void CommandLine::model(const ModelRequest& request)
{
    const std::vector<GivenOption> given = givenOptions(request);
    m_given.insert(m_given.end(), given.begin(), given.end());
}

void CommandLine::model(const RunContext& context)
{
    model(ModelRequest{.model = fromQt(context.model),
                       .weights = fromQt(context.weights),
                       .heads = context.heads,
                       .imageSize = context.imageSize,
                       .classEmbeddings = fromQt(context.classEmbeddings)});
}

void CommandLine::device(const std::string& device, const std::string& dtype, uint64_t seed)
{
    put("--device", device);
    put("--dtype", dtype);
    put("--seed", seed);
}

QString CommandLine::text() const
{
    std::vector<std::string> words = optionWords(m_given);
    words.insert(words.begin(), m_command);
    return toQt(shellLine(words));
}

std::vector<std::string> CommandLine::valuesOf(const std::string& option) const
{
    std::vector<std::string> values;
    for (const GivenOption& one : m_given)
        if (one.name == option)
            values.insert(values.end(), one.values.begin(), one.values.end());
    return values;
}

QString CommandLine::madeWith(const CommandLine& now) const
{
    std::vector<GivenOption> all = m_given;
    all.insert(all.end(), now.m_given.begin(), now.m_given.end());
    for (const auto& [name, given] : all) {
        const std::vector<std::string> was = valuesOf(name), is = now.valuesOf(name);
        const auto isGiven = [&](const CommandLine& line) {
            return std::ranges::count(line.m_given, name, &GivenOption::name) > 0;
        };
        if (was == is && isGiven(*this) == isGiven(now))
            continue;
        if (!isGiven(*this))
            return name == "INPUT" ? tr("made without inputs") : tr("made without %1").arg(toQt(name));
        constexpr int shown = 3;
        QStringList words = name == "INPUT" || name == "--attention" ? QStringList() : QStringList(toQt(name));
        for (const std::string& value : was)
            words << (value.starts_with('/')  ? QFileInfo(toQt(value)).fileName()
                      : name == "--attention" ? titleOfSpec(toQt(value))
                                              : toQt(value));
        return tr("made with %1")
            .arg(words.mid(0, shown).join(words.front().startsWith(QLatin1Char('-')) ? u" "_s : u", "_s)
                 + (words.size() > shown ? u" …"_s : QString()));
    }
    return {};
}

QString compareCommand(const CompareSetup& setup)
{
    CommandLine line = lineOf(setup, "compare");
    const CompareSetup usual;  // of the command line, too
    line.put("--repetitions", setup.repetitions, usual.repetitions);
    line.put("--seconds", setup.seconds, usual.seconds);
    if (setup.features)
        line.put("--features", std::string(toText(FeatureKind::Pooled)));
    return line.text();
}

QString layersCommand(const CompareSetup& setup, const QString& query)
{
    CommandLine line = lineOf(setup, "layers");
    line.put("--query", query);
    return line.text();
}

QString layerTermsCommand(const CompareSetup& setup, const QString& query)
{
    CompareSetup terms = setup;
    terms.specs.clear();
    CommandLine line = lineOf(terms, "layers");
    line.flag("--terms", true);
    line.put("--query", query);
    return line.text();
}

QString leaderboardCommand(const CompareSetup& setup)
{
    CompareSetup all = setup;
    all.specs.clear();
    CommandLine line = lineOf(all, "approximate");
    line.flag("--all");
    line.put("--seeds", setup.seeds);
    return line.text();
}

}
