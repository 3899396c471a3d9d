#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/layers_fixture.h"
#include "tests/ui/support/watchdog.h"
#include "ui/charts/chart_view.h"
#include "ui/layers/heat_table.h"
#include "ui/layers/layer_depth.h"
#include "ui/layers/layer_details.h"
#include "ui/layers/layer_summary.h"
#include "ui/layers/layer_terms.h"
#include "ui/layers/layers_page.h"
#include "ui/layers/maps/map_view.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/frame_chooser.h"

#include "core/base/format.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using namespace attnscope::ui::test;

namespace {

QString errorOf(const char* backend, int layer, int head, double factor = 1)
{
    return toQt(formatError(factor * scriptedError(backend, layer, head)));
}

}

class TestLayers : public QObject {
    Q_OBJECT
private slots:
    void anEmptyScreenSaysWhatItIsFor()
    {
        LayersFixture fixture;
        QTest::keyClick(fixture.window.window.get(), Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(fixture.window.window->screen(), u"layers"_s);
        QVERIFY(fixture.page().empty()->isVisible());
        fixture.window.shot(u"layers-empty-light"_s);
        QTest::mouseClick(fixture.page().empty()->first(), Qt::LeftButton);  // the demo
        QVERIFY(fixture.settled());
        QVERIFY(!fixture.page().empty()->isVisible());
        QCOMPARE(fixture.window.behaviour->runs.load(), 0);  // nothing was compared
    }

    void anInputOfCompareIsInspectedOnRequestAlone()
    {
        LayersFixture fixture;
        fixture.window.window->openPaths(fixture.window.images(1));
        QVERIFY(fixture.window.waitIdle());
        fixture.window.window->showScreen(u"layers"_s);
        QTest::qWait(60);
        QCOMPARE(fixture.script->inspections.load(), 0);
        QCOMPARE(fixture.page().empty()->first()->text(), u"Inspect the layers"_s);
        fixture.window.window->action(u"run"_s)->trigger();
        QVERIFY(fixture.settled());
        QCOMPARE(fixture.session().inputName(), u"photo1.png"_s);
        QCOMPARE(fixture.session().names().size(), 2);  // softmax is what they are held against
    }

    void filesOfOneNameInTwoFoldersAreTwoInputs()
    {
        LayersFixture fixture;
        QStringList paths;
        for (const QString& folder : {u"a"_s, u"b"_s}) {
            QDir(fixture.window.folder.path()).mkpath(folder);
            const QString path = fixture.window.folder.filePath(folder + u"/cat.png"_s);
            QVERIFY(QFile::copy(fixture.window.images(1).front(), path));
            paths << path;
        }
        QVERIFY(fixture.inspect({paths[0]}));
        QCOMPARE(fixture.session().staleText(), QString());
        fixture.window.window->openPaths({paths[1]});
        QVERIFY(fixture.window.waitIdle());
        QCOMPARE(fixture.session().staleText(), u"made with "_s + paths[0]);
    }

    void cellsShowTheErrorsOfTheChosenMode()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        fixture.show(u"lara"_s);
        LayerCells& cells = fixture.page().cells();
        QCOMPARE(cells.rowCount(), 12);
        QCOMPARE(cells.columnCount(), 7);
        QCOMPARE(cells.index(6, 2).data().toString(), errorOf("lara", 6, 2));
        QVERIFY(fixture.page().headline()->text().startsWith(u"Error is largest in layer"_s));
        fixture.page().modes()->setCurrent(1);
        emit fixture.page().modes()->chosen(1);
        QCOMPARE(cells.index(6, 2).data().toString(), errorOf("lara", 6, 2, 1.5));
        QVERIFY2(fixture.page().headline()->text().contains(u"keeps the prediction"_s),
                 qPrintable(fixture.page().headline()->text()));
        fixture.page().metric()->setCurrentIndex(fixture.page().metric()->findText(u"bias²"_s));
        const double relative = 1.5 * scriptedError("lara", 6, 2);
        QCOMPARE(cells.index(6, 2).data().toString(), toQt(formatError(relative * relative * 0.007)));
        fixture.window.shot(u"layers-bias-light"_s);
    }

