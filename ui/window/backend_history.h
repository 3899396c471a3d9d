#pragma once

#include "ui/workspace/backend_list.h"

#include <QElapsedTimer>

class QUndoStack;

namespace attnscope::ui {

/// Every change of the backends as a step that can be undone and redone. Changes in quick succession, such as those of a slider or of a
/// preset, are one step.
class BackendHistory : public QObject {
    Q_OBJECT
public:
    explicit BackendHistory(BackendList& backends, QObject* parent = nullptr);

    bool canUndo() const;
    bool canRedo() const;
    void undo();
    void redo();

signals:
    void changed();

private:
    void record();

    BackendList& m_backends;
    QUndoStack* m_stack;
    BackendList::State m_last;
    QElapsedTimer m_sinceChange;
    bool m_restoring = false;
};

}
