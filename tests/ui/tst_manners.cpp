// SPDX-License-Identifier: GPL-3.0-or-later
// What a user expects of any desktop program: the files opened last, and a report of what the machine has.
#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/widgets/message_stack.h"
#include "ui/window/doctor_dialog.h"
#include "ui/window/recent_files.h"

#include <QClipboard>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace attnscope::ui;
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

}  // namespace

class TestManners : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { prepareApplication(); }

    void recentFilesAreNewestFirstAndKept()
    {
        QTemporaryDir folder;
        const QString settings = folder.filePath(QStringLiteral("a.ini"));
        QStringList written;
        for (int i = 0; i < RecentFiles::maxCount + 2; ++i)
            written << writtenFile(folder, QStringLiteral("%1.png").arg(i));
        {
            RecentFiles recent(settings);
            for (const QString& path : written)
                recent.add({path});
            recent.add({written[5], folder.filePath(QStringLiteral("missing.png"))});
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
        const QString settings = folder.filePath(QStringLiteral("a.ini")), path = writtenFile(folder, QStringLiteral("cat.png"));
        RecentFiles(settings).add({path});
        QCOMPARE(saveSettings(settings, {}), QString());
        QCOMPARE(RecentFiles(settings).paths(), QStringList{path});
        QCOMPARE(loadSettings(settings).problem, QString());
    }

    void menuListsNamesAndSaysWhereEqualOnesAre()
    {
        QTemporaryDir folder;
        QDir(folder.path()).mkpath(QStringLiteral("a"));
        QDir(folder.path()).mkpath(QStringLiteral("b"));
        RecentFiles recent({});
        QMenu menu;
        recent.listIn(menu);
        QCOMPARE(menu.actions().size(), 1);
        QVERIFY(!menu.actions().front()->isEnabled());
        recent.add({writtenFile(folder, QStringLiteral("a/cat.png")), writtenFile(folder, QStringLiteral("b/cat.png")), writtenFile(folder, QStringLiteral("R&D.png"))});
        emit menu.aboutToShow();
        QStringList texts;
        for (const QAction* action : menu.actions())
            texts << action->text();
        QCOMPARE(texts.mid(0, 3), QStringList({QStringLiteral("&1  a/cat.png"), QStringLiteral("&2  b/cat.png"), QStringLiteral("&3  R&&D.png")}));
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
    void mnemonicsAreUniqueInEveryMenu()
    {
        WindowOptions options;
        static_cast<ScreenBackends&>(options) = allScreens();
        WindowFixture fixture(QStringLiteral("light"), {1280, 800}, options);
        QList<QMenu*> menus = fixture.window->findChild<QMenuBar*>(QStringLiteral("menus"))->findChildren<QMenu*>();
        QVERIFY(menus.size() >= 6);
        for (const QMenu* menu : menus) {
            QMap<QString, QString> texts;
            for (const QAction* action : menu->actions()) {
                if (action->isSeparator() || menu->objectName() == QLatin1String("recent"))  // names of files
                    continue;
                const QString letter = QKeySequence::mnemonic(action->text()).toString();
                QVERIFY2(!letter.isEmpty(), qPrintable(action->text()));
                QVERIFY2(!texts.contains(letter), qPrintable(action->text() + QStringLiteral(" and ") + texts[letter]));
                texts[letter] = action->text();
            }
        }
    }

    void doctorShowsWhatTheProgramPrints()
    {
        QTemporaryDir folder;
        const QString program = writtenFile(folder, QStringLiteral("attnscope-cli"), "#!/bin/sh\necho \"processor: $1\"\necho 'decoder: missing' >&2\n");
        QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        DoctorDialog doctor(program);
        QTRY_VERIFY(doctor.copyButton()->isEnabled());
        QCOMPARE(doctor.text()->toPlainText(), QStringLiteral("processor: doctor\ndecoder: missing\n"));
        doctor.copyButton()->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), doctor.text()->toPlainText());
    }

    void doctorWithoutTheProgramSaysSo()
    {
        DoctorDialog doctor(QStringLiteral("/nowhere/attnscope-cli"));
        QVERIFY(!doctor.copyButton()->isEnabled());
        QVERIFY(doctor.text()->toPlainText().contains(QStringLiteral("attnscope-cli")));
    }
};

ATTNSCOPE_WINDOW_TEST(TestManners)
#include "tst_manners.moc"
