// SPDX-License-Identifier: Apache-2.0
// Files from strangers: one sentence that names the file, an exit code, and no crash.
#include "tests/cli/cli_process.h"

#include <QFile>
#include <QTemporaryDir>

#include <limits>

using namespace attnscope::test;

namespace {

QByteArray tensor(const char* name, const QByteArray& type, const QByteArray& shape, qint64 begin, qint64 end)
{
    return QByteArray("\"") + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + shape + "],\"data_offsets\":["
           + QByteArray::number(begin) + "," + QByteArray::number(end) + "]}";
}

/// q, k, v of the given shapes, filled with zeros.
QByteArray queries(const QByteArray& q, qint64 qBytes, const QByteArray& k, qint64 kBytes, const QByteArray& v,
                   qint64 vBytes, const QByteArray& type = "F32")
{
    const QByteArray header = "{" + tensor("q", type, q, 0, qBytes) + ","
                              + tensor("k", type, k, qBytes, qBytes + kBytes) + ","
                              + tensor("v", type, v, qBytes + kBytes, qBytes + kBytes + vBytes) + "}";
    return safetensors(header, QByteArray(static_cast<int>(qBytes + kBytes + vBytes), '\0'));
}

QByteArray withHeader(const QByteArray& metadata)
{
    const QByteArray shape = "1,1,4,2";
    return safetensors("{\"__metadata__\":{" + metadata + "}," + tensor("q", "F32", shape, 0, 32) + ","
                           + tensor("k", "F32", shape, 32, 64) + "," + tensor("v", "F32", shape, 64, 96) + "}",
                       QByteArray(96, '\0'));
}

QByteArray withNan()
{
    QByteArray file = queries("1,1,4,2", 32, "1,1,4,2", 32, "1,1,4,2", 32);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(file.data() + file.size() - 4, &nan, 4);
    return file;
}

}  // namespace

class CliBadInput : public QObject {
    Q_OBJECT

private slots:
    void pictureForAVideoNetworkIsRefusedInASentence()
    {
        const Outcome outcome = runCli({"classify", testData("preprocess/images/exact_256x256.png"), "--weights",
                                        testData("models/motionformer_joint_tiny_cfg.weights.official.safetensors"), "--model",
                                        testData("models/motionformer_joint_tiny_cfg.json"), "--json", "-"});
        QCOMPARE(outcome.exitCode, 1);
        const QString reason = outcome.json()["unreadable"].toArray()[0].toObject()["reason"].toString();
        QVERIFY2(reason.contains("it is a picture"), qPrintable(reason));
    }

private:
    QTemporaryDir m_folder;

    QString write(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("the test file could not be written");
        return file.fileName();
    }

    void refusesInOneSentence(const Outcome& outcome, const QByteArray& file, const QByteArray& word)
    {
        QVERIFY(!outcome.crashed);
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.linesAbout(file), 1);
        QVERIFY2(outcome.messages.contains(word), outcome.messages.constData());
        QCOMPARE(outcome.messages.trimmed().count('\n'), 0);
        QVERIFY(outcome.messages.size() < 600);
    }

