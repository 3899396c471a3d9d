// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scale/scale_tab.h"

class QLineEdit;

namespace attnscope::ui {

class CaptionCombo;
class CaptionSpin;
class LegendRow;
class Segments;

/// Error against samples at the same q, k, v (the LARA paper's figure 1): of the model at hand, of a file, or random ones.
class SamplesTab : public ScaleTabOf<ApproximateJob, &ScaleSession::approximation> {
    Q_OBJECT
public:
    SamplesTab(ScaleSession& session, QWidget* parent);

    [[nodiscard]] ApproximateJob job() const override;
    [[nodiscard]] bool canRun() const override;

    /// q, k, v of a file instead of the model's; empty: the model's.
    void setDump(const QString& path);
    void askDump();
    /// Where q, k and v come from.
    enum class Source { Model, File, Random };
    void setSource(Source source);
    [[nodiscard]] Source source() const { return m_from; }
    [[nodiscard]] CaptionSpin* tokens() const { return m_tokens; }
    [[nodiscard]] CaptionSpin* headSize() const { return m_headSize; }
    [[nodiscard]] CaptionCombo* imageSize() const { return m_imageSize; }
    [[nodiscard]] QLineEdit* counts() const { return m_counts; }
    [[nodiscard]] Segments* part() const { return m_part; }
    [[nodiscard]] ChartView* errors() const { return m_errors.view; }
    [[nodiscard]] ChartView* parts() const { return m_parts.view; }

protected:
    [[nodiscard]] Said said() const override;
    void showResults() override;
    void describeWish() override;
    [[nodiscard]] Charts charts() const override;

private:
    void buildContent();
    void refreshCharts();
    [[nodiscard]] QString sourceText() const;

    CaptionCombo* m_source;
    CaptionCombo* m_imageSize;
    CaptionSpin* m_tokens;
    CaptionSpin* m_headSize;
    QLineEdit* m_counts;
    CaptionSpin* m_seeds;
    Segments* m_part = nullptr;
    LegendRow* m_legend = nullptr;
    TitledChart m_errors, m_parts;
    Source m_from = Source::Model;
    QString m_dump;
};

}  // namespace attnscope::ui
