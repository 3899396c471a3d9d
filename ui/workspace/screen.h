#pragma once

#include "ui/workspace/page.h"

#include <concepts>
#include <functional>

namespace attnscope::ui {

/// A screen as the window knows it: a line in its table (ui/window/screens.cpp).
struct Screen {
    QString name;   ///< of `--screen` and its action in the menu View
    QString title;  ///< with its mnemonic: "&Compare"
    QString icon;
    int key = 0;  ///< Ctrl and this digit
    QList<Content> takes;
    // Off the window's thread, where a screen has an opinion:
    std::function<bool(const QString& path)> isVideo;
    std::function<QString(const QString& folder)> describeFolder;  ///< what would be done with it
    std::function<Session*(Workspace&, QObject* parent)> newSession;
    std::function<Page*(Session&, QWidget* parent)> newPage;  ///< made when it is first looked at
    const QMetaObject* pageType = nullptr;
    QString help = {};  ///< its page of the manual; empty: the contents
};

/// The screen of a session and a page: `SessionType(workspace, arguments…, parent)` and `PageType(session, parent)`.
template <typename SessionType, typename PageType, typename... Arguments>
requires std::derived_from<SessionType, Session> && std::derived_from<PageType, Page> Screen
makeScreen(const Screen& described, Arguments... arguments)
{
    Screen made = described;
    made.newSession = [=](Workspace& workspace, QObject* parent) {
        return new SessionType(workspace, arguments..., parent);
    };
    made.newPage = [](Session& session, QWidget* parent) {
        return new PageType(static_cast<SessionType&>(session), parent);
    };
    made.pageType = &PageType::staticMetaObject;
    return made;
}

}
