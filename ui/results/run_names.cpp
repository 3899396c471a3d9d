// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/run_names.h"

#include "ui/results/runs_model.h"
#include "ui/style/qt_text.h"

#include <QFileInfo>
#include <QHash>
#include <QSet>

namespace attnscope::ui {

namespace {

/// What may tell a run from another of the same attention, in the order in which it is tried.
QStringList distinctions(const ResultRow& row)
{
    const EvaluationSettings& settings = row.evaluation->settings;
    return {dataTitle(toQt(row.evaluation->dataRoot)), toQt(settings.model), QFileInfo(toQt(settings.weights)).completeBaseName(),
            toQt(settings.transform), toQt(settings.views), toQt(settings.dtype), toQt(settings.device),
            RunsModel::tr("run %1").arg(row.id())};
}

}  // namespace

QString sampleConditions(const ResultRow& row)
{
    const EvaluationSettings& settings = row.evaluation->settings;
    return QStringList{toQt(row.evaluation->dataHash), toQt(settings.transform), toQt(settings.views), QString::number(settings.limit),
                       QStringLiteral("%1/%2").arg(settings.shard.index).arg(settings.shard.count)}
        .join(QLatin1Char('\n'));
}

QString costConditions(const ResultRow& row)
{
    const EvaluationSettings& settings = row.evaluation->settings;
    return QStringList{sampleConditions(row), toQt(settings.device), QString::number(settings.threads)}.join(QLatin1Char('\n'));
}

QStringList runNames(const std::vector<ResultRow>& rows)
{
    QStringList names;
    std::vector<QStringList> further;
    QSet<QString> data;
    for (const ResultRow& row : rows) {
        names << titleOfSpec(toQt(row.stored().attention));
        further.push_back(distinctions(row));
        data << further.back().front();
    }
    for (qsizetype i = 0; !further.empty() && i < further.front().size(); ++i) {
        QHash<QString, QSet<QString>> values;  // of those that share a name
        for (std::size_t row = 0; row < further.size(); ++row)
            values[names[static_cast<qsizetype>(row)]] << further[row][i];
        for (std::size_t row = 0; row < further.size(); ++row)
            if (QString& name = names[static_cast<qsizetype>(row)]; i == 0 ? data.size() > 1 : values[name].size() > 1)
                name += QStringLiteral(" · ") + further[row][i];
    }
    return names;
}

}  // namespace attnscope::ui
