// What the program does with files from strangers, seen from outside: by its system calls and by its symbols.
#include "tests/cli/cli_process.h"
#include "tests/core/checkpoint/hostile_files.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QRegularExpression>
#include <QStandardPaths>

using namespace attnscope::test;

namespace {

/// The program stops at these calls alone, not at each that it makes while LibTorch is loaded.
const QStringList traceOptions{"-f", "--seccomp-bpf", "-e",
                               "trace=execve,execveat,open,openat,openat2,creat,unlink,unlinkat,rename,renameat2,"
                               "socket,connect,memfd_create"};

/// Empty when system calls can be traced here.
QString whyNoTrace()
{
    const QString strace = QStandardPaths::findExecutable("strace");
    if (strace.isEmpty())
        return "strace is not installed";
    QProcess process;
    process.start(strace, traceOptions + QStringList{"-o", "/dev/null", "true"});
    const bool works = process.waitForFinished(10'000) && process.exitCode() == 0;
    return works ? QString() : "strace may not trace here: " + process.readAllStandardError().trimmed();
}

/// The calls of `attnscope-cli inspect FILE`, one a line.
struct Trace {
    QStringList calls;
    int exitCode = -1;
    QByteArray messages;
};

Trace inspect(const QString& file, const QString& folder)
{
    QProcess process;
    const QString log = folder + "/../trace.log";
    process.setWorkingDirectory(folder);
    process.start("strace", traceOptions + QStringList{"-s", "400", "-o", log, ATTNSCOPE_CLI, "inspect", file});
    Trace trace;
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return trace;
    trace.exitCode = process.exitCode();
    trace.messages = process.readAllStandardError();
    QFile calls(log);
    if (calls.open(QIODevice::ReadOnly))
        trace.calls = QString::fromUtf8(calls.readAll()).split('\n');
    return trace;
}

/// Once the file is open: no program, no connection, no file but itself and what the system tells about the machine.
/// Returns the first call that is none of these, or what else is wrong.
QString offence(const Trace& trace, const QString& file)
{
    const auto isOfFile = [&](const QString& call) { return call.contains('"' + file + '"'); };
    const auto opened = std::find_if(trace.calls.begin(), trace.calls.end(), [&](const QString& call) {
        return call.contains("openat(") && isOfFile(call);
    });
    if (opened == trace.calls.end())
        return "the file was never opened";
    static const QRegularExpression ofTheSystem(
        "openat\\(AT_FDCWD, \"/(proc|sys|usr/lib|lib|etc/ld\\.so)[^\"]*\", O_RDONLY");
    for (auto call = opened; call != trace.calls.end(); ++call) {
        const bool isCall = call->contains('(') && !call->contains("+++") && !call->contains("---");
        if (isCall && !isOfFile(*call) && !ofTheSystem.match(*call).hasMatch() && !call->contains("resumed>"))
            return *call;
        if (isOfFile(*call)
            && (call->contains("O_WRONLY") || call->contains("O_RDWR") || call->contains("O_CREAT")))
            return *call;
    }
    return {};
}

QByteArray importedSymbols(const QString& program)
{
    QProcess process;
    process.start("nm", {"--dynamic", "--demangle", "--undefined-only", program});
    return process.waitForFinished(60'000) && process.exitCode() == 0 ? process.readAllStandardOutput()
                                                                      : QByteArray();
}

}

class CliHostileFiles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(QDir(m_temporary.path()).mkdir("work"));
        m_folder = m_temporary.filePath("work");
        m_whyNoTrace = whyNoTrace();
    }

    void nothingIsRunAndNothingElseIsOpened_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        const QDir goldens(testData("checkpoints"));
        for (const QString& name : goldens.entryList({"*.pth", "*.pyth", "*.safetensors"}, QDir::Files)) {
            QFile file(goldens.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QTest::newRow(qPrintable("golden " + name)) << name << file.readAll();
        }
        // All of them are refused or read in tst_hostile_files; a process for each would take minutes.
        for (size_t i = 0; i < hostileFiles().size(); i += 15)
            QTest::newRow(hostileFiles()[i].name.c_str()) << QString::fromStdString(hostileFiles()[i].name)
                                                          << QByteArray::fromStdString(hostileFiles()[i].bytes);
    }

    void nothingIsRunAndNothingElseIsOpened()
    {
        if (!m_whyNoTrace.isEmpty())
            QSKIP(qPrintable(m_whyNoTrace));
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        const QString path = m_folder + "/" + name;
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        const Trace trace = inspect(path, m_folder);
        QVERIFY2(trace.exitCode == 0 || trace.exitCode == 1, trace.messages.constData());
        QCOMPARE(offence(trace, path), QString());
        QCOMPARE(QDir(m_folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{name});
        QVERIFY(file.remove());
    }

    /// The look at the calls is only worth something when it sees a program that is run.
    void theTraceSeesPrograms()
    {
        Trace trace;
        trace.calls = {"1 openat(AT_FDCWD, \"/x\", O_RDONLY) = 3", "1 execve(\"/bin/sh\", [\"sh\"], 0x7f) = 0"};
        QVERIFY(offence(trace, "/x").contains("/bin/sh"));
        trace.calls[1] = "1 openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = 3";
        QVERIFY(offence(trace, "/x").contains("/etc/passwd"));
        trace.calls[1] = "1 openat(AT_FDCWD, \"/proc/self/status\", O_RDONLY) = 3";
        QCOMPARE(offence(trace, "/x"), QString());
        QCOMPARE(offence(trace, "/y"), QString("the file was never opened"));
    }

    void noLoaderThatRunsCodeIsLinked()
    {
        if (QStandardPaths::findExecutable("nm").isEmpty())
            QSKIP("nm is not installed");
        // InputArchive itself is named by every torch::nn::Module; opening one is not.
        static const QRegularExpression loaders(
            "torch::(jit::(load|import|Unpickler|ScriptModuleDeserializer|compile)|load|pickle_load|serialize::"
            "InputArchive::load_from)|caffe2::serialize|\\bPy[A-Z_]\\w+|\\bsystem@|\\bpopen@");
        for (const QString& program : QStringLiteral(ATTNSCOPE_PROGRAMS).split(',')) {
            if (!QFile::exists(program))
                continue;  // not part of this build
            const QByteArray symbols = importedSymbols(program);
            QVERIFY2(symbols.contains("malloc") || symbols.contains("operator new"), qPrintable(program));
            const auto found = loaders.match(QString::fromUtf8(symbols));
            QVERIFY2(!found.hasMatch(), qPrintable(program + " imports " + found.captured()));
        }
        QVERIFY(importedSymbols(ATTNSCOPE_COMMANDS).contains("at::"));
    }

private:
    QTemporaryDir m_temporary;
    QString m_folder, m_whyNoTrace;
};

ATTNSCOPE_EVENT_TEST(CliHostileFiles)
#include "tst_cli_hostile_files.moc"
