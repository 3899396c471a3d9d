// How the Train screen looks, and its way by keyboard; over a scripted trainer.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/train_fixture.h"
#include "tests/ui/support/watchdog.h"
#include "ui/charts/chart_view.h"
#include "ui/compare/compare_page.h"
#include "ui/train/train_command.h"
#include "ui/train/train_form.h"
#include "ui/train/train_more.h"
#include "ui/train/train_page.h"
#include "ui/train/train_progress.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/number_fields.h"
#include "ui/window/context_bar.h"
#include "ui/window/rail.h"
#include "ui/workspace/attention_choice.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <cmath>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using test::pressInMessageBox;
using test::TrainFixture;
using test::Watchdog;
using test::WindowFixture;
using State = TrainSession::State;

class TestTrainLooks : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void tabVisitsTheFormFromTopToBottom()
    {
        TrainFixture fixture;
        fixture.fill(2);
        fixture.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.window));
        fixture.form->findChild<QLineEdit*>()->setFocus(Qt::TabFocusReason);
        int last = -1;
        QStringList visited;
        for (int i = 0; i < 60 && QApplication::focusWidget() != fixture.form->startButton(); ++i) {
            const QWidget* now = QApplication::focusWidget();
            QVERIFY(now != nullptr);
            visited << now->accessibleName();
            QVERIFY2(!now->accessibleName().isEmpty(),
                     qPrintable(QString::fromLatin1(now->metaObject()->className())));
            const int y = now->mapTo(fixture.form, QPoint(0, now->height())).y()
                          + fixture.form->findChild<QScrollArea*>()->verticalScrollBar()->value();
            QVERIFY2(y >= last - 24, qPrintable(visited.join(u" > "_s)));
            last = y;
            QTest::keyClick(const_cast<QWidget*>(now), Qt::Key_Tab);
        }
        QCOMPARE(QApplication::focusWidget(), fixture.form->startButton());
        QVERIFY2(visited.size() >= 10, qPrintable(visited.join(u" > "_s)));
    }

    void screensLookRight_data() { test::addLooks(); }
    /// No label is cut; images for people to look at where ATTNSCOPE_SHOTS says.
    void screensLookRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        TrainFixture fixture(theme, size);
        QTest::qWait(150);
        fixture.fixture.shot(u"train-empty-"_s + tag);
        fixture.fill(16, fixture.file(u"deit_tiny_softmax.safetensors"_s));
        QTest::qWait(250);
        fixture.fixture.shot(u"train-form-"_s + tag);
        QCOMPARE(test::cutText(*fixture.page), QString());
        fixture.script->steps = 10;
        fixture.page->run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().epochs().rowCount() >= 8; }, 20'000));
        fixture.script->hold = true;
        QTest::qWait(300);
        fixture.fixture.shot(u"train-running-"_s + tag);
        QCOMPARE(test::cutText(*fixture.page), QString());
        fixture.script->hold = false;
        QVERIFY(fixture.waitFor(State::Finished, 20'000));
        fixture.page->tables()->setCurrent(1);
        QTest::mouseClick(fixture.form->moreLink(), Qt::LeftButton);
        QTest::qWait(300);
        fixture.fixture.shot(u"train-finished-"_s + tag);
        QCOMPARE(test::cutText(*fixture.page), QString());
    }
};

ATTNSCOPE_WINDOW_TEST(TestTrainLooks)
#include "tst_train_looks.moc"
