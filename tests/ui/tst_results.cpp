// The Results screen over a real store with made-up predictions.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/front_keys.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/press_in_message_box.h"
#include "tests/ui/support/scripted_evaluation.h"
#include "tests/ui/support/watchdog.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/run_marks.h"
#include "ui/compare/compare_page.h"
#include "ui/results/results_page.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/drop_hint.h"
#include "ui/widgets/empty_screen.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPointer>
#include <QTableView>
#include <QTimer>

#include <algorithm>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using attnscope::ResultStore;
using test::EvaluationScript;
using test::Watchdog;
using test::WindowFixture;

namespace {

/// A window on Results over a store with two evaluations: runs 1 to 4 on scenes, 5 and 6 on another folder, cut off.
struct ResultsFixture {
    explicit ResultsFixture(const QString& theme = u"light"_s, QSize size = {1280, 800}, bool filled = true)
        : store(folder.filePath(u"results.sqlite"_s))
        , fixture(theme, size, options(filled))
    {
        window = fixture.window.get();
        window->showScreen(u"results"_s);
        page = window->page<ResultsPage>();
        if (filled && !QTest::qWaitFor([&] { return page->runs().rowCount() == 6; }, 10'000))
            qFatal("the store was not read");
    }
    WindowOptions options(bool filled)
    {
        if (filled) {
            test::writeEvaluation(store.toStdString(), "/data/scenes/val",
                                  {"softmax", "performer:samples=64", "lara", "nystrom"}, 480);
            test::writeEvaluation(store.toStdString(), "/data/imagenet/val", {"softmax", "lara:samples=16"}, 300,
                                  6, "deit_tiny_patch16_224");
        }
        WindowOptions made;
        made.evaluation = test::scriptedEvaluation(script);
        made.storeDelay = test::storeDelay(script);
        made.storePath = store;
        return made;
    }
    int rowOf(int64_t run) const
    {
        for (int row = 0; row < page->shown().rowCount(); ++row)
            if (page->shown().row(row).id() == run)
                return row;
        return -1;
    }
    void choose(int64_t run) { page->table()->selectRow(rowOf(run)); }
    QString cell(int64_t run, int column) const
    {
        return page->shown().index(rowOf(run), column).data().toString();
    }
    QString clipboard() const { return QGuiApplication::clipboard()->text(); }
    QString messages() const
    {
        QStringList out;
        for (const MessageBar* bar : page->findChildren<MessageBar*>())
            out << bar->sentence();
        return out.join(QLatin1Char('|'));
    }
    QByteArray exported(const QString& suffix)
    {
        const QString path = folder.filePath(u"out."_s + suffix);
        if (const QString problem = page->exportTo(path); !problem.isEmpty())
            return problem.toUtf8();
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::shared_ptr<EvaluationScript> script = std::make_shared<EvaluationScript>();
    QTemporaryDir folder;
    QString store;
    WindowFixture fixture;
    MainWindow* window = nullptr;
    ResultsPage* page = nullptr;
};

}

class TestResults : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void emptyScreenLeadsToBatch()
    {
        ResultsFixture fixture(u"light"_s, {1280, 800}, false);
        QVERIFY(fixture.page->empty()->isVisible());
        QCOMPARE(fixture.window->action(u"results"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_7));
        QTest::mouseClick(fixture.page->empty()->first(), Qt::LeftButton);
        QCOMPARE(fixture.window->screen(), u"batch"_s);
    }

    void everyRunIsListedWithWhatItWasMeasuredAgainst()
    {
        ResultsFixture fixture;
        QCOMPARE(fixture.page->shown().row(0).id(), int64_t(5));  // the newest evaluation first
        ResultStore stored(fixture.store.toStdString(), ResultStore::Mode::Read);
        QVERIFY(fixture.cell(1, RunsModel::Top1Column).startsWith(percentText(stored.accuracy(1))));
        QVERIFY(fixture.cell(1, RunsModel::AttentionColumn).endsWith(u"★"_s));
        QVERIFY2(fixture.cell(2, RunsModel::Top1Column).endsWith(u"▼"_s),
                 qPrintable(fixture.cell(2, RunsModel::Top1Column)));
        QVERIFY2(fixture.cell(3, RunsModel::LatencyColumn).endsWith(u"≈"_s),
                 qPrintable(fixture.cell(3, RunsModel::LatencyColumn)));
        QCOMPARE(fixture.cell(6, RunsModel::DataColumn), u"imagenet/val, 120 of 300"_s);
        QVERIFY2(fixture.page->headline()->text().startsWith("6 runs; best top-1: "_L1),
                 qPrintable(fixture.page->headline()->text()));
    }

    void filterNarrowsTableAndChart()
    {
        ResultsFixture fixture;
        QTest::keyClicks(fixture.page->filter(), u"folder:scenes -attention:softmax"_s);
        QCOMPARE(fixture.page->shown().rowCount(), 3);
        QVERIFY(fixture.page->headline()->text().startsWith("3 of 6 runs"_L1));
        QCOMPARE(fixture.page->chart()->spoken().count("model time"_L1), 3);
        fixture.page->filter()->setText(u"modell:x"_s);
        QCOMPARE(fixture.page->shown().rowCount(), 0);
        QVERIFY(fixture.page->findChild<QLabel*>() != nullptr);
        fixture.page->filter()->clear();
        QCOMPARE(fixture.page->shown().rowCount(), 6);
    }

    void tickedRunsStandSideBySide()
    {
        ResultsFixture fixture;
        fixture.choose(1);
        QTest::keyClick(fixture.page->table(), Qt::Key_Space);
        fixture.choose(6);
        QTest::keyClick(fixture.page->table(), Qt::Key_Space);
        fixture.page->views()->setCurrent(1);
        QVERIFY(fixture.page->comparison()->isVisible());
        const QAbstractItemModel* sides = fixture.page->comparison()->model();
        QCOMPARE(sides->columnCount(), 3);
        const int different = sides->rowCount();
        fixture.page->differencesOnly()->setChecked(false);
        QVERIFY(sides->rowCount() > different);
        QTest::keyClick(fixture.page->table(), Qt::Key_Space);
        QCOMPARE(sides->columnCount(), 2);
    }

    void referenceIsChosenAmongRunsOnTheSameSamples()
    {
        ResultsFixture fixture;
        fixture.choose(2);
        QTest::keyClick(fixture.page->table(), Qt::Key_R);
        QVERIFY(fixture.cell(2, RunsModel::AttentionColumn).endsWith(u"★"_s));
        QVERIFY2(fixture.cell(1, RunsModel::Top1Column).endsWith(u"▲"_s),
                 qPrintable(fixture.cell(1, RunsModel::Top1Column)));
        QVERIFY(fixture.cell(5, RunsModel::AttentionColumn).endsWith(u"★"_s));  // of other data: its own
        fixture.choose(2);
        QTest::keyClick(fixture.page->table(), Qt::Key_R);
        QVERIFY(fixture.cell(1, RunsModel::AttentionColumn).endsWith(u"★"_s));
    }

    void frontOfTheScatterIsThatOfFigures()
    {
        ResultsFixture fixture;
        fixture.page->filter()->setText(u"folder:scenes"_s);
        // Accuracy up, time down: performer is fastest, lara next, softmax best; nystrom is slower and worse.
        QCOMPARE(test::frontKeys(fixture.page->chart()->chart()), (QList<qint64>{2, 3, 1}));
        fixture.page->xBox()->setCurrentIndex(4);
        QVERIFY(fixture.page->chart()->spoken().contains("MiB"_L1));
        emit fixture.page->chart()->chosenChanged(3);
        QCOMPARE(fixture.page->shown().row(fixture.page->table()->currentIndex().row()).id(), int64_t(3));
    }

    /// Accuracies on different samples, and times of different machines, are not better or worse than each other.
    void runsAreComparedOnTheSameSamplesOnly()
    {
        ResultsFixture fixture;
        // On imagenet lara 16 loses to softmax in accuracy, is faster, and both are on the front of their own set.
        const QList<qint64> front = test::frontKeys(fixture.page->chart()->chart());
        for (const qint64 run : {1, 2, 3, 5})
            QVERIFY2(front.contains(run), qPrintable(QString::number(run)));
        const QString spoken = fixture.page->chart()->spoken();
        QVERIFY2(spoken.contains(u"softmax · scenes/val"_s) && spoken.contains(u"softmax · imagenet/val"_s),
                 qPrintable(spoken));
        const QString headline = fixture.page->headline()->text();
        QVERIFY2(headline.contains("on scenes/val"_L1) && headline.contains("on imagenet/val"_L1),
                 qPrintable(headline));
        test::writeEvaluation(fixture.store.toStdString(), "/data/later/val", {"softmax"}, 60);
        fixture.page->reload();
        QTRY_VERIFY2(fixture.page->headline()->text().contains("on different samples"_L1),
                     qPrintable(fixture.page->headline()->text()));
        fixture.page->filter()->setText(u"folder:scenes"_s);
        QVERIFY(!fixture.page->chart()->spoken().contains("scenes/val"_L1));
        // Twice the same attention on the same samples.
        test::writeEvaluation(fixture.store.toStdString(), "/data/scenes/val", {"softmax"}, 480, -1,
                              "deit_tiny_patch16_224");
        fixture.page->reload();
        QTRY_VERIFY2(fixture.page->chart()->spoken().contains(u"softmax · run 1"_s),
                     qPrintable(fixture.page->chart()->spoken()));
    }

    void noteIsEditedStoredAndTakenBack()
    {
        ResultsFixture fixture;
        fixture.choose(3);
        fixture.page->table()->setFocus();
        QTest::keyClick(fixture.page->table(), Qt::Key_F2);
        auto* editor = fixture.page->table()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, u"paper setting"_s);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(fixture.cell(3, RunsModel::NoteColumn), u"paper setting"_s);
        QCOMPARE(ResultStore(fixture.store.toStdString(), ResultStore::Mode::Read).evaluation(1).note,
                 std::string("paper setting"));
        fixture.window->action(u"undo"_s)->trigger();
        QTRY_COMPARE(fixture.cell(3, RunsModel::NoteColumn), QString());
    }

