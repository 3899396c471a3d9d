// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/chart.h"

#include <QPen>
#include <QStringList>
#include <QWidget>

#include <vector>

class QBoxLayout;
class QCPGraph;
class QCPItemText;
class QLabel;

namespace attnscope::ui {

class ChartPlot;
struct Theme;

/// A chart of core/figure in the window, with values under the pointer and the arrow keys. Drawn anew when what it shows, its size, its
/// font or its theme changes; many changes are one drawing.
class ChartView : public QWidget {
    Q_OBJECT
public:
    /// Where the names of series are: next to the chart, in a legend; at their marks; at the ends of their lines.
    enum class Names { Aside, AtMarks, AtEnds };
    /// Bars show the points in their order; x is not looked at.
    enum class Form { Marks, Bars };
    /// Of both axes: as the chart has it, or one for all. Automatic: an axis is logarithmic where its values are too far apart to be told
    /// from each other else.
    enum class Scale { OfChart, Automatic, Linear, Logarithmic };
    static constexpr qint64 none = -1;

    /// With names at the marks the scale is automatic until `setScale`.
    explicit ChartView(const QString& name, QWidget* parent = nullptr, Names names = Names::Aside);

    void setChart(Chart chart);
    [[nodiscard]] const Chart& chart() const { return m_chart; }
    /// Series that are left out, by name; the chart keeps them.
    void setHidden(const QStringList& names);
    /// Where the numbers of the horizontal axis stand; empty: at the points' places where those are few, else at round ones.
    void setPlaces(const std::vector<std::int64_t>& places);
    /// A sentence in the middle, where there is nothing to draw.
    void setNotice(const QString& sentence);
    void setForm(Form form);
    void setScale(Scale scale);
    /// Which axes `setScale` made logarithmic, in words that stand above the plot; empty: none is.
    [[nodiscard]] QString scaleNote() const;
    void setChosen(qint64 key);
    [[nodiscard]] qint64 chosen() const { return m_chosen; }
    /// Keys of the front, by x.
    [[nodiscard]] QList<qint64> front() const;
    /// What is drawn, as text: for tests and screen readers.
    [[nodiscard]] QString spoken() const;
    /// What the pointer or the arrow keys are at; empty: nothing.
    [[nodiscard]] QString current() const;
    /// Where the mark with a key was drawn, in pixels of the plot.
    [[nodiscard]] QPointF markAt(qint64 key) const;
    /// PNG (twice the size), SVG, PDF or CSV, by the suffix; light, whatever the theme. Empty, or what is wrong.
    QString saveAs(const QString& path);
    /// SVG in the chart's own pixels, light, as it is drawn.
    [[nodiscard]] QByteArray svg();
    [[nodiscard]] QSize sizeHint() const override;

signals:
    /// Of a chart whose points have keys: clicked, or walked to by the arrow keys.
    void chosenChanged(qint64 key);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using SeriesList = std::vector<const ChartSeries*>;
    /// A mark as it lies on the screen.
    struct Target {
        std::size_t series = 0;
        QPointF at;
        QString words;
        qint64 key = none;
        bool level = false;  ///< at every x
        QRect bar = {};
    };

    [[nodiscard]] SeriesList shown() const;
    [[nodiscard]] bool isLogarithmic(double ChartPoint::*value, const ChartAxis& axis) const;
    [[nodiscard]] bool isDrawn(const ChartPoint& point) const;
    void rebuild(const Theme& theme);
    void rebuildSoon(int milliseconds = 30);
    void moveTo(int target, const QPoint& tipAt);
    [[nodiscard]] int targetAt(QPointF position) const;
    void chooseNext(int step);
    [[nodiscard]] int walked(int along, int across) const;

    // chart_view_drawing.cpp
    void draw(const Theme& theme);
    void styleAxes(const Theme& theme, const SeriesList& series, bool any);
    void setRanges(const SeriesList& series);
    void putTicks(bool across, std::vector<double> values);
    [[nodiscard]] double across(double x) const;
    [[nodiscard]] double up(double y) const;
    QCPGraph* addGraph(const QVector<double>& x, const QVector<double>& y, const QPen& pen);
    void addBand(const ChartSeries& series, const Theme& theme);
    void addIntervals(const ChartSeries& series, const Theme& theme);
    void addInterval(double fromX, double fromY, double toX, double toY, const QColor& colour);
    void addSeries(const ChartSeries& series, const Theme& theme);
    void addMarks(const ChartSeries& series, const QVector<double>& x, const QVector<double>& y, const Theme& theme);
    void addFront(const std::vector<ChartPoint>& front, const Theme& theme);
    void addMissing(const SeriesList& series, const Theme& theme);
    void addBars(const SeriesList& series, const Theme& theme);
    void collectTargets(const SeriesList& series);

    // chart_view_names.cpp
    QCPItemText* addText(const QString& text, const QFont& font, const QColor& colour, Qt::Alignment alignment);
    void addNotice(const Theme& theme);
    void addScaleNote(const Theme& theme);
    void addLevelName(const ChartSeries& series, double x, double y, const Theme& theme);
    void addNamesAtMarks(const SeriesList& series, const Theme& theme);
    void addNamesAtEnds(const SeriesList& series, const Theme& theme);
    [[nodiscard]] int nameRoom(const SeriesList& series) const;

    ChartPlot* const m_plot;
    QWidget* m_ring;
    Names m_names;
    Form m_form = Form::Marks;
    Scale m_scale;
    Chart m_chart;
    QString m_notice;
    QStringList m_hidden;
    std::vector<double> m_places;
    bool m_logX = false, m_logY = false;
    double m_zeroX = 0, m_zeroY = 0;  ///< where zero stands on a logarithmic axis; 0: it has no place there
    std::vector<Target> m_targets;
    int m_current = -1;
    qint64 m_chosen = none;
    bool m_pending = false;
};

struct TitledChart {
    QLabel* title = nullptr;
    ChartView* view = nullptr;
};

/// A chart below its name, and below what stands `next to` that, as a further part of `charts`.
TitledChart addTitledChart(QBoxLayout& charts, const QString& name, QWidget* parent, ChartView::Names names = ChartView::Names::Aside,
                           QWidget* aside = nullptr);

/// The line of a series: colour, width and dash of its backend; that of none is thin and grey.
QPen seriesPen(const QString& backend, const Theme& theme);

}  // namespace attnscope::ui
