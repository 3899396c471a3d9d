#include "checkpoint_files.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace attnscope;
using namespace attnscope::test;

namespace {

std::string safetensors(const std::string& header, const std::string& data)
{
    return littleEndian(header.size(), 8) + header + data;
}

std::vector<std::byte> bytes(const std::string& text)
{
    const auto view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
}

const std::string one = R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})";

}

class TestSafetensors : public QObject {
    Q_OBJECT
private slots:
    void writtenTensorsAreReadBack();
    void everyTypeIsWrittenAndReadBack();
    void writerLeavesTheOldFileWhenItCannotWrite();
    void writerLeavesTheOldFileWhenTheDiskFillsUp();
    void writerLeavesTheOldFileWhenTheFolderIsReadOnly();
    void writerRefusesBytesThatDoNotFitTheShape();
    void smallFloatsAreWidenedExactly_data();
    void smallFloatsAreWidenedExactly();
    void patternsOfNotANumberAreKept_data();
    void patternsOfNotANumberAreKept();
    void emptyTensorsAndScalarsAreRead();
    void contradictionsAreRefused_data();
    void contradictionsAreRefused();
    void headerOverTheLimitIsRefusedBeforeItIsRead();
    void manyTensorsAreReadInTime();
    void moreTensorsThanTheLimitAreRefused();
    void truncationAtEveryByteIsRefused();

private:
    Folder m_folder;
};

void TestSafetensors::writtenTensorsAreReadBack()
{
    const std::string path = m_folder / "out.safetensors";
    std::map<std::string, SafetensorsEntry> entries;
    entries["b.weight"] = {ElementType::Float32, {2, 2}, bytes(fourFloats)};
    entries["a"] = {ElementType::Int64, {}, bytes(littleEndian(7, 8))};
    entries["nothing"] = {ElementType::Float16, {0, 3}, {}};
    writeSafetensors(path, entries, {{"note", "a \"quoted\" text"}});
    const StateDict state = readCheckpoint(path);
    QCOMPARE(state.tensors.size(), 3);
    QCOMPARE(state.container, "safetensors");
    QCOMPARE(state.metadata.at("note").get<std::string>(), "a \"quoted\" text");
    for (const auto& [name, entry] : entries) {
        QCOMPARE(state.tensors.at(name).shape, entry.shape);
        QVERIFY(state.tensors.at(name).type == entry.type);
        QVERIFY(state.tensors.at(name).read() == entry.bytes);
    }
    QCOMPARE(namesIn(m_folder), QStringList{"out.safetensors"});
}

void TestSafetensors::everyTypeIsWrittenAndReadBack()
{
    using enum ElementType;
    std::map<std::string, SafetensorsEntry> entries;
    for (const ElementType type : {Float64, Float32, Float16, BFloat16, Int64, Int32, Int16, Int8, UInt8, Bool,
                                   Complex64, Float8E4M3, Float8E5M2, UInt16, UInt32, UInt64}) {
        SafetensorsEntry entry{type, {2, 3}, std::vector<std::byte>(6 * elementSize(type))};
        for (size_t i = 0; i < entry.bytes.size(); ++i)
            entry.bytes[i] = static_cast<std::byte>(7 * i + entries.size());
        entries[toText(type)] = entry;
    }
    QCOMPARE(entries.size(), 16);
    const std::string path = m_folder / "types.safetensors";
    writeSafetensors(path, entries);
    const StateDict state = readCheckpoint(path);
    QCOMPARE(state.tensors.size(), entries.size());
    for (const auto& [name, entry] : entries) {
        QVERIFY2(state.tensors.at(name).type == entry.type, name.c_str());
        QVERIFY2(state.tensors.at(name).shape == entry.shape, name.c_str());
        QVERIFY2(state.tensors.at(name).read() == entry.bytes, name.c_str());
    }
}

/// A limit on the size of files stands for the full disk: the write fails in the middle.
void TestSafetensors::writerLeavesTheOldFileWhenTheDiskFillsUp()
{
    const std::string path = m_folder.put("full.safetensors", "old");
    struct rlimit before {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit tight {
        100'000, before.rlim_max
    };
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    QString said;
    try {
        writeSafetensors(path, {{"x", {ElementType::UInt8, {1'000'000}, std::vector<std::byte>(1'000'000)}}});
    } catch (const FileError& error) {
        said = QString::fromStdString(error.reason());
    }
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, SIG_DFL);
    SAYS(said, "cannot be written");
    QCOMPARE(fileBytes(path), "old");
    QVERIFY(namesIn(m_folder).filter(".part").isEmpty());
}

