#include "ui/window/backend_history.h"

#include <QUndoStack>

#include <functional>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr qint64 quickSuccession = 700;  // milliseconds
constexpr int rememberedSteps = 200;

class BackendStep : public QUndoCommand {
public:
    using Restore = std::function<void(const BackendList::State&)>;
    BackendStep(BackendList::State before, BackendList::State after, bool goesOn, Restore restore)
        : m_before(std::move(before))
        , m_after(std::move(after))
        , m_goesOn(goesOn)
        , m_restore(std::move(restore))
    {}
    void undo() override { m_restore(m_before); }
    void redo() override
    {
        if (std::exchange(m_done, false))
            return;  // pushed after the change
        m_restore(m_after);
    }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* next) override
    {
        const auto* step = static_cast<const BackendStep*>(next);
        if (!step->m_goesOn)
            return false;
        m_after = step->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    BackendList::State m_before, m_after;
    bool m_goesOn, m_done = true;
    Restore m_restore;
};

}

BackendHistory::BackendHistory(BackendList& backends, QObject* parent)
    : QObject(parent)
    , m_backends(backends)
    , m_stack(new QUndoStack(this))
    , m_last(backends.state())
{
    m_stack->setUndoLimit(rememberedSteps);
    connect(&m_backends, &BackendList::selectionChanged, this, &BackendHistory::record);
    connect(m_stack, &QUndoStack::indexChanged, this, &BackendHistory::changed);
}

void BackendHistory::record()
{
    BackendList::State now = m_backends.state();
    if (m_restoring || now == m_last)
        return;
    const bool goesOn = m_sinceChange.isValid() && m_sinceChange.elapsed() < quickSuccession;
    m_sinceChange.start();
    m_stack->push(
        new BackendStep(std::exchange(m_last, now), now, goesOn, [this](const BackendList::State& state) {
            m_restoring = true;
            m_last = state;
            m_backends.restore(state);
            m_restoring = false;
            m_sinceChange.invalidate();
        }));
}

bool BackendHistory::canUndo() const
{
    return m_stack->canUndo();
}
bool BackendHistory::canRedo() const
{
    return m_stack->canRedo();
}
void BackendHistory::undo()
{
    m_stack->undo();
}
void BackendHistory::redo()
{
    m_stack->redo();
}

}
