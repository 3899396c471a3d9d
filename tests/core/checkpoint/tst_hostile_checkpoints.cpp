#include "checkpoint_files.h"
#include "tests/support/test_class.h"

#include <random>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace attnscope;
using namespace attnscope::test;

class TestHostileCheckpoints : public QObject {
    Q_OBJECT
private slots:
    void truncationAtEveryByteIsRefused_data()
    {
        columns<QByteArray>("bytes");
        row("zip", QByteArray::fromStdString(torchZip(pickle::weights())));
        row("legacy", QByteArray::fromStdString(fileBytes(golden("flat_legacy.pth")).substr(0, 3000)));
        row("64-bit zip", QByteArray::fromStdString(fileBytes(golden("offset_out_of_range.pth"))));
    }

    void truncationAtEveryByteIsRefused()
    {
        QFETCH(QByteArray, bytes);
        for (qsizetype length = 0; length < bytes.size(); ++length)
            QVERIFY2(!refusal(m_folder.put("f", bytes.left(length).toStdString())).isEmpty(),
                     qPrintable(QString::number(length)));
    }

    void changedBytesNeverCrash_data()
    {
        rows("name", {"plain.safetensors", "flat_zip.pth", "protocol4_zip.pth", "lara_nested_namespace_zip.pth",
                      "flat_legacy.pth", "parameters_zip.pth"});
    }

    /// Whatever comes out: weights or one sentence. Half of the changes hit the bytes that describe the others.
    void changedBytesNeverCrash()
    {
        FETCH_TEXT(name);
        const std::string whole = fileBytes(golden(name));
        QVERIFY(!whole.empty());
        std::mt19937 random(20'260);
        int refused = 0;
        for (int i = 0; i < 300; ++i) {
            std::string changed = whole;
            for (int k = 0; k < 1 + i % 3; ++k) {
                const bool tail = random() % 4 == 0;
                const size_t reach = random() % 2 == 0 ? std::min<size_t>(2000, whole.size()) : whole.size();
                const size_t at = random() % reach;
                changed[tail ? whole.size() - 1 - at : at] = char(random());
            }
            refused += refusal(m_folder.put("f", changed)).isEmpty() ? 0 : 1;
        }
        QVERIFY2(refused > 0, "no change was noticed");
    }

    void fileThatShrinksIsAnError()
    {
        for (const char* name : {"plain.safetensors", "flat_zip.pth", "flat_legacy.pth"}) {
            const std::string path = m_folder.put("f", fileBytes(golden(name)));
            const StateDict state = readCheckpoint(path);
            QVERIFY(QFile::resize(QString::fromStdString(path), 100));
            for (const auto& [key, tensor] : state.tensors)
                THROWS(FileError, tensor.read());
        }
    }

    void onlyRegularFilesAreRead()
    {
        const std::string pipe = m_folder / "pipe.pth";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(refusal(pipe).contains("not a regular file"));
        QVERIFY(timer.elapsed() < 100);
        QVERIFY(refusal("/dev/zero").contains("not a regular file"));
        QVERIFY(refusal(m_folder / ".").contains("folder"));
        QVERIFY(refusal(m_folder / "missing").contains("file not found"));
    }

    void foreignFilesAreNamed_data()
    {
        columns<QByteArray, QString>("bytes", "sentence");
        row("empty", QByteArray(), "it is empty");
        row("web page", QByteArray("\r\n<!DOCTYPE html><html>Sign in"), "web page");
        QTest::newRow("LFS pointer") << QByteArray("version https://git-lfs.github.com/spec/v1\n")
                                     << "Git LFS pointer";
        row("picture", QByteArray("\x89PNG\r\n\x1a\n"), "neither a safetensors file nor");
        row("bare pickle", QByteArray("\x80\x02}."), "a pickle, but was not written by torch.save");
        row("tar of torch 0.1", QByteArray("tensors/0000644"), "neither a safetensors file nor");
        row("escape", QByteArray("\x1b[2Jhello there"), "\\x1b[2J");
    }

    void foreignFilesAreNamed()
    {
        QFETCH(QByteArray, bytes);
        FETCH_TEXT(sentence);
        const QString said = refusal(m_folder.put("f", bytes.toStdString()));
        SAYS(said, sentence);
    }

    void legacyStreamsThatDoNotFitTogetherAreRefused()
    {
        using namespace pickle;
        const std::string magic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e", 15);
        const std::string head = magic + program("M\xe9\x03") + program("}" + text("little_endian") + "\x88s");
        const std::string keys = program("](" + text("0") + "e"), data = littleEndian(4, 8) + fourFloats;
        const auto said = [&](const std::string& bytes) { return refusal(m_folder.put("f", bytes)); };
        QCOMPARE(said(head + weights() + keys + data), QString());
        QVERIFY(said(magic + program("M\xea\x03") + weights()).contains("is not 1001"));
        QVERIFY(said(head + weights() + program("]")).contains("storage `0` is missing"));
        QVERIFY(said(head + weights() + keys + data + "x").contains("after its last storage"));
        QVERIFY(said(head + weights() + keys + littleEndian(3, 8) + fourFloats.substr(4))
                    .contains("which does not match the pickle"));
        QVERIFY(
            said(head + weights() + keys + littleEndian(~uint64_t{0}, 8) + fourFloats).contains("is truncated"));
        QVERIFY(said(head + weights() + keys + littleEndian(uint64_t{1} << 62, 8) + fourFloats)
                    .contains("is truncated"));
        QVERIFY(said(head + weights() + program("](" + text("0") + text("0") + "e") + data + data)
                    .contains("two storages"));
        QVERIFY(said(head + weights() + program("](" + text("1") + "e") + data).contains("nothing refers to"));
        const std::string view = tuple(text("storage") + global("torch", "FloatStorage") + text("0") + text("cpu")
                                       + integer(4) + tuple(text("v") + integer(2) + integer(2)))
                                 + "Q";
        const auto viewed = [&](int size) {
            return program("}" + text("w") + global("torch._utils", "_rebuild_tensor_v2")
                           + tuple(view + integer(0) + numbers({size}) + numbers({1}) + "\x89}") + "Rs");
        };
        QVERIFY(readCheckpoint(m_folder.put("f", head + viewed(2) + keys + data)).tensors.at("w").readFloat()
                == (std::vector<float>{3, 4}));
        QVERIFY(said(head + viewed(3) + keys + data).contains("outside its storage"));
    }

    /// A sparse file of 8 GiB opens in an instant and in little memory: its storages are not touched.
    void openingReadsOnlyDirectoryAndPickle()
    {
        const int64_t elements = int64_t{1} << 31;
        const std::string header = R"({"a":{"dtype":"F32","shape":[)" + std::to_string(elements)
                                   + R"(],"data_offsets":[0,)" + std::to_string(4 * elements) + "]}}";
        const std::string path = m_folder.put("f", littleEndian(header.size(), 8) + header);
        if (!QFile::resize(QString::fromStdString(path), qint64(8 + header.size()) + 4 * elements))
            QSKIP("this file system has no sparse files of 8 GiB");
        struct rusage before {
        }, after{};
        ::getrusage(RUSAGE_SELF, &before);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(readCheckpoint(path).tensors.at("a").elements(), elements);
        ::getrusage(RUSAGE_SELF, &after);
        QVERIFY(timer.elapsed() < 200);
        QVERIFY(after.ru_maxrss - before.ru_maxrss < 50 * 1024);
    }

private:
    Folder m_folder;
};

ATTNSCOPE_TEST(TestHostileCheckpoints)
#include "tst_hostile_checkpoints.moc"
