#pragma once

#include "tests/samples/screen/input_list_session.h"
#include "ui/workspace/screen.h"

namespace attnscope::ui {

/// The sample of a screen's page.
class InputListPage : public Page {
    Q_OBJECT
public:
    explicit InputListPage(InputListSession& session, QWidget* parent = nullptr);

    bool canRun() const override { return hasResults(); }
    void run() override { m_session.run(); }
    bool hasResults() const override { return m_session.table().rowCount() > 0; }
    QString command() const override;
    const QAbstractItemModel* shownTable() const override { return &m_session.table(); }
    void askFiles() override { askInputs(); }
    void take(Content, const QStringList& paths) override { m_workspace.takeInputs(paths); }
    QString dropHint(Content) const override { return tr("List this file"); }

private:
    InputListSession& m_session;
};

/// The line of the table of screens.
Screen inputListScreen();

}
