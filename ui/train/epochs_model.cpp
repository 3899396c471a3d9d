#include "ui/train/epochs_model.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include <algorithm>
#include <ranges>

namespace attnscope::ui {

const ValidationResult* keptValidation(const EpochRecord& epoch)
{
    if (epoch.averageName == "average" && epoch.averageValidation)
        return &*epoch.averageValidation;
    return epoch.validation ? &*epoch.validation : nullptr;
}

EpochsModel::EpochsModel(QObject* parent)
    : CellModel(
        {{tr("Epoch"), {}, true},
         {tr("Training loss"),
          tr("Mean of the minimised loss over the epoch's steps; with distillation it includes more than the "
             "cross-entropy "
             "with the labels."),
          true},
         {tr("Validation loss"), tr("Mean cross-entropy with the labels."), true},
         {tr("Top-1 %"), tr("Fraction of validation samples whose top prediction is correct."), true},
         {tr("95 % interval"), tr("Wilson interval of top-1 (sampling uncertainty of the validation set)."), true},
         {tr("Top-5 %"), tr("Fraction of validation samples whose true class is among the top five predictions."),
          true},
         {tr("Learning rate"), tr("At the epoch's last step."), true},
         {tr("Samples/s"), tr("Training samples per second, without validation."), true},
         {tr("Time"),
          tr("Training time of the epoch, without validation but including time spent waiting for measurements."),
          true},
         {tr("Note"), {}, true}},
        parent)
{}

void EpochsModel::take(const EpochRecord& epoch)
{
    const auto known = std::ranges::find_if(m_history,
                                            [&](const EpochRecord& other) { return other.epoch == epoch.epoch; });
    if (known != m_history.end()) {
        const int row = int(m_history.end() - known) - 1;
        *known = epoch;
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
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
    const auto found = std::ranges::find_if(std::views::reverse(m_history),
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
        return QString::number(epoch.trainingLoss, 'f', 3);
    case ValidationLoss:
        return kept ? QString::number(kept->loss, 'f', 3) : QString();
    case Top1:
        return kept ? percentText(*kept) : QString();
    case Top1Interval:
        return kept ? intervalText(*kept) : QString();
    case Top5:
        return kept ? percentText(kept->top5()) : QString();
    case LearningRate:
        return QString::number(epoch.learningRate, 'g', 3);
    case Rate:
        return epoch.seconds > 0 ? QString::number(double(epoch.samples) / epoch.seconds, 'f', 1) : QString();
    case Duration:
        return clockText(epoch.seconds, 0);
    case Note:
        return &epoch == best() ? tr("best") : QString();
    default:
        return {};
    }
}

CellModel::Cell EpochsModel::cell(int row, int column) const
{
    const EpochRecord& epoch = epochOf(row);
    Cell cell{text(epoch, column)};
    if (cell.text.isEmpty() && column != Note)
        cell.text = u"—"_s;
    const ValidationResult* kept = keptValidation(epoch);
    if (kept == nullptr || column < ValidationLoss || column > Top5)
        return cell;
    cell.help = (kept == &*epoch.validation ? tr("%1 samples, raw weights") : tr("%1 samples, EMA weights"))
                    .arg(countText(kept->samples));
    if (kept->unreadable > 0)
        cell.help += tr("; %1 more were unreadable").arg(countText(kept->unreadable));
    return cell;
}

}
