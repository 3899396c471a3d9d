#pragma once

#include "ui/widgets/controls.h"

#include <QFrame>

namespace attnscope::ui {

class TrainSession;

/// How far the training is, and what can be done with it now.
class TrainProgress : public QFrame {
    Q_OBJECT
public:
    explicit TrainProgress(TrainSession& session, QWidget* parent = nullptr);

    QString text() const { return m_text->text(); }
    /// Shorter words on the buttons.
    void setCompact(bool compact);
    /// Pause, or Continue once it stopped.
    ActionButton* pauseButton() const { return m_pause; }
    ActionButton* finishButton() const { return m_finish; }
    ActionButton* compareButton() const { return m_compare; }

signals:
    void compareRequested();

private:
    class Bar;
    void refresh();
    void refreshText();

    TrainSession& m_session;
    Bar* m_bar;
    ElidedLabel* m_text;
    ActionButton* m_pause;
    ActionButton* m_finish;
    ActionButton* m_compare;
    bool m_compact = false;
};

}
