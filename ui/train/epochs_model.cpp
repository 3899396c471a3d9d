// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/epochs_model.h"

#include "ui/style/qt_text.h"
#include "ui/widgets/table_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

QString lossText(double loss)
{
    return QString::number(loss, 'f', 3);
}

}  // namespace

const ValidationResult* keptValidation(const EpochRecord& epoch)
{
    if (epoch.averageName == "average" && epoch.averageValidation)
        return &*epoch.averageValidation;
    return epoch.validation ? &*epoch.validation : nullptr;
}

QString intervalText(const ValidationResult& result)
{
    const Fraction fraction = fractionOf(result.correct1, result.samples);
    return fraction.known ? QStringLiteral("[%1, %2]").arg(100 * fraction.low, 0, 'f', 1).arg(100 * fraction.high, 0, 'f', 1)
                       : QString();
}

EpochsModel::EpochsModel(QObject* parent)
    : QAbstractTableModel(parent)
{}

int EpochsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_history.size());
}

int EpochsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

void EpochsModel::take(const EpochRecord& epoch)
{
    const auto known = std::find_if(m_history.begin(), m_history.end(),
                                    [&](const EpochRecord& other) { return other.epoch == epoch.epoch; });
    if (known != m_history.end()) {
        const int row = static_cast<int>(m_history.end() - known) - 1;
        *known = epoch;
        emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
        return;
    }
    beginInsertRows({}, 0, 0);
    m_history.push_back(epoch);
    endInsertRows();
}

void EpochsModel::setHistory(const std::vector<EpochRecord>& history)
{
    beginResetModel();
    m_history = history;
    endResetModel();
}

const EpochRecord* EpochsModel::best() const
{
    const auto found = std::find_if(m_history.rbegin(), m_history.rend(),
                                    [](const EpochRecord& epoch) { return epoch.best; });
    return found == m_history.rend() ? nullptr : &*found;
}

QString EpochsModel::text(const EpochRecord& epoch, int column) const
{
    const ValidationResult* kept = keptValidation(epoch);
    switch (column) {
    case EpochColumn:
        return QString::number(epoch.epoch);
    case TrainingLoss:
        return lossText(epoch.trainingLoss);
    case ValidationLoss:
        return kept ? lossText(kept->loss) : QString();
    case Top1:
        return kept ? percentText(kept->top1()) : QString();
    case Top1Interval:
        return kept ? intervalText(*kept) : QString();
    case Top5:
        return kept ? percentText(kept->top5()) : QString();
    case LearningRate:
        return QString::number(epoch.learningRate, 'g', 3);
    case Rate:
        return epoch.seconds > 0 ? QString::number(static_cast<double>(epoch.samples) / epoch.seconds, 'f', 1)
                                 : QString();
    case Duration:
        return clockText(epoch.seconds, 0);
    case Note:
        return &epoch == best() ? tr("best") : QString();
    default:
        return {};
    }
}

QVariant EpochsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const EpochRecord& epoch = epochOf(index.row());
    const ValidationResult* kept = keptValidation(epoch);
    const bool accuracy = index.column() >= ValidationLoss && index.column() <= Top5;
    switch (role) {
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::DisplayRole: {
        const QString shown = text(epoch, index.column());
        return shown.isEmpty() && index.column() != Note ? QStringLiteral("—") : shown;
    }
    case Qt::AccessibleTextRole: {
        const QString shown = text(epoch, index.column());
        return tr("epoch %1, %2: %3")
            .arg(epoch.epoch)
            .arg(headerData(index.column(), Qt::Horizontal).toString(), shown.isEmpty() ? tr("none") : shown);
    }
    case Qt::ToolTipRole: {
        if (!accuracy || kept == nullptr)
            return {};
        QString words =
            kept == &*epoch.validation
                ? tr("%1 samples, raw weights").arg(toQt(formatCount(kept->samples)))
                : tr("%1 samples, EMA weights").arg(toQt(formatCount(kept->samples)));
        if (kept->unreadable > 0)
            words += tr("; %1 more were unreadable").arg(toQt(formatCount(kept->unreadable)));
        return words;
    }
    default:
        return {};
    }
}

QVariant EpochsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= ColumnCount)
        return orientation == Qt::Vertical && role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    static const char* const names[]{
        QT_TR_NOOP("Epoch"),         QT_TR_NOOP("Training loss"), QT_TR_NOOP("Validation loss"),
        QT_TR_NOOP("Top-1 %"),       QT_TR_NOOP("95 % interval"), QT_TR_NOOP("Top-5 %"),
        QT_TR_NOOP("Learning rate"), QT_TR_NOOP("Samples/s"),     QT_TR_NOOP("Time"),
        QT_TR_NOOP("Note")};
    static const char* const notes[]{
        "",
        QT_TR_NOOP("Mean of the minimised loss over the epoch's steps; with distillation it includes more than the cross-entropy "
                   "with the labels."),
        QT_TR_NOOP("Mean cross-entropy with the labels."),
        QT_TR_NOOP("Fraction of validation samples whose top prediction is correct."),
        QT_TR_NOOP("Wilson interval of top-1 (sampling uncertainty of the validation set)."),
        QT_TR_NOOP("Fraction of validation samples whose true class is among the top five predictions."),
        QT_TR_NOOP("At the epoch's last step."),
        QT_TR_NOOP("Training samples per second, without validation."),
        QT_TR_NOOP("Training time of the epoch, without validation but including time spent waiting for measurements."),
        ""};
    if (role == Qt::ToolTipRole)
        return *notes[section] == '\0' ? QVariant() : QVariant(tr(notes[section]));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(tr(names[section])) : QVariant();
}

QString EpochsModel::asTsv() const
{
    return tableAsTsv(*this);
}

QString EpochsModel::asMarkdown() const
{
    return tableAsMarkdown(*this);
}

}  // namespace attnscope::ui
