#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/layers_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/layers/leaderboard/leaderboard_tab.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/page_head.h"

#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QTableView>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using namespace attnscope::ui::test;

namespace {

/// A window on the leaderboard, with an image opened and nothing measured.
struct BoardFixture : LayersFixture {
    explicit BoardFixture(const QString& theme = u"light"_s, QSize size = {1280, 800})
        : LayersFixture(theme, size)
    {
        window.window->openPaths(window.images(1, u"cat"_s));
        window.waitIdle();
        window.window->showScreen(u"layers"_s);
        page().showTab(LayersPage::Tab::Leaderboard);
    }

    InstrumentTab& panel() { return *page().leaderboard(); }
    ActionButton* button(const QStringList& texts)
    {
        for (ActionButton* each : panel().findChildren<ActionButton*>())
            if (texts.contains(each->text()))
                return each;
        qFatal("there is no such button");
    }
    ActionButton* start() { return button({u"Stop"_s, u"Run again"_s, u"Go on"_s}); }
    ActionButton* compare() { return button({u"Compare this one"_s}); }
    LeaderboardSession& board() { return session().leaderboard(); }
    bool measured()
    {
        const bool done = QTest::qWaitFor([this] { return board().report() != nullptr && !board().isRunning(); },
                                          20'000);
        QTest::qWait(80);
        return done;
    }
    int rows() { return panel().table()->model()->rowCount(); }
    QString cell(int row, int column) { return panel().table()->model()->index(row, column).data().toString(); }
};

const int allRows = int(scriptedRanking().size());

}

/// The tab of the Layers screen that shows all attentions which need no training.
class TestLeaderboardTab : public QObject {
    Q_OBJECT
private slots:
    void theEmptyTabSaysWhatItIsForAndRuns()
    {
        BoardFixture fixture;
        QVERIFY(fixture.panel().empty()->isVisible());
        QVERIFY(fixture.panel().empty()->words().title.contains(u"softmax"_s));
        QCOMPARE(fixture.script->rankings.load(), 0);
        fixture.window.shot(u"leaderboard-empty-light"_s);
        QTest::mouseClick(fixture.panel().empty()->first(), Qt::LeftButton);
        QVERIFY(fixture.measured());
        QVERIFY(!fixture.panel().empty()->isVisible());
        QCOMPARE(fixture.rows(), allRows);
        QCOMPARE(fixture.script->inspections.load(), 0);  // the other tab's work was not done
    }

    void rowsShowWhatWasMeasuredBestFirst()
    {
        BoardFixture fixture;
        fixture.window.window->action(u"run"_s)->trigger();
        QVERIFY(fixture.measured());
        const LeaderboardReport& report = *fixture.board().report();
        const LeaderboardRow& best = report.rows.front();
        QCOMPARE(fixture.cell(0, 0), toQt(best.attention));
        QCOMPARE(fixture.cell(0, 2), toQt(formatError(*best.effect->kl)));
        QCOMPARE(fixture.cell(0, 4), toQt(formatError(best.relative)));
        QVERIFY(fixture.cell(0, 1).contains(u"time"_s));
        QVERIFY2(fixture.panel().head()->headline()->text().contains(u"faster than exact attention"_s),
                 qPrintable(fixture.panel().head()->headline()->text()));
        QCOMPARE(fixture.panel().chartViews().front().view->chart().series.size(), 4U);
        QVERIFY(fixture.panel().chartViews().front().view->chart().front.size() >= 2);
        for (const char* theme : {"light", "dark"}) {
            BoardFixture shown(QString::fromLatin1(theme));
            shown.panel().run();
            QVERIFY(shown.measured());
            QCOMPARE(cutText(shown.page()), QString());
            shown.window.shot(u"leaderboard-%1"_s.arg(QString::fromLatin1(theme)));
        }
    }

    void aClickOnAHeadingSortsByIt()
    {
        BoardFixture fixture;
        fixture.panel().run();
        QVERIFY(fixture.measured());
        fixture.panel().table()->sortByColumn(6, Qt::AscendingOrder);  // time
        QCOMPARE(fixture.cell(0, 0), u"performer:samples=16"_s);
        fixture.panel().table()->sortByColumn(6, Qt::DescendingOrder);
        QCOMPARE(fixture.cell(allRows - 1, 0), u"performer:samples=16"_s);
    }