    void binGivesBack()
    {
        ResultsFixture fixture;
        fixture.choose(6);
        QTest::keyClick(fixture.page->table(), Qt::Key_Delete);
        QTRY_COMPARE(fixture.page->runs().rowCount(), 4);
        QVERIFY(fixture.messages().contains("imagenet/val with its 2 runs was moved to the trash"_L1));
        fixture.window->action(u"undo"_s)->trigger();
        QTRY_COMPARE(fixture.page->runs().rowCount(), 6);
    }

    void trashIsEmptiedAfterAsking()
    {
        ResultsFixture fixture;
        QVERIFY(!fixture.page->trashButton()->isVisible());
        fixture.choose(6);
        QTest::keyClick(fixture.page->table(), Qt::Key_Delete);
        QTRY_VERIFY(fixture.page->trashButton()->isVisible());
        const auto trashed = [&] {
            return ResultStore(fixture.store.toStdString(), ResultStore::Mode::Read).evaluations(true).size();
        };
        QString said;
        test::pressInMessageBox(u"Keep"_s, &said);
        fixture.page->trashButton()->click();
        QVERIFY2(said.contains("2 runs of 1 evaluation will be deleted from results.sqlite for good"_L1),
                 qPrintable(said));
        QCOMPARE(trashed(), size_t{1});
        test::pressInMessageBox(u"Delete 2 runs"_s, &said);
        fixture.page->trashButton()->click();
        QTRY_VERIFY(!fixture.page->trashButton()->isVisible());
        QCOMPARE(trashed(), size_t{0});
        QCOMPARE(fixture.page->runs().rowCount(), 4);
        fixture.window->action(u"undo"_s)->trigger();  // there is nothing to take back any more
        QTest::qWait(100);
        QCOMPARE(fixture.page->runs().rowCount(), 4);
    }

