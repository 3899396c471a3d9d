// Machines with a GPU that are made up (tests/core/device/stand_in): what the program finds, in which order it looks, and what it says.
#include "tests/cli/cli_process.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

using namespace attnscope::test;

namespace {

using Variables = QMap<QString, QString>;

/// Without what the surroundings may bring of CUDA.
Outcome runWith(const Variables& variables, const QStringList& arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX", "ATTNSCOPE_LIBTORCH_CUDA", "CUDA_VISIBLE_DEVICES"})
        environment.remove(QString::fromLatin1(name));
    for (auto each = variables.begin(); each != variables.end(); ++each)
        environment.insert(each.key(), each.value());
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(ATTNSCOPE_CLI), arguments);
    return outcomeOf(process);
}

/// A folder that holds torch, as Python's site-packages does.
class Packages {
public:
    explicit Packages(const QString& folder, const QString& version = u"2.11.0+cu130"_s,
                      const QString& cuda = u"'13.0'"_s)
        : m_folder(folder)
    {
        QDir().mkpath(folder + "/torch/lib");
        QDir().mkpath(folder + "/nvidia/cu13/lib");
        put("torch/version.py", "__version__ = '" + version + "'\ndebug = False\ncuda = " + cuda + "\n");
        put("nvidia/cu13/lib/libcudart.so.13", {});
        QFile::link(QStringLiteral(STAND_IN_TORCH), folder + "/torch/lib/libtorch_cuda.so");
    }
    void put(const QString& name, const QString& text) const
    {
        QFile file(m_folder + "/" + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }
    QString library() const { return m_folder + "/torch/lib/libtorch_cuda.so"; }

private:
    QString m_folder;
};

const Variables driver{{"LD_LIBRARY_PATH", QStringLiteral(STAND_IN_DRIVER)}};

Variables with(Variables variables, const Variables& more)
{
    for (auto each = more.begin(); each != more.end(); ++each)
        variables.insert(each.key(), each.value());
    return variables;
}

QJsonObject gpuJson(const Variables& variables)
{
    return runWith(variables, {"gpu", "--json", "-"}).json();
}

QJsonArray devicesWith(const Variables& variables)
{
    return runWith(variables, {"devices", "--json", "-"}).json()["devices"].toArray();
}

}

class TestCliGpu : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString place(const QString& name) const { return m_folder.filePath(name); }

