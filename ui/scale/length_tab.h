// SPDX-License-Identifier: GPL-3.0-or-later
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

/// Time and memory against the number of tokens, of the encoder and of the attention alone beside it.
class LengthTab : public ScaleTab {
    Q_OBJECT
public:
    LengthTab(ScaleSession& session, QWidget* parent);

    ScaleRequest request() const;
    bool canRun() const override;
    void run() override;
    QString headline() const override;
    QString detail() const override;
    QString command() const override;
    QString staleText() const override;
    /// Of both charts, the attention's as NAME-attention.
    QString exportTo(const QString& path) override;
    QString writtenBeside(const QString& path) const override;
    bool hasResults() const override;
    void setCompact(bool compact) override;

    QLineEdit* lengths() const { return m_lengths; }
    CaptionCombo* pass() const { return m_pass; }
    Segments* quantity() const { return m_quantity; }
    Segments* values() const { return m_values; }
    Segments* tables() const { return m_tables; }
    LegendRow* legend() const { return m_legend; }
    QCheckBox* published() const { return m_published; }
    FigureView* whole() const { return m_whole; }
    FigureView* alone() const { return m_alone; }

protected:
    void showResults() override;
    void describeWish() override;

private:
    QWidget* buildContent();
    QWidget* buildCharts(QWidget* parent);
    QWidget* buildTables(QWidget* parent);
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
    FigureView* m_whole = nullptr;
    FigureView* m_alone = nullptr;
    QBoxLayout* m_content = nullptr;
    QBoxLayout* m_row = nullptr;
    QBoxLayout* m_chartColumn = nullptr;
    QLabel* m_wholeTitle = nullptr;
    QLabel* m_aloneTitle = nullptr;
    QLabel* m_hint = nullptr;
};

}  // namespace attnscope::ui
