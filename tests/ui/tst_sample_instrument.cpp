// An instrument is added by its request, its report and its tab: form, empty state, head, charts, table and files follow from it.
#include "tests/samples/instrument/coin_tab.h"
#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/widgets/page_head.h"

#include <QFile>
#include <QLabel>
#include <QTableView>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using attnscope::ui::test::WindowFixture;

namespace {

struct InstrumentFixture {
    InstrumentFixture() { tab->show(); }
    bool measure()
    {
        tab->run();
        return QTest::qWaitFor([this] { return tab->hasResults() && !session.isRunning(); }, 10'000);
    }

    WindowFixture own;
    CoinSession session{own.window->workspace()};
    QWidget parent;
    InstrumentTab* tab = coinTab(session, &parent);
};

}

class TestSampleInstrument : public QObject {
    Q_OBJECT
private slots:
    void theFormSaysWhatWouldBeMeasured()
    {
        InstrumentFixture fixture;
        QCOMPARE(fixture.tab->empty()->words().line, u"64 tosses."_s);
        fixture.tab->empty()->second()->click();
        QCOMPARE(fixture.tab->empty()->words().line, u"1024 tosses."_s);
        fixture.tab->findChild<CaptionSpin*>()->setValue(0);
        QCOMPARE(fixture.tab->empty()->words().line, u"Toss it at least once."_s);
        QVERIFY(!fixture.tab->canRun() && !fixture.tab->empty()->first()->isEnabled());
    }

    void resultsAreSaidDrawnListedAndExported()
    {
        InstrumentFixture fixture;
        ReportHead head({}, &fixture.parent);
        fixture.tab->showHead(head);
        QCOMPARE(head.headline()->text(), u"Heads vs. tosses"_s);
        QVERIFY(fixture.measure());
        fixture.tab->showHead(head);
        QVERIFY2(head.headline()->text().startsWith("Heads: 0."_L1), qPrintable(head.headline()->text()));
        QCOMPARE(fixture.tab->cells().rowCount(), 7);
        QCOMPARE(fixture.tab->chartViews().front().view->chart().series.front().points.size(), size_t(7));
        for (const char* suffix : {"svg", "tsv", "json"}) {
            const QString path = fixture.own.folder.filePath(u"coin."_s + QLatin1String(suffix));
            QCOMPARE(fixture.tab->exportTo(path), QString());
            QVERIFY(QFile::exists(path));
        }
    }

    void otherSettingsAreSaid()
    {
        InstrumentFixture fixture;
        QVERIFY(fixture.measure());
        QCOMPARE(fixture.tab->staleText(), QString());
        fixture.tab->findChild<CaptionSpin*>()->setValue(32);
        QCOMPARE(fixture.tab->staleText(), u"made with --tosses 64"_s);
        QVERIFY(fixture.tab->command().startsWith("attnscope-cli toss --tosses 64"_L1));
    }
};

ATTNSCOPE_WINDOW_TEST(TestSampleInstrument)
#include "tst_sample_instrument.moc"
