// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live_command.h"

#include "ui/workspace/command_line.h"

namespace attnscope::ui {

QString classifyCommand(const LiveCommand& command)
{
    const RunContext& context = command.context;
    QStringList words{QStringLiteral("attnscope-cli"), QStringLiteral("classify")};
    words << (command.path.startsWith(QLatin1Char('-')) ? QStringLiteral("./") + command.path : command.path);
    if (!context.model.isEmpty())
        words << QStringLiteral("--model") << context.model;
    words << QStringLiteral("--weights") << context.weights;
    if (context.heads > 0)
        words << QStringLiteral("--heads") << QString::number(context.heads);
    for (const QString& spec : command.specs)
        words << QStringLiteral("--attention") << spec;
    words << QStringLiteral("--device") << context.device << QStringLiteral("--dtype") << context.dtype << QStringLiteral("--seed")
          << QString::number(context.seed);
    if (command.threads > 0)
        words << QStringLiteral("--threads") << QString::number(command.threads);
    words << QStringLiteral("--views") << QStringLiteral("1x1") << QStringLiteral("--start") << QString::number(command.start, 'f', 4)
          << QStringLiteral("--duration") << QString::number(command.duration, 'f', 4);
    for (QString& word : words)
        word = shellQuoted(word);
    return words.join(QLatin1Char(' '));
}

}  // namespace attnscope::ui
