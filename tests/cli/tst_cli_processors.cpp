// What predictions must not depend on: how many threads OpenMP's environment leaves, and, up to rounding, the instruction set.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace attnscope::test;

namespace {

/// A variable of the environment while it lives.
class Variable {
public:
    Variable(const char* name, const QByteArray& value)
        : m_name(name)
        , m_before(qgetenv(name))
    {
        qputenv(name, value);
    }
    ~Variable() { m_before.isNull() ? qunsetenv(m_name) : qputenv(m_name, m_before); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    QByteArray m_before;
};

/// The demo's cat under attentions whose kernels are our own; two networks of unlike layers.
QStringList classifyCat(const QString& model, const QString& dtype)
{
    QStringList arguments{"classify",  RESOURCE_DIR "/demo/photos/cat.jpg",
                          "--weights", RESOURCE_DIR "/demo/models/" + model,
                          "--logits",  "--dtype",
                          dtype,       "--json",
                          "-"};
    for (const char* attention : {"softmax", "performer", "ra", "lara:samples=16"})
        arguments << "--attention" << attention;
    return arguments;
}

QJsonArray runsOf(const Outcome& outcome)
{
    return outcome.json()["inputs"].toArray()[0].toObject()["runs"].toArray();
}

std::vector<double> logitsOf(const QJsonValue& run)
{
    std::vector<double> logits;
    for (const auto& one : run.toObject()["logits"].toArray())
        logits.push_back(one.toDouble(std::nan("")));
    return logits;
}

/// ‖a − b‖ / ‖b‖; not a number where one is.
double relativeDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    if (a.size() != b.size() || a.empty())
        return std::nan("");
    double difference = 0, size = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return std::sqrt(difference / size);
}

QJsonObject doctorsCpu()
{
    return runCli({"doctor", "--json", "-"}).json()["cpu"].toObject();
}

}

class CliProcessors : public QObject {
    Q_OBJECT

private slots:
    void predictionsAreTheSameWhateverTeamOpenMpAllows_data()
    {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("thread limit") << QByteArray("OMP_THREAD_LIMIT") << QByteArray("1");
        QTest::newRow("dynamic") << QByteArray("OMP_DYNAMIC") << QByteArray("true");
        QTest::newRow("no active levels") << QByteArray("OMP_MAX_ACTIVE_LEVELS") << QByteArray("0");
    }

    void predictionsAreTheSameWhateverTeamOpenMpAllows()
    {
        QFETCH(QByteArray, variable);
        QFETCH(QByteArray, value);
        for (const char* model : {"deit.safetensors", "pvt_v2.safetensors"}) {
            const QStringList command = classifyCat(model, "float32") + QStringList{"--threads", "4"};
            const Outcome usual = runCli(command);
            const Variable limited(variable.constData(), value);
            const Outcome found = runCli(command);
            QCOMPARE(found.exitCode, 0);
            const QJsonArray expected = runsOf(usual), runs = runsOf(found);
            QCOMPARE(runs.size(), 4);
            for (int i = 0; i < runs.size(); ++i) {
                const double difference = relativeDifference(logitsOf(runs[i]), logitsOf(expected[i]));
                QVERIFY2(difference < 1e-5, qPrintable(QString::number(
                                                difference)));  // sums of LibTorch's go by the number of threads
            }
        }
    }

    void everyInstructionSetPredictsTheSame_data()
    {
        QTest::addColumn<QString>("set");
        for (const auto& set : doctorsCpu()["kernels_available"].toArray())
            QTest::newRow(qPrintable(set.toString())) << set.toString();
    }

    void everyInstructionSetPredictsTheSame()
    {
        QFETCH(QString, set);
        for (const char* model : {"deit.safetensors", "pvt_v2.safetensors"}) {
            const QJsonArray expected = runsOf(runCli(classifyCat(model, "float32") << "--plain"));
            const Variable lower("ATTNSCOPE_CPU", set.toUtf8());
            const Outcome single = runCli(classifyCat(model, "float32")),
                          half = runCli(classifyCat(model, "bfloat16"));
            QCOMPARE(single.json()["environment"].toObject()["kernels"].toString().section(", oneDNN", 0, 0),
                     set);  // which may be faster for some layers
            QCOMPARE(half.exitCode, 0);
            for (int i = 0; i < expected.size(); ++i) {
                const double rounding = relativeDifference(logitsOf(runsOf(single)[i]), logitsOf(expected[i]));
                QVERIFY2(rounding < 1e-4, qPrintable(QString::number(rounding)));  // P15: 1e-4 of a logit
                const double halves = relativeDifference(logitsOf(runsOf(half)[i]), logitsOf(expected[i]));
                // Where rounding turns a draw of RA's, another component is drawn: that one is no figure of rounding.
                const bool draws = expected[i].toObject()["attention"].toString() == "ra";
                QVERIFY2(halves < 0.05 || (draws && halves < 1), qPrintable(QString::number(halves)));
            }
        }
    }