    void aStoppedRunKeepsItsRowsAndGoesOn()
    {
        BoardFixture fixture;
        fixture.script->holdRankingAt = 3;
        fixture.panel().run();
        QVERIFY(QTest::qWaitFor(
            [&] { return fixture.board().report() != nullptr && fixture.session().job().has_value(); }, 10'000));
        QVERIFY(fixture.session().isRunning());
        QVERIFY(!fixture.session().isInspecting());
        QCOMPARE(fixture.start()->text(), u"Stop"_s);
        QTest::mouseClick(fixture.start(), Qt::LeftButton);
        QVERIFY(fixture.measured());
        const auto kept = fixture.rows();
        QVERIFY(kept >= 1 && kept <= 3);
        QCOMPARE(fixture.start()->text(), u"Go on"_s);
        QStringList labels;
        for (const QLabel* label : fixture.panel().findChildren<QLabel*>())
            labels << label->text();
        QVERIFY(labels.contains(u"%1 of %2 attentions measured"_s.arg(kept).arg(allRows)));
        fixture.script->holdRankingAt = -1;
        QTest::mouseClick(fixture.start(), Qt::LeftButton);
        QVERIFY(fixture.measured());
        QCOMPARE(fixture.rows(), allRows);
        QVERIFY(fixture.board().progressText().isEmpty());
    }

    void aChosenRowIsMarkedInTheChartAndCanBeCompared()
    {
        BoardFixture fixture;
        fixture.panel().run();
        QVERIFY(fixture.measured());
        QVERIFY(!fixture.compare()->isEnabled());
        const QString spec = u"lara:prefix_attention=rows"_s;
        const QAbstractItemModel& cells = *fixture.panel().table()->model();
        const QModelIndexList found = cells.match(cells.index(0, 0), CellModel::KeyRole, spec, 1,
                                                  Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        fixture.panel().table()->setCurrentIndex(found.front());
        QVERIFY(fixture.compare()->isEnabled());
        const auto& rows = fixture.board().report()->rows;
        QCOMPARE(toQt(rows[size_t(fixture.panel().chartViews().front().view->chosen())].attention), spec);
        QVERIFY(!fixture.session().workspace().backends().checkedSpecs().contains(spec));
        QTest::mouseClick(fixture.compare(), Qt::LeftButton);
        QVERIFY(fixture.session().workspace().backends().checkedSpecs().contains(spec));
    }

    void theCommandAndTheFilesHoldTheSame()
    {
        BoardFixture fixture;
        QVERIFY(fixture.page().command().isEmpty());
        fixture.panel().run();
        QVERIFY(fixture.measured());
        QVERIFY2(fixture.page().command().startsWith(u"attnscope-cli approximate "_s),
                 qPrintable(fixture.page().command()));
        QVERIFY2(fixture.page().command().contains(u"--seeds 3 --all"_s), qPrintable(fixture.page().command()));
        const QString path = fixture.window.folder.filePath(u"board.json"_s);
        QCOMPARE(fixture.panel().exportTo(path), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).object()[u"rows"_s].toArray();
        QCOMPARE(rows.size(), allRows);
        for (const char* name : {"board.svg", "board.csv"}) {
            const QString other = fixture.window.folder.filePath(QString::fromLatin1(name));
            QCOMPARE(fixture.panel().exportTo(other), QString());
            QVERIFY(QFileInfo(other).size() > 500);
        }
        QFile board(fixture.window.folder.filePath(u"board.csv"_s));
        QVERIFY(board.open(QIODevice::ReadOnly));
        const QByteArray csv = board.readAll();
        QVERIFY2(csv.startsWith("Attention,") && csv.contains("Latency_ms median")
                     && csv.contains("Memory_bytes attention_peak"),
                 csv.left(600).constData());
        QVERIFY(!csv.contains(" ms") && !csv.contains("MiB") && !csv.contains("\u2212"));
        QCOMPARE(csv.count('\n'), allRows + 1);
        // The name that matters stands first.
        QVERIFY2(fixture.panel().head()->headline()->text().contains(": error "_L1),
                 qPrintable(fixture.panel().head()->headline()->text()));
    }

    void otherSettingsMakeItStale()
    {
        BoardFixture fixture;
        fixture.panel().run();
        QVERIFY(fixture.measured());
        QCOMPARE(fixture.board().staleText(fixture.session().question()), QString());
        fixture.board().setSeeds(5);
        QCOMPARE(fixture.board().staleText(fixture.session().question()), u"made with 3 seeds"_s);
    }

    void nothingIsCutInASmallWindow()
    {
        BoardFixture fixture(u"light"_s, {1024, 640});
        fixture.panel().run();
        QVERIFY(fixture.measured());
        QCOMPARE(cutText(fixture.page()), QString());
        fixture.window.shot(u"leaderboard-small-light"_s);
    }
};

ATTNSCOPE_WINDOW_TEST(TestLeaderboardTab)
#include "tst_leaderboard_tab.moc"
