#include "core/archive/parquet.h"
#include "tests/support/checks.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <atomic>
#include <fstream>
#include <thread>

using namespace attnscope;

/// The tables of tests/data/parquet, which write_parquet_samples.py wrote.
namespace {

constexpr size_t rowCount = 7;
const std::vector<std::string> birds{"crane", "owl", "wren"};

std::filesystem::path sample(const std::string& name)
{
    return std::filesystem::path(TEST_DATA_DIR) / "parquet" / (name + ".parquet");
}

std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The bytes that the script gave to this row.
std::vector<uint8_t> imageOf(size_t row)
{
    std::vector<uint8_t> bytes{0xff, 0xd8, 0xff};
    for (size_t at = 0; at < 20 + 13 * row; ++at)
        bytes.push_back(uint8_t(31 * row + 7 * at));
    return bytes;
}

/// "0 1 2": labels or names of all entries; "-" where there is none.
std::string all(const Archive& archive, std::string PackedEntry::*member)
{
    std::string texts;
    for (const PackedEntry& entry : archive.entries())
        texts += (texts.empty() ? "" : " ") + ((entry.*member).empty() ? "-" : entry.*member);
    return texts;
}

void readAll(const Archive& archive)
{
    for (size_t row = 0; row < archive.entries().size(); ++row)
        QCOMPARE(int64_t(archive.read(row).size()), archive.entries()[row].bytes);
}

}

class TestParquet : public QObject {
    Q_OBJECT
private slots:
    void everyCodecPageAndEncodingIsRead_data();
    void everyCodecPageAndEncodingIsRead();
    void namesAndLabelsComeFromTheColumns_data();
    void namesAndLabelsComeFromTheColumns();
    void tableOfTheHubsLibraryIsRead();
    void rowsAreReadFromAnyThread();
    void otherTablesAreRefused_data();
    void otherTablesAreRefused();
    void truncationAtEveryByteIsRefused();
    void changedBytesAreReadOrRefused_data();
    void changedBytesAreReadOrRefused();
    void fileThatShrinksAfterwardsIsAnError();

private:
    Folder m_folder;
};

void TestParquet::everyCodecPageAndEncodingIsRead_data()
{
    columns<QString>("file");
    for (const char* const codec : {"none", "snappy", "zstd", "gzip"})
        for (const char* const version : {"_v1_", "_v2_"})
            for (const char* const encoding : {"dictionary", "plain"})
                row(std::string(codec) + version + encoding, std::string(codec) + version + encoding);
}

/// In all of them row 2 has no image and row 5 no label; there are three groups of rows.
void TestParquet::everyCodecPageAndEncodingIsRead()
{
    QFETCH(QString, file);
    const auto archive = openParquet(sample(file.toStdString()));
    QCOMPARE(archive->entries().size(), rowCount);
    QCOMPARE(archive->classNames(), birds);
    QCOMPARE(all(*archive, &PackedEntry::label), "0 1 2 0 1 - 0");
    QCOMPARE(all(*archive, &PackedEntry::name),
             "000000.jpg 000001.jpg 000002 000003.jpg 000004.jpg 000005.jpg 000006.jpg");
    for (const size_t row : {6, 0, 5, 1, 4, 3, 0}) {
        QCOMPARE(archive->read(row), imageOf(row));
        QCOMPARE(archive->entries()[row].bytes, int64_t(imageOf(row).size()));
    }
    QCOMPARE(archive->entries()[2].bytes, int64_t{0});
    REFUSES(FileError, archive->read(2), "its row 2 has no image; give a table whose images are in it.");
}

void TestParquet::namesAndLabelsComeFromTheColumns_data()
{
    columns<QString, QString, QString, size_t>("file", "names", "labels", "classes");
    const char* const numbers = "000000.jpg 000001.jpg 000002.jpg 000003.jpg 000004.jpg 000005.jpg 000006.jpg";
    const char* const labels = "0 1 2 0 1 2 0";
    row("paths", "named", "0.jpg 1.jpg 2.jpg 3.jpg 4.jpg 5.jpg 6.jpg", labels, size_t(3));
    row("equal paths", "same_names", numbers, labels, size_t(3));
    row("plain columns without null", "plain_columns", numbers, labels, size_t(0));
    row("texts as labels", "text_labels", numbers, "crane owl wren crane owl wren crane", size_t(0));
    row("a test set", "test_set", numbers, "- - - - - - -", size_t(3));
    row("no labels", "no_labels", numbers, "- - - - - - -", size_t(0));
    row("no rows", "no_rows", "", "", size_t(3));
}

