// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/scale/scale_tab.h"

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

    [[nodiscard]] ScaleRequest job() const override;
    [[nodiscard]] bool canRun() const override;
    void setCompact(bool compact) override;
    [[nodiscard]] QString loadText() const override;

    [[nodiscard]] QLineEdit* lengths() const { return m_lengths; }
    [[nodiscard]] CaptionCombo* pass() const { return m_pass; }
    [[nodiscard]] Segments* quantity() const { return m_quantity; }
    [[nodiscard]] Segments* values() const { return m_values; }
    [[nodiscard]] Segments* tables() const { return m_tables; }
    [[nodiscard]] LegendRow* legend() const { return m_legend; }
    [[nodiscard]] QCheckBox* published() const { return m_published; }
    [[nodiscard]] ChartView* whole() const { return m_whole.view; }
    [[nodiscard]] ChartView* alone() const { return m_alone.view; }

protected:
    [[nodiscard]] Said said() const override;
    void showResults() override;
    void describeWish() override;
    [[nodiscard]] Charts charts() const override { return {whole(), alone(), QStringLiteral("attention")}; }

private:
    void buildContent();
    void takePreset(int index);
    void refreshCharts();
    void refreshTable();
    [[nodiscard]] QStringList hiddenSeries() const;

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

}  // namespace attnscope::ui
