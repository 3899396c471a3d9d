// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/distillation_model.h"

#include "ui/style/qt_text.h"
#include "ui/train/epochs_model.h"
#include "ui/widgets/table_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"

#include <cmath>

namespace attnscope::ui {

namespace {

using State = std::optional<DistillationState>;

template <typename Get>
std::optional<double> of(const State& state, Get get)
{
    return state ? std::optional<double>(get(*state)) : std::nullopt;
}

std::optional<double> layer(const State& state, std::size_t number)
{
    return state && number < state->layerErrors.size() ? std::optional(state->layerErrors[number]) : std::nullopt;
}

/// In points of a percentage: "+4.20".
QString points(double from, double to)
{
    const double change = 100 * (to - from);
    return QStringLiteral("%1%2")
        .arg(change < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"))
        .arg(std::abs(change), 0, 'f', 2);
}

}  // namespace

DistillationModel::DistillationModel(QObject* parent)
    : QAbstractTableModel(parent)
{}

int DistillationModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DistillationModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

void DistillationModel::addPart(const QString& name, const QString& help, std::optional<double> before,
                                 std::optional<double> after, std::optional<double> teacher)
{
    Row row{name, help, {}};
    row.cells[Before] = before ? percentText(*before) : QString();
    row.cells[After] = after ? percentText(*after) : QString();
    row.cells[Change] = before && after ? points(*before, *after) : QString();
    row.cells[Teacher] = teacher ? percentText(*teacher) : QString();
    m_rows.push_back(row);
}

void DistillationModel::addDistance(const QString& name, const QString& help, std::optional<double> before,
                                    std::optional<double> after)
{
    Row row{name, help, {}};
    row.cells[Before] = before ? toQt(formatError(*before)) : QString();
    row.cells[After] = after ? toQt(formatError(*after)) : QString();
    row.cells[Change] = before && after && *before > 0 ? toQt(formatChange(*before, *after)) : QString();
    m_rows.push_back(row);
}

void DistillationModel::set(const State& before, const State& after,
                            const std::optional<ValidationResult>& teacher)
{
    beginResetModel();
    m_rows.clear();
    if (before || after) {
        const auto top1 = [](const DistillationState& state) { return state.student.top1(); };
        const auto top5 = [](const DistillationState& state) { return state.student.top5(); };
        addPart(tr("Top-1 %"), tr("Fraction of validation samples whose top prediction is correct."), of(before, top1),
                 of(after, top1), teacher ? std::optional(teacher->top1()) : std::nullopt);
        addPart(tr("Top-5 %"), tr("Fraction of validation samples whose true class is among the top five predictions."),
                 of(before, top5), of(after, top5), teacher ? std::optional(teacher->top5()) : std::nullopt);
        addPart(tr("Agreement with teacher %"),
                 tr("Fraction of validation samples with the same top-1 class as the teacher, correct or not."),
                 of(before, [](const DistillationState& state) { return state.agreement; }),
                 of(after, [](const DistillationState& state) { return state.agreement; }), std::nullopt);
        addDistance(tr("KL divergence of the predictions, nats"),
                    tr("Mean Kullback-Leibler divergence from the teacher's probabilities."),
                    of(before, [](const DistillationState& state) { return state.divergence; }),
                    of(after, [](const DistillationState& state) { return state.divergence; }));
        addDistance(tr("Relative attention error"),
                    tr("Compared with exact attention on the same q, k, v; mean over all layers."),
                    of(before, [](const DistillationState& state) { return state.relativeError; }),
                    of(after, [](const DistillationState& state) { return state.relativeError; }));
        const std::size_t layers = std::max(before ? before->layerErrors.size() : 0,
                                            after ? after->layerErrors.size() : 0);
        for (std::size_t i = 0; i < layers; ++i)
            addDistance(tr("Relative error, layer %1").arg(i),
                        tr("Compared with exact attention on the same q, k, v of this layer."), layer(before, i),
                        layer(after, i));
    }
    endResetModel();
}

QVariant DistillationModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const QString shown = index.column() == Figure ? row.name : row.cells[index.column()];
    switch (role) {
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Figure ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DisplayRole:
        return shown.isEmpty() ? QStringLiteral("—") : shown;
    case Qt::AccessibleTextRole:
        return index.column() == Figure ? shown
                                        : tr("%1, %2: %3")
                                              .arg(row.name, headerData(index.column(), Qt::Horizontal).toString(),
                                                   shown.isEmpty() ? tr("none yet") : shown);
    case Qt::ToolTipRole:
        return row.help;
    default:
        return {};
    }
}

QVariant DistillationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= ColumnCount)
        return orientation == Qt::Vertical && role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    static const char* const names[]{QT_TR_NOOP("Metric"), QT_TR_NOOP("Before"), QT_TR_NOOP("After"),
                                     QT_TR_NOOP("Change"), QT_TR_NOOP("Teacher")};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Figure ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(tr(names[section])) : QVariant();
}

QString DistillationModel::asTsv() const
{
    return tableAsTsv(*this);
}

QString DistillationModel::asMarkdown() const
{
    return tableAsMarkdown(*this);
}

}  // namespace attnscope::ui
