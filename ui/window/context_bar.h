#pragma once

#include <QWidget>

class QLabel;
class QMenu;
class QHBoxLayout;
class QVBoxLayout;

namespace attnscope::ui {

class ActionButton;
class CaptionCombo;
class CaptionSpin;
class IconButton;
class Workspace;

/// What all screens share: model, weights, device, dtype, seed, what the weights are, and Run.
class ContextBar : public QWidget {
    Q_OBJECT
public:
    explicit ContextBar(Workspace& workspace, QWidget* parent = nullptr);

    enum class Density { Roomy, Compact };
    void setDensity(Density density);
    /// Weights (with what they are) and dtype are left out where nothing uses them.
    enum class Fields { All, WithoutWeights };
    void setFields(Fields fields);
    void setRunnable(bool runnable);
    /// What this screen runs besides a comparison is under way: Run is Stop.
    void setStoppable(bool stoppable);
    /// Where there is nothing to run yet, the filled button is the empty state's.
    void setPrimary(bool primary);
    void setBackendCount(int count);
    CaptionCombo* model() const { return m_model; }
    CaptionCombo* weights() const { return m_weights; }
    CaptionCombo* device() const { return m_device; }
    CaptionCombo* dtype() const { return m_dtype; }
    CaptionSpin* seed() const { return m_seed; }
    ActionButton* runButton() const { return m_run; }
    /// The size of inputs, their tokens, and how much of the arithmetic is attention; empty before a model is opened.
    QString arithmetic() const;

signals:
    void checkpointRequested();
    void furtherCheckpointRequested();
    void classEmbeddingsRequested();
    void imageSizeRequested();
    void gpusRequested();
    void runRequested();
    void stopRequested();
    void backendsRequested();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void fillFromSurroundings();
    void fillWeights();
    void takeFields();
    void showContext();
    void showTag();
    void showArithmetic();
    void fitArithmetic();
    void showRun();

    Workspace& m_workspace;
    QHBoxLayout* m_row;
    CaptionCombo* m_model;
    CaptionCombo* m_weights;
    CaptionCombo* m_device;
    CaptionCombo* m_dtype;
    CaptionSpin* m_seed;
    QWidget* m_tag;
    QWidget* m_arithmetic;
    ActionButton* m_backends;
    ActionButton* m_run;
    IconButton* m_more;
    QMenu* m_moreMenu;
    QVBoxLayout* m_moreLayout;
    Density m_density = Density::Roomy;
    Fields m_fields = Fields::All;
    bool m_filling = false, m_runnable = false, m_stoppable = false, m_primary = false;
};

}
