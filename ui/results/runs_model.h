#pragma once

#include "ui/results/run_filter.h"
#include "ui/widgets/cell_table.h"
#include "ui/workspace/result_row.h"

#include <QHash>
#include <QSet>
#include <QSortFilterProxyModel>

#include <vector>

namespace attnscope::ui {

/// Every stored run with its figures. Figures are compared with the reference's (★): the one that was chosen, for runs on the same
/// samples; else the first softmax run of the same evaluation, else its first run.
class RunsModel : public CellModel {
    Q_OBJECT
public:
    enum Column {
        RunColumn,
        AttentionColumn,
        WeightsColumn,
        ModelColumn,
        DataColumn,
        Top1Column,
        Top5Column,
        LatencyColumn,
        MemoryColumn,
        ErrorColumn,
        WhenColumn,
        NoteColumn
    };
    enum Role { ReferenceRole = FirstFreeRole, ValueRole, DeltaRole };
    /// Columns whose figures are followed by a chip, or by the room for one, so that figures stand under each other.
    static bool hasChips(int column)
    {
        return column == Top1Column || column == LatencyColumn || column == MemoryColumn;
    }

    explicit RunsModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_rows.size());
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// The newest first. What was ticked, the reference, and in views what is chosen and edited stay where they are still there.
    void setRows(std::vector<ResultRow> rows);
    const std::vector<ResultRow>& rows() const { return m_rows; }
    const ResultRow* find(int64_t run) const;
    bool isTicked(int64_t run) const { return m_ticked.contains(run); }
    void setTicked(int64_t run, bool ticked);
    /// The ticked ones, in the order of the rows.
    std::vector<ResultRow> ticked() const;
    /// 0: none is chosen.
    void setReference(int64_t run);
    int64_t reference() const { return m_reference; }
    /// What a row is compared with; null for a reference itself.
    const ResultRow* referenceOf(const ResultRow& row) const;
    /// Of colour and mark: runs of one backend under other options have their own, which stays as further runs come.
    QString look(const ResultRow& row) const;

signals:
    void tickedChanged();
    void noteEdited(int64_t evaluation, const QString& note);

protected:
    Cell cell(int row, int column) const override;

private:
    /// What a column has of its run; null: other things.
    static const Measure* measureOf(int column);
    QString text(const ResultRow& row, int column) const;
    QString help(const ResultRow& row, int column) const;
    QVariant sortKey(const ResultRow& row, int column) const;
    Delta delta(const ResultRow& row, int column) const;
    bool isMerged(const std::vector<ResultRow>& rows);
    void place();

    std::vector<ResultRow> m_rows;
    QHash<QString, QString> m_looks;  ///< of attentions
    QHash<int64_t, size_t> m_places;  ///< of runs
    QSet<int64_t> m_ticked;
    int64_t m_reference = 0;
};

/// Those that the filter lets through, sorted.
class RunProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit RunProxy(QObject* parent = nullptr);
    void setFilter(const RunFilter& filter);
    const ResultRow& row(int proxyRow) const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    RunFilter m_filter;
};

/// Of what a chart draws, top-1 in % on ImageNet-1k's validation set as the LARA paper prints it (Zheng, Wang, Kong, ICML 2022, tables 1 and 2), of the same
/// network trained with the same attention; RA with one sample, LARA and Performer with as many as there. Nothing for swapped weights,
/// which the paper does not measure.
std::optional<double> published(const Measure& measure, const ResultRow& row);

/// "2 days ago", "today", "11 Mar 2026": ISO 8601, UTC, as people say it.
QString whenText(const std::string& iso, const QDateTime& now);

}
