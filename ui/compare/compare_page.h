// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/quantities_model.h"
#include "ui/widgets/message_stack.h"

#include <QWidget>

class QBoxLayout;
class QLabel;
class QStackedWidget;
class QTableView;
class QTimer;

namespace attnscope::ui {

class ActionButton;
class CaptionCombo;
class ChartView;
class CompareCard;
class CompareSession;
class ElidedLabel;
class EmptyScreen;
class RunTableModel;
class Segments;
class ViewsPanel;

/// Compare: one input (or a set), N backends, side by side. Head with the verdict, grid, chart.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    ComparePage(CompareSession& session, RunTableModel& runs, QWidget* parent = nullptr);

    enum class Density { Roomy, Compact };
    void setDensity(Density density);
    MessageBar* showMessage(MessageBar::Kind kind, const QString& sentence);
    void copyCommand();
    void copyFigures();
    void copyMarkdown();
    void cycleChart();
    QString saveChart(const QString& path);

    CompareCard* card() const { return m_card; }
    QWidget* chartCard() const { return m_chartCard; }
    ChartView* chart() const { return m_chart; }
    EmptyScreen* empty() const { return m_empty; }
    QLabel* headline() const { return m_headline; }
    Segments* chartSegments() const { return m_segments; }
    ViewsPanel* viewsPanel() const { return m_viewsPanel; }

signals:
    void openRequested();
    void demoRequested();
    void checkpointRequested();
    void referenceRequested(int id);
    void removeRequested(int id);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildContent();
    QWidget* buildHead();
    QWidget* buildChartCard();
    void connectSession();
    void refresh();
    void refreshInput();
    void refreshUntrained();
    void refreshUnreadable();
    void showChart(int kind);
    void refreshChart();
    void offerViews();
    void choose(int column);
    void showChosen();
    void fitDetail();
    void arrange();

    CompareSession& m_session;
    RunTableModel& m_runs;
    QuantitiesModel* m_figures;
    MessageStack* m_messages;
    QStackedWidget* m_stack;
    EmptyScreen* m_empty;
    QWidget* m_content;
    QBoxLayout* m_body;
    QWidget* m_head;
    QLabel* m_headline;
    ElidedLabel* m_detail;
    ActionButton* m_copy;
    Segments* m_view;
    CompareCard* m_card;
    QWidget* m_chartCard;
    Segments* m_segments;
    QLabel* m_hint;
    CaptionCombo* m_y;
    CaptionCombo* m_x;
    CaptionCombo* m_scale;
    ChartView* m_chart;
    QTableView* m_table;
    ViewsPanel* m_viewsPanel;
    QStackedWidget* m_chartStack;
    MessageBar* m_unreadable = nullptr;
    std::size_t m_unreadableSeen = 0;
    QTimer* m_later;
    Density m_density = Density::Roomy;
    QString m_previewNote, m_details, m_videoNote;
    bool m_turned = false;
    int m_chosen = 0;  ///< ColumnSpec::id
};

}  // namespace attnscope::ui
