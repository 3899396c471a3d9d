// What shells and terminals get: completion, pipes that close, tables and progress that fit.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace attnscope::test;

namespace {

QStringList shellModel()
{
    return {"--weights", testData("models/deit_tiny_cfg.weights.official.safetensors"), "--model",
            testData("models/deit_tiny_cfg.json")};
}

QString shellInput()
{
    return testData("models/deit_tiny_cfg.io.safetensors");
}

/// Without what colours and overwrites.
QString drawn(const QByteArray& data)
{
    static const QRegularExpression sequence("\x1b\\[[0-9;]*[A-Za-z]");
    return QString::fromUtf8(data).remove(sequence);
}

/// What the shell offers where the line ends.
QStringList bashOffers(const QString& script, const QStringList& words)
{
    const Outcome outcome = runShell(
        QString("source %1; compopt() { :; }; COMP_WORDS=(%2); COMP_CWORD=%3; _attnscope_cli; printf '%s\\n' "
                "\"${COMPREPLY[@]}\"")
            .arg(script, "'" + words.join("' '") + "'", QString::number(words.size() - 1)));
    return QString::fromUtf8(outcome.data).split('\n', Qt::SkipEmptyParts);
}

}

class CliShell : public QObject {
    Q_OBJECT

private slots:
    void everyOptionOfHelpIsCompleted()
    {
        const QString script = completion("bash");
        for (const char* command :
             {"classify", "compare", "attend",  "approximate", "layers",   "plan",   "scale",
              "decode",   "inspect", "convert", "train",       "evaluate", "report", "predictions",
              "merge",    "demo",    "doctor",  "models",      "backends", "devices"}) {
            const QString help = QString::fromUtf8(runCli({command, "--help"}).data).section("Examples:", 0, 0);
            static const QRegularExpression line("^  (?:-h,)?(--[a-z][a-z0-9-]*)",
                                                 QRegularExpression::MultilineOption);
            const QStringList offered = bashOffers(script, {"attnscope-cli", command, "--"});
            for (auto match = line.globalMatch(help); match.hasNext();) {
                const QString name = match.next().captured(1);
                QVERIFY2(offered.contains(name), qPrintable(QString(command) + " " + name));
            }
        }
    }

    void onlyWhatACommandTakesIsOffered()
    {
        const QString script = completion("bash");
        QCOMPARE(bashOffers(script, {"attnscope-cli", "classify", "--dtype", ""}),
                 QStringList({"float32", "bfloat16", "float16"}));
        QVERIFY(bashOffers(script, {"attnscope-cli", "attend", "--dtype", ""}).contains("float64"));
        QCOMPARE(bashOffers(script, {"attnscope-cli", "convert", "--dtype", "s"}), QStringList{"stored"});
        QCOMPARE(bashOffers(script, {"attnscope-cli", "classify", "--dtype", "=", "b"}), QStringList{"bfloat16"});
        QCOMPARE(bashOffers(script, {"attnscope-cli", "comple"}), QStringList{"completion"});
        QCOMPARE(bashOffers(script, {"attnscope-cli", "compare", "--attention", "perf"}),
                 QStringList{"performer"});
        QCOMPARE(bashOffers(script, {"attnscope-cli", "compare", "--model", "deit_tiny_d"}),
                 QStringList{"deit_tiny_distilled_patch16_224"});
        QVERIFY(bashOffers(script, {"attnscope-cli", "compare", "--seeds", ""}).isEmpty());
    }

    void scriptsAreOfTheirShells_data()
    {
        QTest::addColumn<QString>("shell");
        for (const char* shell : {"bash", "zsh", "fish"})
            QTest::newRow(shell) << QString::fromLatin1(shell);
    }

    void scriptsAreOfTheirShells()
    {
        QFETCH(QString, shell);
        if (QStandardPaths::findExecutable(shell).isEmpty())
            QSKIP("this machine has no such shell");
        const Outcome checked = runShell(QString("%1 -n %2").arg(shell, completion(shell)));
        QVERIFY2(checked.exitCode == 0 && checked.messages.isEmpty(), checked.messages.constData());
    }

