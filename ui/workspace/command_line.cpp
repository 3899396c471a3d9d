// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/command_line.h"

#include "ui/style/qt_text.h"

#include "core/run/feature_kind.h"
#include "models/model_options.h"

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

}  // namespace

CommandLine::CommandLine(const char* command)
    : m_words{QString::fromLatin1(command)}
{}

void CommandLine::input(const QString& path)
{
    m_words << (path.startsWith(QLatin1Char('-')) ? QStringLiteral("./") + path : path);
}

void CommandLine::input(const std::string& path)
{
    input(toQt(path));
}

void CommandLine::flag(const char* option, bool on)
{
    if (on)
        m_words << QString::fromLatin1(option);
}

void CommandLine::put(const char* option, const std::string& value)
{
    put(option, toQt(value));
}

void CommandLine::put(const char* option, double value)
{
    put(option, toQt(shortestNumber(value)));
}

void CommandLine::put(const char* option, const std::vector<std::int64_t>& values)
{
    QStringList words;
    for (const std::int64_t value : values)
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
    for (const std::string& word : optionWords(request))
        m_words << toQt(word);
}

void CommandLine::model(const RunContext& context)
{
    model(ModelRequest{.model = fromQt(context.model), .weights = fromQt(context.weights), .heads = context.heads,
                       .imageSize = context.imageSize, .classEmbeddings = fromQt(context.classEmbeddings)});
}

void CommandLine::device(const std::string& device, const std::string& dtype, std::uint64_t seed)
{
    put("--device", device);
    put("--dtype", dtype);
    put("--seed", seed);
}

QString CommandLine::text() const
{
    std::vector<std::string> words;
    for (const QString& word : m_words)
        words.push_back(fromQt(word));
    return toQt(shellLine(words));
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

}  // namespace attnscope::ui
