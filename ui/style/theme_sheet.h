#pragma once

#include <QObject>
#include <QString>

namespace attnscope::ui {

struct Theme;

/// Dresses menu bars, menus, status bars and tool tips in app.qss, each by itself. A style sheet of the whole application would have
/// every widget polished anew when the theme changes, which holds a window of 560 up for more than 0.1 s.
class ThemeSheet : public QObject {
    Q_OBJECT
public:
    /// Those that there are, and those that come.
    static void apply(const Theme& theme);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    explicit ThemeSheet(QObject* parent);

    QString m_text;
};

}
