// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/run_filter.h"

#include "ui/style/qt_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace attnscope::ui {

namespace {

QString fieldOf(const ResultRow& row, const QString& name)
{
    const StoredEvaluation& evaluation = *row.evaluation;
    const StoredRun& run = row.stored();
    if (name == QLatin1String("run"))
        return QString::number(run.id);
    if (name == QLatin1String("attention"))
        return toQt(run.attention) + QLatin1Char(' ') + toQt(run.resolved);
    if (name == QLatin1String("model"))
        return toQt(evaluation.settings.model);
    if (name == QLatin1String("weights"))
        return weightsText(run.weights) + QLatin1Char(' ') + toQt(evaluation.settings.weights);
    if (name == QLatin1String("folder"))
        return toQt(evaluation.dataRoot);
    if (name == QLatin1String("device"))
        return toQt(evaluation.settings.device);
    if (name == QLatin1String("dtype"))
        return toQt(evaluation.settings.dtype);
    if (name == QLatin1String("seed"))
        return QString::number(evaluation.settings.seed);
    return toQt(evaluation.note);
}

/// Words between blanks; quotation marks hold some together.
QStringList wordsOf(const QString& text)
{
    QStringList words;
    QString word;
    bool quoted = false, any = false;
    for (const QChar c : text) {
        if (c == QLatin1Char('"')) {
            quoted = !quoted;
            any = true;
        } else if (c.isSpace() && !quoted) {
            if (any && !word.isEmpty())
                words << word;
            word.clear();
            any = false;
        } else {
            word += c;
            any = true;
        }
    }
    if (!word.isEmpty())
        words << word;
    return words;
}

}  // namespace

const QStringList& RunFilter::fields()
{
    static const QStringList names{
        QStringLiteral("run"),     QStringLiteral("attention"), QStringLiteral("model"),
        QStringLiteral("weights"), QStringLiteral("folder"),    QStringLiteral("device"),
        QStringLiteral("dtype"),   QStringLiteral("seed"),      QStringLiteral("note")};
    return names;
}

RunFilter RunFilter::parse(const QString& text)
{
    RunFilter filter;
    for (QString each : wordsOf(text)) {
        Word word;
        if (each.startsWith(QLatin1Char('-')) && each.size() > 1) {
            word.excluded = true;
            each.remove(0, 1);
        }
        const qsizetype colon = each.indexOf(QLatin1Char(':'));
        const QString name = colon > 0 ? each.left(colon).toLower() : QString();
        if (fields().contains(name)) {
            word.field = name;
            word.text = each.mid(colon + 1);
        } else {
            word.text = each;
            // "lara:samples=49" and "C:…" are words as well.
            if (colon > 0 && !each.contains(QLatin1Char('=')) && !each.contains(QLatin1Char('/')))
                filter.m_problem = QCoreApplication::translate("attnscope::ui", "Unknown field “%1:”; the fields are %2.")
                                       .arg(name, fields().join(QStringLiteral(", ")));
        }
        if (!word.text.isEmpty())
            filter.m_words << word;
    }
    return filter;
}

bool RunFilter::matches(const ResultRow& row) const
{
    return std::all_of(m_words.begin(), m_words.end(), [&](const Word& word) {
        const auto has = [&](const QString& field) {
            return fieldOf(row, field).contains(word.text, Qt::CaseInsensitive);
        };
        const bool found = word.field == QLatin1String("run") || word.field == QLatin1String("seed")
                               ? fieldOf(row, word.field) == word.text
                           : word.field.isEmpty() ? std::any_of(fields().begin(), fields().end(), has)
                                                  : has(word.field);
        return found != word.excluded;
    });
}

}  // namespace attnscope::ui
