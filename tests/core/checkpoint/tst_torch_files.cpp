#include "checkpoint_files.h"
#include "tests/support/test_class.h"

#include <QProcess>
#include <QStandardPaths>

using namespace attnscope;
using namespace attnscope::test;

namespace {

QString folderOfSamples()
{
    return QString(TEST_DATA_DIR) + "/torch_files";
}

Json expectedOf(const QString& folder)
{
    return Json::parse(fileBytes((folder + "/expected.json").toStdString()));
}

std::string hexOf(const std::vector<std::byte>& bytes)
{
    return QByteArray(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes)).toHex().toStdString();
}

/// What differs from the description; empty when nothing does.
QString difference(const StateDict& state, const Json& expected)
{
    if (state.tensors.size() != expected.at("tensors").size())
        return QString("%1 tensors instead of %2").arg(state.tensors.size()).arg(expected.at("tensors").size());
    for (const auto& [name, want] : expected.at("tensors").items()) {
        const QString title = QString::fromStdString(name);
        const auto found = state.tensors.find(name);
        if (found == state.tensors.end())
            return title + " is missing";
        if (toText(found->second.type) != want.at("dtype").get<std::string>())
            return title + " is of type " + toText(found->second.type);
        if (found->second.shape != want.at("shape").get<std::vector<int64_t>>())
            return title + " has another shape";
        if (hexOf(found->second.read()) != want.at("bytes").get<std::string>())
            return title + " has other values";
    }
    return {};
}

QString differenceOf(const QString& path, const Json& expected)
{
    try {
        const StateDict state = readCheckpoint(path.toStdString());
        if (expected.contains("refuse"))
            return "it was read";
        if (expected.contains("metadata") && state.metadata != expected.at("metadata"))
            return "it has other metadata";
        return difference(state, expected);
    } catch (const FileError& error) {
        const QString said = QString::fromStdString(error.reason());
        const bool right = expected.contains("refuse")
                           && said.contains(QString::fromStdString(expected.at("refuse").get<std::string>()));
        return right ? QString() : said;
    }
}

/// A Python whose torch and safetensors can be imported; empty when there is none. ATTNSCOPE_PYTHON names another.
QString pythonWithTorch()
{
    const QString named = qEnvironmentVariable("ATTNSCOPE_PYTHON");
    const QString python = named.isEmpty() ? QStandardPaths::findExecutable("python3") : named;
    QProcess process;
    process.start(python, {"-c", "import numpy, torch, safetensors.torch"});
    const bool works = process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit
                       && process.exitCode() == 0;
    return works ? python : QString();
}

}

class TestTorchFiles : public QObject {
    Q_OBJECT
private slots:
    void storedSamplesAreReadAsPythonReadsThem_data()
    {
        columns<QString>("name");
        const Json expected = expectedOf(folderOfSamples());
        for (const auto& [name, entry] : expected.at("files").items())
            row(name, name);
    }

    void storedSamplesAreReadAsPythonReadsThem()
    {
        QFETCH(QString, name);
        const Json expected = expectedOf(folderOfSamples());
        QCOMPARE(differenceOf(folderOfSamples() + "/" + name, expected.at("files").at(name.toStdString())),
                 QString());
    }

    /// Every type that torch.save takes, in both containers, and every protocol that Attnscope reads.
    void samplesCoverWhatTorchWrites()
    {
        const Json files = expectedOf(folderOfSamples()).at("files");
        QCOMPARE(files.at("dtypes.zip.pth").at("tensors").size(), 21);
        QCOMPARE(files.at("dtypes.legacy.pth").at("tensors").size(), 21);
        QCOMPARE(files.at("dtypes.safetensors").at("tensors").size(), size_t{19 + 2});
        for (const char* protocol : {"zip", "protocol3", "protocol4", "protocol5", "legacy"})
            QVERIFY(files.contains(std::string("training.") + protocol + ".pth"));
    }

    void valuesBesideTheWeightsAreKept()
    {
        for (const char* name : {"training.zip.pth", "training.legacy.pth", "training.protocol5.pth"}) {
            const StateDict state = readCheckpoint((folderOfSamples() + "/" + name).toStdString());
            QCOMPARE(state.nesting, "model");
            QCOMPARE(state.alternatives, std::vector<std::string>{"model_ema"});
            QCOMPARE(state.metadata.at("epoch").get<int>(), 7);
            QCOMPARE(state.metadata.at("args").at("__class__").get<std::string>(), "argparse.Namespace");
            QCOMPARE(state.metadata.at("args").at("lr").get<double>(), 0.1);
        }
    }

    void everyTypeButComplexBecomesFloat()
    {
        const StateDict state = readCheckpoint((folderOfSamples() + "/dtypes.zip.pth").toStdString());
        for (const auto& [name, tensor] : state.tensors)
            if (isComplex(tensor.type))
                THROWS(FileError, tensor.readFloat());
            else
                QCOMPARE(tensor.readFloat().size(), 6);
    }

    /// Other values on each run: the seed is printed, and reproduces them.
    void freshSamplesAreReadAsPythonReadsThem()
    {
        const QString python = pythonWithTorch();
        if (python.isEmpty())
            QSKIP("there is no Python with torch and safetensors (ATTNSCOPE_PYTHON can name one)");
        const Folder folder;
        const QString path = QString::fromStdString((folder / "samples")),
                      seed = QString::number(QDateTime::currentMSecsSinceEpoch() % 1'000'000'000);
        QProcess process;
        process.start(python, {QString(TEST_DATA_DIR) + "/../core/checkpoint/write_samples.py", path, seed});
        QVERIFY2(process.waitForFinished(120'000) && process.exitCode() == 0,
                 process.readAllStandardError().constData());
        for (const auto& [name, entry] : expectedOf(path).at("files").items())
            QVERIFY2(differenceOf(path + "/" + QString::fromStdString(name), entry).isEmpty(),
                     qPrintable(QString::fromStdString(name) + " of seed " + seed + ": "
                                + differenceOf(path + "/" + QString::fromStdString(name), entry)));
    }
};

ATTNSCOPE_TEST(TestTorchFiles)
#include "tst_torch_files.moc"
