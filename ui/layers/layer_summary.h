#pragma once

#include "ui/layers/layers_session.h"

#include <QWidget>

class QLabel;

namespace attnscope::ui {

class ElidedLabel;

/// How the error of the chosen cell is made up, next to its baselines; end to end, what its layer does alone.
class LayerSummary : public QWidget {
    Q_OBJECT
public:
    LayerSummary(LayersSession& session, QWidget* parent = nullptr);
    /// "name: value" a line.
    QString text() const;

private:
    void refresh();

    struct Entry {
        ElidedLabel* name;
        QLabel* value;
    };
    LayersSession& m_session;
    std::vector<Entry> m_info;
};

}
