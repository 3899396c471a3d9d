// What a user expects of any desktop program: the files opened last, and a report of what the machine has.
#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/widgets/message_stack.h"
#include "ui/window/command_dialog.h"
#include "ui/window/export_dialog.h"
#include "ui/window/recent_files.h"

#include "core/attention/attention_spec.h"
#include "core/base/error.h"

#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPrinter>
#include <QPushButton>
#include <QTimer>
#include <QTranslator>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using namespace attnscope::ui::test;

namespace {

QString writtenFile(const QTemporaryDir& folder, const QString& name, const QByteArray& content = "x")
{
    const QString path = folder.filePath(name);
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? path : QString();
}

/// Those of the program, so that no screen is missing.
ScreenBackends allScreens()
{
    ScreenBackends backends;
    backends.training = coreTraining({});
    backends.scale = coreScale();
    backends.neighbours = coreNeighbours({});
    return backends;
}

}

class TestManners : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { prepareApplication(); }

    void recentFilesAreNewestFirstAndKept()
    {
        QTemporaryDir folder;
        const QString settings = folder.filePath(u"a.ini"_s);
        QStringList written;
        for (int i = 0; i < RecentFiles::maxCount + 2; ++i)
            written << writtenFile(folder, u"%1.png"_s.arg(i));
        {
            RecentFiles recent(settings);
            for (const QString& path : written)
                recent.add({path});
            recent.add({written[5], folder.filePath(u"missing.png"_s)});
        }
        const RecentFiles again(settings);
        QCOMPARE(again.paths().size(), RecentFiles::maxCount);
        QCOMPARE(again.paths().front(), written[5]);
        QCOMPARE(again.paths()[1], written.back());
        QCOMPARE(again.paths().count(written[5]), 1);
    }

    void savedSettingsKeepTheRecentFiles()
    {
        QTemporaryDir folder;
        const QString settings = folder.filePath(u"a.ini"_s), path = writtenFile(folder, u"cat.png"_s);
        RecentFiles(settings).add({path});
        QCOMPARE(saveSettings(settings, {}), QString());
        QCOMPARE(RecentFiles(settings).paths(), QStringList{path});
        QCOMPARE(loadSettings(settings).problem, QString());
    }

    void menuListsNamesAndSaysWhereEqualOnesAre()
    {
        QTemporaryDir folder;
        QDir(folder.path()).mkpath(u"a"_s);
        QDir(folder.path()).mkpath(u"b"_s);
        RecentFiles recent({});
        QMenu menu;
        recent.listIn(menu);
        QCOMPARE(menu.actions().size(), 1);
        QVERIFY(!menu.actions().front()->isEnabled());
        recent.add({writtenFile(folder, u"a/cat.png"_s), writtenFile(folder, u"b/cat.png"_s),
                    writtenFile(folder, u"R&D.png"_s)});
        emit menu.aboutToShow();
        QStringList texts;
        for (const QAction* action : menu.actions())
            texts << action->text();
        QCOMPARE(texts.mid(0, 3), QStringList({u"&1  a/cat.png"_s, u"&2  b/cat.png"_s, u"&3  R&&D.png"_s}));
        menu.actions().back()->trigger();
        QVERIFY(recent.paths().isEmpty());
    }

    void windowRemembersWhatItTook()
    {
        WindowFixture fixture;
        const QStringList images = fixture.images(2);
        fixture.window->takePaths({images[0]});
        QCOMPARE(fixture.window->recentFiles().paths(), QStringList{images[0]});
        QVERIFY(fixture.waitIdle());
        fixture.window->takePaths({images[1]});
        QVERIFY(fixture.waitIdle());
        QCOMPARE(fixture.window->workspace().input()->path, images[1]);
        emit fixture.window->recentFiles().chosen(images[0]);
        QTRY_COMPARE(fixture.window->workspace().input()->path, images[0]);
        QCOMPARE(fixture.window->recentFiles().paths(), images);
        QVERIFY(fixture.waitIdle());
    }

    void recentFileThatIsGoneIsSaid()
    {
        WindowFixture fixture;
        const QStringList images = fixture.images(1);
        fixture.window->recentFiles().add(images);
        QVERIFY(QFile::remove(images.front()));
        emit fixture.window->recentFiles().chosen(images.front());
        QVERIFY(fixture.window->recentFiles().paths().isEmpty());
        bool said = false;
        for (const MessageBar* bar : fixture.window->page()->findChildren<MessageBar*>())
            said = said || bar->sentence().contains(images.front());
        QVERIFY(said);
    }

    /// In every menu each letter leads to one entry, and every entry has one.
    void mnemonicsAreUniqueInEveryMenu_data()
    {
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "de", "zh_CN"})
            QTest::newRow(language) << QString::fromLatin1(language);
    }
    void mnemonicsAreUniqueInEveryMenu()
    {
        QFETCH(QString, language);
        QTranslator translator;
        QCOMPARE(translator.load(u"attnscope_"_s + language, u":/translations"_s), language != "en"_L1);
        QCoreApplication::installTranslator(&translator);
        WindowOptions options;
        static_cast<ScreenBackends&>(options) = allScreens();
        WindowFixture fixture(u"light"_s, {1280, 800}, options);
        QList<QMenu*> menus = fixture.window->findChild<QMenuBar*>(u"menus"_s)->findChildren<QMenu*>();
        QVERIFY(menus.size() >= 6);
        for (const QMenu* menu : menus) {
            QMap<QString, QString> texts;
            for (const QAction* action : menu->actions()) {
                if (action->isSeparator() || menu->objectName() == "recent"_L1
                    || menu->objectName() == "images"_L1)  // names of files and charts
                    continue;
                const QString letter = QKeySequence::mnemonic(action->text()).toString();
                QVERIFY2(!letter.isEmpty(), qPrintable(action->text()));
                QVERIFY2(!texts.contains(letter), qPrintable(action->text() + u" and "_s + texts[letter]));
                texts[letter] = action->text();
            }
        }
    }

    void backendsAreUndoneAndRedone()
    {
        WindowFixture fixture;
        BackendList& backends = fixture.window->workspace().backends();
        QAction *undo = fixture.window->action(u"undo"_s), *redo = fixture.window->action(u"redo"_s);
        QVERIFY(!undo->isEnabled() && !redo->isEnabled());
        const QStringList first = backends.checkedSpecs();
        backends.tick(attnscope::AttentionSpec::parse("lara:samples=16"));
        const QStringList second = backends.checkedSpecs();
        QTest::qWait(800);
        // Typed or dragged: one step.
        const int id = backends.entries().back().id;
        const BackendList::State before = backends.state();
        for (const char* spec : {"performer:samples=32", "performer:samples=33", "performer:samples=34"})
            QCOMPARE(backends.setSpec(id, QString::fromLatin1(spec)), QString());
        const BackendList::State after = backends.state();
        QVERIFY(undo->isEnabled() && !redo->isEnabled());
        undo->trigger();
        QCOMPARE(backends.state(), before);
        undo->trigger();
        QCOMPARE(backends.checkedSpecs(), first);
        QVERIFY(!undo->isEnabled());
        redo->trigger();
        QCOMPARE(backends.checkedSpecs(), second);
        redo->trigger();
        QCOMPARE(backends.state(), after);
        QVERIFY(!redo->isEnabled());
        undo->trigger();
        backends.setChecked(id, !backends.entry(id)->checked);  // another way from here
        QVERIFY(undo->isEnabled() && !redo->isEnabled());
    }

    void sessionIsThereAgain()
    {
        QTemporaryDir folder;
        WindowOptions options;
        static_cast<ScreenBackends&>(options) = allScreens();
        options.settingsPath = folder.filePath(u"a.ini"_s);
        QStringList images;
        WindowFixture fixture(u"light"_s, {1280, 800}, options);
        images = fixture.images(3);
        fixture.window->openPaths(images);
        QVERIFY(fixture.waitIdle());
        fixture.window->workspace().setCurrentInput(2);
        fixture.window->showScreen(u"scale"_s);
        fixture.window->close();
        QVERIFY(QFile::remove(images[1]));

        options.loaded = loadSettings(options.settingsPath);
        QCOMPARE(options.loaded.problem, QString());
        WindowFixture again(u"light"_s, {1280, 800}, options);
        again.window->restoreSession();
        again.window->restoreResults();
        QCOMPARE(again.window->screen(), u"scale"_s);
        QCOMPARE(again.window->workspace().inputs().size(), size_t{3});
        QCOMPARE(again.window->workspace().input()->path, images[2]);
        QVERIFY(!again.window->isRunning());  // nothing is measured before it is asked for
        RunTableModel& before = fixture.window->session<CompareSession>()->runs();
        RunTableModel& after = again.window->session<CompareSession>()->runs();
        QTRY_COMPARE(after.columnCount(), before.columnCount());
        QVERIFY(after.columnCount() > 1 && after.anyRecord() && !after.needsRun());
        for (int row = 0; row < after.rowCount(); ++row)
            for (int column = 0; column < after.columnCount(); ++column)
                for (const int role : {RunTableModel::ValueRole, RunTableModel::UnitRole, RunTableModel::StateRole,
                                       RunTableModel::NoteRole, RunTableModel::StaleRole})
                    QCOMPARE(after.data(after.index(row, column), role),
                             before.data(before.index(row, column), role));
        // What belongs to other settings says so.
        RunContext context = again.window->workspace().context();
        context.seed += 1;
        again.window->workspace().setContext(context);
        QVERIFY(!after.data(after.index(0, 0), RunTableModel::StaleRole).toString().isEmpty());
    }

    void aChangeIsWrittenWithinSeconds()
    {
        QTemporaryDir folder;
        WindowOptions options;
        options.settingsPath = folder.filePath(u"a.ini"_s);
        WindowFixture fixture(u"light"_s, {1280, 800}, options);
        const QStringList images = fixture.images(2);
        fixture.window->openPaths(images);
        QVERIFY(fixture.waitIdle());
        fixture.window->showScreen(u"layers"_s);
        QTRY_VERIFY_WITH_TIMEOUT(loadResults(options.settingsPath).screens.contains("compare"), 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(loadSettings(options.settingsPath).settings.screen, u"layers"_s, 10'000);
        QCOMPARE(loadSettings(options.settingsPath).settings.inputs, images);
        // Nothing is written where nothing changes.
        const QDateTime written = QFileInfo(options.settingsPath).lastModified();
        QTest::qWait(2500);
        QCOMPARE(QFileInfo(options.settingsPath).lastModified(), written);
        // Other inputs have no results: those of the last ones are not shown for them.
        fixture.behaviour->hold = true;
        fixture.window->openPaths(fixture.images(1, u"other"_s));
        QTRY_VERIFY_WITH_TIMEOUT(loadSettings(options.settingsPath).settings.inputs != images, 10'000);
        fixture.behaviour->hold = false;
        QVERIFY(fixture.waitIdle());
    }

    void whatCannotBeWrittenIsSaidOnce()
    {
        WindowOptions options;
        options.settingsPath = u"/proc/attnscope/a.ini"_s;
        WindowFixture fixture(u"light"_s, {1280, 800}, options);
        QTRY_COMPARE_WITH_TIMEOUT(fixture.window->page()->findChildren<MessageBar*>().size(), 1, 10'000);
        fixture.window->workspace().backends().setChecked(
            fixture.window->workspace().backends().entries().front().id, false);
        QTest::qWait(4500);
        QCOMPARE(fixture.window->page()->findChildren<MessageBar*>().size(), 1);
    }

    void resultsThatCannotBeReadAreKeptAside_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray(4096, 'x');
        QTest::newRow("zeros") << QByteArray(100, '\0');
    }

    void resultsThatCannotBeReadAreKeptAside()
    {
        QFETCH(const QByteArray, content);
        WindowOptions options;
        QTemporaryDir folder;
        options.settingsPath = folder.filePath(u"a.ini"_s);
        const QString results = writtenFile(folder, u"a.results"_s, content);
        WindowFixture fixture(u"light"_s, {1280, 800}, options);
        fixture.window->restoreResults();
        const auto bars = fixture.window->page()->findChildren<MessageBar*>();
        QCOMPARE(bars.size(), 1);
        QVERIFY2(bars.front()->sentence().startsWith(u"The results of the last session cannot be shown"_s),
                 qPrintable(bars.front()->sentence()));
        QVERIFY(!QFile::exists(results));
        QFile kept(results + u".damaged"_s);
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), content);
        // One that was cut off, and one whose screen has changed.
        fixture.window->openPaths(fixture.images(1));
        QVERIFY(fixture.waitIdle());
        fixture.window->close();
        QVERIFY(QFile::resize(results, QFileInfo(results).size() - 1));
        QVERIFY(!loadResults(options.settingsPath).problem.isEmpty());
        QCOMPARE(saveResults(options.settingsPath, {{"compare", "no results"}}), QString());
        WindowFixture other(u"light"_s, {1280, 800}, options);
        other.window->restoreSession();
        other.window->restoreResults();
        QCOMPARE(other.window->page()->findChildren<MessageBar*>().size(), 1);
        QVERIFY(other.window->page()->findChildren<MessageBar*>().front()->sentence().startsWith(
            u"The results of Compare were not restored"_s));
    }

    void chartsArePrintedAndListed()
    {
        WindowFixture fixture;
        fixture.window->openPaths(fixture.images(1));
        QVERIFY(fixture.waitIdle());
        auto* images = fixture.window->findChild<QMenu*>(u"images"_s);
        emit images->aboutToShow();
        QVERIFY(!images->actions().isEmpty());
        QTemporaryDir folder;
        QPrinter printer;
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(folder.filePath(u"page.pdf"_s));
        fixture.window->print(printer);
        QFile written(printer.outputFileName());
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.read(5) == "%PDF-" && written.size() > 2000);
        printer.setOutputFileName(u"/nowhere/page.pdf"_s);
        fixture.window->print(printer);
        QVERIFY(!fixture.window->page()->findChildren<MessageBar*>().isEmpty());
    }

    void networksAreExported()
    {
        WindowOptions options;
        attnscope::ExportRequest asked;
        bool fails = false;
        options.exportNetwork = [&](const attnscope::ExportRequest& request) {
            asked = request;
            if (fails)
                throw attnscope::UsageError("lara", "it draws noise; export lara:noise=none");
            return attnscope::ExportReport{.output = request.output,
                                           .bytes = 88'000'000,
                                           .model = "deit",
                                           .attention = request.attention,
                                           .operators = 812};
        };
        WindowFixture fixture(u"light"_s, {1280, 800}, options);
        QTRY_VERIFY(fixture.window->workspace().model() != nullptr);
        const QString path = fixture.folder.filePath(u"net.onnx"_s);
        const auto answer = [&] {
            auto* dialog = qobject_cast<ExportDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            QCOMPARE(dialog->choice()->count(), fixture.window->workspace().backends().checkedSpecs().size());
            dialog->choice()->setCurrentIndex(dialog->choice()->findData(u"lara"_s));
            QVERIFY2(dialog->path().endsWith(u"-lara.onnx"_s), qPrintable(dialog->path()));
            dialog->file()->clear();
            QVERIFY(!dialog->exportButton()->isEnabled());
            shotOf(*dialog, u"export-dialog"_s);
            dialog->file()->setText(path);
            dialog->exportButton()->click();
        };
        const auto said = [&](const QString& text) {
            for (const MessageBar* bar : fixture.window->page()->findChildren<MessageBar*>())
                if (bar->sentence().contains(text))
                    return true;
            return false;
        };
        fixture.window->workspace().backends().tick(attnscope::AttentionSpec::parse("lara"));
        QTimer::singleShot(0, this, answer);
        fixture.window->action(u"exportNetwork"_s)->trigger();
        QTRY_VERIFY(said(u"net.onnx was written"_s));
        QVERIFY(said(u"812"_s));
        QCOMPARE(QString::fromStdString(asked.attention), u"lara"_s);
        fails = true;
        QTimer::singleShot(0, this, answer);
        fixture.window->action(u"exportNetwork"_s)->trigger();
        QTRY_VERIFY(said(u"it draws noise"_s));
    }

    void pluginsAreTriedBeforeTheProgramStartsAgain()
    {
        QTemporaryDir folder;
        const QString program = writtenFile(
            folder, u"attnscope-cli"_s,
            "#!/bin/sh\n[ \"$2\" = good.so ] || { echo 'bad.so: it returns no tensor' >&2; exit 2; }\n");
        QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        WindowOptions options;
        options.commandLine = program;
        QStringList started;
        options.restartWithPlugin = [&](const QString& file) { started << file; };
        WindowFixture fixture(u"light"_s, {1280, 800}, options);
        fixture.window->tryPlugin(u"bad.so"_s);
        const auto said = [&] {
            for (const MessageBar* bar : fixture.window->page()->findChildren<MessageBar*>())
                if (bar->sentence() == "bad.so: it returns no tensor"_L1)
                    return true;
            return false;
        };
        QTRY_VERIFY(said());
        QVERIFY(started.isEmpty());
        fixture.window->tryPlugin(u"good.so"_s);
        QTRY_COMPARE(started, QStringList{u"good.so"_s});
    }

    void doctorShowsWhatTheProgramPrints()
    {
        QTemporaryDir folder;
        const QString program = writtenFile(folder, u"attnscope-cli"_s,
                                            "#!/bin/sh\necho \"processor: $1\"\necho 'decoder: missing' >&2\n");
        QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const std::unique_ptr<CommandDialog> dialog(doctorDialog(program, nullptr));
        CommandDialog& doctor = *dialog;
        QTRY_VERIFY(doctor.copyButton()->isEnabled());
        QCOMPARE(doctor.text()->toPlainText(), u"processor: doctor\ndecoder: missing\n"_s);
        shotOf(doctor, u"doctor"_s);
        doctor.copyButton()->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), doctor.text()->toPlainText());
    }

    void gpusAreInstalledInFrontOfTheUser()
    {
        QTemporaryDir folder;
        const QString program = writtenFile(folder, u"attnscope-cli"_s,
                                            "#!/bin/sh\ncd \"$(dirname \"$0\")\"\n[ \"$2\" != install ] || { echo "
                                            "'[1/16] Downloading torch' >&2; touch there; exit; }\n"
                                            "[ \"$2\" != remove ] || { rm there; exit; }\necho \"LibTorch $(ls "
                                            "there 2>/dev/null || echo missing)\"\n");
        QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const std::unique_ptr<CommandDialog> gpus(gpuDialog(program, nullptr));
        const auto button = [&](const QString& text) {
            const auto buttons = gpus->findChildren<QPushButton*>();
            return *std::ranges::find(buttons, text, &QPushButton::text);
        };
        QVERIFY(!button(u"&Install"_s)->isEnabled());
        QTRY_COMPARE(gpus->text()->toPlainText(), u"LibTorch missing\n"_s);
        QTRY_VERIFY(button(u"&Install"_s)->isEnabled());
        shotOf(*gpus, u"gpus"_s);
        button(u"&Install"_s)->click();
        QTRY_COMPARE(gpus->text()->toPlainText(), u"[1/16] Downloading torch\n\nLibTorch there\n"_s);
        QTRY_VERIFY(button(u"&Remove"_s)->isEnabled());
        button(u"&Remove"_s)->click();
        QTRY_COMPARE(gpus->text()->toPlainText().trimmed(), u"LibTorch missing"_s);
    }

    void doctorWithoutTheProgramSaysSo()
    {
        const std::unique_ptr<CommandDialog> dialog(doctorDialog(u"/nowhere/attnscope-cli"_s, nullptr));
        CommandDialog& doctor = *dialog;
        QVERIFY(!doctor.copyButton()->isEnabled());
        QVERIFY(doctor.text()->toPlainText().contains(u"attnscope-cli"_s));
    }
};

ATTNSCOPE_WINDOW_TEST(TestManners)
#include "tst_manners.moc"
