#include "checkpoint_files.h"
#include "tests/support/test_class.h"

using namespace attnscope;
using namespace attnscope::test;

namespace {

/// A storage of 5 GiB, behind which nothing fits 32 bits.
constexpr int64_t elements = (int64_t{5} << 30) / 4;
constexpr uint64_t in64 = 0xffffffff;

std::string localRecord(const std::string& name, uint64_t bytes, bool is64)
{
    const std::string extra =
        is64 ? littleEndian(1, 2) + littleEndian(16, 2) + littleEndian(bytes, 8) + littleEndian(bytes, 8) : "";
    const std::string sizes = littleEndian(is64 ? in64 : bytes, 4);
    return "PK\x03\x04" + littleEndian(45, 2) + littleEndian(0, 12) + sizes + sizes + littleEndian(name.size(), 2)
           + littleEndian(extra.size(), 2) + name + extra;
}

std::string directoryRecord(const std::string& name, uint64_t bytes, uint64_t offset, bool is64)
{
    const std::string values = littleEndian(bytes, 8) + littleEndian(bytes, 8) + littleEndian(offset, 8);
    const std::string extra = is64 ? littleEndian(1, 2) + littleEndian(values.size(), 2) + values : "";
    const std::string sizes = littleEndian(is64 ? in64 : bytes, 4);
    return "PK\x01\x02" + littleEndian(45, 2) + littleEndian(45, 2) + littleEndian(0, 12) + sizes + sizes
           + littleEndian(name.size(), 2) + littleEndian(extra.size(), 2) + littleEndian(0, 10)
           + littleEndian(is64 ? in64 : offset, 4) + name + extra;
}

std::string endRecords(uint64_t count, uint64_t size, uint64_t offset)
{
    return "PK\x06\x06" + littleEndian(44, 8) + littleEndian(45, 2) + littleEndian(45, 2) + littleEndian(0, 8)
           + littleEndian(count, 8) + littleEndian(count, 8) + littleEndian(size, 8) + littleEndian(offset, 8)
           + "PK\x06\x07" + littleEndian(0, 4) + littleEndian(offset + size, 8) + littleEndian(1, 4) + "PK\x05\x06"
           + littleEndian(0, 4) + littleEndian(count, 2) + littleEndian(count, 2) + littleEndian(size, 4)
           + littleEndian(in64, 4) + littleEndian(0, 2);
}

}

class TestLargeArchive : public QObject {
    Q_OBJECT
private slots:
    /// A sparse file, laid out as torch.save does it: the pickle, 5 GiB of zeros, four floats, the directory.
    void tensorsBeyond4GiBAreRead()
    {
        using namespace pickle;
        const auto view = [](int64_t count, int64_t first, const char* key) {
            return global("torch._utils", "_rebuild_tensor_v2")
                   + tuple(storage(count, key) + integer(first) + numbers({4}) + numbers({1}) + "\x89}") + "R";
        };
        const std::string program = pickle::program("}(" + text("end") + view(elements, elements - 4, "0")
                                                    + text("behind") + view(4, 0, "1") + "u");
        const std::string front = localRecord("a/data.pkl", program.size(), false) + program
                                  + localRecord("a/data/0", 4 * elements, true);
        const auto second = uint64_t(front.size()) + 4 * elements;
        const std::string directory =
            directoryRecord("a/data.pkl", program.size(), 0, false)
            + directoryRecord("a/data/0", 4 * elements,
                              localRecord("a/data.pkl", program.size(), false).size() + program.size(), true)
            + directoryRecord("a/data/1", 16, second, true);
        const std::string local = localRecord("a/data/1", 16, false) + fourFloats;
        const std::string back = fourFloats + local + directory
                                 + endRecords(3, directory.size(), second + local.size());
        const Folder folder;
        const std::string path = folder.put("f", front);
        QFile file(QString::fromStdString(path));
        if (!file.resize(qint64(second) - 16))
            QSKIP("this file system has no sparse files of 5 GiB");
        QVERIFY(file.open(QIODevice::Append) && file.write(back.data(), std::ssize(back)) == std::ssize(back));
        file.close();
        const StateDict state = readCheckpoint(path);
        QVERIFY(state.tensors.at("end").readFloat() == (std::vector<float>{1, 2, 3, 4}));
        QVERIFY(state.tensors.at("behind").readFloat() == (std::vector<float>{1, 2, 3, 4}));
    }
};

ATTNSCOPE_TEST(TestLargeArchive)
#include "tst_large_archive.moc"
