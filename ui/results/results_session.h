// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/store_reader.h"
#include "ui/workspace/session.h"

namespace attnscope::ui {

/// The results store that the Results screen shows.
class ResultsSession : public Session {
    Q_OBJECT
public:
    ResultsSession(Workspace& workspace, const OpenStore& open, const QString& file, QObject* parent = nullptr)
        : Session(workspace, parent), m_store(open, file)
    {}
    StoreReader& store() { return m_store; }

private:
    StoreReader m_store;
};

}  // namespace attnscope::ui