    void anOptionThatTakesOneValueAtATimeSaysSo()
    {
        const QByteArray help = runCli({"compare", "--help"}).data;
        QVERIFY(help.contains("--attention SPEC") && !help.contains("SPEC ..."));
        // A list with commas takes no further words either: here is the input.
        const Outcome outcome = runCli({"approximate", "--attention", "ra", "--weights", "untrained", "--model",
                                        testData("models/deit_tiny_cfg.json"), "--samples", "1,4", shellInput(),
                                        "--json", "-", "--quiet"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
    }

    /// The reader leaves after a line: the work is done, the file written, the exit code tells of the work.
    void aReaderThatLeavesChangesNothing()
    {
        QTemporaryDir folder;
        const Outcome outcome = runShell(QString("set -o pipefail; \"$CLI\" classify %1 nowhere.jpg --weights %2 "
                                                 "--model %3 --json %4/result.json | true")
                                             .arg(shellInput(), shellModel()[1], shellModel()[3], folder.path()));
        QCOMPARE(outcome.exitCode, 3);
        QVERIFY(QFile::exists(folder.filePath("result.json")));
    }

    void theReasonWhyThereIsNoGpuIsGivenByDoctorAlone()
    {
        QVERIFY(runCli(QStringList{"classify", shellInput(), "--json", "-"} + shellModel()).messages.isEmpty());
        const QJsonArray devices = runCli({"devices", "--json", "-"}).json()["devices"].toArray(),
                         missing = runCli({"doctor", "--json", "-"}).json()["missing"].toArray();
        for (const QJsonValue value : devices)
            if (const QJsonObject device = value.toObject(); !device["available"].toBool()) {
                QStringList remedies;
                for (const QJsonValue lack : missing)
                    remedies << lack.toObject()["remedy"].toString();
                QVERIFY(remedies.contains(device["reason"].toString()));
            }
    }

    void doctorWithoutAHomeFolderSaysSo()
    {
        const Outcome outcome = runShell("env -u HOME -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_CACHE_HOME -u "
                                         "XDG_STATE_HOME \"$CLI\" doctor --json -");
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject config = outcome.json()["paths"].toObject()["config"].toObject();
        QVERIFY(config["path"].isNull());
        QCOMPARE(config["state"].toString(), QString("no home folder"));
        int said = 0;
        for (const QJsonValue lack : outcome.json()["missing"].toArray())
            said += lack.toObject()["remedy"].toString().contains("HOME is not set") ? 1 : 0;
        QCOMPARE(said, 1);
    }

    void tablesFitTheTerminal_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("columns");
        for (const int columns : {60, 80, 120}) {
            const QByteArray width = QByteArray::number(columns);
            QTest::newRow("models " + width) << QStringList{"models"} << columns;
            QTest::newRow("devices " + width) << QStringList{"devices"} << columns;
            QTest::newRow("compare " + width)
                << QStringList{"compare",   shellInput(),  "--attention",
                               "softmax",   "--attention", "lara:samples=4,proposal=mixed,beta=2",
                               "--seconds", "0",           "--repetitions",
                               "2",         "--seeds",     "2",
                               "--quiet"}
                       + shellModel()
                << columns;
        }
    }

    void tablesFitTheTerminal()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, columns);
        const Outcome narrow = runOnTerminal(arguments, columns);
        QCOMPARE(narrow.exitCode, 0);
        static const QRegularExpression gap("\\S  +\\S");  // of tables, not of sentences that the terminal breaks
        for (const QString& line : drawn(narrow.data).split("\r\n"))
            if (line.contains(gap))
                QVERIFY2(line.size() <= columns, qPrintable(line));
    }

    /// Nothing that a wide terminal shows is lost on a narrow one.
    void aNarrowTableHoldsEveryWord()
    {
        const auto words = [](const Outcome& outcome) {
            const QStringList list = drawn(outcome.data).split(QRegularExpression("\\s+"), Qt::SkipEmptyParts);
            return QSet<QString>(list.begin(), list.end());
        };
        QCOMPARE(words(runOnTerminal({"models"}, 70)), words(runOnTerminal({"models"}, 1000)));
        const QByteArray piped = runCli({"models"}).data;
        QVERIFY(piped.split('\n').first().size() > 80);  // no terminal, no width
    }

    void aNoteThatAllAttentionsShareIsSaidOnce()
    {
        const Outcome outcome = runCli(
            {"compare", testData("models/motionformer_trajectory_tiny_cfg.io.safetensors"), "--weights",
             testData("models/motionformer_trajectory_tiny_cfg.weights.official.safetensors"), "--model",
             testData("models/motionformer_trajectory_tiny_cfg.json"), "--attention", "softmax", "--attention",
             "performer:samples=8", "--seconds", "0", "--repetitions", "2", "--seeds", "1"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QStringList lines = QString::fromUtf8(outcome.data).split('\n');
        const auto inputs = lines.filter("io.safetensors").size();
        QVERIFY(inputs > 0);
        QCOMPARE(lines.filter("what a backend replaces").size(), inputs);
        QCOMPARE(lines.filter("as published").size(), inputs);
        QVERIFY(!outcome.data.contains("softmax: figures"));
    }

    void oneInputHasAPercentageAndARemainingTime()
    {
        const Outcome outcome = runOnTerminal(QStringList{"compare", shellInput(), "--attention", "softmax",
                                                          "--attention", "performer", "--seconds", "2", "--seeds",
                                                          "1"}
                                                  + shellModel(),
                                              120);
        QCOMPARE(outcome.exitCode, 0);
        // This file has two elements; an image of its own has one.
        QVERIFY2(outcome.data.contains("0/2 inputs · about") && outcome.data.contains(" left · "),
                 outcome.data.constData());
        QTemporaryDir folder;
        QFile image(folder.filePath("one.ppm"));
        QVERIFY(image.open(QIODevice::WriteOnly)
                && image.write("P6\n60 50\n255\n" + QByteArray(60 * 50 * 3, '\x7f')) > 0);
        image.close();
        const Outcome single = runOnTerminal(QStringList{"compare", image.fileName(), "--attention", "softmax",
                                                         "--attention", "performer", "--seconds", "2", "--seeds",
                                                         "1"}
                                                 + shellModel(),
                                             120);
        if (single.exitCode == 1)
            QSKIP("this build has no image decoder");
        QVERIFY2(!single.data.contains("/1 input") && single.data.contains(" % · about "),
                 single.data.constData());
    }

private:
    QString completion(const QString& shell)
    {
        const QString path = m_folder.filePath("completion." + shell);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(runCli({"completion", shell}).data) < 100)
            qFatal("%s cannot be written", qPrintable(path));
        return path;
    }

    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(CliShell)
#include "tst_cli_shell.moc"
