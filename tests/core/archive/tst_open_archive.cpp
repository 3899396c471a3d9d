// Archives that are read in place: what they contain, from wherever it is read, and what is refused.
#include "core/archive/listing_cache.h"
#include "core/archive/open_archive.h"
#include "core/base/error.h"
#include "tests/support/folder.h"
#include "tests/support/packed_files.h"
#include "tests/support/test_class.h"

#include <atomic>
#include <filesystem>
#include <random>
#include <thread>

using namespace attnscope;

namespace {

using Names = std::vector<std::string>;

std::string contentOf(const OpenedArchive& opened, const std::string& name)
{
    const auto entry = opened.find(name);
    if (!entry)
        return "no entry " + name;
    const std::vector<uint8_t> bytes = opened.archive->read(*entry);
    return {bytes.begin(), bytes.end()};
}

Names namesOf(const OpenedArchive& opened)
{
    Names names;
    for (const PackedEntry& entry : opened.archive->entries())
        names.push_back(entry.name);
    return names;
}

Names labelsOf(const OpenedArchive& opened)
{
    Names labels;
    for (const PackedEntry& entry : opened.archive->entries())
        labels.push_back(entry.name + " " + entry.label);
    return labels;
}

Names issuesOf(const OpenedArchive& opened)
{
    Names issues;
    for (const PackedIssue& issue : opened.archive->issues())
        issues.push_back(issue.kind + " " + issue.name);
    return issues;
}

/// Bytes that hardly compress, or text that does.
std::string noise(size_t bytes, unsigned seed, int symbols = 256)
{
    std::mt19937 random(seed);
    std::string text(bytes, '\0');
    for (char& c : text)
        c = char(random() % unsigned(symbols));
    return text;
}

MemberFiles someFiles()
{
    return {{"cat/1.jpg", noise(3000, 1)},
            {"cat/2.jpg", ""},
            {"dog/" + std::string(150, 'n') + ".jpg", noise(700, 2)},
            {"dog/\xc3\xa4.jpg", noise(512, 3, 4)}};
}

}

