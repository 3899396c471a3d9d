#pragma once

#include "core/train/training_progress.h"
#include "ui/widgets/cell_table.h"

#include <vector>

namespace attnscope::ui {

/// The validation of what an epoch keeps: of the weights or of their moving average. Null without a validation set.
const ValidationResult* keptValidation(const EpochRecord& epoch);

/// A training's history, the newest epoch first.
class EpochsModel : public CellModel {
    Q_OBJECT
public:
    enum Column {
        EpochColumn,
        TrainingLoss,
        ValidationLoss,
        Top1,
        Top1Interval,
        Top5,
        LearningRate,
        Rate,
        Duration,
        Note
    };

    explicit EpochsModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_history.size());
    }

    /// Takes an epoch in; one of the same number is replaced.
    void take(const EpochRecord& epoch);
    void setHistory(const std::vector<EpochRecord>& history);
    void clear() { setHistory({}); }
    /// In the order of the training.
    const std::vector<EpochRecord>& history() const { return m_history; }
    /// The best epoch so far; null before the first one that was validated.
    const EpochRecord* best() const;

protected:
    Cell cell(int row, int column) const override;
    QString rowName(int row) const override { return tr("epoch %1").arg(epochOf(row).epoch); }

private:
    const EpochRecord& epochOf(int row) const { return m_history[m_history.size() - 1 - size_t(row)]; }
    QString text(const EpochRecord& epoch, int column) const;

    std::vector<EpochRecord> m_history;
};

}
