#pragma once

#include <QTableView>

namespace attnscope::ui {

class LayerCells;

/// The error map: a coloured cell for each head of each layer, with its figure where that fits, and the mean of a layer next to a bar.
/// Arrow keys walk the cells. Cells are as large as there is room for, within reason.
class HeatTable : public QTableView {
    Q_OBJECT
public:
    HeatTable(LayerCells& cells, QWidget* parent = nullptr);

    /// Colour of the bars.
    void setBackend(const QString& backend);
    QString backend() const { return m_backend; }
    /// Whether figures stand in the cells.
    bool showsFigures() const { return m_figures; }
    /// The width that cells of so many pixels take.
    int widthFor(int cell) const;
    /// Where figures end in the column of means, from its left: bars follow.
    double meanFigureEnd() const;
    void fit();

signals:
    void cellChosen(int row, int column);
    /// Return or a double click.
    void cellOpened(int row, int column);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int labelWidth() const;

    LayerCells& m_cells;
    QString m_backend;
    bool m_figures = true;
    double m_meanFigure = 0;  ///< width of the widest mean
};

}
