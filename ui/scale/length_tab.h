#pragma once

#include "ui/scale/scale_tab.h"
#include "ui/style/qt_text.h"

class QCheckBox;
class QLabel;
class QLineEdit;

namespace attnscope::ui {

class CaptionCombo;
class CaptionSpin;
class LegendRow;
class Segments;

/// Time and memory against the number of tokens, of the encoder and of the attention alone next to it.
class LengthTab : public ScaleTabOf<ScaleRequest, &ScaleSession::scale> {
    Q_OBJECT
public:
    LengthTab(ScaleSession& session, QWidget* parent);

    ScaleRequest job() const override;
    bool canRun() const override;
    void setCompact(bool compact) override;
    QString loadText() const override;

    QLineEdit* lengths() const { return m_lengths; }
    CaptionCombo* pass() const { return m_pass; }
    Segments* quantity() const { return m_quantity; }
    Segments* values() const { return m_values; }
    Segments* tables() const { return m_tables; }
    LegendRow* legend() const { return m_legend; }
    QCheckBox* published() const { return m_published; }
    ChartView* whole() const { return m_whole.view; }
    ChartView* alone() const { return m_alone.view; }

protected:
    Said said() const override;
    void showResults() override;
    void describeWish() override;
    Charts charts() const override { return {whole(), alone(), u"attention"_s}; }

private:
    void buildContent();
    void takePreset(int index);
    void refreshCharts();
    void refreshTable();
    QStringList hiddenSeries() const;

    CaptionCombo* m_preset;
    QLineEdit* m_lengths;
    CaptionSpin* m_layers;
    CaptionSpin* m_width;
    CaptionSpin* m_heads;
    CaptionCombo* m_pass;
    Segments* m_quantity = nullptr;
    Segments* m_values = nullptr;
    Segments* m_tables = nullptr;
    QCheckBox* m_published = nullptr;
    LegendRow* m_legend = nullptr;
    TitledChart m_whole, m_alone;
    QBoxLayout* m_row = nullptr;
    QBoxLayout* m_chartColumn = nullptr;
    QLabel* m_hint = nullptr;
};

}