    void trashCanBeEmptiedWhenNothingElseIsLeft()
    {
        ResultsFixture fixture;
        for (const int left : {4, 0}) {
            fixture.page->table()->selectRow(0);
            fixture.page->discard();
            QTRY_COMPARE(fixture.page->runs().rowCount(), left);
        }
        QVERIFY(fixture.page->trashButton()->isVisible());
    }

    void bringBackBringsBackItsOwnEvaluation()
    {
        ResultsFixture fixture;
        fixture.choose(6);
        QTest::keyClick(fixture.page->table(), Qt::Key_Delete);
        QTRY_COMPARE(fixture.page->runs().rowCount(), 4);
        LinkButton* back = nullptr;
        for (LinkButton* link : fixture.page->findChildren<LinkButton*>())
            if (link->text() == "Undo"_L1)
                back = link;
        QVERIFY(back != nullptr);
        // A step on another evaluation comes after it.
        fixture.choose(3);
        fixture.page->table()->setFocus();
        fixture.page->editNote();
        auto* editor = fixture.page->table()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, u"later"_s);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(fixture.cell(3, RunsModel::NoteColumn), u"later"_s);
        back->click();
        QTRY_COMPARE(fixture.page->runs().rowCount(), 6);
        QCOMPARE(fixture.cell(3, RunsModel::NoteColumn), u"later"_s);
        // The step that is left is the note's.
        fixture.window->action(u"undo"_s)->trigger();
        QTRY_COMPARE(fixture.cell(3, RunsModel::NoteColumn), QString());
        QCOMPARE(fixture.page->runs().rowCount(), 6);
    }