    void endToEndNamesTheLayerThatFlipsTheClass()
    {
        LayersFixture fixture;
        fixture.script->flips = true;
        QVERIFY(fixture.inspect());
        QVERIFY(!fixture.page().cells().flips(7));  // not of this mode
        fixture.session().setMode(InspectionMode::EndToEnd);
        QVERIFY2(fixture.page().headline()->text().contains(u"layer 7 alone is enough"_s),
                 qPrintable(fixture.page().headline()->text()));
        QVERIFY(fixture.page().cells().headerData(7, Qt::Vertical).toString().startsWith(u"≠"_s));
        fixture.session().setCell({7, 2});
        QVERIFY2(fixture.details().info()->text().contains(u"≠ class"_s),
                 qPrintable(fixture.details().info()->text()));
        fixture.details().setPart(LayerDetails::Part::Depth);
        QTest::qWait(250);
        QVERIFY(fixture.details().depth()->alone()->isVisible());
        QVERIFY2(fixture.details().depth()->errors()->spoken().contains(u"0.24"_s),
                 qPrintable(fixture.details().depth()->errors()->spoken()));
        fixture.window.shot(u"layers-endtoend-light"_s);
    }

    void theKeyboardWalksTheCellsAndAReaderHearsThem()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        fixture.show(u"lara"_s);
        fixture.session().setCell({5, 2});
        HeatTable* table = fixture.page().table();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(fixture.session().cell(), (HeadCell{6, 2}));
        QCOMPARE(table->currentIndex().data(Qt::AccessibleTextRole).toString(),
                 u"layer 6, head 2, relative error %1"_s.arg(errorOf("lara", 6, 2)));
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(table, Qt::Key_Right);
        QCOMPARE(fixture.session().cell(), (HeadCell{6, -1}));
        QVERIFY(table->currentIndex().data(Qt::AccessibleTextRole).toString().contains(u"mean over heads"_s));
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(fixture.details().exactMap()->hasFocus());
    }

    void figuresOfACellSumUpAndDeterminismIsSaid()
    {
        LayersFixture fixture;
        fixture.window.window->workspace().backends().setSpecs(
            {AttentionSpec::parse("softmax"), AttentionSpec::parse("nystrom"), AttentionSpec::parse("lara")});
        QVERIFY(fixture.inspect());
        fixture.show(u"lara"_s);
        fixture.session().setCell({3, 1});
        QString text = fixture.details().info()->text();
        for (const char* part :
             {"MSE", "= bias²", "+ variance", "prefix tokens", "patches", "mean of values: 0.83", "zero: 1"})
            QVERIFY2(text.contains(QString::fromUtf8(part)), part);
        fixture.show(u"nystrom"_s);
        text = fixture.details().info()->text();
        QVERIFY(text.contains(u"deterministic"_s) && !text.contains(u"+ variance"_s));
    }

    void aClickedPatchIsTheQueryOfAllMaps()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        fixture.show(u"lara"_s);
        QVERIFY(fixture.settled());
        QVERIFY(fixture.session().query().classToken);
        QCOMPARE(fixture.details().exactMap()->map()->values.size(), size_t{14 * 14});
        QCOMPARE(fixture.details().impliedMap()->landmarks().size(), size_t{49});
        const int before = fixture.script->mapQuestions;
        MapView* map = fixture.details().differenceMap();
        QTest::mouseClick(map, Qt::LeftButton, {}, map->patchRect(9, 4).center().toPoint());
        QVERIFY(fixture.settled());
        QCOMPARE(fixture.session().queryText(), u"9,4"_s);
        QCOMPARE(fixture.script->mapQuestions.load(), before + 1);
        const InspectRequest last = fixture.script->requested().back();
        QVERIFY(!last.errors && !last.endToEnd && !last.alone && last.attention.size() == 1);
        QVERIFY(fixture.details().exactMap()->accessibleDescription().contains(u"query at row 9, column 4"_s));
        // Its maps are kept: no question when one comes back to it.
        QTest::keyClick(map, Qt::Key_Right);
        QVERIFY(fixture.settled());
        QTest::keyClick(map, Qt::Key_Left);
        QVERIFY(fixture.settled());
        QCOMPARE(fixture.script->mapQuestions.load(), before + 2);
        fixture.details().landmarks()->setChecked(false);
        QCOMPARE(fixture.details().impliedMap()->landmarks().size(), size_t{0});
        QTest::mouseClick(fixture.details().classToken(), Qt::LeftButton);
        QVERIFY(fixture.session().query().classToken);
    }

    void whatAQuerySeesIsShown()
    {
        LayersFixture fixture;
        fixture.script->sparse = true;
        QVERIFY(fixture.inspect());
        const QString detail = fixture.page().detail()->text();
        QVERIFY2(detail.contains(u"7.1 % of queries saw no key and used all"_s), qPrintable(detail));
        fixture.show(u"performer"_s);
        fixture.session().setCell({3, 1});
        fixture.session().setQuery({0, 9, 4, false});
        fixture.details().setPart(LayerDetails::Part::Tokens);
        QVERIFY(fixture.settled());
        const MapView &seen = *fixture.details().tokenMap(0), &mass = *fixture.details().tokenMap(1);
        QCOMPARE(std::count(seen.map()->values.begin(), seen.map()->values.end(), 1.0), 9);
        QCOMPARE(seen.map()->values[9 * 14 + 4], 1.0);
        QVERIFY2(seen.accessibleDescription().contains(u"9 of 196 patches are seen"_s),
                 qPrintable(seen.accessibleDescription()));
        QVERIFY(std::isnan(mass.map()->values.front()) && mass.map()->values.back() > 0.8);
        QVERIFY2(mass.accessibleDescription().contains(u"smallest mass 0.30 at row 1, column 0"_s),
                 qPrintable(mass.accessibleDescription()));
        const QString note = fixture.details().note();
        for (const char* part : {"sees 10 of 197 keys, with 0.47 of exact attention's weight",
                                 "the class token is seen", "13 % of all pairs are seen",
                                 "mass kept 0.60 on average", "7.1 % of queries saw no key and used all"})
            QVERIFY2(note.contains(QString::fromUtf8(part)), qPrintable(note));
        fixture.window.shot(u"layers-keys"_s);
        // A click on the mass of a query asks for what that one sees.
        QTest::mouseClick(fixture.details().tokenMap(1), Qt::LeftButton, {},
                          mass.patchRect(0, 2).center().toPoint());
        QVERIFY(fixture.settled());
        QCOMPARE(fixture.session().queryText(), u"0,2"_s);
        QVERIFY2(fixture.details().note().contains(u"sees no key, and uses all"_s),
                 qPrintable(fixture.details().note()));
        using Export = LayersPage::Export;
        for (const auto& [what, name] :
             {std::pair(Export::KeysSeen, "seen.svg"), std::pair(Export::MassKept, "mass.csv")}) {
            const QString path = fixture.window.folder.filePath(QString::fromLatin1(name));
            QCOMPARE(fixture.page().exportTo(what, path), QString());
            QVERIFY(QFile(path).size() > 400);
        }
    }

    void anAttentionThatSeesAllSaysSo()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        fixture.details().setPart(LayerDetails::Part::Tokens);
        QVERIFY2(fixture.details().tokenMap(0)->notice().contains(u"every query sees all of them"_s),
                 qPrintable(fixture.details().tokenMap(0)->notice()));
        QVERIFY(!fixture.page()
                     .exportTo(LayersPage::Export::MassKept, fixture.window.folder.filePath(u"mass.csv"_s))
                     .isEmpty());
    }

    void oneMapOfTokensIsNotShownTwice()
    {
        LayersFixture fixture;
        fixture.script->errs = true;
        QVERIFY(fixture.inspect());
        fixture.session().setCell({3, 1});
        LayerDetails& details = fixture.details();
        details.setPart(LayerDetails::Part::Tokens);
        QVERIFY(fixture.settled());
        QCOMPARE(details.tokenBox(0)->count(), 1);
        QVERIFY(details.tokenMap(0)->isVisible() && !details.tokenMap(1)->isVisible()
                && !details.tokenBox(1)->isVisible());
        QVERIFY(!fixture.page()
                     .exportTo(LayersPage::Export::SecondTokens, fixture.window.folder.filePath(u"second.svg"_s))
                     .isEmpty());
        fixture.window.shot(u"layers-one-map"_s);
        details.setPart(LayerDetails::Part::Maps);
        QVERIFY(details.tokenMap(1)->isVisible());
    }

    /// An attention that does worse than ignoring the query is marked, in words, too.
    void headsWorseThanTheMeanOfTheValuesAreMarked()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        int marked = 0;
        const QAbstractItemModel& cells = *fixture.page().table()->model();
        for (int row = 0; row < cells.rowCount(); ++row)
            for (int column = 0; column < cells.columnCount(); ++column) {
                const QModelIndex cell = cells.index(row, column);
                const bool worse = cell.data(LayerCells::ValueRole).toDouble() > 0.83;  // the scripted baseline
                marked += worse ? 1 : 0;
                QCOMPARE(cell.data(LayerCells::UselessRole).toBool(), worse);
                QCOMPARE(cell.data(Qt::ToolTipRole).toString().contains("worse than the mean of the values"_L1),
                         worse);
            }
        QVERIFY(marked > 0);
    }

    void whatAnAttentionChoseIsDrawn()
    {
        LayersFixture fixture;
        fixture.script->chooses = true;
        QVERIFY(fixture.inspect());
        fixture.session().setCell({3, 1});
        fixture.session().setQuery({0, 9, 4, false});
        LayerDetails& details = fixture.details();
        details.setPart(LayerDetails::Part::Tokens);
        QVERIFY(fixture.settled());
        QStringList offered;
        for (int i = 0; i < details.tokenBox(0)->count(); ++i)
            offered << details.tokenBox(0)->itemText(i);
        QCOMPARE(offered, QStringList({u"Blocks kept exactly"_s, u"Clusters of queries"_s,
                                       u"Keys of the coreset"_s, u"Error of the queries"_s}));
        const auto spoken = [&](int place) { return details.tokenMap(place)->accessibleDescription(); };
        QCOMPARE(details.tokenBox(1)->currentIndex(), 1);
        QVERIFY2(spoken(1).contains(u"196 patches in 14 classes"_s), qPrintable(spoken(1)));
        QCOMPARE(details.tokenMap(1)->colours(), HeatColours::Category);
        fixture.window.shot(u"layers-tokens"_s);
        // Another map, which stays chosen with another attention.
        details.tokenBox(0)->setCurrentIndex(2);
        emit details.tokenBox(0)->activated(2);
        QVERIFY2(spoken(0).contains(u"28 of 196 patches have a number; the largest is 7.50 at row 13, column 2"_s),
                 qPrintable(spoken(0)));
        QVERIFY(std::isnan(details.tokenMap(0)->map()->values[1]));
        QVERIFY2(details.note().contains(u"Keys of the coreset: a number of every token"_s),
                 qPrintable(details.note()));
        fixture.show(u"lara"_s);
        QVERIFY(fixture.settled());
        QCOMPARE(details.tokenBox(0)->currentText(), u"Keys of the coreset"_s);
        QTest::mouseClick(details.tokenMap(1), Qt::LeftButton, {},
                          details.tokenMap(1)->patchRect(2, 3).center().toPoint());
        QCOMPARE(fixture.session().queryText(), u"2,3"_s);
        QVERIFY(fixture.settled());
        for (const char* name : {"tokens.svg", "tokens.png", "tokens.csv"}) {
            const QString path = fixture.window.folder.filePath(QString::fromLatin1(name));
            QCOMPARE(fixture.page().exportTo(LayersPage::Export::SecondTokens, path), QString());
            QVERIFY(QFile(path).size() > 400);
        }
        details.setPart(LayerDetails::Part::Maps);
        QVERIFY(!details.tokenBox(0)->isVisible() && details.impliedMap()->colours() == HeatColours::Magnitude);
    }

    void termsAreComputedWhenTheyAreShown()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        fixture.session().setCell({3, 2});
        fixture.session().setQuery({0, 9, 4, false});
        QVERIFY(fixture.settled());
        QCOMPARE(fixture.script->termQuestions.load(), 0);
        fixture.details().setPart(LayerDetails::Part::Terms);
        const auto shown = [&] {
            return QTest::qWaitFor([&] { return fixture.session().terms() != nullptr; }, 10'000);
        };
        QVERIFY(shown());
        QCOMPARE(fixture.script->termQuestions.load(), 1);
        const MapView& map = *fixture.details().terms()->map(LogitTerm::PositionPosition);
        QCOMPARE(map.colours(), HeatColours::Difference);
        QCOMPARE(map.map()->values.size(), size_t{196});
        QVERIFY(fixture.details().terms()->note().contains(u"query: patch (9, 4)"_s));
        bool fraction = false;  // of head 2
        for (const ElidedLabel* caption : fixture.details().terms()->findChildren<ElidedLabel*>())
            fraction = fraction || caption->text() == u"position–position  0.28"_s;
        QVERIFY(fraction);
        QTest::mouseClick(fixture.details().terms()->map(LogitTerm::ContentContent), Qt::LeftButton, {},
                          map.patchRect(2, 3).center().toPoint());
        QCOMPARE(fixture.session().queryText(), u"2,3"_s);
        QVERIFY(shown());
        QCOMPARE(fixture.script->termQuestions.load(), 2);
        fixture.session().setQuery({0, 9, 4, false});
        QVERIFY(fixture.session().terms() != nullptr);  // kept
        const QString line = fixture.page().command();
        QVERIFY2(line.contains(u"--query 9,4 --terms"_s) && !line.contains(u"--attention"_s), qPrintable(line));
        const QString path = fixture.window.folder.filePath(u"terms.svg"_s);
        QCOMPARE(fixture.page().exportTo(LayersPage::Export::Terms, path), QString());
        QVERIFY(QFile(path).size() > 400);
        fixture.details().setPart(LayerDetails::Part::Maps);
        QVERIFY(fixture.page().command().contains(u"--attention performer"_s));
    }

    void aNetworkWithoutPositionsHasNoTerms()
    {
        LayersFixture fixture;
        fixture.script->placeless = true;
        QVERIFY(fixture.inspect());
        fixture.details().setPart(LayerDetails::Part::Terms);
        MapView* map = fixture.details().terms()->map(LogitTerm::ContentContent);
        QTRY_VERIFY_WITH_TIMEOUT(map->notice().contains(u"no position embedding"_s), 10'000);
        fixture.session().setQuery({0, 3, 3, false});
        QVERIFY(fixture.settled());
        QCOMPARE(fixture.script->termQuestions.load(), 1);  // no query has any
    }

    void negativeWeightsGetADivergingScale()
    {
        LayersFixture fixture;
        fixture.script->negative = true;
        QVERIFY(fixture.inspect());
        QCOMPARE(fixture.details().exactMap()->colours(), HeatColours::Magnitude);
        QCOMPARE(fixture.details().impliedMap()->colours(), HeatColours::Difference);
        fixture.script->negative = false;
        fixture.session().run();
        QVERIFY(fixture.settled());
        QCOMPARE(fixture.details().impliedMap()->colours(), HeatColours::Magnitude);
    }

    void aPyramidIsGroupedByItsStages()
    {
        LayersFixture fixture;
        fixture.script->stages = true;
        fixture.script->prefix = 0;
        QVERIFY(fixture.inspect());
        LayerCells& cells = fixture.page().cells();
        QVERIFY(!cells.isGroupStart(0) && !cells.isGroupStart(2) && cells.isGroupStart(3));
        QVERIFY(!(cells.flags(cells.index(0, 2)) & Qt::ItemIsSelectable));  // the first stage has one head
        QCOMPARE(cells.index(0, 2).data().toString(), QString());
        QVERIFY(!fixture.session().query().classToken);
        QVERIFY(!fixture.details().classToken()->isVisible());
        fixture.details().setPart(LayerDetails::Part::Rollout);
        QVERIFY(!fixture.details().exactMap()->map());
        QVERIFY(!fixture.details().exactMap()->accessibleDescription().isEmpty());
        fixture.details().setPart(LayerDetails::Part::Maps);
        fixture.window.shot(u"layers-stages-light"_s);
    }

    void aVideoHasItsFramesToChooseFrom()
    {
        LayersFixture fixture;
        fixture.script->frames = 4;
        const QStringList images = fixture.window.images(1, u"clip"_s);
        const QString video = fixture.window.folder.filePath(u"clip.mp4"_s);
        QVERIFY(QFile::copy(images.front(), video));
        fixture.window.window->showScreen(u"layers"_s);
        QVERIFY(fixture.window.window->workspace().takeInputs({video}));
        fixture.session().run();
        QVERIFY(fixture.settled());
        FrameChooser* frames = fixture.details().frames();
        QVERIFY(frames->isVisible());
        QCOMPARE(frames->count(), 4);
        QVERIFY(frames->accessibleDescription().contains(u"% of the attention weight"_s));
        QTest::mouseClick(frames, Qt::LeftButton, {}, frames->frameRect(2).center().toPoint());
        QCOMPARE(frames->current(), 2);
        MapView* map = fixture.details().exactMap();
        QTest::mouseClick(map, Qt::LeftButton, {}, map->patchRect(3, 3).center().toPoint());
        QVERIFY(fixture.settled());
        QCOMPARE(fixture.session().queryText(), u"2,3,3"_s);
        QVERIFY2(fixture.session().command().contains(u"--views 1x1"_s), qPrintable(fixture.session().command()));
        fixture.window.shot(u"layers-video-light"_s);
    }

    void oneAttentionThatFailsLeavesTheOthersAlone()
    {
        LayersFixture fixture;
        fixture.script->failing = "lara";
        QVERIFY(fixture.inspect());
        QCOMPARE(fixture.page().cells().rowCount(), 12);  // performer's
        fixture.show(u"lara"_s);
        QVERIFY(fixture.page().headline()->text().contains(u"could not be run"_s));
        QCOMPARE(fixture.page().cells().rowCount(), 0);
        fixture.show(u"performer"_s);
        QCOMPARE(fixture.page().cells().rowCount(), 12);
    }

    void whatBelongsToOtherSettingsIsKeptAndSaysSo()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        QVERIFY(!fixture.page().stale()->isVisible());
        RunContext context = fixture.window.window->workspace().context();
        context.seed = 7;
        fixture.window.window->workspace().setContext(context);
        QVERIFY(fixture.page().stale()->isVisible());
        QCOMPARE(fixture.page().stale()->text(), u"made with seed 0"_s);
        QCOMPARE(fixture.page().cells().rowCount(), 12);
        fixture.session().run();
        QVERIFY(fixture.settled());
        QVERIFY(!fixture.page().stale()->isVisible());
        fixture.page().seedCount()->setValue(3);
        QCOMPARE(fixture.page().stale()->text(), u"made with 8 seeds"_s);
        fixture.page().seedCount()->setValue(8);
        QVERIFY(fixture.window.window->workspace().takeInputs(fixture.window.images(1, u"other"_s)));
        QCOMPARE(fixture.page().stale()->text(), u"made with cat1.png"_s);
    }

    void withoutAnAttentionBesidesSoftmaxItSaysWhatIsMissing()
    {
        LayersFixture fixture;
        fixture.window.window->workspace().backends().setSpecs({AttentionSpec::parse("softmax")});
        fixture.window.window->showScreen(u"layers"_s);
        QVERIFY(fixture.window.window->workspace().takeInputs(fixture.window.images(1)));
        QVERIFY(!fixture.window.window->action(u"run"_s)->isEnabled());
        QSignalSpy problems(&fixture.session(), &LayersSession::problem);
        fixture.session().run();
        QCOMPARE(problems.count(), 1);
        QVERIFY(problems.front().front().toString().contains(u"other than softmax"_s));
    }

    void aBrokenFileIsOneSentence()
    {
        LayersFixture fixture;
        QSignalSpy problems(&fixture.session(), &LayersSession::problem);
        fixture.window.window->showScreen(u"layers"_s);
        fixture.window.window->takePaths({fixture.window.brokenImage()});
        QTRY_COMPARE_WITH_TIMEOUT(problems.count(), 1, 10'000);
        QVERIFY(problems.front().front().toString().contains(u"page.jpg"_s));
        QVERIFY(!fixture.session().isRunning());
    }

    void stoppingKeepsWhatHasComeAndTheLoopNeverStandsStill()
    {
        LayersFixture fixture;
        fixture.script->stepMs = 8;
        fixture.window.window->showScreen(u"layers"_s);
        qint64 best = 1'000'000;
        for (int attempt = 0; attempt < 3 && best >= 100; ++attempt) {  // a stall of ours comes back each time
            Watchdog watchdog;
            QVERIFY(fixture.inspect());
            best = std::min(best, watchdog.longest);
        }
        QVERIFY2(best < 100, qPrintable(QString::number(best)));
        fixture.script->hold = true;
        fixture.session().run();
        QTRY_VERIFY_WITH_TIMEOUT(fixture.session().isRunning(), 5'000);
        QTest::qWait(60);
        QElapsedTimer clock;
        clock.start();
        fixture.window.window->action(u"stop"_s)->trigger();
        QVERIFY(clock.elapsed() < 100);
        QVERIFY(!fixture.session().isRunning());
        QCOMPARE(fixture.page().cells().rowCount(), 12);
        // What is shown still belongs to the run before, and says so.
        RunContext context = fixture.window.window->workspace().context();
        context.seed = 5;
        fixture.window.window->workspace().setContext(context);
        fixture.session().run();
        fixture.session().stop();
        QCOMPARE(fixture.page().stale()->text(), u"made with seed 0"_s);
        QVERIFY(fixture.session().command().contains(u"--seed 0"_s));
        fixture.script->hold = false;
    }

    void theCopiedLineIsTheCommandLines()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        fixture.page().copyCommand();
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith(u"attnscope-cli layers "_s), qPrintable(line));
        for (const char* part :
             {"cat1.png", "--attention performer", "--attention lara", "--seeds 8", "--seed 0", "--query class"})
            QVERIFY2(line.contains(QString::fromLatin1(part)), qPrintable(line));
        QVERIFY(!line.contains(u"softmax"_s));
        fixture.page().copyTable();
        QVERIFY2(QGuiApplication::clipboard()->text().startsWith(u"\thead 0\t1\t"_s),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

    void figuresAreWritten()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        const auto path = [&](const char* name) {
            return fixture.window.folder.filePath(QString::fromLatin1(name));
        };
        using Export = LayersPage::Export;
        for (const auto& [what, name] :
             {std::pair(Export::Errors, "errors.svg"), std::pair(Export::Errors, "errors.csv"),
              std::pair(Export::Errors, "errors.png"), std::pair(Export::Drift, "drift.svg"),
              std::pair(Export::ImpliedMap, "map.csv"), std::pair(Export::Difference, "difference.png")}) {
            QCOMPARE(fixture.page().exportTo(what, path(name)), QString());
            QVERIFY2(QFile(path(name)).size() > 400, name);
        }
        const QImage image(path("errors.png"));
        QVERIFY(image.width() >= 800 && image.pixelColor(0, 0) == QColor(Qt::white));
        QVERIFY(!fixture.page().exportTo(Export::Errors, path("errors.docx")).isEmpty());
        QVERIFY(!fixture.page().exportTo(Export::Errors, u"/nowhere/errors.svg"_s).isEmpty());
        QSignalSpy exported(&fixture.session(), &LayersSession::exported);
        QCOMPARE(fixture.page().exportTo(Export::Tensors, path("maps.safetensors")), QString());
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 10'000);
        QCOMPARE(exported.front()[1].toString(), QString());
        QVERIFY(QFile(path("maps.safetensors")).size() > 12 * 6 * 197 * 4 * 3);
    }

    void everyFocusableWidgetHasAName()
    {
        LayersFixture fixture;
        QVERIFY(fixture.inspect());
        int count = 0;
        for (const QWidget* widget : fixture.page().findChildren<QWidget*>()) {
            const bool inner = widget->parentWidget() != nullptr
                               && qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr;
            const auto* label = qobject_cast<const QLabel*>(widget);
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || inner
                || (label != nullptr && label->text().isEmpty())
                || qobject_cast<const QScrollBar*>(widget) != nullptr || widget->objectName().startsWith("qt_"_L1))
                continue;
            ++count;
            QVERIFY2(!widget->accessibleName().isEmpty(),
                     qPrintable(QString::fromLatin1(widget->metaObject()->className()) + widget->objectName()));
        }
        QVERIFY(count >= 12);
    }

    void mergedPatchesAreOutlined_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << u"light"_s;
        QTest::newRow("dark") << u"dark"_s;
    }
    void mergedPatchesAreOutlined()
    {
        QFETCH(QString, theme);
        LayersFixture fixture(theme, {1280, 800});
        fixture.window.window->workspace().backends().setSpecs({AttentionSpec::parse("softmax"),
                                                                AttentionSpec::parse("softmax;tokens=tome:r=13"),
                                                                AttentionSpec::parse("lara")});
        QVERIFY(fixture.inspect());
        QCOMPARE(fixture.session().names().size(),
                 2);  // softmax with fewer tokens is not what they are held against
        fixture.show(u"softmax"_s);
        fixture.session().setCell({3, 1});
        fixture.session().setQuery({0, 9, 4, false});
        QVERIFY(fixture.settled());
        const MapView& map = *fixture.details().impliedMap();
        QCOMPARE(map.merged().size(), size_t{5 * 7 + 1});  // pairs in five rows, and the last row
        QVERIFY2(map.accessibleDescription().contains(u"36 tokens stand for several patches"_s),
                 qPrintable(map.accessibleDescription()));
        QVERIFY2(fixture.details().note().contains(u"149 of 197 tokens are left behind this layer"_s),
                 qPrintable(fixture.details().note()));
        fixture.window.shot(u"layers-merged-"_s + theme);
        QCOMPARE(cutText(fixture.page()), QString());
        fixture.details().setPart(LayerDetails::Part::Rollout);
        QVERIFY(map.merged().empty());
        fixture.details().setPart(LayerDetails::Part::Maps);
        fixture.show(u"lara"_s);
        QVERIFY(fixture.settled());
        QVERIFY(map.merged().empty());
    }

    void noTextIsCut_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QSize>("size");
        for (const QString& theme : {u"light"_s, u"dark"_s})
            for (const QSize& size : {QSize(1280, 800), QSize(1024, 640), QSize(1920, 1080)})
                QTest::addRow("%s-%dx%d", qPrintable(theme), size.width(), size.height()) << theme << size;
    }
    void noTextIsCut()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        LayersFixture fixture(theme, size);
        fixture.script->sparse = true;
        fixture.script->chooses = true;
        QVERIFY(fixture.inspect());
        fixture.show(u"lara"_s);
        fixture.session().setCell({6, 2});
        fixture.session().setQuery({0, 9, 4, false});
        QVERIFY(fixture.settled());
        const QImage image = fixture.window.shot(u"layers-"_s + QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(image.size(), size);
        using Part = LayerDetails::Part;
        for (const auto& [part, name] : {std::pair(Part::Rollout, "rollout-"), std::pair(Part::Depth, "depth-"),
                                         std::pair(Part::Terms, "terms-"), std::pair(Part::Tokens, "keys-")}) {
            fixture.details().setPart(part);
            QTest::qWait(150);
            fixture.window.shot(u"layers-"_s + QString::fromLatin1(name)
                                + QString::fromLatin1(QTest::currentDataTag()));
            QCOMPARE(cutText(fixture.page()), QString());
        }
        fixture.details().setPart(Part::Maps);
        for (const QLabel* label : fixture.page().findChildren<QLabel*>())
            if (label->isVisible() && !label->text().isEmpty() && !label->wordWrap()
                && qobject_cast<const ElidedLabel*>(label) == nullptr)
                QVERIFY2(QFontMetrics(label->font()).horizontalAdvance(label->text()) <= label->width() + 1,
                         qPrintable(label->text()));
        for (const QAbstractButton* button : fixture.page().findChildren<QAbstractButton*>())
            if (button->isVisible())
                QVERIFY2(button->sizeHint().width() <= button->width() + 1, qPrintable(button->accessibleName()));
        for (const CaptionCombo* combo : fixture.page().findChildren<CaptionCombo*>())
            if (combo->isVisible())
                QVERIFY2(combo->sizeHint().width() <= combo->width() + 1, qPrintable(combo->currentText()));
        const HeatTable* table = fixture.page().table();
        QVERIFY(table->showsFigures());
        QVERIFY(!table->verticalScrollBar()->isVisible() && !table->horizontalScrollBar()->isVisible());
    }

    void theLaboratoryItselfFillsTheScreen()
    {
        Engine engine(coreWorkbench());
        WindowOptions options;
        options.loaded.settings.context.weights = QStringLiteral(RESOURCE_DIR "/demo/models/deit.safetensors");
        options.loaded.settings.specs = {u"softmax"_s, u"lara:samples=16"_s, u"performer:samples=32"_s};
        MainWindow window(engine, options, screens(options));
        window.show();
        window.showScreen(u"layers"_s);
        window.takePaths({QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg")});
        LayersSession& session = *window.session<LayersSession>();
        QSignalSpy problems(&session, &LayersSession::problem);
        const bool filled = QTest::qWaitFor(
            [&] { return session.inspection() != nullptr && !session.isRunning() && session.maps() != nullptr; },
            60'000);
        QVERIFY2(filled,
                 qPrintable(problems.isEmpty() ? session.mapsProblem() : problems.front().front().toString()));
        QVERIFY(session.shown()->failure.empty());
        for (const InspectedLayer& layer : session.layers()) {
            QVERIFY(layer.mean.error.relative > 1e-4);
            QVERIFY(std::abs(layer.mean.parts.biasSquared + layer.mean.parts.variance - layer.mean.error.mse)
                    < 1e-3 * layer.mean.error.mse);
        }
        const LayerMaps& maps = *session.layerMaps();
        double sum = 0;
        for (const float weight : maps.exact.front())
            sum += double(weight);
        QVERIFY(std::abs(sum - 1) < 1e-4);
        QVERIFY(!session.image().isNull());
        if (const QString folder = qEnvironmentVariable("ATTNSCOPE_SHOTS"); !folder.isEmpty()) {
            QTest::qWait(150);
            QVERIFY(window.grab().save(folder + u"/layers-real.png"_s));
        }
    }
};

ATTNSCOPE_WINDOW_TEST(TestLayers)
#include "tst_layers.moc"
