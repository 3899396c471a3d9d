#pragma once

#include "ui/engine/compare_types.h"

#include <QFrame>

#include <vector>

class QBoxLayout;
class QLabel;
class QTableView;

namespace attnscope::ui {

class BackendHeader;
class ElidedLabel;
class IconButton;
class MeasurementDelegate;
class PhotoView;
class RowName;
class RunTableModel;

/// The grid of Compare: input and row names at the left, a column per backend; past four backends a table with the same cells.
class CompareCard : public QFrame {
    Q_OBJECT
public:
    explicit CompareCard(RunTableModel& runs, QWidget* parent = nullptr);

    PhotoView* photo() const { return m_photo; }
    QTableView* grid() const { return m_grid; }
    QTableView* table() const { return m_table; }
    bool isTable() const;
    void setChosen(int column);
    /// What the width of columns leaves over: columns stop at 320.
    int widestUseful() const;
    void showInput(const QString& name, const QString& details, int index, int count);

signals:
    void chosenChanged(int column);
    void stepRequested(int step);
    void detailsRequested(const QString& sentence);
    void referenceRequested(int id);
    void removeRequested(int id);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildSide();
    void buildGrid();
    void buildTable();
    MeasurementDelegate* connectView(QTableView& view, BackendHeader& header);
    void arrange();
    void toggleMore();
    void columnMenu(int column, const QPoint& position);
    void sortBy(Row row);
    void refreshSort();
    int sideWidth() const;

    RunTableModel& m_runs;
    QBoxLayout* m_layout;
    QWidget* m_side;
    QBoxLayout* m_sideLayout;
    PhotoView* m_photo;
    ElidedLabel* m_name;
    QLabel* m_size;
    QLabel* m_position;
    IconButton* m_previous;
    IconButton* m_next;
    QWidget* m_photoBlock;
    QBoxLayout* m_photoLayout;
    std::vector<RowName*> m_names;
    QTableView* m_grid;
    QTableView* m_table;
    BackendHeader* m_header;
    BackendHeader* m_tableHeader;
    int m_shown = 3;
};

}