void TestSafetensors::writerLeavesTheOldFileWhenTheFolderIsReadOnly()
{
    if (::geteuid() == 0)
        QSKIP("root may write everywhere");
    const Folder folder;
    const std::string path = folder.put("kept.safetensors", "old");
    QCOMPARE(::chmod((folder / ".").c_str(), 0500), 0);
    THROWS(FileError, writeSafetensors(path, {}));
    QCOMPARE(::chmod((folder / ".").c_str(), 0700), 0);
    QCOMPARE(fileBytes(path), "old");
    QCOMPARE(namesIn(folder), QStringList{"kept.safetensors"});
}

void TestSafetensors::writerLeavesTheOldFileWhenItCannotWrite()
{
    const std::string path = m_folder.put("kept.safetensors", "old");
    THROWS(Unsupported,
           writeSafetensors(path, {{"x", {ElementType::Complex128, {1}, std::vector<std::byte>(16)}}}));
    QCOMPARE(fileBytes(path), "old");
    THROWS(FileError, writeSafetensors(m_folder / "missing/x.safetensors", {}));
    QVERIFY(!namesIn(m_folder).filter(".part").size());
}

void TestSafetensors::writerRefusesBytesThatDoNotFitTheShape()
{
    THROWS(UsageError, writeSafetensors(m_folder / "x", {{"x", {ElementType::Float32, {5}, bytes(fourFloats)}}}));
    THROWS(UsageError,
           writeSafetensors(m_folder / "x", {{"__metadata__", {ElementType::Float32, {4}, bytes(fourFloats)}}}));
    THROWS(UsageError,
           writeSafetensors(m_folder / "x", {{"\xff", {ElementType::Float32, {4}, bytes(fourFloats)}}}));
}

void TestSafetensors::smallFloatsAreWidenedExactly_data()
{
    columns<QString, int, int, float>("type", "bits", "size", "value");
    row("half one", "F16", 0x3c00, 2, 1.0f);
    row("half largest", "F16", 0x7bff, 2, 65504.0f);
    row("half smallest", "F16", 0x8001, 2, -std::ldexp(1.0f, -24));
    row("half infinity", "F16", 0xfc00, 2, -INFINITY);
    row("bfloat16 third", "BF16", 0x3eab, 2, 0.333984375f);
    row("e4m3 largest", "F8_E4M3", 0x7e, 1, 448.0f);
    row("e4m3 smallest", "F8_E4M3", 0x01, 1, std::ldexp(1.0f, -9));
    row("e5m2 largest", "F8_E5M2", 0x7b, 1, 57344.0f);
    row("e5m2 infinity", "F8_E5M2", 0x7c, 1, INFINITY);
    row("int16", "I16", 0xfffe, 2, -2.0f);
    row("e4m3fnuz largest", "F8_E4M3FNUZ", 0x7f, 1, 240.0f);
    row("e4m3fnuz smallest", "F8_E4M3FNUZ", 0x81, 1, -std::ldexp(1.0f, -10));
    row("e5m2fnuz largest", "F8_E5M2FNUZ", 0x7f, 1, 57344.0f);
    row("e5m2fnuz smallest", "F8_E5M2FNUZ", 0x01, 1, std::ldexp(1.0f, -17));
    row("e8m0 one", "F8_E8M0", 0x7f, 1, 1.0f);
    row("e8m0 smallest", "F8_E8M0", 0x00, 1, std::ldexp(1.0f, -127));
    row("uint16", "U16", 0xffff, 2, 65535.0f);
    row("uint8", "U8", 0xff, 1, 255.0f);
    row("int8", "I8", 0xff, 1, -1.0f);
    row("bool", "BOOL", 1, 1, 1.0f);
}

void TestSafetensors::smallFloatsAreWidenedExactly()
{
    FETCH_TEXT(type);
    QFETCH(int, bits);
    QFETCH(int, size);
    QFETCH(float, value);
    const std::string header = R"({"a":{"dtype":")" + type + R"(","shape":[1],"data_offsets":[0,)"
                               + std::to_string(size) + "]}}";
    const StateDict state = readCheckpoint(
        m_folder.put("f", safetensors(header, littleEndian(uint64_t(bits), size))));
    QVERIFY(state.tensors.at("a").readFloat() == std::vector<float>{value});
}

void TestSafetensors::patternsOfNotANumberAreKept_data()
{
    columns<QString, int, int>("type", "bits", "size");
    row("half", "F16", 0x7c01, 2);
    row("bfloat16", "BF16", 0x7f81, 2);
    row("e4m3", "F8_E4M3", 0xff, 1);
    row("e5m2", "F8_E5M2", 0x7d, 1);
    row("e4m3fnuz", "F8_E4M3FNUZ", 0x80, 1);
    row("e5m2fnuz", "F8_E5M2FNUZ", 0x80, 1);
    row("e8m0", "F8_E8M0", 0xff, 1);
}

