#pragma once

#include <QWidget>

class QBoxLayout;

namespace attnscope::ui {

class CaptionCombo;
class ChartView;
class PatchImages;
class RunTableModel;

/// What each attention makes of the features of the shown input: its patches as images in exact attention's colours, and how far from
/// exact attention's tokens it has come behind each block.
class FeaturesPanel : public QWidget {
    Q_OBJECT
public:
    explicit FeaturesPanel(const RunTableModel& runs, QWidget* parent = nullptr);

    PatchImages* images() const { return m_images; }
    ChartView* chart() const { return m_chart; }
    /// Class token, or mean over the patches.
    CaptionCombo* tokens() const { return m_tokens; }
    /// What the images are: "principal components of the patches, in the colours of exact attention (62 % of its variance)".
    QString hint() const { return m_hint; }

signals:
    void hintChanged();

private:
    void refresh();
    void refreshImages();
    void refreshChart();

    const RunTableModel& m_runs;
    PatchImages* m_images;
    CaptionCombo* m_tokens;
    ChartView* m_chart;
    QString m_hint;
};

}
