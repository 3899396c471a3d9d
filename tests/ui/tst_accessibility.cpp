// The window by keyboard and screen reader: every screen is walked by Tab, and each stop is asked what it is and what it is called.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/scripted_neighbours.h"
#include "tests/ui/support/scripted_scale.h"
#include "tests/ui/support/scripted_trainer.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/style/theme.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/message_stack.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QMenuBar>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using attnscope::ui::test::WindowFixture;

namespace {

constexpr int maxStops = 400;

QString described(const QWidget& widget)
{
    return u"%1 \"%2\" in %3"_s.arg(QString::fromLatin1(widget.metaObject()->className()), widget.objectName(),
                                    QString::fromLatin1(widget.parentWidget() == nullptr
                                                            ? "nothing"
                                                            : widget.parentWidget()->metaObject()->className()));
}

/// What takes the focus by Tab, in the order in which it does, until that begins anew.
QList<QWidget*> stops(QWidget& window)
{
    QList<QWidget*> found;
    while (found.size() < maxStops) {
        QWidget* before = QApplication::focusWidget();
        QTest::keyClick(before == nullptr ? &window : before, Qt::Key_Tab);
        QWidget* now = QApplication::focusWidget();
        if (now == nullptr || now == before || found.contains(now))
            break;
        found << now;
    }
    return found;
}

/// Everything that Tab should reach.
QList<QWidget*> expectedStops(const QWidget& window)
{
    QList<QWidget*> expected;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0
            && widget->focusProxy() == nullptr && !widget->visibleRegion().isEmpty())
            expected << widget;
    return expected;
}

WindowOptions options()
{
    WindowOptions made;
    made.scale = attnscope::ui::test::scriptedScale(std::make_shared<attnscope::ui::test::ScaleScript>());
    made.neighbours = attnscope::ui::test::scriptedNeighbours(
        std::make_shared<attnscope::ui::test::NeighboursScript>());
    made.training = attnscope::ui::test::scriptedTraining(std::make_shared<attnscope::ui::test::TrainScript>());
    return made;
}

/// Empty: name and role are there.
QString wrongWith(QWidget& widget)
{
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&widget);
    if (face == nullptr)
        return u"no accessible interface: "_s + described(widget);
    if (face->text(QAccessible::Name).trimmed().isEmpty())
        return u"no name: "_s + described(widget);
    if (face->role() == QAccessible::NoRole || face->role() == QAccessible::Client)
        return u"no role: "_s + described(widget);
    return {};
}

}

class TestAccessibility : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { attnscope::ui::test::prepareApplication(); }

    void everyStopHasNameAndRole_data()
    {
        QTest::addColumn<QString>("screen");
        QTest::addColumn<bool>("filled");
        for (const bool filled : {false, true})
            for (const Screen& screen : screens(options()))
                QTest::addRow("%s %s", qPrintable(screen.name), filled ? "with an input" : "empty")
                    << screen.name << filled;
    }
    void everyStopHasNameAndRole()
    {
        QFETCH(QString, screen);
        QFETCH(bool, filled);
        WindowFixture fixture(u"light"_s, {1280, 800}, options());
        MainWindow& window = *fixture.window;
        QVERIFY(window.showScreen(screen));
        if (filled) {
            window.openPaths(fixture.images(2));
            QVERIFY(fixture.waitIdle());
            QVERIFY(window.showScreen(screen));
        }
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::qWait(60);
        window.page()->setFocus();
        const QList<QWidget*> reached = stops(window);
        QVERIFY2(reached.size() >= 8 && reached.size() < maxStops, qPrintable(QString::number(reached.size())));
        QStringList wrong;
        for (QWidget* widget : reached)
            if (const QString what = wrongWith(*widget); !what.isEmpty())
                wrong << what;
        for (QWidget* widget : expectedStops(window))
            if (!reached.contains(widget))
                wrong << u"not reached: "_s + described(*widget);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    void emptyScreensAreReadOut_data()
    {
        QTest::addColumn<QString>("screen");
        for (const Screen& screen : screens(options()))
            QTest::newRow(qPrintable(screen.name)) << screen.name;
    }
    void emptyScreensAreReadOut()
    {
        QFETCH(QString, screen);
        WindowFixture fixture(u"light"_s, {1280, 800}, options());
        QVERIFY(fixture.window->showScreen(screen));
        bool any = false;
        for (const EmptyScreen* empty : fixture.window->page()->findChildren<EmptyScreen*>())
            if (empty->isVisible()) {
                any = true;
                QVERIFY(empty->accessibleName().size() > 10);
            }
        QVERIFY(any || !fixture.window->page()->accessibleName().isEmpty());
    }

    /// A problem interrupts, a notice is told when there is time.
    void messagesAreAlerts()
    {
        WindowFixture fixture;
        MessageBar* bar = fixture.window->page()->showMessage(MessageBar::Kind::Error,
                                                              u"cat.jpg: cannot be read."_s);
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(bar);
        QVERIFY(face != nullptr);
        QCOMPARE(face->role(), QAccessible::AlertMessage);
        QVERIFY(face->text(QAccessible::Name).contains(u"cannot be read"_s));
    }

    /// With letters twice as large the window still has all of its parts, and none is cut.
    void twiceTheTextSize_data() { emptyScreensAreReadOut_data(); }
    void twiceTheTextSize()
    {
        QFETCH(QString, screen);
        const QFont before = QApplication::font();
        setBodyFont(2 * before.pointSize());
        {
            WindowFixture fixture(u"light"_s, {1920, 1200}, options());
            QVERIFY(fixture.window->showScreen(screen));
            QTest::qWait(60);
            fixture.shot(u"twice-"_s + screen);
            QVERIFY(fixture.window->width() <= 1920);
            QCOMPARE(attnscope::ui::test::cutText(*fixture.window->page()), QString());
        }
        QApplication::setFont(before);
    }
};

ATTNSCOPE_WINDOW_TEST(TestAccessibility)
#include "tst_accessibility.moc"
