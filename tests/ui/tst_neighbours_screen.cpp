// The Neighbours screen over a scripted search, and once over the real one on a handful of images.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/press_in_message_box.h"
#include "tests/ui/support/scripted_neighbours.h"
#include "tests/ui/support/watchdog.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/neighbours/neighbour_view.h"
#include "ui/neighbours/neighbours_page.h"
#include "ui/neighbours/neighbours_words.h"
#include "ui/neighbours/search_form.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/number_fields.h"
#include "ui/widgets/page_head.h"
#include "ui/window/context_bar.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include <algorithm>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using namespace attnscope;
using test::NeighboursScript;
using test::Watchdog;
using test::WindowFixture;

namespace {

struct NeighboursFixture {
    explicit NeighboursFixture(const QString& theme = u"light"_s, QSize size = {1280, 800})
        : window(theme, size, options())
    {
        window.window->showScreen(u"neighbours"_s);
        page = window.window->page<NeighboursPage>();
        if (!QTest::qWaitFor([this] { return window.window->workspace().model() != nullptr; }))
            qFatal("the model was not opened");
    }
    WindowOptions options()
    {
        WindowOptions made;
        made.neighbours = test::scriptedNeighbours(script);
        return made;
    }
    NeighboursSession& session() const { return *window.window->session<NeighboursSession>(); }
    bool waitDone() const
    {
        const bool done = QTest::qWaitFor([this] { return !session().isRunning(); }, 10'000);
        QTest::qWait(120);  // charts gather changes before they draw
        return done;
    }
    void search() const
    {
        page->form()->setBuild(u"/scenes/train"_s);
        page->form()->setEvaluate(u"/scenes/val"_s);
        page->run();
        QVERIFY(waitDone());
    }
    QString messages() const
    {
        QStringList out;
        for (const MessageBar* bar : page->findChildren<MessageBar*>())
            out << bar->sentence();
        return out.join(QLatin1Char('|'));
    }
    QString clipboard() const { return QGuiApplication::clipboard()->text(); }

    std::shared_ptr<NeighboursScript> script = std::make_shared<NeighboursScript>();
    WindowFixture window;
    NeighboursPage* page = nullptr;
};

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}

class TestNeighboursScreen : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void screenIsThereOnlyWithASearch()
    {
        WindowFixture plain;
        QVERIFY(plain.window->action(u"neighbours"_s) == nullptr);
        NeighboursFixture fixture;
        const QAction* action = fixture.window.window->action(u"neighbours"_s);
        QVERIFY(action != nullptr && action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_8));
        QVERIFY(fixture.page->empty()->isVisible() && fixture.page->empty()->first()->isEnabled());
        QVERIFY(!fixture.page->canRun());
        fixture.window.shot(u"neighbours-empty"_s);
    }

    void aFolderBecomesADatastoreAndThenIsEvaluated()
    {
        NeighboursFixture fixture;
        SearchForm& form = *fixture.page->form();
        QVERIFY(form.missing().startsWith(u"Choose a labelled folder whose features"_s));
        fixture.page->take(Content::Folder, {u"/scenes/train"_s});
        QVERIFY(!fixture.page->empty()->isVisible() && fixture.page->canRun());
        QCOMPARE(form.sourceButton()->text(), u"Build from scenes/train"_s);
        QCOMPARE(fixture.page->dropHint(Content::Folder), u"Evaluate on this folder"_s);
        fixture.page->take(Content::Folder, {u"/scenes/val"_s});
        QCOMPARE(form.evaluateButton()->text(), u"Evaluate on scenes/val"_s);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.script->runs.load(), 1);
        // The datastore is there now: the next run only evaluates.
        QVERIFY(form.build().isEmpty());
        QVERIFY2(
            form.datastore().endsWith(u"/attnscope/features/scenes-train-fake_tiny_patch16_224.safetensors"_s),
            qPrintable(form.datastore()));
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY(fixture.script->runs == 2);
        QVERIFY2(fixture.page->command().contains(u"--evaluate /scenes/val"_s)
                     && !fixture.page->command().contains(u"--build"_s),
                 qPrintable(fixture.page->command()));
    }

    void accuracyComesWithItsIntervals()
    {
        NeighboursFixture fixture;
        fixture.search();
        const QString verdict = fixture.page->head().headline()->text();
        QVERIFY2(verdict.startsWith(QString::fromUtf8(
                     "Neighbours help: k = 10, λ = 0.6 gets 90.00 % right, the model alone 60.00 %")),
                 qPrintable(verdict));
        // One curve with its intervals before the others: at first the best one.
        const auto front = [&] { return fixture.page->chart()->chart().series.back(); };
        QCOMPARE(fixture.page->chart()->chart().series.size(), size_t{7});
        QCOMPARE(front().name, std::string("k = 10"));
        QVERIFY(front().points.front().low && front().line == SeriesLine::OfBackend);
        QCOMPARE(std::ranges::count(fixture.page->chart()->chart().series, SeriesLine::Faint, &ChartSeries::line),
                 6);
        fixture.page->curves()->setCurrentIndex(0);
        emit fixture.page->curves()->activated(0);
        QCOMPARE(front().name, std::string("k = 1"));
        QCOMPARE(fixture.page->cells().rowCount(), 77);
        QCOMPARE(fixture.page->cells().index(0, 3).data().toString(), QString::fromUtf8("—"));
        QVERIFY(fixture.page->cells().index(6, 3).data().toString().startsWith(QLatin1Char('+')));
        QVERIFY(fixture.page->cells().index(6, 2).data().toString().endsWith(QLatin1Char(']')));
        fixture.script->helps = false;
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY2(fixture.page->head().headline()->text().startsWith(u"No clear gain"_s),
                 qPrintable(fixture.page->head().headline()->text()));
        const QString base = fixture.window.folder.filePath(u"neighbours"_s);
        for (const char* suffix : {".svg", ".csv", ".json"})
            QCOMPARE(fixture.page->exportTo(base + QLatin1String(suffix)), QString());
        QVERIFY(contentsOf(base + u".svg"_s).contains("<svg")
                && contentsOf(base + u".csv"_s).startsWith("K,Mix,Correct,Top1,Interval 0,Interval 1\r\n"));
        QVERIFY(contentsOf(base + u".json"_s).contains("\"neighbours\""));
    }

    void neighboursOfAnImageAreAGallery()
    {
        NeighboursFixture fixture;
        fixture.search();
        NeighbourView& view = *fixture.page->neighbours();
        // The first sample to begin with.
        QCOMPARE(view.image(), u"/scenes/val/cat/0.png"_s);
        QCOMPARE(view.neighbours().rowCount(), 20);
        QCOMPARE(view.title()->text(), QString::fromUtf8("0.png · cat"));
        const auto line = [&](int row) {
            return view.neighbours().index(row).data(GalleryFirstRole).value<GalleryLine>();
        };
        QVERIFY(line(0).text == "cat"_L1 && line(0).right == true);
        QVERIFY(line(3).text == "coins"_L1 && line(3).right == false);
        QVERIFY(view.neighbours().index(3).data(Qt::AccessibleTextRole).toString().endsWith(u"another class"_s));
        QCOMPARE(view.predictions().index(0, 1).data().toString(), QString::fromUtf8("≠ coins"));
        QCOMPARE(view.predictions().index(2, 1).data().toString(), u"cat"_s);
        // Another number, another λ, another image.
        view.count()->setValue(5);
        QVERIFY(fixture.waitDone());
        QCOMPARE(view.neighbours().rowCount(), 5);
        view.mix()->setValue(0.5);
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.script->last().request.mix, std::vector<double>{0.5});
        QCOMPARE(view.predictions().index(2, 0).data().toString(), QString::fromUtf8("mixed, λ = 0.5"));
        emit fixture.page->samples()->opened(fixture.page->samples()->model()->index(50, 0));
        QVERIFY(fixture.waitDone());
        QCOMPARE(view.image(), u"/scenes/val/coins/10.png"_s);
        QVERIFY(line(0).right == false);
        // Out of the gallery: its class is not that of a sample of the evaluated folder.
        view.gallery()->setCurrentIndex(view.neighbours().index(0));
        QTest::keyClick(view.gallery(), Qt::Key_Return);
        QVERIFY(fixture.waitDone());
        QCOMPARE(view.image(), u"/scenes/train/cat/0.png"_s);
        QVERIFY(!line(0).right.has_value());
        fixture.page->copyCommand();
        const QStringList commands = fixture.clipboard().split(QLatin1Char('\n'));
        QCOMPARE(commands.size(), 2);
        QVERIFY2(commands[0].startsWith(u"attnscope-cli neighbours --weights "_s)
                     && commands[0].contains(u"--build /scenes/train --evaluate /scenes/val"_s),
                 qPrintable(commands[0]));
        QVERIFY2(commands[1].startsWith(u"attnscope-cli neighbours /scenes/train/cat/0.png --weights "_s)
                     && commands[1].contains(u"--k 5 --mix 0.5 --distance l2"_s),
                 qPrintable(commands[1]));
    }

    void aDroppedImageIsLookedFor()
    {
        NeighboursFixture fixture;
        fixture.page->look(u"/photos/early.png"_s);
        QVERIFY(fixture.script->looks == 0 && fixture.page->neighbours()->hint()->text().contains(u"run first"_s));
        fixture.page->form()->setDatastore(u"/data/features.safetensors"_s);
        const QString image = fixture.window.images(1).front();
        fixture.page->take(Content::Inputs, {image});
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.page->neighbours()->image(), image);
        QCOMPARE(fixture.page->neighbours()->neighbours().rowCount(), 20);
        QCOMPARE(fixture.script->last().datastore, std::string("/data/features.safetensors"));
        QVERIFY(fixture.script->runs == 0 && fixture.script->last().build.empty());
        fixture.page->look(u"/photos/broken.png"_s);
        QVERIFY(fixture.waitDone());
        QVERIFY2(fixture.messages().contains(u"it is not an image"_s), qPrintable(fixture.messages()));
        QCOMPARE(fixture.page->neighbours()->neighbours().rowCount(), 0);
        QVERIFY(fixture.page->neighbours()->hint()->text().contains(u"were not found"_s));
    }

    void settingsOfTheSearchReachIt()
    {
        NeighboursFixture fixture;
        SearchForm& form = *fixture.page->form();
        form.counts()->setText(u"3, none"_s);
        QVERIFY(form.missing().contains(u"none"_s));
        form.counts()->setText(u"1, 3"_s);
        form.limit()->setValue(96);
        form.distance()->setCurrentIndex(2);
        form.temperature()->setValue(0.1);
        form.attention()->setCurrentIndex(form.attention()->findData(u"performer"_s));
        fixture.search();
        QVERIFY(fixture.page->command().contains(u"--limit 96"_s)
                && fixture.page->command().contains(
                    u"--attention performer --k 1,3 --distance cosine --temperature 0.1"_s));
        QVERIFY(fixture.page->command().contains(u"fake_tiny_patch16_224-performer.safetensors"_s));
        QVERIFY(fixture.page->neighbours()
                    ->neighbours()
                    .index(0)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(u"cosine similarity 0.95"_s));
        const auto stale = [&] {
            return fixture.page->head().stale()->isVisible() ? fixture.page->head().stale()->text() : QString();
        };
        QCOMPARE(stale(), QString());
        form.distance()->setCurrentIndex(0);
        QCOMPARE(stale(), u"made with --distance cosine"_s);
        form.distance()->setCurrentIndex(2);
        form.limit()->setValue(0);
        QCOMPARE(stale(), u"made with --limit 96"_s);
        form.limit()->setValue(96);
        RunContext context = fixture.window.window->workspace().context();
        context.seed = 3;
        fixture.window.window->workspace().setContext(context);
        QCOMPARE(stale(), u"made with --seed 0"_s);
    }

    void aRunIsStoppedAndTheDatastoreKept()
    {
        NeighboursFixture fixture;
        fixture.script->hold = true;
        Watchdog watchdog;
        fixture.page->form()->setBuild(u"/scenes/train"_s);
        fixture.page->form()->setEvaluate(u"/scenes/val"_s);
        fixture.page->run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.session().job() && fixture.session().job()->fraction > 0; }));
        QVERIFY2(fixture.page->head().headline()->text().contains(u"Computing the features of scenes/train"_s),
                 qPrintable(fixture.page->head().headline()->text()));
        QCOMPARE(fixture.window.window->contextBar()->runButton()->text(), u"Stop"_s);
        fixture.window.shot(u"neighbours-running"_s);
        watchdog.leaveOut();
        fixture.window.window->action(u"stop"_s)->trigger();
        QVERIFY(fixture.waitDone());
        QVERIFY(fixture.page->head().headline()->text().startsWith(u"Stopped before"_s));
        QVERIFY(!fixture.page->form()->build().isEmpty());
        fixture.script->hold = false;
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY(fixture.page->hasResults());
        QVERIFY2(watchdog.longest < 100, qPrintable(QString::number(watchdog.longest)));
    }

    void anErrorIsOneSentenceAndTheNextRunWorks()
    {
        NeighboursFixture fixture;
        fixture.script->failure = "the features are of another network";
        fixture.search();
        QVERIFY2(fixture.messages().contains(u"the features are of another network"_s),
                 qPrintable(fixture.messages()));
        QVERIFY(!fixture.page->hasResults());
        QVERIFY(fixture.page->exportTo(u"/tmp/a.svg"_s).contains(u"nothing to export"_s));
        fixture.script->failure.clear();
        fixture.search();
        QVERIFY(fixture.page->hasResults());
    }

    void featuresThatAreThereAreNotReplacedUnasked()
    {
        NeighboursFixture fixture;
        fixture.page->form()->setBuild(u"/scenes/train"_s);
        const QString file = QString::fromStdString(fixture.page->form()->question().datastore);
        QVERIFY(QDir().mkpath(QFileInfo(file).path()));
        QFile made(file);
        QVERIFY(made.open(QIODevice::WriteOnly) && made.write("features") > 0);
        made.close();
        QString said;
        test::pressInMessageBox(u"Cancel"_s, &said);
        fixture.page->run();
        QCOMPARE(fixture.script->runs.load(), 0);
        QVERIFY2(said.contains(u"already exists"_s), qPrintable(said));
        test::pressInMessageBox(u"Replace"_s, &said);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.script->runs.load(), 1);
        QVERIFY(QFile::remove(file));
    }

    void theDemoRunsByItself()
    {
        NeighboursFixture fixture;
        QTest::mouseClick(fixture.page->empty()->first(), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return fixture.page->hasResults(); }));
        QVERIFY(fixture.waitDone());
        QVERIFY(fixture.page->form()->evaluate().endsWith(u"/scenes/val"_s));
        QCOMPARE(fixture.page->neighbours()->neighbours().rowCount(), 20);
    }

    void looksRight_data() { test::addLooks(); }
    void looksRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        NeighboursFixture fixture(theme, size);
        fixture.window.shot(u"neighbours-empty-"_s + tag);
        fixture.search();
        QTest::qWait(200);
        fixture.window.shot(u"neighbours-"_s + tag);
        QVERIFY(fixture.page->chart()->height() >= 110);
        QVERIFY(fixture.page->samples()->height() >= 110
                && fixture.page->neighbours()->gallery()->height() >= 110);
        QCOMPARE(test::cutText(*fixture.page), QString());
        fixture.page->parts()->setCurrent(1);
        QTest::qWait(60);
        QVERIFY(fixture.page->table()->isVisible());
        fixture.window.shot(u"neighbours-table-"_s + tag);
    }

    void theKeyboardReachesEverything()
    {
        NeighboursFixture fixture;
        fixture.search();
        fixture.window.window->activateWindow();
        const QStringList visited = test::tabbedThrough(*fixture.page, *fixture.page->form()->sourceButton());
        QVERIFY(!visited.isEmpty() && !visited.contains(QString()));
        for (const char* name : {"Numbers of neighbours", "Samples to look at", "Weight of the neighbours",
                                 "Neighbours, nearest first"})
            QVERIFY2(visited.contains(QLatin1String(name)), name);
    }

    void theRealSearchFindsAnImageAgain()
    {
        QTemporaryDir folder;
        for (const char* name : {"cat", "coins"})
            QVERIFY(QDir(folder.path()).mkpath(u"data/"_s + QString::fromLatin1(name)));
        QVERIFY(QFile::copy(QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg"),
                            folder.filePath(u"data/cat/a.jpg"_s)));
        QVERIFY(QFile::copy(QStringLiteral(RESOURCE_DIR "/demo/photos/coins.jpg"),
                            folder.filePath(u"data/coins/a.jpg"_s)));
        const NeighboursBackend backend = coreNeighbours({});
        ModelCache models([](const ModelRequest& request) { return coreWorkbench()->open(request); });
        NeighbourQuestion question;
        question.model.weights = RESOURCE_DIR "/demo/models/deit.safetensors";
        question.model.device = "cpu";
        question.build = question.evaluate = folder.filePath(u"data"_s).toStdString();
        question.datastore = folder.filePath(u"features/store.safetensors"_s).toStdString();
        question.request.k = {1};
        int built = 0, evaluating = 0;
        const NeighbourCalls calls{.progress = [](const Progress&) {},
                                   .built = [&](const BuiltDatastore&) { ++built; },
                                   .evaluating = [&](const LabelledSet&) { ++evaluating; },
                                   .stop = {}};
        NeighbourReport report = backend.search(question, models, calls);
        QCOMPARE(built, 1);
        QCOMPARE(evaluating, 1);
        QVERIFY(report.accuracy && report.accuracy->samples == 2 && report.accuracy->leftOut == 2);
        // Of two images each has the other one for its neighbour.
        question.build.clear(), question.evaluate.clear();
        question.image = folder.filePath(u"data/cat/a.jpg"_s).toStdString();
        report = backend.search(question, models, calls);
        QCOMPARE(report.images.size(), size_t{1});
        QCOMPARE(report.images.front().leftOut, int64_t{1});
        QCOMPARE(report.images.front().neighbours.front().className, std::string("coins"));
        const auto items = neighbourItems(report.images.front(), FeatureDistance::L2, u"cat"_s);
        QVERIFY(items.size() == 1 && items.front().first.right == false);
    }
};

ATTNSCOPE_WINDOW_TEST(TestNeighboursScreen)
#include "tst_neighbours_screen.moc"