private slots:
    void hostileDumpIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("empty") << QByteArray() << QByteArray("");
        QTest::newRow("text") << QByteArray("this is no tensor file at all") << QByteArray("");
        QTest::newRow("header beyond the file")
            << QByteArray("\xff\xff\xff\xff\x00\x00\x00\x00{}", 10) << QByteArray("");
        QTest::newRow("NaN") << withNan() << QByteArray("not finite");
        QTest::newRow("no tokens") << queries("1,1,0,2", 0, "1,1,0,2", 0, "1,1,0,2", 0) << QByteArray("nothing");
        QTest::newRow("three dimensions")
            << queries("1,4,2", 32, "1,1,4,2", 32, "1,1,4,2", 32) << QByteArray("four dimensions");
        QTest::newRow("other width") << queries("1,1,4,2", 32, "1,1,2,4", 32, "1,1,2,4", 32)
                                     << QByteArray("do not fit");
        QTest::newRow("other batch") << queries("1,1,4,2", 32, "2,1,4,2", 64, "2,1,4,2", 64)
                                     << QByteArray("do not fit");
        QTest::newRow("fewer values") << queries("1,1,4,2", 32, "1,1,4,2", 32, "1,1,3,2", 24)
                                      << QByteArray("do not fit");
        QTest::newRow("integers") << queries("1,1,4,2", 32, "1,1,4,2", 32, "1,1,4,2", 32, "I32")
                                  << QByteArray("int32");
        QTest::newRow("more than the file holds")
            << queries("1,1,4000000,4000000", 32, "1,1,4,2", 32, "1,1,4,2", 32) << QByteArray("");
        QTest::newRow("overflow") << queries("4611686018427387904,4611686018427387904,4,4", 32, "1,1,4,2", 32,
                                             "1,1,4,2", 32)
                                  << QByteArray("");
        QTest::newRow("no v") << safetensors("{" + tensor("q", "F32", "1,1,4,2", 0, 32) + ","
                                                 + tensor("k", "F32", "1,1,4,2", 32, 64) + "}",
                                             QByteArray(64, '\0'))
                              << QByteArray("`v`");
        QTest::newRow("x without weights")
            << safetensors("{" + tensor("x", "F32", "1,4,2", 0, 32) + "}", QByteArray(32, '\0'))
            << QByteArray("qkv.weight");
    }

    void hostileDumpIsRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, word);
        const QString file = write("hostile.safetensors", bytes);
        refusesInOneSentence(runCli({"attend", file, "--attention", "softmax", "--no-latency"}),
                             "hostile.safetensors", word);
    }

    void headerThatContradictsItselfIsRefused_data()
    {
        QTest::addColumn<QByteArray>("metadata");
        QTest::addColumn<QByteArray>("word");
        const auto header = [](const QByteArray& backend, const QByteArray& options) {
            QByteArray escaped = options;
            return "\"backend\":\"" + backend + "\",\"options\":\"" + escaped.replace('"', "\\\"") + "\"";
        };
        QTest::newRow("no JSON") << header("lara", "{side: 3") << QByteArray("JSON");
        QTest::newRow("a list") << header("lara", "[1]") << QByteArray("object");
        QTest::newRow("negative side") << header("lara", R"({"side":-3})") << QByteArray("side");
        QTest::newRow("huge side") << header("lara", R"({"side":4000000000})") << QByteArray("side");
        QTest::newRow("odd noise") << header("ra", R"({"noise_std":0.3})") << QByteArray("noise_std");
        QTest::newRow("unknown proposal")
            << header("lara", R"({"proposal":"best","count":2})") << QByteArray("mixed");
        QTest::newRow("grid that does not fit")
            << header("lara", R"({"side":2,"grid":[7,7]})") << QByteArray("7×7");
        QTest::newRow("frames that do not divide") << header("softmax", R"({"frames":3})") << QByteArray("frames");
        QTest::newRow("landmarks that are not there")
            << header("lara", R"({"landmarks":"first C tokens","count":2})") << QByteArray("q_land");
        QTest::newRow("unknown backend") << header("magic", "{}") << QByteArray("performer");
    }

    void headerThatContradictsItselfIsRefused()
    {
        QFETCH(QByteArray, metadata);
        QFETCH(QByteArray, word);
        const QString file = write("header.safetensors", withHeader(metadata));
        refusesInOneSentence(runCli({"attend", file, "--no-latency", "--json", m_folder.filePath("unused.json")}),
                             "header.safetensors", word);
    }

    void brokenInputsOfClassifyAreListedWhileTheRestGoesOn()
    {
        const QStringList model{"--weights", testData("models/deit_tiny_cfg.weights.official.safetensors"),
                                "--model",   testData("models/deit_tiny_cfg.json"),
                                "--json",    "-"};
        const QStringList bad{
            write("empty.jpg", {}),
            write("html.JPEG", "<html>404</html>"),
            write("cut.safetensors", QByteArray("\x10\0\0\0\0\0\0\0{", 9)),
            write("noinput.safetensors", queries("1,1,4,2", 32, "1,1,4,2", 32, "1,1,4,2", 32)),
            write("rank.safetensors",
                  safetensors("{" + tensor("input", "F32", "4,2", 0, 32) + "}", QByteArray(32, '\0'))),
            write("size.safetensors",
                  safetensors("{" + tensor("input", "F32", "3,4,2", 0, 96) + "}", QByteArray(96, '\0'))),
            write("integers.safetensors",
                  safetensors("{" + tensor("input", "I64", "3,32,32", 0, 24576) + "}", QByteArray(24576, '\0'))),
            write("none.safetensors",
                  safetensors("{" + tensor("input", "F32", "1000000000000,3,32,0", 0, 0) + "}", {}))};
        const Outcome outcome = runCli(QStringList{"classify"} + bad
                                       + QStringList{testData("models/deit_tiny_cfg.io.safetensors")} + model);
        QVERIFY(!outcome.crashed);
        QCOMPARE(outcome.exitCode, 3);
        QCOMPARE(outcome.json()["inputs"].toArray().size(), 2);
        QCOMPARE(outcome.json()["unreadable"].toArray().size(), bad.size());
        for (const QString& file : bad)
            QCOMPARE(outcome.linesAbout(file.section('/', -1).toUtf8()), 1);
    }

    void aNameWithControlCharactersCannotForgeOutput()
    {
        const QString name = QStringLiteral("evil\x1b[31m\n.jpg");
        write(name, "no picture");
        const Outcome outcome = runCli({"classify", m_folder.filePath(name), "--weights", "untrained", "--model",
                                        testData("models/deit_tiny_cfg.json"), "--quiet"});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY(!outcome.messages.contains('\x1b') && !outcome.data.contains('\x1b'));
        QCOMPARE(outcome.messages.trimmed().count('\n'), 0);
    }

    void jsonThatCannotBeWrittenIsRefusedBeforeTheWork()
    {
        const Outcome outcome = runCli({"classify", "x.jpg", "--weights", "untrained", "--model",
                                        testData("models/deit_tiny_cfg.json"), "--json", "/nowhere/at/all.json"});
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.linesAbout("/nowhere/at/all.json"), 1);
        QCOMPARE(outcome.linesAbout("x.jpg"), 0);
    }
};

QTEST_GUILESS_MAIN(CliBadInput)
#include "tst_cli_bad_input.moc"
