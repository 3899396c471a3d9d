// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/quantities_model.h"

#include "ui/style/qt_text.h"
#include "ui/widgets/table_text.h"
#include "ui/workspace/run_table_model.h"

#include "core/base/format.h"

#include <functional>

namespace attnscope::ui {

namespace {

struct Column {
    const char* title;
    std::function<QString(const RunRecord&)> text;
};

QString range(double low, double high)
{
    return toQt(formatMilliseconds(low).text()) + QStringLiteral(" – ") + toQt(formatMilliseconds(high).text());
}

QString figureMilliseconds(double value) { return toQt(formatMilliseconds(value).text()); }

const std::vector<Column>& columns()
{
    using R = const RunRecord&;
    static const std::vector<Column> all{
        {QT_TR_NOOP("backend"), [](R r) { return toQt(r.attention); }},
        {QT_TR_NOOP("whole model"), [](R r) { return r.latency ? figureMilliseconds(r.latency->medianMs) : QString(); }},
        {QT_TR_NOOP("p5 – p95"), [](R r) { return r.latency ? range(r.latency->p05Ms, r.latency->p95Ms) : QString(); }},
        {QT_TR_NOOP("attention"), [](R r) { return r.latency ? figureMilliseconds(r.latency->attentionMedianMs) : QString(); }},
        {QT_TR_NOOP("p5 – p95"),
         [](R r) { return r.latency ? range(r.latency->attentionP05Ms, r.latency->attentionP95Ms) : QString(); }},
        {QT_TR_NOOP("n"), [](R r) { return r.latency ? QString::number(r.latency->repetitions) : QString(); }},
        {QT_TR_NOOP("peak"), [](R r) { return r.memory ? toQt(formatBytes(r.memory->peakBytes).text()) : QString(); }},
        {QT_TR_NOOP("attention peak"), [](R r) { return r.memory ? toQt(formatBytes(r.memory->attentionPeakBytes).text()) : QString(); }},
        {QT_TR_NOOP("weights"), [](R r) { return r.memory ? toQt(formatBytes(r.memory->weightsBytes).text()) : QString(); }},
        {QT_TR_NOOP("rel. error"), [](R r) { return r.error ? toQt(formatError(r.error->error.relative)) : QString(); }},
        {QT_TR_NOOP("std. dev. (seeds)"), [](R r) {
             if (!r.error)
                 return QString();
             return r.error->deterministic ? QuantitiesModel::tr("deterministic")
                                           : toQt(formatError(r.error->error.relativeStddev)) + QStringLiteral(" (")
                                                 + QString::number(r.error->seeds) + QLatin1Char(')');
         }},
        {QT_TR_NOOP("MSE"), [](R r) { return r.error ? toQt(formatError(r.error->error.mse)) : QString(); }},
        {QT_TR_NOOP("mean of values"), [](R r) { return r.error ? toQt(formatError(r.error->meanOfValues.relative)) : QString(); }},
        {QT_TR_NOOP("KL"), [](R r) { return r.endToEnd ? toQt(formatError(r.endToEnd->kl)) : QString(); }},
        {QT_TR_NOOP("multiply-adds"), [](R r) { return r.macs > 0 ? toQt(formatQuantity(r.macs).text()) : QString(); }},
        {QT_TR_NOOP("weight status"), [](R r) { return weightsWord(r.weights); }},
        {QT_TR_NOOP("notes"), [](R r) {
             QStringList notes;
             for (const std::string& note : r.notes)
                 notes << toQt(note);
             if (!r.failure.empty())
                 notes << toQt(r.failure);
             return notes.join(QStringLiteral("; "));
         }},
    };
    return all;
}

}  // namespace

QuantitiesModel::QuantitiesModel(const RunTableModel& runs, QObject* parent) : QAbstractTableModel(parent), m_runs(runs)
{
    connect(&runs, &RunTableModel::figuresChanged, this, &QuantitiesModel::refresh);
    connect(&runs, &QAbstractItemModel::modelReset, this, &QuantitiesModel::refresh);
    refresh();
}

void QuantitiesModel::refresh()
{
    if (m_rows == m_runs.columnCount()) {
        if (m_rows > 0)
            emit dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = m_runs.columnCount();
    endResetModel();
}

int QuantitiesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int QuantitiesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(columns().size()); }

QVariant QuantitiesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_runs.columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == 0 || index.column() + 2 >= columnCount() ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    const auto record = m_runs.record(index.row());
    if (index.column() == 0)
        return m_runs.column(index.row()).spec;
    const QString text = record ? columns()[static_cast<std::size_t>(index.column())].text(*record) : QString();
    if (role == Qt::AccessibleTextRole)
        return tr("%1, %2: %3").arg(m_runs.columnTitle(index.row()), headerData(index.column(), Qt::Horizontal).toString(),
                                    text.isEmpty() ? tr("none") : text);
    return text.isEmpty() ? QStringLiteral("—") : text;
}

QVariant QuantitiesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || section < 0 || (orientation == Qt::Horizontal && section >= columnCount()))
        return {};
    return orientation == Qt::Horizontal ? QVariant(tr(columns()[static_cast<std::size_t>(section)].title)) : QVariant(section + 1);
}

QString QuantitiesModel::asTsv() const { return tableAsTsv(*this); }

QString QuantitiesModel::asMarkdown() const { return tableAsMarkdown(*this); }

}  // namespace attnscope::ui