void TestParquet::namesAndLabelsComeFromTheColumns()
{
    QFETCH(QString, file);
    QFETCH(QString, names);
    QFETCH(QString, labels);
    QFETCH(size_t, classes);
    const auto archive = openParquet(sample(file.toStdString()));
    QCOMPARE(all(*archive, &PackedEntry::name), names.toStdString());
    QCOMPARE(all(*archive, &PackedEntry::label), labels.toStdString());
    QCOMPARE(archive->classNames().size(), classes);
    for (size_t row = 0; row < archive->entries().size(); ++row)
        QCOMPARE(archive->read(row), imageOf(row));
}

void TestParquet::tableOfTheHubsLibraryIsRead()
{
    const auto archive = openParquet(sample("hub"));
    QCOMPARE(archive->classNames(), birds);
    QCOMPARE(all(*archive, &PackedEntry::name), "0.jpg 1.jpg 2.jpg 3.jpg 4.jpg 5.jpg 6.jpg");
    QCOMPARE(all(*archive, &PackedEntry::label), "0 1 2 0 1 2 0");
    for (size_t row = 0; row < rowCount; ++row)
        QCOMPARE(archive->read(row), imageOf(row));
}

void TestParquet::rowsAreReadFromAnyThread()
{
    const auto archive = openParquet(sample("snappy_v1_dictionary"));
    std::atomic<int> wrong = 0;
    {
        std::vector<std::jthread> threads;
        for (size_t thread = 0; thread < 4; ++thread)
            threads.emplace_back([&, thread] {
                for (size_t i = 0; i < 200; ++i)
                    if (const size_t row = (i * (thread + 3)) % rowCount;
                        row != 2 && archive->read(row) != imageOf(row))
                        ++wrong;
            });
    }
    QCOMPARE(wrong.load(), 0);
}

void TestParquet::otherTablesAreRefused_data()
{
    columns<QString, QString>("file", "problem");
    row("no images", "texts",
        "none of its columns (text and label) has the bytes of one image a row; give a table with a column "
        "`image`, as the "
        "Hub has them.");
    row("lists of images", "list_of_images",
        "its column image.list.element has a list in every row; give a table with one image and one class a row.");
    row("fractions", "fractions",
        "its column label is neither of whole numbers nor of texts; give a table with one class a row.");
    row("brotli", "brotli", "its pages are packed with brotli; save it with snappy, gzip or zstd.");
    row("delta", "delta",
        "its values are encoded as DELTA_LENGTH_BYTE_ARRAY; save it with plain or dictionary encoding, as the Hub "
        "does.");
}

void TestParquet::otherTablesAreRefused()
{
    QFETCH(QString, file);
    QFETCH(QString, problem);
    const auto path = sample(file.toStdString());
    QCOMPARE(refusal<FileError>([&] { openParquet(path); }), path.string() + ": " + problem.toStdString());
}

void TestParquet::truncationAtEveryByteIsRefused()
{
    const std::string whole = contentOf(sample("zstd_v2_dictionary"));
    for (size_t length = 0; length < whole.size(); ++length) {
        const auto path = m_folder.put("cut.parquet", std::string_view(whole).substr(0, length));
        REFUSES(FileError, openParquet(path), "it does not begin and end as a Parquet table does");
    }
}

void TestParquet::changedBytesAreReadOrRefused_data()
{
    columns<QString>("file");
    for (const char* const file :
         {"none_v1_dictionary", "snappy_v2_dictionary", "gzip_v1_plain", "zstd_v2_plain", "named"})
        row(file, file);
}

/// Every byte in three ways, and cut at every byte of the data with the metadata kept.
void TestParquet::changedBytesAreReadOrRefused()
{
    QFETCH(QString, file);
    const std::string whole = contentOf(sample(file.toStdString()));
    int refused = 0;
    const auto check = [&](const std::string& content) {
        const std::string problem = refusal(
            [&] { readAll(*openParquet(m_folder.put("changed.parquet", content))); });
        refused += problem.empty() ? 0 : 1;
        QVERIFY(problem.empty() || problem.ends_with('.'));
    };
    for (size_t at = 0; at < whole.size(); ++at)
        for (const uint8_t change : {0x01, 0x80, 0xff}) {
            std::string changed = whole;
            changed[at] = char(uint8_t(changed[at]) ^ change);
            check(changed);
        }
    QVERIFY(refused > int(whole.size()) / 2);
    refused = 0;
    for (size_t at = 4; at < 60; ++at) {
        std::string shorter = whole;
        check(shorter.erase(at, 1));
    }
    QCOMPARE(refused, 56);
}

void TestParquet::fileThatShrinksAfterwardsIsAnError()
{
    const auto path = m_folder.put("shrinks.parquet", contentOf(sample("none_v1_plain")));
    const auto archive = openParquet(path);
    std::filesystem::resize_file(path, 20);
    REFUSES(FileError, archive->read(0), "it ends before its data does; copy or download it again.");
}

ATTNSCOPE_TEST(TestParquet)
#include "tst_parquet.moc"
