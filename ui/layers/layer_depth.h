#pragma once

#include "ui/layers/layers_session.h"

#include <QWidget>

class QLabel;

namespace attnscope::ui {

class ChartView;

/// All attentions along depth. The mode decides: errors of each layer given exact q, k, v; or the drift that has come of them, with what
/// each layer does alone.
class LayerDepth : public QWidget {
    Q_OBJECT
public:
    LayerDepth(LayersSession& session, QWidget* parent = nullptr);
    ChartView* errors() const { return m_errors; }
    ChartView* alone() const { return m_alone; }

private:
    void refresh();

    LayersSession& m_session;
    QLabel* m_errorsTitle;
    ChartView* m_errors;
    QLabel* m_aloneTitle;
    ChartView* m_alone;
};

}
