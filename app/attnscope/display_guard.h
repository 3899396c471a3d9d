// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace attnscope::ui {

/// While the application is made: Qt aborts a program whose window has no display. With this, one sentence that names attnscope-cli ends it
/// instead, with exit code 1. What else Qt says meanwhile is printed behind it.
class DisplayGuard {
public:
    DisplayGuard();
    ~DisplayGuard();
    Q_DISABLE_COPY_MOVE(DisplayGuard)

private:
    QtMessageHandler m_before;
};

}  // namespace attnscope::ui