class TestOpenArchive : public QObject {
    Q_OBJECT

private slots:
    void everyFormatGivesTheFiles_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const MemberFiles files = someFiles();
        const auto row = [](const char* name, const std::string& bytes) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes);
        };
        const std::string tar = tarOf(files);
        row("tar", tar);
        row("GNU tar", tarOf(files, true));
        row("tar.gz", gzipOf(tar));
        row("tar.gz, stored", gzipOf(tar, 0));
        row("tar.gz, two members", gzipOf(tar.substr(0, 5000)) + gzipOf(tar.substr(5000)));
        row("zip", zipOf(files));
        row("zip with a comment", zipOf(files, "made by PK\5\6 a program"));
    }

    void everyFormatGivesTheFiles()
    {
        QFETCH(const QByteArray, bytes);
        const Folder tree;
        const auto path = tree.put("images.any", bytes.toStdString());
        QVERIFY(isArchive(path));
        const auto opened = openArchive(path);
        const MemberFiles files = someFiles();
        QCOMPARE(opened->archive->entries().size(), files.size());
        for (size_t i = files.size(); i-- > 0;) {
            QCOMPARE(opened->archive->entries()[i].name, files[i].name);
            QCOMPARE(contentOf(*opened, files[i].name), files[i].content);
        }
        QCOMPARE(openArchive(path), opened);
    }

    void largeGzipFilesAreReadFromAnyPlaceByAnyThread()
    {
        MemberFiles files;
        for (unsigned i = 0; i < 60; ++i)
            files.push_back({std::to_string(i) + ".jpg", noise(400'000 + 1000 * i, i, i % 2 == 0 ? 256 : 5)});
        const Folder tree;
        const std::string tar = tarOf(files);
        // The second has its members' borders where nothing else is known.
        for (const std::string& bytes :
             {gzipOf(tar, 1), gzipOf(tar.substr(0, 9'000'001)) + gzipOf(tar.substr(9'000'001), 0)}) {
            const auto opened = openArchive(tree.put("large.tar.gz", bytes));
            std::atomic<int> wrong = 0;
            std::vector<std::jthread> threads;
            for (size_t thread = 0; thread < 4; ++thread)
                threads.emplace_back([&, thread] {
                    for (size_t i = 0; i < files.size(); ++i) {
                        const MemberFile& file = files[(i * 37 + thread * 13) % files.size()];
                        wrong += contentOf(*opened, file.name) == file.content ? 0 : 1;
                    }
                });
            threads.clear();
            QCOMPARE(wrong.load(), 0);
        }
    }

    void aListingIsKeptAndUsed()
    {
        const Folder tree;
        const auto path = tree.put("a.tar.gz", gzipOf(tarOf(someFiles())));
        keepListings(tree / "listings");
        const Names names = namesOf(*openArchive(path));
        const std::string identity = archiveIdentity(path);
        auto kept = keptListing(path, identity);
        QVERIFY(kept);
        QCOMPARE(kept->entries.back().name, names.back());
        QVERIFY(!keptListing(path, identity + "0"));
        const fs::path file = fs::directory_iterator(tree / "listings")->path();
        fs::resize_file(file, fs::file_size(file) - 1);
        QVERIFY(!keptListing(path, identity));
        // One that is there is taken as it is.
        const auto other = tree.put("b.tar", tarOf(someFiles()));
        kept->entries.resize(1);
        kept->places.resize(1);
        kept->points.clear();
        keepListing(other, archiveIdentity(other), *kept);
        QCOMPARE(namesOf(*openArchive(other)), (Names{names.front()}));
        keepListings({});
    }

    void aChangedFileIsListedAgain()
    {
        const Folder tree;
        const auto path = tree.put("a.tar", tarOf({{"1.jpg", "one"}}));
        QCOMPARE(contentOf(*openArchive(path), "1.jpg"), std::string("one"));
        tree.put("a.tar", tarOf({{"1.jpg", "three"}}));
        QCOMPARE(contentOf(*openArchive(path), "1.jpg"), std::string("three"));
    }

    void pathsLeadIntoArchives()
    {
        const Folder tree;
        const auto path = tree.put("set/a.tar", tarOf({{"./cat/1.jpg", "one"}}));
        const auto packed = findPacked(path / "cat/1.jpg");
        QVERIFY(packed && packed->entry);
        QCOMPARE(packed->name, std::string("cat/1.jpg"));
        QVERIFY(!findPacked(path / "cat")->entry);
        QVERIFY(!findPacked(path));
        QVERIFY(!findPacked(tree / "set/b.tar/cat/1.jpg"));
        QVERIFY_THROWS_EXCEPTION(FileError, findPacked(tree.put("plain.txt", "text") / "1.jpg"));
    }

    void webdatasetsLabelTheirSamples()
    {
        const Folder tree;
        const auto opened = openArchive(
            tree.put("train-000000.tar", tarOf({{"00.jpg", "a"},
                                                {"00.cls", "7\n"},
                                                {"01.json", "{\"label\": 3, \"x\": [1]}"},
                                                {"01.seg.png", "b"},
                                                {"d.x/02.jpg", "c"},
                                                {"d.x/02.txt", "a photo of 4 cats"},
                                                {"03.cls", "tabby"},
                                                {"03.webp", "d"},
                                                {"04.txt", "12"},
                                                {"04.png", "e"},
                                                {"labels.json", "{}"}})));
        QCOMPARE(labelsOf(*opened),
                 (Names{"00.jpg 7", "01.seg.png 3", "d.x/02.jpg ", "03.webp tabby", "04.png 12", "labels.json "}));
        QCOMPARE(contentOf(*opened, "04.png"), std::string("e"));
        REFUSES(
            FileError,
            openArchive(tree.put("two.tar", tarOf({{"0.cls", "7"}, {"0.json", "{\"cls\": 8}"}, {"0.jpg", ""}}))),
            "two.tar: its sample `0` has two labels, 7 and 8; keep the right one");
    }

    void whatIsNoFileIsCounted()
    {
        const Folder tree;
        const auto opened = openArchive(tree.put("a.tar", tarOf({{"d/", "", '5'},
                                                                 {"d/1.jpg", "first"},
                                                                 {"d/2.jpg", "", '1', "d/1.jpg"},
                                                                 {"d/3.jpg", "", '2', "1.jpg"},
                                                                 {"d/4.jpg", "", '1', "gone.jpg"},
                                                                 {"d/pipe", "", '6'},
                                                                 {"d/1.jpg", "second"}})));
        QCOMPARE(namesOf(*opened), (Names{"d/1.jpg", "d/2.jpg"}));
        QCOMPARE(contentOf(*opened, "d/1.jpg"), std::string("second"));
        QCOMPARE(contentOf(*opened, "d/2.jpg"), std::string("first"));
        QCOMPARE(issuesOf(*opened),
                 (Names{"not_a_file d/3.jpg", "not_a_file d/4.jpg", "not_a_file d/pipe", "duplicate d/1.jpg"}));
        const auto zip = openArchive(tree.put(
            "a.zip", zipOf({{"1.jpg", "first"}, {"d/", ""}, {"2.jpg", "1.jpg", '2'}, {"1.jpg", "second"}})));
        QCOMPARE(contentOf(*zip, "1.jpg"), std::string("second"));
        QCOMPARE(issuesOf(*zip), (Names{"not_a_file 2.jpg", "duplicate 1.jpg"}));
    }

    void namesThatLeadOutAreRefused()
    {
        const Folder tree;
        for (const char* name : {"/etc/passwd", "../up.jpg", "d/../../up.jpg"}) {
            REFUSES(FileError, openArchive(tree.put("a.tar", tarOf({{name, "x"}}))), "out of the archive");
            REFUSES(FileError, openArchive(tree.put("a.zip", zipOf({{name, "x"}}))), "pack the folder again");
        }
        REFUSES(FileError, openArchive(tree.put("a.tar", tarOf({{std::string(5000, 'n'), "x"}}))),
                "more than 4,096 bytes");
    }

    void otherFilesAreNoArchives()
    {
        const Folder tree;
        for (const std::string& bytes :
             {std::string(), std::string("text"), gzipOf("text"), std::string(600, '\0')}) {
            const auto path = tree.put("file.tar", bytes);
            QVERIFY(!isArchive(path));
            REFUSES(FileError, openArchive(path), "is not an archive that can be read in place");
        }
    }

    /// Wherever a file ends early, that is said, and no entry reaches beyond the end.
    void whatWasCutOffIsRefused()
    {
        const MemberFiles files{
            {"a/1.jpg", noise(1500, 1)}, {"a/2.jpg", noise(100, 2)}, {"b/1.jpg", noise(900, 3)}};
        const Folder tree;
        const std::string tar = tarOf(files);
        const size_t whole = tar.size() - 1024;
        for (size_t size = 600; size < whole; size += 97)
            QVERIFY_THROWS_EXCEPTION(FileError, openArchive(tree.put("a.tar", tar.substr(0, size))));
        REFUSES(FileError, openArchive(tree.put("a.tar", tar.substr(0, whole))), "ends before its last entry");
        const std::string gzip = gzipOf(tar), zip = zipOf(files);
        for (size_t size = 30; size < gzip.size(); size += 61)
            QVERIFY_THROWS_EXCEPTION(FileError, openArchive(tree.put("a.tar.gz", gzip.substr(0, size))));
        for (size_t size = 30; size < zip.size(); size += 53)
            QVERIFY_THROWS_EXCEPTION(FileError, openArchive(tree.put("a.zip", zip.substr(0, size))));
    }

    void damagedBytesAreFound()
    {
        const Folder tree;
        for (const size_t at : {size_t(0), size_t(124), size_t(1024 + 100), size_t(2048 + 3)}) {
            std::string tar = tarOf({{"1.jpg", "one"}, {"2.jpg", "two"}, {"3.jpg", "three"}});
            tar[at] = 'x';
            QVERIFY_THROWS_EXCEPTION(FileError, openArchive(tree.put("a.tar", tar)));
        }
        std::string gzip = gzipOf(tarOf({{"1.jpg", noise(5000, 1)}}), 0);
        gzip[3000] = char(gzip[3000] ^ 1);
        REFUSES(FileError, openArchive(tree.put("a.tar.gz", gzip)), "damaged");
        std::string zip = zipOf({{"1.jpg", "stored"}, {"2.jpg", "deflated"}});
        for (const char* content : {"stored", "2.jpg"}) {
            std::string other = zip;
            // The byte behind the local header's name is the first of the deflated ones.
            const size_t at = other.find(content) + (*content == '2' ? 7 : 2);
            other[at] = char(other[at] ^ 0x10);
            const auto opened = openArchive(tree.put("a.zip", other));
            const std::string name = *content == '2' ? "2.jpg" : "1.jpg";
            REFUSES(FileError, contentOf(*opened, name), "its compressed data is damaged");
        }
    }

    /// Nothing is unpacked beyond the size that the directory names, and that is bounded by the packed one.
    void bombsAreRefused()
    {
        const Folder tree;
        const std::string zip = zipOf({{"0.jpg", ""}, {"1.jpg", std::string(100'000, 'x')}});
        const auto opened = openArchive(tree.put("a.zip", zip));
        QCOMPARE(opened->archive->entries()[1].bytes, int64_t(100'000));
        std::string lying = zip;
        for (size_t at = lying.find("PK\3\4", 5); at != lying.npos; at = lying.find("PK\1\2", at + 60)) {
            const size_t size = at + (lying[at + 2] == '\3' ? 22 : 24);
            lying.replace(size, 4, std::string("\xff\xff\xff\x7f", 4));
        }
        REFUSES(FileError, openArchive(tree.put("b.zip", lying)), "has two different sizes");
    }
};

ATTNSCOPE_TEST(TestOpenArchive)
#include "tst_open_archive.moc"