    void layersThatOneDnnComputesFasterAreLeftToIt()
    {
        const QTemporaryDir cache;
        const Variable best("ATTNSCOPE_CPU", {}), place("XDG_CACHE_HOME", cache.path().toUtf8());
        QCOMPARE(doctorsCpu()["linear_layers"].toArray().size(), 0);
        const QStringList classify = classifyCat("deit.safetensors", "float32");
        const Outcome first = runCli(classify);
        QCOMPARE(first.exitCode, 0);
        const QJsonArray measured = doctorsCpu()["linear_layers"].toArray();
        QVERIFY(!measured.isEmpty());
        for (const auto& one : measured)
            QVERIFY(one.toObject()["own_ms"].toDouble() > 0 && one.toObject()["onednn_ms"].toDouble() > 0);

        // As if on a processor where oneDNN is a hundred times as fast.
        const QString path = cache.filePath("attnscope/linear_layers.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QJsonObject machines = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(machines.size(), 1);
        QJsonArray timings = machines.begin().value().toArray();
        for (auto&& timing : timings) {
            QJsonObject changed = timing.toObject();
            changed["onednn_ms"] = changed["own_ms"].toDouble() / 100;
            timing = changed;
        }
        machines.begin().value() = timings;
        file.resize(0);
        file.write(QJsonDocument(machines).toJson());
        file.close();
        const Outcome second = runCli(classify);
        QCOMPARE(second.exitCode, 0);
        const QString kernels = second.json()["environment"].toObject()["kernels"].toString();
        QVERIFY2(kernels.contains("oneDNN for linear layers "), qPrintable(kernels));
        QVERIFY(doctorsCpu()["linear_layers"].toArray()[0].toObject()["uses"].toString() == "onednn");
        for (int i = 0; i < runsOf(first).size(); ++i) {
            const double rounding = relativeDifference(logitsOf(runsOf(second)[i]), logitsOf(runsOf(first)[i]));
            QVERIFY2(rounding < 1e-4, qPrintable(QString::number(rounding)));
        }
    }

    void float16SaysThatItIsSlow()
    {
        QStringList classify = classifyCat("deit.safetensors", "float16");
        classify.resize(classify.indexOf("--json"));
        const Outcome classified = runCli(classify);
        QVERIFY2((classified.messages + classified.data).contains("float16 has no optimized CPU kernels"),
                 classified.messages.constData());
        const Outcome scaled = runCli(
            {"scale", "--attention", "performer", "--lengths", "64", "--layers", "1", "--dtype", "float16"});
        QCOMPARE(scaled.exitCode, 0);
        QCOMPARE(scaled.data.count("float16 has no optimized CPU kernels"), 1);
    }

    void anInstructionSetThatIsNotThereIsWrongUsage()
    {
        for (const char* name : {"avx1024", "AVX2", "sse"}) {
            const Variable wrong("ATTNSCOPE_CPU", name);
            const Outcome outcome = runCli({"models"});
            QCOMPARE(outcome.exitCode, 2);
            QVERIFY2(outcome.messages.contains(name) && outcome.messages.contains("portable"),
                     outcome.messages.constData());
        }
    }

    /// As shells have it that were set up for another program.
    void aForeignLibTorchIsNotLoaded()
    {
        const QTemporaryDir foreign;
        for (const char* name : {"libtorch.so", "libtorch_cpu.so", "libc10.so"}) {
            QFile file(foreign.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("not a library") > 0);
        }
        const Variable path("LD_LIBRARY_PATH", foreign.path().toUtf8());
        const Outcome outcome = runCli({"doctor", "--json", "-"});
        QCOMPARE(outcome.exitCode, 0);
        QCOMPARE(outcome.messages, QByteArray());  // nor do drivers that are looked for print anything
        const QString loaded = outcome.json()["versions"].toObject()["torch_library"].toString();
        QVERIFY2(QFileInfo(loaded).fileName().startsWith("libtorch") && !loaded.startsWith(foreign.path()),
                 qPrintable(loaded));
        QVERIFY(outcome.json()["cpu"].toObject().contains("quota"));
    }

    void doctorNamesTheKernelsThatAreUsed()
    {
        const Variable lower("ATTNSCOPE_CPU", "portable");
        const QJsonObject cpu = doctorsCpu();
        QCOMPARE(cpu["kernels_use"].toString(), QString("portable"));
        QVERIFY(cpu["kernels_available"].toArray().contains("portable"));
        QVERIFY(cpu["torch_uses"].toString().compare("default", Qt::CaseInsensitive) == 0);
    }

    /// It tells which instructions it uses when its first operator runs.
    void oneDnnKeepsToTheChoice()
    {
        QStringList classify = classifyCat("deit.safetensors", "float32") << "--plain";
        classify.replace(classify.indexOf("--json") + 1, "/dev/null");
        const Variable lower("ATTNSCOPE_CPU", "portable"), verbose("ONEDNN_VERBOSE", "1");
        const Outcome outcome = runCli(classify);
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY2(outcome.data.contains("isa:Intel SSE4.1"), outcome.data.constData());
    }
};

ATTNSCOPE_EVENT_TEST(CliProcessors)
#include "tst_cli_processors.moc"
