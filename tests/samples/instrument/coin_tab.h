#pragma once

#include "tests/samples/instrument/coin.h"
#include "ui/workspace/instrument_tab.h"

namespace attnscope::ui {

/// The sample of an instrument's session: what was asked last, and what came of it.
class CoinSession : public Session {
    Q_OBJECT
public:
    explicit CoinSession(Workspace& workspace, QObject* parent = nullptr);

    const CoinReport* report() const { return m_task.report().get(); }
    const CoinRequest& request() const { return m_task.request(); }
    void start(const CoinRequest& request) { m_task.start(request, 0); }

private:
    CoinTask m_task;
};

/// The sample of an instrument's tab.
InstrumentTab* coinTab(CoinSession& session, QWidget* parent);

}