void TestSafetensors::patternsOfNotANumberAreKept()
{
    FETCH_TEXT(type);
    QFETCH(int, bits);
    QFETCH(int, size);
    const std::string header = R"({"a":{"dtype":")" + type + R"(","shape":[1],"data_offsets":[0,)"
                               + std::to_string(size) + "]}}";
    const StateDict state = readCheckpoint(
        m_folder.put("f", safetensors(header, littleEndian(uint64_t(bits), size))));
    QVERIFY(std::isnan(state.tensors.at("a").readFloat().front()));
}

void TestSafetensors::emptyTensorsAndScalarsAreRead()
{
    const std::string header =
        R"({"e":{"dtype":"F32","shape":[0,4611686018427387904,4611686018427387904],"data_offsets":[0,0]},)"
        R"("s":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})";
    const StateDict state = readCheckpoint(m_folder.put("f", safetensors(header, fourFloats.substr(0, 4))));
    QCOMPARE(state.tensors.at("e").read().size(), 0);
    QVERIFY(state.tensors.at("s").readFloat() == std::vector<float>{1.0f});
}

void TestSafetensors::contradictionsAreRefused_data()
{
    columns<QByteArray, QString>("header", "sentence");
    const auto row = [](const char* name, const char* header, const char* sentence) {
        QTest::newRow(name) << QByteArray(header) << sentence;
    };
    row("equal names",
        R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]},"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})",
        "twice");
    row("equal fields", R"({"a":{"dtype":"F32","dtype":"F64","shape":[4],"data_offsets":[0,16]}})", "twice");
    row("equal names, one escaped", R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]},"\u0061":{}})",
        "twice");
    row("fraction in the shape", R"({"a":{"dtype":"F32","shape":[4.0],"data_offsets":[0,16]}})", "not a count");
    row("negative size", R"({"a":{"dtype":"F32","shape":[-4],"data_offsets":[0,16]}})", "not a count");
    row("size beyond 63 bits", R"({"a":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,16]}})",
        "not a count");
    row("nine dimensions", R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,4],"data_offsets":[0,16]}})",
        "more than 8 dimensions");
    row("offsets as text", R"({"a":{"dtype":"F32","shape":[4],"data_offsets":["0","16"]}})", "outside the file");
    row("offsets beyond 64 bits", R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,1e30]}})",
        "outside the file");
    row("three offsets", R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,8,16]}})", "outside the file");
    row("no shape", R"({"a":{"dtype":"F32","data_offsets":[0,16]}})", "no shape");
    row("tensor is a text", R"({"a":"F32"})", "not described by an object");
    row("metadata is a list", R"({"__metadata__":[]})", "__metadata__");
    row("metadata holds a number", R"({"__metadata__":{"a":1}})", "__metadata__");
    row("bytes behind the last tensor", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
        "after the last tensor");
    row("hole at the beginning", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})", "gap");
    row("nested deeply", R"({"a":[[[[[[[[[[[[]]]]]]]]]]]]})", "nested too deeply");
    row("text behind the object", R"({}{})", "not a JSON object");
    row("no UTF-8", "{\"\xff\":1}", "not a JSON object");
}

void TestSafetensors::contradictionsAreRefused()
{
    QFETCH(QByteArray, header);
    FETCH_TEXT(sentence);
    const QString said = refusal(m_folder.put("f", safetensors(header.toStdString(), fourFloats)));
    SAYS(said, sentence);
}

void TestSafetensors::headerOverTheLimitIsRefusedBeforeItIsRead()
{
    const std::string path = m_folder.put("f", littleEndian(17 << 20, 8) + "{" + std::string(17 << 20, ' '));
    QVERIFY(refusal(path).contains("over the limit"));
}

/// Where the order of keys is kept, 65,536 of them take 2 billion comparisons.
void TestSafetensors::manyTensorsAreReadInTime()
{
    std::string header = "{";
    for (int i = 0; i < 65'536; ++i)
        header += (i > 0 ? ",\"tensor." : "\"tensor.") + std::to_string(i)
                  + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(refusal(m_folder.put("f", safetensors(header + "}", ""))), QString());
    QCOMPARE_LT(timer.elapsed(), 10'000);
}

void TestSafetensors::moreTensorsThanTheLimitAreRefused()
{
    Limits limits;
    limits.tensors = 1;
    const std::string header =
        R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"b":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)"
        R"("c":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})";
    THROWS(FileError, readCheckpoint(m_folder.put("f", safetensors(header, "")), {.limits = limits}));
}

void TestSafetensors::truncationAtEveryByteIsRefused()
{
    const std::string whole = safetensors(one, fourFloats);
    QCOMPARE(refusal(m_folder.put("f", whole)), QString());
    for (size_t length = 0; length < whole.size(); ++length)
        QVERIFY2(!refusal(m_folder.put("f", whole.substr(0, length))).isEmpty(),
                 qPrintable(QString::number(length)));
}

ATTNSCOPE_TEST(TestSafetensors)
#include "tst_safetensors.moc"
