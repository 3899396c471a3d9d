// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QCustomPlot;

namespace attnscope::ui {

struct Theme;

/// A widget around one plot, drawn anew when what it shows, its size, its font or its theme changes; many changes are one drawing.
/// What the pointer does over the plot goes through `eventFilter`.
class PlotWidget : public QWidget {
    Q_OBJECT
public:
    /// What is drawn, as text: for tests and screen readers.
    virtual QString spoken() const = 0;
    /// A sentence in the middle, where there is nothing to draw.
    void setNotice(const QString& sentence);

protected:
    PlotWidget(const QString& name, QWidget* parent);

    /// Draws all of it; the plot is empty by then. Not called where there is no room.
    virtual void draw(const Theme& theme) = 0;
    void rebuild();
    /// In a turn of the event loop of its own.
    void rebuildSoon(int milliseconds = 30);
    const QString& notice() const { return m_notice; }
    void addNotice(const Theme& theme);
    /// PNG (twice the size), SVG or PDF, by the suffix; light, whatever the theme.
    bool savePlot(const QString& path);

    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    QCustomPlot* const m_plot;

private:
    void rebuild(const Theme& theme);

    QString m_notice;
    bool m_pending = false;
};

}  // namespace attnscope::ui
