#pragma once

#include "ui/scale/scale_tab.h"
#include "ui/scale/tensors/tensor_source.h"

class QLineEdit;

namespace attnscope::ui {

class CaptionSpin;
class LegendRow;
class Segments;

/// Error against samples at the same q, k, v (the LARA paper's figure 1): of the model at hand, of a file, or random ones.
class SamplesTab : public ScaleTabOf<ApproximateJob, &ScaleSession::approximation> {
    Q_OBJECT
public:
    SamplesTab(ScaleSession& session, QWidget* parent);

    ApproximateJob job() const override;
    bool canRun() const override;

    bool takeTensors(const QString& path) override;

    TensorSource* source() const { return m_source; }
    QLineEdit* counts() const { return m_counts; }
    Segments* part() const { return m_part; }
    ChartView* errors() const { return m_errors.view; }
    ChartView* parts() const { return m_parts.view; }

protected:
    Said said() const override;
    void showResults() override;
    void describeWish() override;
    Charts charts() const override;

private:
    void buildContent();
    void refreshCharts();

    TensorSource* m_source;
    QLineEdit* m_counts;
    CaptionSpin* m_seeds;
    Segments* m_part = nullptr;
    LegendRow* m_legend = nullptr;
    TitledChart m_errors, m_parts;
};

}
