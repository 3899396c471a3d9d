#include "checkpoint_files.h"
#include "tests/support/test_class.h"

using namespace attnscope;
using namespace attnscope::test;

namespace {

/// A sound archive of torch.save, whose directory has a 64-bit part, with another number in that part or behind it.
std::string with64(const char* mark, size_t at, uint64_t value, int bytes = 8)
{
    std::string file = fileBytes(golden("flat_zip.pth"));
    file.replace(file.rfind(mark) + at, size_t(bytes), littleEndian(value, bytes));
    return file;
}

}

Q_DECLARE_METATYPE(pickle::View)

class TestTorchZip : public QObject {
    Q_OBJECT
private slots:
    void handmadeArchiveIsRead()
    {
        const StateDict state = readCheckpoint(m_folder.put("f", torchZip(pickle::weights())));
        QCOMPARE(state.tensors.size(), 1);
        QVERIFY(state.tensors.at("w").readFloat() == (std::vector<float>{1, 2, 3, 4}));
    }

    void viewsAreGathered_data()
    {
        columns<pickle::View, std::vector<float>>("view", "values");
        row("transposed", pickle::View{4, 0, {2, 2}, {1, 2}}, std::vector<float>{1, 3, 2, 4});
        row("from the second", pickle::View{4, 1, {3}, {1}}, std::vector<float>{2, 3, 4});
        row("every other", pickle::View{4, 1, {2}, {2}}, std::vector<float>{2, 4});
        row("scalar", pickle::View{4, 3, {}, {}}, std::vector<float>{4});
        row("empty", pickle::View{4, 4, {0, 9}, {9, 1}}, std::vector<float>{});
        row("any stride where the size is 1", pickle::View{4, 0, {1, 4}, {1000, 1}},
            std::vector<float>{1, 2, 3, 4});
        row("overlapping windows", pickle::View{4, 0, {2, 2}, {1, 1}}, std::vector<float>{1, 2, 2, 3});
    }

    void viewsAreGathered()
    {
        QFETCH(pickle::View, view);
        QFETCH(std::vector<float>, values);
        QVERIFY(valuesOf(view) == values);
    }

    void bigEndianStoragesAreTurned()
    {
        QVERIFY(valuesOf({4, 0, {1}, {1}}, "big") == std::vector<float>{std::bit_cast<float>(0x0000803fu)});
    }

