// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/command_line.h"

#include <QRegularExpression>

namespace attnscope::ui {

QString shellQuoted(const QString& word)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(word).hasMatch())
        return word;
    QString inner = word;
    inner.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
    return QLatin1Char('\'') + inner + QLatin1Char('\'');
}

namespace {

/// What the two commands share: paths, model, attentions, device and seeds.
QStringList wordsOf(const CompareSetup& setup, const QString& command)
{
    QStringList words{QStringLiteral("attnscope-cli"), command};
    for (const QString& path : setup.paths)
        words << (path.startsWith(QLatin1Char('-')) ? QStringLiteral("./") + path : path);
    if (!setup.context.model.isEmpty())
        words << QStringLiteral("--model") << setup.context.model;
    if (!setup.context.weights.isEmpty())
        words << QStringLiteral("--weights") << setup.context.weights;
    if (setup.context.heads > 0)
        words << QStringLiteral("--heads") << QString::number(setup.context.heads);
    if (setup.videos)
        words << QStringLiteral("--views") << setup.context.views;
    for (const QString& spec : setup.specs)
        words << QStringLiteral("--attention") << spec;
    words << QStringLiteral("--device") << setup.context.device << QStringLiteral("--dtype") << setup.context.dtype
          << QStringLiteral("--seed") << QString::number(setup.context.seed) << QStringLiteral("--seeds")
          << QString::number(setup.seeds);
    if (setup.threads > 0)
        words << QStringLiteral("--threads") << QString::number(setup.threads);
    return words;
}

QString quoted(QStringList words)
{
    for (QString& word : words)
        word = shellQuoted(word);
    return words.join(QLatin1Char(' '));
}

}  // namespace

QString compareCommand(const CompareSetup& setup)
{
    QStringList words = wordsOf(setup, QStringLiteral("compare"));
    const CompareSetup defaults;  // of the command line, too
    if (setup.repetitions != defaults.repetitions)
        words << QStringLiteral("--repetitions") << QString::number(setup.repetitions);
    if (setup.seconds != defaults.seconds)
        words << QStringLiteral("--seconds") << QString::number(setup.seconds);
    return quoted(words);
}

QString layersCommand(const CompareSetup& setup, const QString& query)
{
    return quoted(wordsOf(setup, QStringLiteral("layers")) << QStringLiteral("--query") << query);
}

}  // namespace attnscope::ui
