#pragma once

#include "core/figure/drawing.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QBoxLayout;
class QLabel;

namespace attnscope::ui {

/// A chart of core/figure in the window, with values under the pointer and the arrow keys. Laid out anew when what it shows, its size or
/// its font changes; many changes are one layout.
class ChartView : public QWidget {
    Q_OBJECT
public:
    using Names = SeriesNames;
    using Form = ChartForm;
    /// Of both axes: as the chart has it, or one for all. Automatic: an axis is logarithmic where its values are too far apart to be told
    /// from each other else.
    enum class Scale { OfChart, Automatic, Linear, Logarithmic };
    static constexpr qint64 none = -1;

    /// With names at the marks the scale is automatic until `setScale`.
    explicit ChartView(const QString& name, QWidget* parent = nullptr, Names names = Names::Aside);

    void setChart(Chart chart);
    const Chart& chart() const { return m_chart; }
    /// Series that are left out, by name; the chart keeps them.
    void setHidden(const QStringList& names);
    /// Where the numbers of the horizontal axis stand; empty: at the points' places where those are few, else at round ones.
    void setPlaces(const std::vector<int64_t>& places);
    /// A sentence in the middle, where there is nothing to draw.
    void setNotice(const QString& sentence);
    void setForm(Form form);
    void setScale(Scale scale);
    /// Which axes `setScale` made logarithmic, in words that stand above the plot; empty: none is.
    QString scaleNote() const;
    void setChosen(qint64 key);
    qint64 chosen() const { return m_options.chosen; }
    /// What is drawn, as text: for tests and screen readers.
    QString spoken() const;
    /// What the pointer or the arrow keys are at; empty: nothing.
    QString current() const { return m_current < 0 ? QString() : wordsOf(target(m_current)); }
    /// Where the mark with a key was drawn.
    QPointF markAt(qint64 key) const;
    /// PNG (twice the size), SVG, PDF or CSV, by the suffix; light, whatever the theme. Empty, or what is wrong.
    QString saveAs(const QString& path) const;
    /// With its title and legend, as files have it.
    Drawing printed() const;
    QSize sizeHint() const override;

signals:
    /// Of a chart whose points have keys: clicked, or walked to by the arrow keys.
    void chosenChanged(qint64 key);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    void changed();
    AxisScale scaleOf(double ChartPoint::*value) const;
    void layOutSoon();
    FigureOptions optionsOfFiles() const;
    const PlacedPoint& target(int number) const { return m_drawing.points[size_t(number)]; }
    const ChartPoint& pointOf(const PlacedPoint& target) const
    {
        return m_shown.series[target.series].points[target.point];
    }
    QString wordsOf(const PlacedPoint& target) const;
    void moveTo(int target, const QPoint& tipAt);
    int targetAt(QPointF position) const;
    void chooseNext(int step);
    int walked(int along, int across) const;

    FigureOptions m_options;
    Scale m_scale;
    QStringList m_hidden;
    /// The second: without hidden series, with the scales of its axes and their titles in the window's language.
    Chart m_chart, m_shown;
    Drawing m_drawing;  ///< of `m_shown`; empty: to be made when it is painted
    int m_current = -1;
    bool m_pending = false;
};

/// So that marks at the ends are whole.
void widen(ChartAxis& axis);

struct TitledChart {
    QLabel* title = nullptr;
    ChartView* view = nullptr;
};

/// A chart below its name, and below what stands `next to` that, as a further part of `charts`.
TitledChart addTitledChart(QBoxLayout& charts, const QString& name, QWidget* parent,
                           ChartView::Names names = ChartView::Names::Aside, QWidget* aside = nullptr);

}