private slots:
    void init()
    {
        if (QFile::exists("/proc/driver/nvidia/version"))
            QSKIP("this machine has NVIDIA's driver");
    }

    void withoutADriverNothingElseIsToBlame()
    {
        const Packages packages(place("driverless"));
        const Outcome outcome = runWith({{"ATTNSCOPE_LIBTORCH_CUDA", place("driverless")}},
                                        {"classify", testData("models/deit_tiny_cfg.io.safetensors"), "--model",
                                         "deit_tiny_patch16_224", "--weights", "untrained", "--device", "cuda"});
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.messages.count('\n'), 1);
        QVERIFY2(outcome.messages.contains("the NVIDIA driver is missing (libcuda.so.1)"),
                 outcome.messages.constData());
        const QJsonObject gpu = gpuJson({{"ATTNSCOPE_LIBTORCH_CUDA", place("driverless")}});
        QCOMPARE(gpu["works"].toBool(true), false);
        QCOMPARE(gpu["libtorch"]["path"].toString(), packages.library());
    }

    void aDriverThatCannotBeUsedIsNamed_data()
    {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("no GPU") << "STAND_IN_ERROR"
                                << "100"
                                << "the NVIDIA driver finds no GPU";
        QTest::newRow("hidden") << "STAND_IN_GPUS"
                                << "0"
                                << "the NVIDIA driver finds no GPU";
        QTest::newRow("another module") << "STAND_IN_ERROR"
                                        << "804"
                                        << "restart the machine";
        QTest::newRow("another error") << "STAND_IN_ERROR"
                                       << "999"
                                       << "CUDA error 999";
        QTest::newRow("too old") << "STAND_IN_CUDA"
                                 << "12040"
                                 << "580.65.06 supports CUDA 12.4";
    }
    void aDriverThatCannotBeUsedIsNamed()
    {
        QFETCH(QString, variable);
        QFETCH(QString, value);
        QFETCH(QString, sentence);
        const Packages packages(place("old"));
        const auto variables = with(driver, {{variable, value}, {"ATTNSCOPE_LIBTORCH_CUDA", place("old")}});
        const QString reason = gpuJson(variables)["reason"].toString();
        QVERIFY2(reason.contains(sentence), qPrintable(reason));
    }

    void theGpuIsListedWithWhatTheDriverSays()
    {
        const Packages packages(place("site"));
        const auto variables = with(driver, {{"ATTNSCOPE_LIBTORCH_CUDA", place("site")}, {"STAND_IN_GPUS", "2"}});
        const QJsonObject gpu = gpuJson(variables);
        QVERIFY2(gpu["works"].toBool(), qPrintable(gpu["reason"].toString()));
        QCOMPARE(gpu["driver"]["version"].toString(), "580.65.06");
        QCOMPARE(gpu["driver"]["cuda"].toString(), "13.0");
        QCOMPARE(gpu["libtorch"]["path"].toString(), packages.library());
        const QJsonArray gpus = gpu["gpus"].toArray();
        QCOMPARE(gpus.size(), 2);
        const QJsonObject first = gpus[0].toObject();
        QCOMPARE(gpus[1].toObject()["name"].toString(), "cuda:1");
        QCOMPARE(first["model"].toString(), "NVIDIA Stand-in");
        QCOMPARE(first["compute_capability"].toString(), "9.0");
        QCOMPARE(first["clock_mhz"].toInt(), 1980);
        QCOMPARE(first["power_limit_watts"].toDouble(), 700.0);
        const QJsonArray devices = devicesWith(variables);
        QCOMPARE(devices.size(), 3);
        const QJsonObject device = devices[1].toObject();
        QCOMPARE(device["name"].toString(), "cuda:0");
        QVERIFY(device["available"].toBool());
        QCOMPARE(device["memory_bytes"].toDouble(), 80.0 * (1 << 30));
        QCOMPARE(device["free_bytes"].toDouble(), 60.0 * (1 << 30));
        // A device beyond the last.
        const Outcome third = runWith(variables,
                                      {"classify", testData("models/deit_tiny_cfg.io.safetensors"), "--model",
                                       "deit_tiny_patch16_224", "--weights", "untrained", "--device", "cuda:2"});
        QVERIFY2(third.messages.contains("the last is cuda:1"), third.messages.constData());
    }

    void aGpuThatIsTooOldIsNotOffered()
    {
        const Packages packages(place("pascal"));
        const auto variables = with(driver,
                                    {{"ATTNSCOPE_LIBTORCH_CUDA", place("pascal")}, {"STAND_IN_CAPABILITY", "61"}});
        const QJsonArray devices = devicesWith(variables);
        const QJsonObject device = devices[1].toObject();
        QVERIFY(!device["available"].toBool());
        QVERIFY2(device["reason"].toString().contains("7.5 or later, and this one has 6.1"),
                 qPrintable(device["reason"].toString()));
    }

    void libTorchIsLookedForInTheActiveEnvironmentThenInPythonThenInTheCache()
    {
        const Packages active(place("venv/lib/python3.12/site-packages")),
            conda(place("conda/lib/python3.11/site-packages")), python(place("python")),
            cache(place("cache/libtorch-2.11.0-cuda"));
        QDir().mkpath(place("bin"));
        // A python3 that knows this folder alone.
        QFile script(place("bin/python3"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\necho '" + place("python/torch").toUtf8() + "'\n");
        script.close();
        QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const QString path = place("bin") + ":" + qEnvironmentVariable("PATH");
        Variables variables = with(driver, {{"VIRTUAL_ENV", place("venv")},
                                            {"CONDA_PREFIX", place("conda")},
                                            {"PATH", path},
                                            {"ATTNSCOPE_CACHE", place("cache")}});
        const auto found = [&] { return gpuJson(variables)["libtorch"].toObject()["path"].toString(); };
        QCOMPARE(found(), active.library());
        variables.remove("VIRTUAL_ENV");
        QCOMPARE(found(), conda.library());
        variables.remove("CONDA_PREFIX");
        QCOMPARE(found(), python.library());
        QVERIFY(QFile::remove(place("python/torch/version.py")));
        QCOMPARE(found(), cache.library());
        QVERIFY(QFile::remove(place("cache/libtorch-2.11.0-cuda/torch/version.py")));
        const QString reason = gpuJson(variables)["reason"].toString();
        QVERIFY2(reason.contains("attnscope-cli gpu install"), qPrintable(reason));
    }

    void anotherLibTorchIsNamedAndRefused_data()
    {
        QTest::addColumn<QString>("version");
        QTest::addColumn<QString>("cuda");
        QTest::addColumn<QString>("named");
        QTest::newRow("older") << "2.9.1+cu130"
                               << "'13.0'"
                               << "is PyTorch 2.9.1+cu130";
        QTest::newRow("newer") << "2.11.1+cu130"
                               << "'13.0'"
                               << "is PyTorch 2.11.1+cu130";
        QTest::newRow("CUDA 12") << "2.11.0+cu128"
                                 << "'12.8'"
                                 << "for CUDA 12.8";
        QTest::newRow("no CUDA") << "2.11.0+cpu"
                                 << "None"
                                 << "for CUDA of an unknown version";
    }
    void anotherLibTorchIsNamedAndRefused()
    {
        QFETCH(QString, version);
        QFETCH(QString, cuda);
        QFETCH(QString, named);
        const Packages packages(place("other/lib/python3.12/site-packages"), version, cuda);
        Variables variables = with(
            driver,
            {{"VIRTUAL_ENV", place("other")}, {"PATH", "/nonexistent"}, {"ATTNSCOPE_CACHE", place("nowhere")}});
        QString reason = gpuJson(variables)["reason"].toString();
        QVERIFY2(reason.contains(named) && reason.contains("torch 2.11.0 for CUDA 13"), qPrintable(reason));
        // Named by the user, it is not replaced by another.
        const Packages right(place("right/lib/python3.12/site-packages"));
        variables = with(driver, {{"VIRTUAL_ENV", place("right")},
                                  {"ATTNSCOPE_LIBTORCH_CUDA", place("other/lib/python3.12/site-packages")}});
        reason = gpuJson(variables)["reason"].toString();
        QVERIFY2(reason.startsWith("ATTNSCOPE_LIBTORCH_CUDA") && reason.contains(named), qPrintable(reason));
    }

    void aBrokenLibraryIsOneSentence()
    {
        const Packages packages(place("broken"));
        QVERIFY(QFile::remove(packages.library()));
        packages.put("torch/lib/libtorch_cuda.so", "no library");
        const QString reason =
            gpuJson(with(driver, {{"ATTNSCOPE_LIBTORCH_CUDA", place("broken")}}))["reason"].toString();
        QVERIFY2(reason.contains("libtorch_cuda.so cannot be loaded") && reason.count('\n') == 0,
                 qPrintable(reason));
    }

    /// LibTorch's CUDA library is loaded where a device is asked for that may need it, and not otherwise: products are the same.
    void resultsOfTheCpuAreTheSameWithCudaLoaded()
    {
        const Packages packages(place("both"));
        const auto variables = with(driver, {{"ATTNSCOPE_LIBTORCH_CUDA", place("both")}});
        // "auto" would take the GPU that is made up: the driver says that there is none, after LibTorch was loaded.
        const auto top = [&](const Variables& environment, const QString& device) {
            const QJsonArray inputs = runWith(environment,
                                              {"classify", testData("models/deit_tiny_cfg.io.safetensors"),
                                               "--model", testData("models/deit_tiny_cfg.json"), "--weights",
                                               "untrained:3", "--attention", "softmax", "--attention", "lara",
                                               "--device", device, "--json", "-"})
                                          .json()["inputs"]
                                          .toArray();
            QJsonArray all;
            for (const auto& run : inputs[0].toObject()["runs"].toArray())
                all.append(run.toObject()["top"]);
            return all;
        };
        const QJsonArray alone = top({}, "cpu");
        QCOMPARE(alone.size(), 2);
        QCOMPARE(top(with(variables, {{"STAND_IN_LOADED_GPUS", "0"}}), "auto"), alone);
        QCOMPARE(top(variables, "cpu"), alone);
    }

    void removeDeletesWhatInstallPutsThere()
    {
        const Packages packages(place("kept/libtorch-2.11.0-cuda"));
        const Variables variables{{"ATTNSCOPE_CACHE", place("kept")}};
        QCOMPARE(runWith(variables, {"gpu", "remove"}).exitCode, 0);
        QVERIFY(!QFile::exists(place("kept/libtorch-2.11.0-cuda")));
        QVERIFY(runWith(variables, {"gpu", "remove"}).messages.contains("nothing was removed"));
        QVERIFY(QFile::exists(QStringLiteral(STAND_IN_TORCH)));
    }

    void installOnAFullDiskIsRefusedBeforehand()
    {
        // pip that must not be reached
        QDir().mkpath(place("full"));
        QFile df(place("full/df"));
        QVERIFY(df.open(QIODevice::WriteOnly));
        df.write("#!/bin/sh\nprintf 'head\\nx 1 1 1000000 1 /\\n'\n");
        df.close();
        QVERIFY(df.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const Outcome outcome = runWith(
            {{"PATH", place("full") + ":" + qEnvironmentVariable("PATH")}, {"ATTNSCOPE_CACHE", place("empty")}},
            {"gpu", "install"});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.messages.contains("1000 MB free"), outcome.messages.constData());
        QVERIFY(!outcome.messages.contains("Downloading"));
    }
};

ATTNSCOPE_TEST(TestCliGpu)
#include "tst_cli_gpu.moc"
