// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/attnscope/display_guard.h"

#include <QDebug>
#include <QStringList>
#include <QTextStream>

#include <cstdlib>
#include <utility>

namespace attnscope::ui {

namespace {

QStringList& heldMessages()
{
    static QStringList messages;
    return messages;
}

void holdMessage(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    QStringList& held = heldMessages();
    held << message.section(QLatin1Char('\n'), 0, 0).trimmed();
    if (type != QtFatalMsg)
        return;
    // Qt's first words are about the display; the last are about plug-ins.
    const bool misnamed = held.filter(QStringLiteral("Could not find the Qt platform plugin")).size() > 0;
    const bool unset = qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    const QString reason = unset && !misnamed ? QStringLiteral("neither DISPLAY nor WAYLAND_DISPLAY is set") : held.front();
    QTextStream(stderr) << "attnscope: no window can be opened: " << reason << "; start it in a desktop session, or use attnscope-cli, which needs none."
                        << Qt::endl;
    std::_Exit(1);
}

}  // namespace

DisplayGuard::DisplayGuard()
    : m_before(qInstallMessageHandler(holdMessage))
{}

DisplayGuard::~DisplayGuard()
{
    qInstallMessageHandler(m_before);
    for (const QString& message : std::as_const(heldMessages()))
        qWarning().noquote() << message;
}

}  // namespace attnscope::ui
