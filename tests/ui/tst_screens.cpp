#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/compare/compare_card.h"
#include "ui/compare/compare_page.h"
#include "ui/widgets/controls.h"
#include "ui/window/context_bar.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QScrollBar>

#include <cmath>
#include <set>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using attnscope::ui::test::WindowFixture;

namespace {

bool countsForNaming(const QWidget& widget)
{
    return widget.isVisible() && widget.focusPolicy() != Qt::NoFocus
           && qobject_cast<const QScrollBar*>(&widget) == nullptr
           && qobject_cast<const QMenuBar*>(&widget) == nullptr && !widget.objectName().startsWith("qt_"_L1);
}

/// A field's inner editor is named by the field.
bool isInnerPart(const QWidget& widget)
{
    const QWidget* parent = widget.parentWidget();
    return parent != nullptr
           && (qobject_cast<const QAbstractSpinBox*>(parent) != nullptr
               || qobject_cast<const QComboBox*>(parent) != nullptr);
}

}

class TestScreens : public QObject {
    Q_OBJECT
private slots:
    void noLabelIsElided_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QSize>("size");
        for (const QString& theme : {u"light"_s, u"dark"_s})
            for (const QSize& size : {QSize(1280, 800), QSize(1024, 640), QSize(1920, 1080)})
                QTest::addRow("%s-%dx%d", qPrintable(theme), size.width(), size.height()) << theme << size;
    }
    void noLabelIsElided()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        WindowFixture fixture(theme, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        QTest::qWait(80);
        checkLabels(*fixture.window);
        fixture.shot(u"empty-"_s + tag);
        fixture.window->openPaths(fixture.images(12));
        QVERIFY(fixture.waitIdle());
        checkLabels(*fixture.window);
        const QImage image = fixture.shot(u"compare-"_s + tag);
        QCOMPARE(image.size(), size);
        const ComparePage* page = fixture.window->page<ComparePage>();
        const QRect cells = page->card()->geometry(), chart = page->chartCard()->geometry();
        if (page->card()->isVisible() && page->chartCard()->isVisible())
            QVERIFY2(chart.top() - cells.bottom() > 8 || chart.left() - cells.right() > 8,
                     "the chart touches the cells");
    }

    void everyFocusableWidgetHasAName()
    {
        WindowFixture fixture;
        fixture.window->openPaths(fixture.images(2));
        QVERIFY(fixture.waitIdle());
        int count = 0;
        for (const QWidget* widget : fixture.window->findChildren<QWidget*>()) {
            if (!countsForNaming(*widget) || isInnerPart(*widget))
                continue;
            ++count;
            QVERIFY2(!widget->accessibleName().isEmpty(),
                     qPrintable(QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ')
                                + widget->objectName()));
        }
        QVERIFY(count > 15);
    }

    void tabVisitsEverythingAndReturns()
    {
        WindowFixture fixture;
        fixture.window->openPaths(fixture.images(2));
        QVERIFY(fixture.waitIdle());
        fixture.window->activateWindow();
        fixture.window->contextBar()->model()->setFocus();
        std::set<const QWidget*> seen;
        const QWidget* first = QApplication::focusWidget();
        QVERIFY(first != nullptr);
        for (int i = 0; i < 200; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            const QWidget* now = QApplication::focusWidget();
            QVERIFY(now != nullptr);
            seen.insert(now);
            if (now == first)
                break;
        }
        QVERIFY(seen.count(first) == 1);
        for (const QWidget* widget : fixture.window->findChildren<QWidget*>())
            if (countsForNaming(*widget) && !isInnerPart(*widget) && widget->isEnabled()
                && (widget->focusPolicy() & Qt::TabFocus) && widget->focusProxy() == nullptr)
                QVERIFY2(seen.count(widget) == 1, qPrintable(QString::fromLatin1(widget->metaObject()->className())
                                                             + QLatin1Char(' ') + widget->accessibleName()));
    }

    void longFileNameStaysWithinItsPlace()
    {
        WindowFixture fixture;
        fixture.window->openPaths(fixture.images(1, QString(140, QLatin1Char('x'))));
        QVERIFY(fixture.waitIdle());
        QCOMPARE(fixture.window->size(), QSize(1280, 800));
        fixture.shot(u"longname-light"_s);
    }

    void secondScaleShowsTheSameLayout()
    {
        WindowFixture fixture;
        fixture.window->openPaths(fixture.images(1));
        QVERIFY(fixture.waitIdle());
        QPixmap twice(fixture.window->size() * 2);
        twice.setDevicePixelRatio(2);
        fixture.window->render(&twice);
        const QString where = qEnvironmentVariable("ATTNSCOPE_SHOTS");
        if (!where.isEmpty())
            twice.save(where + u"/compare-light-2x.png"_s);
        // Everything stands where it stands at the first scale: patches of 32 pixels are as light in both.
        QImage once(fixture.window->size(), QImage::Format_RGB32);
        fixture.window->render(&once);
        const QImage halved = twice.toImage()
                                  .scaled(once.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                                  .convertToFormat(QImage::Format_RGB32);
        const int patch = 32;
        double worst = 0, most = 0, least = 255;
        QPoint where2x;
        for (int y = 0; y + patch <= once.height(); y += patch)
            for (int x = 0; x + patch <= once.width(); x += patch) {
                const double a = lightness(once, x, y, patch), b = lightness(halved, x, y, patch);
                if (std::abs(a - b) > worst)
                    worst = std::abs(a - b), where2x = {x, y};
                most = std::max(most, a), least = std::min(least, a);
            }
        QVERIFY2(worst < 14, qPrintable(u"%1 at %2, %3"_s.arg(worst).arg(where2x.x()).arg(where2x.y())));
        QVERIFY(most - least > 40);  // there is something to see
        // And it is drawn finer, not blown up.
        const QImage blown = once.scaled(twice.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        const QImage fine = twice.toImage().convertToFormat(QImage::Format_RGB32);
        qint64 different = 0;
        for (int y = 0; y < fine.height(); y += 3)
            for (int x = 0; x < fine.width(); x += 3)
                different += std::abs(qGray(fine.pixel(x, y)) - qGray(blown.pixel(x, y))) > 40;
        QVERIFY2(different > 1000, qPrintable(QString::number(different)));
    }

private:
    static double lightness(const QImage& image, int left, int top, int patch)
    {
        qint64 sum = 0;
        for (int y = top; y < top + patch; ++y)
            for (int x = left; x < left + patch; ++x)
                sum += qGray(image.pixel(x, y));
        return double(sum) / (patch * patch);
    }

    static void checkLabels(const MainWindow& window)
    {
        QCoreApplication::sendPostedEvents(
            nullptr, QEvent::LayoutRequest);  // the memory in use may just have got another digit
        for (const QLabel* label : window.findChildren<QLabel*>()) {
            if (!label->isVisible() || label->text().isEmpty() || label->wordWrap()
                || qobject_cast<const QWidget*>(label)->visibleRegion().isEmpty())
                continue;
            const int needed = QFontMetrics(label->font()).horizontalAdvance(label->text());
            QVERIFY2(needed <= label->width() + 1, qPrintable(label->text()));
        }
        for (const CaptionCombo* combo : window.findChildren<CaptionCombo*>())
            if (combo->isVisible())
                QVERIFY2(combo->sizeHint().width() <= combo->width() + 1, qPrintable(combo->currentText()));
        for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
            if (button->isVisible())
                QVERIFY2(button->sizeHint().width() <= button->width() + 1, qPrintable(button->accessibleName()));
    }
};

ATTNSCOPE_WINDOW_TEST(TestScreens)
#include "tst_screens.moc"
