#pragma once

#include <QApplication>
#include <QSize>
#include <QStringList>
#include <QTest>
#include <QWidget>

namespace attnscope::ui::test {

/// Rows of a test that looks at a screen: columns `theme` and `size`, light and dark at both sizes that screens are designed for.
inline void addLooks()
{
    QTest::addColumn<QString>("theme");
    QTest::addColumn<QSize>("size");
    for (const char* theme : {"light", "dark"})
        for (const QSize& size : {QSize(1280, 800), QSize(1024, 640)})
            QTest::addRow("%s-%dx%d", theme, size.width(), size.height()) << QString::fromLatin1(theme) << size;
}

/// Names of the widgets of `page` that the Tab key visits from `first` until it comes round to it, in order; empty names of those that
/// have none. No names where it does not come round.
inline QStringList tabbedThrough(const QWidget& page, QWidget& first)
{
    first.setFocus(Qt::TabFocusReason);
    QStringList visited;
    for (int i = 0; i < 200; ++i) {  // each backend is a stop
        const QWidget* now = QApplication::focusWidget();
        if (now == nullptr || (i > 0 && now == &first))
            return visited;
        if (page.isAncestorOf(now))
            visited << now->accessibleName();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    return {};
}

}
