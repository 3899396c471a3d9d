// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/layers/layers_session.h"

#include <QWidget>

class QLabel;

namespace attnscope::ui {

class CurveChart;

/// All attentions along depth. The mode decides: errors of each layer given exact q, k, v; or the drift that has come of them, with what
/// each layer does alone.
class LayerDepth : public QWidget {
    Q_OBJECT
public:
    LayerDepth(LayersSession& session, QWidget* parent = nullptr);
    CurveChart* errors() const { return m_errors; }
    CurveChart* alone() const { return m_alone; }

private:
    void refresh();

    LayersSession& m_session;
    QLabel* m_errorsTitle;
    CurveChart* m_errors;
    QLabel* m_aloneTitle;
    CurveChart* m_alone;
};

}  // namespace attnscope::ui