    void viewsOutsideTheirStorageAreRefused_data()
    {
        constexpr int64_t huge = int64_t{1} << 62;
        columns<pickle::View>("view");
        row("one too many", pickle::View{4, 0, {5}, {1}});
        row("one too far", pickle::View{4, 1, {4}, {1}});
        row("negative begin", pickle::View{4, -1, {2}, {1}});
        row("negative size", pickle::View{4, 0, {-1}, {1}});
        row("negative stride", pickle::View{4, 3, {4}, {-1}});
        row("product wraps to 0", pickle::View{4, 0, {huge, 4}, {0, 0}});
        row("reach wraps", pickle::View{4, 0, {3, 3}, {huge, huge}});
        row("begin wraps", pickle::View{4, INT64_MAX, {2}, {1}});
        row("expanded to a terabyte", pickle::View{4, 0, {int64_t{1} << 38}, {0}});
        row("fewer strides than sizes", pickle::View{4, 0, {2, 2}, {1}});
        row("nine dimensions", pickle::View{4, 0, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1}});
        row("storage larger than its record", pickle::View{5, 0, {4}, {1}});
        row("storage smaller than its record", pickle::View{3, 0, {3}, {1}});
        row("storage of negative size", pickle::View{-4, 0, {4}, {1}});
        row("storage size wraps", pickle::View{huge + 4, 0, {4}, {1}});
    }

    void viewsOutsideTheirStorageAreRefused()
    {
        QFETCH(pickle::View, view);
        THROWS(FileError, valuesOf(view));
    }

    void archivesWithTwoReadingsAreRefused_data()
    {
        columns<QByteArray, QString>("bytes", "sentence");
        const std::string good = pickle::weights();
        const auto row = [](const char* name, const std::string& bytes, const char* sentence) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << sentence;
        };
        row("equal names", zip({{"a/data.pkl", good}, {"a/data.pkl", good}, {"a/data/0", fourFloats}}),
            "two entries called `a/data.pkl`");
        row("two pickles", zip({{"a/data.pkl", good}, {"b/data.pkl", good}, {"a/data/0", fourFloats}}),
            "two pickles");
        row("compressed", zip({{"a/data.pkl", good, 8}, {"a/data/0", fourFloats}}), "compressed");
        row("encrypted", zip({{"a/data.pkl", good, 0, 1}, {"a/data/0", fourFloats}}), "encrypted");
        row("overlapping entries", zip({{"a/data/0", fourFloats}, {"a/data/1", "", 0, 0, "a/data/0", 16, 0}}),
            "has two");
        row("entries within each other",
            zip({{"a/data.pkl",
                  "PK\x03\x04" + std::string(22, '\0') + littleEndian(8, 2) + littleEndian(0, 2) + "a/data/0"},
                 {"a/data/0", "", 0, 0, "", 0, 40}}),
            "overlap");
        row("another name in the local header", zip({{"a/data.pkl", good, 0, 0, "b/data.pkl"}}),
            "two different names");
        row("size beyond the file", zip({{"a/data.pkl", good, 0, 0, "", 1 << 30}}), "outside the file");
        row("offset beyond the file", zip({{"a/data.pkl", good, 0, 0, "", -1, 1 << 30}}), "outside the file");
        row("climbing name", zip({{"../../x/data.pkl", good}}), "which torch.save never writes");
        row("absolute name", zip({{"/etc/passwd", good}}), "which torch.save never writes");
        row("backslashes", zip({{"a\\data.pkl", good}}), "which torch.save never writes");
        row("name with a zero", zip({{std::string("a/data.pkl\0", 11), good}}), "which torch.save never writes");
        row("empty name", zip({{"", good}}), "which torch.save never writes");
        row("comment", zip({{"a/data.pkl", good}}, -1, "comment"), "directory is missing");
        row("more entries than it has", zip({{"a/data.pkl", good}}, 2), "does not match its entries");
        row("fewer entries than it has", zip({{"a/data.pkl", good}, {"a/data/0", fourFloats}}, 1),
            "does not match its entries");
        row("bytes behind", torchZip(good) + "x", "directory is missing");
        row("bytes before the directory's place", "PK\x03\x04" + torchZip(good), "not where it should be");
        row("64-bit sizes without their record", zip({{"a/data.pkl", good}}, 0xffff), "64-bit");
        const auto deferred = [](size_t at, uint64_t value) {
            std::string file = with64("PK\x06\x06", at, value);
            const size_t end = file.rfind("PK\x05\x06");
            return file.replace(end + 10, 10, 10, '\xff');  // count, size and offset: "see the 64-bit part"
        };
        row("another count in the 64-bit part", with64("PK\x06\x06", 32, 3), "contradicts itself");
        row("another size in the 64-bit part", with64("PK\x06\x06", 40, 100), "contradicts itself");
        row("another offset in the 64-bit part", with64("PK\x06\x06", 48, 0), "contradicts itself");
        row("64-bit count of 2^64 - 1", deferred(32, ~uint64_t{0}), "the limit is");
        row("64-bit count that wraps", deferred(32, uint64_t{1} << 58), "the limit is");
        row("64-bit size of 2^64 - 1", deferred(40, ~uint64_t{0}), "not where it should be");
        row("64-bit offset of 2^63", deferred(48, uint64_t{1} << 63), "not where it should be");
        row("64-bit part in another place", with64("PK\x06\x07", 8, 0), "in the wrong place");
        row("64-bit part at 2^64 - 1", with64("PK\x06\x07", 8, ~uint64_t{0}), "in the wrong place");
        row("64-bit part of another length", with64("PK\x06\x06", 4, 1 << 20), "in the wrong place");
    }

    void archivesWithTwoReadingsAreRefused()
    {
        QFETCH(QByteArray, bytes);
        FETCH_TEXT(sentence);
        const QString said = refusal(m_folder.put("f", bytes.toStdString()));
        SAYS(said, sentence);
    }

    void otherArchivesAreNamed_data()
    {
        columns<QByteArray, QString>("bytes", "sentence");
        const auto row = [](const char* name, const std::string& bytes, const char* sentence) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << sentence;
        };
        row("no pickle", zip({{"word/document.xml", "<x/>"}}), "not written by torch.save");
        row("TorchScript", zip({{"a/data.pkl", pickle::weights()}, {"a/constants.pkl", ""}}),
            "TorchScript program");
        row("whole model", torchZip(pickle::program(pickle::global("timm.models", "Model") + ")\x81}b")),
            "object of class `timm.models.Model`");
        row("model under model",
            torchZip(pickle::program("}(" + pickle::text("model") + pickle::global("timm.models", "Model")
                                     + ")\x81}bu")),
            "its `model` is an object of class `timm.models.Model`");
        row("a list", torchZip(pickle::program("]")), "no dictionary of weights");
        row("no weights", torchZip(pickle::program("}(" + pickle::text("epoch") + "K\x03u")), "no weights");
        row("byte order",
            zip({{"a/data.pkl", pickle::weights()}, {"a/byteorder", "middle"}, {"a/data/0", fourFloats}}),
            "byte order is `middle`");
    }

    void otherArchivesAreNamed() { archivesWithTwoReadingsAreRefused(); }

    void equalNamesInADictionaryAreRefused()
    {
        const QString said = refusal(
            m_folder.put("f", torchZip(pickle::weights(pickle::text("w") + pickle::tensor()))));
        SAYS(said, "two tensors called `w`");
        const QString prefixed = refusal(
            m_folder.put("f", torchZip(pickle::weights(pickle::text("module.w") + pickle::tensor()))));
        SAYS(prefixed, "with and without");
    }

    void namesWithControlCharactersAreRefused()
    {
        const QString said = refusal(
            m_folder.put("f", torchZip(pickle::weights(pickle::text("a\x1b[2J") + pickle::tensor()))));
        SAYS(said, "`a\\x1b[2J`");
    }

private:
    std::vector<float> valuesOf(const pickle::View& view, const std::string& order = "little") const
    {
        const std::string program = pickle::program("}(" + pickle::text("w") + pickle::tensor(view) + "u");
        const std::string path = m_folder.put(
            "f", zip({{"a/data.pkl", program}, {"a/byteorder", order}, {"a/data/0", fourFloats}}));
        return readCheckpoint(path).tensors.at("w").readFloat();
    }

    Folder m_folder;
};

ATTNSCOPE_TEST(TestTorchZip)
#include "tst_torch_zip.moc"