    void aNoteBeingTypedOutlivesAReload()
    {
        ResultsFixture fixture;
        fixture.choose(3);
        fixture.page->table()->setFocus();
        QTest::keyClick(fixture.page->table(), Qt::Key_F2);
        QPointer<QLineEdit> editor = fixture.page->table()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, u"half a no"_s);
        test::writeEvaluation(fixture.store.toStdString(), "/data/later/val", {"softmax"}, 60);
        fixture.page->reload();
        QTRY_COMPARE(fixture.page->runs().rowCount(), 7);
        QTest::qWait(50);
        QVERIFY2(editor, "the editor is gone");
        QCOMPARE(editor->text(), u"half a no"_s);
        QTest::keyClicks(editor, u"te"_s);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(fixture.cell(3, RunsModel::NoteColumn), u"half a note"_s);
    }

    void arrowsPassPublishedMarks()
    {
        test::prepareApplication();
        ChartView chart(u"chart"_s, nullptr, ChartView::Names::AtMarks);
        const auto point = [](qint64 key, double x, bool published) {
            return RunMark{
                key, QString::number(key), u"lara"_s, ChartValue{x, x, x, {}}, {70, 70, 70, {}}, {}, published};
        };
        chart.setChart(
            runChart({point(1, 10, false), point(1, 10, true), point(2, 20, false), point(2, 20, true)}, {}, {}));
        connect(&chart, &ChartView::chosenChanged, &chart, &ChartView::setChosen);
        QList<qint64> walked;
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(&chart, Qt::Key_Right);
            walked << chart.chosen();
        }
        QCOMPARE(walked, (QList<qint64>{1, 2, 1}));
    }

    void aFewLargeValuesMakeAnAxisLogarithmicThatSaysSo()
    {
        test::prepareApplication();
        ChartView chart(u"chart"_s, nullptr, ChartView::Names::AtMarks);
        chart.resize(640, 240);
        chart.show();
        const auto point = [](qint64 key, double x, double y) {
            return RunMark{key, QString::number(key), u"lara"_s, ChartValue{x, x, x, {}}, {y, y, y, {}}};
        };
        const RunAxis x{.title = u"time"_s}, y{.title = u"relative error"_s, .fromZero = true};
        chart.setChart(
            runChart({point(1, 20, 0), point(2, 21, 0.19), point(3, 22, 0.5), point(4, 23, 0.83)}, x, y));
        QCOMPARE(chart.scaleNote(), QString());
        chart.setChart(runChart({point(1, 20, 0), point(2, 21, 0.19), point(3, 22, 0.5), point(4, 23, 9)}, x, y));
        QCOMPARE(chart.scaleNote(), u"relative error: logarithmic axis"_s);
        QVERIFY(chart.spoken().contains("logarithmic"_L1));
        // Where marks lie: 0.19 and 0.5 are apart, and zero has its place below them.
        QTest::qWait(80);
        const auto height = [&](qint64 key) { return chart.markAt(key).y(); };
        QVERIFY2(height(2) - height(3) > 20, qPrintable(QString::number(height(2) - height(3))));
        QVERIFY(height(1) > height(2));
        chart.setScale(ChartView::Scale::Linear);
        QTest::qWait(80);
        QCOMPARE(chart.scaleNote(), QString());
        QVERIFY(height(2) - height(3) < 12);
        chart.setScale(ChartView::Scale::Logarithmic);
        QCOMPARE(chart.scaleNote(), u"both axes logarithmic"_s);
    }

    void f4ShowsTheOtherPicture()
    {
        ResultsFixture fixture;
        QCOMPARE(fixture.page->views()->current(), 0);
        QTest::keyClick(fixture.window, Qt::Key_F4);
        QCOMPARE(fixture.page->views()->current(), 1);
        QCOMPARE(fixture.window->page<ComparePage>()->chartSegments()->current(),
                 0);  // that of Compare, which is not looked at
    }

    void tablesAndChartAreExported()
    {
        ResultsFixture fixture;
        fixture.window->action(u"copy"_s)->trigger();
        QCOMPARE(fixture.clipboard().split(QLatin1Char('\n')).size(), 8);
        fixture.window->action(u"copyMarkdown"_s)->trigger();
        QVERIFY(fixture.clipboard().startsWith("| Run | Attention |"_L1));
        fixture.choose(1);
        fixture.window->action(u"copyCommand"_s)->trigger();
        QCOMPARE(fixture.clipboard(), u"attnscope-cli evaluate /data/scenes/val"_s);
        // Files have numbers, with their units in the headings: no marks, signs or prefixes of what is shown.
        const QByteArray csv = fixture.exported(u"csv"_s);
        QVERIFY2(csv.startsWith("Run,Attention,") && csv.contains(",Latency_ms median,")
                     && csv.contains(",Memory_bytes peak,"),
                 csv.constData());
        QVERIFY2(csv.contains(",62.1,") && csv.contains(",24500000,"), csv.constData());
        for (const char* shown : {"±", "≈", "▲", ".1 ms", "MiB", "today", "—"})
            QVERIFY2(!csv.contains(shown), shown);
        QCOMPARE(csv.count('\n'), 7);
        const QJsonArray runs = QJsonDocument::fromJson(fixture.exported(u"json"_s)).object()[u"runs"_s].toArray();
        QCOMPARE(runs.size(), 6);
        QCOMPARE(runs[5].toObject()[u"latency_ms"_s].toObject()[u"median"_s].toDouble() > 0, true);
        QVERIFY(fixture.exported(u"tex"_s).contains("\\begin{tabular}"));
        const QByteArray svg = fixture.exported(u"svg"_s);
        QVERIFY(svg.contains("<svg") && svg.contains("performer 64"));
        QVERIFY(!QImage::fromData(fixture.exported(u"png"_s)).isNull());
        QVERIFY(fixture.exported(u"doc"_s).contains("unknown file format"));
        QVERIFY(fixture.page->exportTo(u"/no/such/folder/x.csv"_s).contains("cannot be written"_L1));
    }

    void reportIsThatOfTheCommandLine()
    {
        ResultsFixture fixture;
        const QString path = fixture.folder.filePath(u"report.html"_s);
        fixture.page->filter()->setText(u"folder:scenes"_s);
        fixture.page->writeReport(path);
        QTRY_VERIFY2(fixture.messages().contains(u"Report saved to "_s + path), qPrintable(fixture.messages()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        QVERIFY(html.contains("<svg") && html.contains("performer") && !html.contains("deit_tiny_patch16_224"));
        fixture.page->writeReport(u"/no/such/folder/report.html"_s);
        QTRY_VERIFY2(fixture.messages().contains("/no/such/folder"_L1), qPrintable(fixture.messages()));
    }

    void ticksStayWithTheStoreThatTheyWereMadeIn()
    {
        ResultsFixture fixture;
        const QString other = fixture.folder.filePath(u"other.sqlite"_s);
        test::writeEvaluation(other.toStdString(), "/data/elsewhere", {"softmax", "lara"}, 60);
        fixture.page->runs().setTicked(1, true);
        fixture.page->runs().setReference(2);
        fixture.window->workspace().showScreen(u"results"_s, {other});
        QTRY_COMPARE(fixture.page->runs().rowCount(), 2);
        QVERIFY(fixture.page->runs().ticked().empty());
        QCOMPARE(fixture.page->runs().reference(), int64_t(0));
    }

    void storeIsOpenedByDroppingIt()
    {
        ResultsFixture fixture;
        const QString other = fixture.folder.filePath(u"other.sqlite"_s);
        test::writeEvaluation(other.toStdString(), "/data/elsewhere", {"softmax"}, 60);
        fixture.window->showScreen(u"compare"_s);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(other)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window, &enter);
        QCOMPARE(fixture.window->findChild<DropHint*>()->text(), u"Show the results of this store"_s);
        QDropEvent event(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(fixture.window, &event);
        QCOMPARE(fixture.window->screen(), u"results"_s);
        QTRY_COMPARE(fixture.page->runs().rowCount(), 1);
        // One that is none is a sentence, and what was shown stays.
        const QString none = fixture.folder.filePath(u"none.sqlite"_s);
        QFile file(none);
        QVERIFY(file.open(QIODevice::WriteOnly)
                && file.write("no store at all, but long enough to be looked at") > 0);
        file.close();
        fixture.window->workspace().showScreen(u"results"_s, {none});
        QTRY_VERIFY2(fixture.messages().contains("none.sqlite"_L1), qPrintable(fixture.messages()));
    }

    void thousandsOfRunsKeepTheEventLoopGoing()
    {
        ResultsFixture fixture;
        const ResultRow pattern = fixture.page->runs().rows().front();
        qint64 best = 1'000'000;
        for (int attempt = 0; attempt < 3 && best > 100; ++attempt) {
            std::vector<ResultRow> many;
            for (int i = 0; i < 3000; ++i) {
                auto evaluation = std::make_shared<attnscope::StoredEvaluation>(*pattern.evaluation);
                evaluation->runs[0].id = 1000 + i;
                evaluation->runs[0].attention = i % 2 == 0 ? "softmax" : "lara:samples=49";
                many.push_back({evaluation, 0, {1000, 500 + i % 400, 990}});
            }
            Watchdog watchdog;
            fixture.page->runs().setRows(many);
            QTest::qWait(50);
            for (const char* text : {"l", "la", "lara", ""}) {
                fixture.page->filter()->setText(QLatin1String(text));
                QTest::qWait(30);
            }
            fixture.page->table()->sortByColumn(RunsModel::Top1Column, Qt::DescendingOrder);
            QTest::qWait(50);
            best = std::min(best, watchdog.longest);
        }
        QVERIFY2(best <= 100, qPrintable(u"gap of %1 ms"_s.arg(best)));
    }

    void everyWidgetHasANameAndTabComesRound()
    {
        ResultsFixture fixture;
        fixture.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.window));
        const QStringList visited = test::tabbedThrough(*fixture.page, *fixture.page->filter());
        QVERIFY2(!visited.contains(QString()), qPrintable(visited.join(u" > "_s)));
        for (const char* name : {"Filter runs", "Runs", "View", "Vertical axis", "Scatter chart of runs"})
            QVERIFY2(visited.contains(QLatin1String(name)), name);
    }

    void screensLookRight_data() { test::addLooks(); }
    /// No label is cut; images for people to look at where ATTNSCOPE_SHOTS says.
    void screensLookRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        {
            ResultsFixture fixture(theme, size, false);
            QTest::qWait(100);
            fixture.fixture.shot(u"results-empty-"_s + tag);
        }
        ResultsFixture fixture(theme, size);
        QTest::qWait(200);
        fixture.fixture.shot(u"results-scatter-"_s + tag);
        QCOMPARE(test::cutText(*fixture.page), QString());
        for (const int64_t run : {1, 2, 3})
            fixture.page->runs().setTicked(run, true);
        fixture.choose(3);
        QTest::qWait(200);
        fixture.fixture.shot(u"results-ticked-"_s + tag);
        fixture.page->views()->setCurrent(1);
        QTest::qWait(200);
        fixture.fixture.shot(u"results-sides-"_s + tag);
        QCOMPARE(test::cutText(*fixture.page), QString());
    }
};

ATTNSCOPE_WINDOW_TEST(TestResults)
#include "tst_results.moc"
