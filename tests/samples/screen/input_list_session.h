#pragma once

#include "ui/widgets/cell_table.h"
#include "ui/workspace/session.h"

namespace attnscope::ui {

/// The sample of a screen's session: the inputs of the workspace as a table.
class InputListSession : public Session {
    Q_OBJECT
public:
    explicit InputListSession(Workspace& workspace, QObject* parent = nullptr);

    CellTable& table() { return m_table; }
    QString status() const override { return m_counting ? tr("Counting") : QString(); }
    std::optional<Job> job() const override;
    void run();
    void stop() override;

private:
    CellTable m_table;
    bool m_counting = false;
};

}
