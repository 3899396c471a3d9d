// The commands in README.md and docs: every program, script, preset and option exists, and what needs no more than the demo runs.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

#include <algorithm>
#include <random>

using namespace attnscope::test;
using namespace Qt::StringLiterals;

namespace {

/// A line of a command block, those that end in \ joined, without its comment.
struct DocumentedLine {
    QString page;  ///< relative to the source
    int number = 0;
    QString text;
};

QString sourceFile(const QString& path)
{
    return QStringLiteral(DOCUMENTED_SOURCE "/") + path;
}

QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString withoutComment(const QString& line)
{
    static const QRegularExpression comment("(^|\\s)#\\s.*$");
    return QString(line).remove(comment).trimmed();
}

/// What is indented by four blanks behind an empty line, and what stands between ``` (of a shell, or of no language).
QList<DocumentedLine> linesOf(const QString& page)
{
    QList<DocumentedLine> found;
    const QStringList lines = textOf(sourceFile(page)).split('\n');
    bool fenced = false, shell = false, indented = false, goesOn = false;
    for (int i = 0; i < lines.size(); ++i) {
        const QString& line = lines[i];
        if (line.trimmed().startsWith("```")) {
            fenced = !fenced;
            shell = fenced && (line.trimmed() == "```" || line.trimmed() == "```sh");
            continue;
        }
        indented = !fenced && line.startsWith("    ") && (indented || i == 0 || lines[i - 1].isEmpty());
        if (!(fenced ? shell : indented))
            continue;
        QString text = withoutComment(line);
        const bool more = text.endsWith('\\');
        text = more ? text.chopped(1) : text;
        if (goesOn)
            found.back().text += text;
        else
            found << DocumentedLine{page, i + 1, text};
        goesOn = more;
    }
    return found;
}

QStringList documentPages()
{
    QStringList found{"README.md"};
    QDirIterator files(sourceFile("docs"), {"*.md"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        found << files.next().mid(sourceFile({}).size());
    found.sort();
    return found;
}

/// The program of a line, behind variables and what starts others.
QString programOf(const QString& line)
{
    for (const QString& word : line.split(' ', Qt::SkipEmptyParts))
        if (!QRegularExpression("^([A-Z_]+=.*|sudo)$").match(word).hasMatch())
            return word;
    return {};
}

bool isCommand(const DocumentedLine& line)
{
    static const QStringList programs{"attnscope", "cmake",   "ctest", "mpirun", "srun", "man",  "tar", "apt",
                                      "pip",       "python3", "c++",   "mkdir",  "for",  "done", "do"};
    const QString program = programOf(line.text);
    static const QRegularExpression ours("attnscope-cli\"? ");
    if (program.startsWith("bin/"))
        return false;  // of what is installed
    return line.text.contains(ours) || programs.contains(program) || program.startsWith("packaging/")
           || program.startsWith("build/");
}

/// What a program says it takes, or the script that it is.
QString describedBy(const QString& program, const QString& command)
{
    static QMap<QString, QString> known;
    const QString key = program + ' ' + command;
    if (!known.contains(key)) {
        QProcess process;
        process.start(program, command.isEmpty() ? QStringList{"--help"} : QStringList{command, "--help"});
        process.waitForFinished(60'000);
        known[key] = process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
    }
    return known[key];
}

QStringList optionsOf(const QString& text)
{
    static const QRegularExpression option("(?<=\\s)--[a-z][a-z0-9-]*");
    QStringList found;
    for (auto match = option.globalMatch(' ' + text); match.hasNext();)
        found << match.next().captured();
    return found;
}

/// Why a line is only looked up, not run: by what it contains. Everything else runs.
QString reasonNotToRun(const QString& line)
{
    static const QList<std::pair<QString, QString>> reasons{
        {"mpirun", "several processes: tst_cli_evaluate_mpi and tst_cli_train_mpi"},
        {"dinov2", "weights that are not here"},
        {"clip_vision", "weights that are not here"},
        {"imagenet.txt", "weights that are not here"},
        {"weights.pth", "weights that are not here"},
        {"--protocol", "data that are not here: tst_cli_protocols"},
        {"study.toml", "data that are not here: tst_cli_protocols"},
        {"mine.ts", "an attention of one's own: tst_plugin"},
        {"attnscope-cli train", "takes minutes: tst_cli_train"},
        {"attnscope-cli scale", "takes minutes: tst_cli_laboratory"},
        {"attnscope-cli decode", "takes minutes: tst_cli_decode"},
        {"attnscope-cli plan", "takes minutes: tst_cli_laboratory"},
        {" --all", "takes minutes: tst_cli_leaderboard"},
        {"--random 784", "takes minutes: tst_cli_laboratory"},
        {"attnscope-cli demo demo", "the same files, many more of them: tst_cli_demo"},
        {"/attnscope-cli\" compare", "twenty runs in a loop: tst_cli_gate"},
        {"./after/", "two builds: tst_cli_gate"},
    };
    for (const auto& [part, reason] : reasons)
        if (line.contains(part))
            return reason;
    return line.contains("attnscope-cli ") ? QString() : u"builds, installs, or opens a window"_s;
}

/// The same with few repetitions and samples, and with the names of what is in the folder of the test.
QString quickly(QString line)
{
    line.replace("build/release/app/cli/attnscope-cli", "attnscope-cli")
        .replace("/usr/share/attnscope/", "resources/")
        .replace(" /their/", " ");
    static const QMap<QString, QStringList> quick{{"compare", {"--repetitions 1", "--seconds 0", "--seeds 1"}},
                                                  {"evaluate", {"--limit 24", "--no-measuring"}},
                                                  {"layers", {"--seeds 1"}}};
    for (auto command = quick.begin(); command != quick.end(); ++command)
        for (const QString& option : command.value())
            if (!optionsOf(line).contains(option.section(' ', 0, 0)))
                line.replace("attnscope-cli " + command.key() + ' ',
                             "attnscope-cli " + command.key() + ' ' + option + ' ');
    return line;
}

/// q, k and v of two heads with 14 × 14 tokens.
QByteArray tokens()
{
    constexpr int each = 2 * 196 * 8;
    QByteArray header = "{";
    for (int i = 0; i < 3; ++i)
        header += u"%1\"%2\":{\"dtype\":\"F32\",\"shape\":[1,2,196,8],\"data_offsets\":[%3,%4]}"_s
                      .arg(QString(i > 0 ? "," : ""), QString(QChar("qkv"[i])), QString::number(4 * each * i),
                           QString::number(4 * each * (i + 1)))
                      .toUtf8();
    std::vector<float> values(3 * each);
    std::mt19937 random(1);
    std::ranges::generate(values, [&] { return std::uniform_real_distribution<float>(-1, 1)(random); });
    return safetensors(header + "}", {reinterpret_cast<const char*>(values.data()),
                                      static_cast<qsizetype>(values.size() * sizeof(float))});
}

}

class CliDocuments : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        QDir folder(m_folder.path());
        QCOMPARE(
            runCli({"demo", "demo", "--only", "scenes", "--train", "9", "--val", "2", "--quiet"}, m_folder.path())
                .exitCode,
            0);
        const auto link = [&](const QString& target, const QString& name) {
            return QFile::link(target, folder.filePath(name));
        };
        const QString resources = QStringLiteral(RESOURCE_DIR), photo = resources + "/demo/photos/cat.jpg";
        QVERIFY(link(resources, "resources") && link(photo, "cat.jpg") && link(photo, "photo.jpg")
                && folder.mkdir("photos") && link(photo, "photos/cat.jpg")
                && link(resources + "/demo/models/deit_lara.safetensors", "deit_lara.safetensors"));
        for (const char* name : {"astronaut.jpg", "brick.jpg", "coffee.jpg"})  // CKA takes four
            QVERIFY(link(resources + "/demo/photos/" + name, QString("photos/") + name));
        for (const char* weights :
             {"deit.safetensors", "deit_tiny.safetensors", "deit_small.safetensors", "W.safetensors", "W"})
            QVERIFY(link(resources + "/demo/models/deit.safetensors", weights));
        QVERIFY(link("demo/scenes", "imagenet") && link("demo/scenes", "scenes")
                && link("demo/scenes/val", "my-images") && link("demo/scenes/val", "val"));
        QVERIFY(link(testData("attention/a_performer.safetensors"), "golden.safetensors"));
        QFile dumped(folder.filePath("qkv.safetensors"));
        QVERIFY(dumped.open(QIODevice::WriteOnly) && dumped.write(tokens()) > 0);
        // What a project would have from before: a store, and records.
        QVERIFY(folder.mkdir("before") && folder.mkdir("after"));
        for (const QStringList& made :
             {QStringList{"evaluate", "val", "--limit", "12", "--store", "before.sqlite"},
              QStringList{"compare", "cat.jpg", "--repetitions", "1", "--seconds", "0", "--seeds", "1", "--json",
                          "before/1.json"}}) {
            const Outcome outcome = runCli(
                made + QStringList{"--weights", "W", "--attention", "softmax", "--quiet"}, m_folder.path());
            QVERIFY2(outcome.exitCode == 0, outcome.messages);
        }
        QVERIFY(QFile::copy(folder.filePath("before.sqlite"), folder.filePath("after.sqlite"))
                && QFile::copy(folder.filePath("before/1.json"), folder.filePath("after/1.json")));
    }

    void everyCommandExists_data()
    {
        QTest::addColumn<QString>("page");
        for (const QString& page : documentPages())
            QTest::newRow(page.toUtf8()) << page;
    }

    /// Programs, scripts, presets and every option of theirs.
    void everyCommandExists()
    {
        QFETCH(QString, page);
        const QString presets = textOf(sourceFile("CMakePresets.json"));
        for (const DocumentedLine& line : linesOf(page)) {
            if (!isCommand(line))
                continue;
            const QString where = u"%1:%2: %3: "_s.arg(line.page, QString::number(line.number), line.text),
                          program = programOf(line.text);
            QVERIFY2(!line.text.contains(u"…"_s), qPrintable(where + "cannot be pasted into a shell"));
            QVERIFY2(!line.text.contains("   "), qPrintable(where + "what is said about it needs a # in front"));
            static const QRegularExpression preset("--preset[ =]([a-z-]+)"),
                command("attnscope-cli\"? ([a-z-]+)(.*)");
            for (auto match = preset.globalMatch(line.text); match.hasNext();)
                QVERIFY2(presets.contains('"' + match.next().captured(1) + '"'),
                         qPrintable(where + "there is no such preset"));
            if (program.startsWith("packaging/")) {
                QVERIFY2(QFileInfo(sourceFile(program)).isExecutable(),
                         qPrintable(where + "there is no such script"));
                for (const QString& option : optionsOf(line.text))
                    QVERIFY2(textOf(sourceFile(program)).contains(option),
                             qPrintable(where + "there is no option " + option));
            } else if (const auto match = command.match(line.text); match.hasMatch()) {
                const QString help = describedBy(QStringLiteral(ATTNSCOPE_CLI), match.captured(1));
                QVERIFY2(!help.isEmpty(), qPrintable(where + "there is no such command"));
                const QStringList known = optionsOf(QString(help).replace(',', ' '));
                for (const QString& option : optionsOf(match.captured(2).section('|', 0, 0).section(';', 0, 0)))
                    QVERIFY2(known.contains(option), qPrintable(where + "there is no option " + option));
            } else if (const QString window = windowProgram(); program == "attnscope" && !window.isEmpty()) {
                for (const QString& option : optionsOf(line.text))
                    QVERIFY2(describedBy(window, {}).contains(option),
                             qPrintable(where + "there is no option " + option));
            }
        }
    }

    void commandsRun_data() { everyCommandExists_data(); }

    /// In the order of the page, and in a folder that has the files by their names there.
    void commandsRun()
    {
        QFETCH(QString, page);
        for (const DocumentedLine& line : linesOf(page)) {
            if (!isCommand(line) || !reasonNotToRun(line.text).isEmpty())
                continue;
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("PATH",
                               QFileInfo(QStringLiteral(ATTNSCOPE_CLI)).path() + ':' + environment.value("PATH"));
            environment.insert("XDG_DATA_HOME", m_folder.filePath("data"));
            process.setProcessEnvironment(environment);
            process.setWorkingDirectory(m_folder.path());
            process.start("/bin/bash", {"-c", "set -o pipefail; " + quickly(line.text)});
            const Outcome outcome = outcomeOf(process);
            QVERIFY2(!outcome.crashed && outcome.exitCode == 0,
                     qPrintable(u"%1:%2: %3\n"_s.arg(line.page, QString::number(line.number), quickly(line.text))
                                + outcome.messages));
            ++m_run;
        }
    }

    /// docs/install.md: `cmake --install` after packaging/run.sh, which does not build everything.
    void whatIsInstalledIsBuiltByRunSh()
    {
        const QDir build(QStringLiteral(DOCUMENTED_BUILD));
        if (!build.exists("build.ninja"))
            QSKIP("the build does not use Ninja");
        const auto asked =
            QRegularExpression("build_preset release ([\\w -]+)").match(textOf(sourceFile("packaging/run.sh")));
        QVERIFY(asked.hasMatch());
        const auto ninja = [&](const QStringList& words) {
            QProcess process;
            process.start("ninja", QStringList{"-C", build.path(), "-t"} + words);
            process.waitForFinished(60'000);
            return QString::fromUtf8(process.readAllStandardOutput()).split('\n');
        };
        // What the targets name themselves is not among their inputs.
        const QStringList targets = asked.captured(1).trimmed().split(' ');
        QSet<QString> built, outputs;
        for (const QString& line : ninja(QStringList{"inputs"} + targets) + ninja(QStringList{"query"} + targets))
            built << line.section(' ', -1);
        for (const QString& line : ninja({"targets", "all"}))
            outputs << line.section(": ", 0, 0);
        static const QRegularExpression quoted("\"" + QRegularExpression::escape(build.path()) + "/([^\"]+)\"");
        int checked = 0;
        QDirIterator scripts(build.path(), {"cmake_install.cmake"}, QDir::Files, QDirIterator::Subdirectories);
        while (scripts.hasNext())
            for (auto file = quoted.globalMatch(textOf(scripts.next())); file.hasNext();)
                if (const QString name = file.next().captured(1); outputs.contains(name)) {
                    QVERIFY2(built.contains(name), qPrintable(name + ": packaging/run.sh does not build it"));
                    ++checked;
                }
        QVERIFY2(checked > 20, qPrintable(QString::number(checked)));
    }

    void cleanupTestCase() { QVERIFY2(m_run > 30, qPrintable(QString::number(m_run))); }

private:
    static QString windowProgram()
    {
        for (const QString& program : QStringLiteral(ATTNSCOPE_PROGRAMS).split(','))
            if (QFileInfo(program).fileName() == "attnscope")
                return program;
        return {};
    }

    QTemporaryDir m_folder;
    int m_run = 0;
};

ATTNSCOPE_TEST(CliDocuments)
#include "tst_cli_documents.moc"
