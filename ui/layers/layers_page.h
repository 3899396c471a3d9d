#pragma once

#include "ui/layers/layer_cells.h"
#include "ui/layers/layers_session.h"
#include "ui/widgets/page_head.h"
#include "ui/workspace/page.h"

class QBoxLayout;
class QFrame;
class QLabel;
class QMenu;

namespace attnscope::ui {

class CaptionCombo;
class CaptionSpin;
class ColourLegend;
class HeatTable;
class LayerDetails;
class InstrumentTab;
class Segments;
class TabStrip;

/// Layers: where in a network an attention goes wrong, by layer and head, and what it looks at instead.
class LayersPage : public Page {
    Q_OBJECT
public:
    explicit LayersPage(LayersSession& session, QWidget* parent = nullptr);

    bool canRun() const override;
    void run() override;
    bool showsContents() const override;
    bool hasResults() const override;
    QString command() const override;
    const QAbstractItemModel* shownTable() const override;
    void askExport() override;
    void askFiles() override { askInputs(); }
    void take(Content content, const QStringList& paths) override;
    bool takeCheckpoint(const QString& path) override;
    QString dropHint(Content content) const override;

    /// What can be saved: the error map, the drift, the maps of the chosen cell, the keys that it sees, the terms of the query's logits, all
    /// maps as tensors.
    enum class Export {
        Errors,
        Drift,
        ExactMap,
        ImpliedMap,
        Difference,
        KeysSeen,
        MassKept,
        FirstTokens,
        SecondTokens,
        Terms,
        Tensors
    };
    void askExport(Export what);
    /// PNG, SVG or CSV by the suffix, tensors as safetensors. Returns a sentence when that failed.
    QString exportTo(Export what, const QString& path);
    QMenu* exportMenu();

    /// The error of the selected attentions, all that need no training, or another network.
    enum class Tab { Errors, Leaderboard, Networks };
    Tab tab() const;
    void showTab(Tab tab);
    InstrumentTab* leaderboard() const { return m_instruments.front(); }
    InstrumentTab* networks() const { return m_instruments.back(); }
    HeatTable* table() const { return m_table; }
    LayerCells& cells() { return m_cells; }
    LayerDetails* details() const { return m_details; }
    CaptionCombo* metric() const { return m_metric; }
    CaptionCombo* backend() const { return m_backend; }
    Segments* modes() const { return m_modes; }
    CaptionSpin* seedCount() const { return m_seedCount; }
    QLabel* headline() const { return m_head->headline(); }
    ElidedLabel* detail() const { return m_head->detail(); }
    QLabel* stale() const { return m_head->stale(); }
    /// What a file of tensors cannot show.
    QLabel* tensors() const { return m_tensors; }

private:
    void arrange() override;
    QWidget* buildContent();
    QWidget* buildHead();
    QWidget* buildToolBar();
    QWidget* buildErrors();
    void buildTabs();
    /// Null: the errors are shown.
    InstrumentTab* instrument() const;
    void connectSession();
    void refresh();
    void refreshEmpty();
    void refreshWords();
    void refreshToolBar();
    void chooseCell();
    QString defaultName(Export what, const QString& suffix) const;

    LayersSession& m_session;
    LayerCells m_cells;
    TabStrip* m_tabs;
    std::vector<InstrumentTab*> m_instruments;  ///< of the tabs behind the first
    ReportHead* m_head;
    CaptionCombo* m_metric;
    Segments* m_modes;
    QLabel* m_tensors;
    CaptionSpin* m_seedCount;
    CaptionCombo* m_backend;
    QBoxLayout* m_cards;
    QFrame* m_errors;
    HeatTable* m_table;
    ColourLegend* m_legend;
    QLabel* m_hint;
    LayerDetails* m_details;
    bool m_choosing = false;
};

}
