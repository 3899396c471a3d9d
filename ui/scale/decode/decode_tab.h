#pragma once

#include "ui/scale/decode/mechanism_list.h"
#include "ui/scale/scale_tab.h"
#include "ui/style/qt_text.h"

class QHBoxLayout;
class QLineEdit;

namespace attnscope::ui {

class CaptionCombo;
class CaptionSpin;
class LegendRow;
class MechanismsPanel;
class RealSpin;
class Segments;

/// Causal attention token by token: time, state and error against the position, next to softmax with a cache.
class DecodeTab : public ScaleTabOf<DecodeRequest, &ScaleSession::decoded> {
    Q_OBJECT
public:
    DecodeTab(ScaleSession& session, QWidget* parent);

    DecodeRequest job() const override;
    bool canRun() const override { return !m_session.isRunning() && missing().isEmpty(); }
    void setCompact(bool compact) override;
    QString loadText() const override;
    /// The tokens of a layer in a file of q, k and v; empty: made ones.
    bool takeTensors(const QString& path) override;
    void askFile();

    MechanismList& mechanisms() { return m_mechanisms; }
    MechanismsPanel* panel() const { return m_panel; }
    CaptionCombo* source() const { return m_source; }
    CaptionSpin* layer() const { return m_layer; }
    CaptionSpin* heads() const { return m_heads; }
    CaptionSpin* headSize() const { return m_width; }
    QLineEdit* positions() const { return m_positions; }
    RealSpin* factor() const { return m_factor; }
    Segments* quantity() const { return m_quantity; }
    Segments* tables() const { return m_tables; }
    ChartView* cost() const { return m_cost.view; }
    ChartView* impulse() const { return m_impulse.view; }
    LegendRow* legend() const { return m_legend; }

protected:
    Said said() const override;
    void showResults() override;
    void describeWish() override;
    Charts charts() const override { return {cost(), impulse(), u"impulse"_s}; }

private:
    void buildContent();
    void takeSource(int index);
    void showLegend();
    void refreshCharts();
    void refreshTable();
    bool hasPoints() const;
    QString positionsProblem(std::vector<int64_t>& positions) const;
    /// Why the form cannot be run, as a sentence; empty: it can.
    QString missing() const;

    MechanismList m_mechanisms;
    MechanismsPanel* m_panel;
    CaptionCombo* m_source;
    CaptionSpin* m_layer;
    CaptionSpin* m_heads;
    CaptionSpin* m_width;
    QLineEdit* m_positions;
    RealSpin* m_factor;
    Segments* m_quantity = nullptr;
    Segments* m_tables = nullptr;
    LegendRow* m_legend = nullptr;
    TitledChart m_cost, m_impulse;
    bool m_compact = false;
    int m_chosen = 0;  ///< of the sources
    QString m_file;
};

}
