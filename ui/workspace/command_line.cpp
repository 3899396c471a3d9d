// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/command_line.h"

#include "ui/style/qt_text.h"

#include "core/attention/option.h"
#include "core/run/feature_kind.h"

#include <QRegularExpression>

namespace attnscope::ui {

namespace {

/// One word as a POSIX shell reads it back.
QString shellQuoted(const QString& word)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(word).hasMatch())
        return word;
    QString inner = word;
    inner.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
    return QLatin1Char('\'') + inner + QLatin1Char('\'');
}

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
    : m_words{QStringLiteral("attnscope-cli"), QString::fromLatin1(command)}
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
    put(option, toText(OptionValue(value)));
}

void CommandLine::put(const char* option, const std::vector<std::int64_t>& values)
{
    QStringList words;
    for (const std::int64_t value : values)
        words << QString::number(value);
    put(option, words.join(QLatin1Char(',')));
}

void CommandLine::pair(const char* option, double a, double b, double usualA, double usualB)
{
    if (a != usualA || b != usualB)
        put(option, toText(OptionValue(a)) + "," + toText(OptionValue(b)));
}

void CommandLine::attention(const std::vector<AttentionSpec>& specs)
{
    for (const AttentionSpec& spec : specs)
        put("--attention", spec.canonical());
}

void CommandLine::model(const ModelRequest& request)
{
    put("--model", request.model, "");
    put("--weights", request.weights, "");
    put("--heads", request.heads, 0);
    put("--image-size", request.imageSize.text(), "0");
    put("--class-embeddings", request.classEmbeddings, "");
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
    QStringList quoted;
    for (const QString& word : m_words)
        quoted << shellQuoted(word);
    return quoted.join(QLatin1Char(' '));
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
