#pragma once

#include "ui/charts/legend_row.h"
#include "ui/scale/scale_tab.h"
#include "ui/scale/tensors/tensor_source.h"
#include "ui/style/qt_text.h"

namespace attnscope::ui {

class CaptionSpin;
class Segments;

/// Random features by themselves: exp(q·k) next to the estimate and the variance of every feature map, against the norm.
class KernelTab : public ScaleTabOf<KernelJob, &ScaleSession::kernel> {
    Q_OBJECT
public:
    KernelTab(ScaleSession& session, QWidget* parent);

    KernelJob job() const override;
    bool canRun() const override;
    bool takeTensors(const QString& path) override;
    void setCompact(bool compact) override;

    TensorSource* source() const { return m_source; }
    CaptionSpin* features() const { return m_features; }
    Segments* angles() const { return m_angles; }
    Segments* tables() const { return m_tables; }
    LegendRow* legend() const { return m_legend; }
    ChartView* values() const { return m_values.view; }
    ChartView* spread() const { return m_spread.view; }

protected:
    Said said() const override;
    void showResults() override;
    void describeWish() override;
    Charts charts() const override { return {spread(), values(), u"estimates"_s}; }

private:
    void buildContent();
    QList<LegendRow::Entry> entries() const;
    void refreshCharts();
    void refreshTable();
    KernelAngle angle() const;
    QStringList inputs() const;

    TensorSource* m_source;
    CaptionSpin* m_features;
    Segments* m_angles = nullptr;
    Segments* m_tables = nullptr;
    LegendRow* m_legend = nullptr;
    TitledChart m_values, m_spread;
};

}
