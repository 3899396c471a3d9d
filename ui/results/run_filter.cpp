#include "ui/results/run_filter.h"

#include "ui/style/qt_text.h"

#include <QStringList>

#include <algorithm>
#include <utility>
#include <vector>

namespace attnscope::ui {

namespace {

struct RunField {
    QString name;
    bool whole;  ///< a word must be all of it
    QString (*text)(const StoredEvaluation& evaluation, const StoredRun& run);
};

const std::vector<RunField>& runFields()
{
    using E = const StoredEvaluation&;
    using R = const StoredRun&;
    static const std::vector<RunField> fields{
        {u"run"_s, true, [](E, R run) { return QString::number(run.id); }},
        {u"attention"_s, false, [](E, R run) { return toQt(run.attention + ' ' + run.resolved); }},
        {u"model"_s, false, [](E evaluation, R) { return toQt(evaluation.settings.model); }},
        {u"weights"_s, false,
         [](E evaluation, R run) {
             return weightsText(run.weights) + QLatin1Char(' ') + toQt(evaluation.settings.weights);
         }},
        {u"folder"_s, false, [](E evaluation, R) { return toQt(evaluation.dataRoot); }},
        {u"device"_s, false, [](E evaluation, R) { return toQt(evaluation.settings.device); }},
        {u"dtype"_s, false, [](E evaluation, R) { return toQt(evaluation.settings.dtype); }},
        {u"seed"_s, true, [](E evaluation, R) { return QString::number(evaluation.settings.seed); }},
        {u"note"_s, false, [](E evaluation, R) { return toQt(evaluation.note); }}};
    return fields;
}

/// Words between blanks; quotation marks hold some together.
QStringList wordsOf(const QString& text)
{
    QStringList words;
    QString word;
    bool quoted = false;
    for (const QChar c : text) {
        if (c == QLatin1Char('"'))
            quoted = !quoted;
        else if (quoted || !c.isSpace())
            word += c;
        else if (!word.isEmpty())
            words << std::exchange(word, {});
    }
    if (!word.isEmpty())
        words << word;
    return words;
}

}

const QStringList& RunFilter::fields()
{
    static const QStringList names = [] {
        QStringList made;
        for (const RunField& field : runFields())
            made << field.name;
        return made;
    }();
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
                filter.m_problem =
                    attnscope::ui::tr("Unknown field “%1:”; the fields are %2.").arg(name, fields().join(u", "_s));
        }
        if (!word.text.isEmpty())
            filter.m_words << word;
    }
    return filter;
}

bool RunFilter::matches(const ResultRow& row) const
{
    return std::ranges::all_of(m_words, [&](const Word& word) {
        const bool found = std::any_of(runFields().begin(), runFields().end(), [&](const RunField& field) {
            if (!word.field.isEmpty() && word.field != field.name)
                return false;
            const QString text = field.text(*row.evaluation, row.stored());
            return field.whole && !word.field.isEmpty() ? text == word.text
                                                        : text.contains(word.text, Qt::CaseInsensitive);
        });
        return found != word.excluded;
    });
}

}
