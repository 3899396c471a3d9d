#include "core/base/error.h"
#include "core/data/dataset/labelled_folder.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace attnscope;
namespace fs = std::filesystem;

namespace {

/// A folder that files and links are put into.
class Tree {
public:
    Tree() { m_folder.setAutoRemove(false); }  // it cannot remove names that are no UTF-8
    ~Tree() { fs::remove_all(root()); }

    std::string path(const std::string& name = {}) const { return (root() / name).string(); }

    void file(const std::string& name, const std::string& text = "x") const
    {
        fs::create_directories((root() / name).parent_path());
        std::ofstream(root() / name, std::ios::binary) << text;
    }
    void link(const std::string& name, const std::string& target) const
    {
        fs::create_directories((root() / name).parent_path());
        fs::create_symlink(target, root() / name);
    }

private:
    fs::path root() const { return m_folder.path().toStdString(); }
    QTemporaryDir m_folder;
};

/// "class/file …" in the set's order, to compare at a glance.
std::string content(const LabelledSet& set)
{
    std::string text;
    for (const LabelledFile& file : set.files)
        text += (text.empty() ? "" : " ") + set.classes[std::size_t(file.label)] + "/"
                + fs::path(file.path).filename().string();
    return text;
}

bool isNoted(const LabelledSet& set, const std::string& part)
{
    for (const std::string& note : set.notes)
        if (note.find(part) != std::string::npos)
            return true;
    return false;
}

/// "kind count name …; …": the issues with the last parts of their names.
std::string issues(const LabelledSet& set)
{
    std::string text;
    for (const DataIssue& issue : set.issues) {
        text += (text.empty() ? "" : "; ") + issue.kind + " " + std::to_string(issue.count);
        for (const std::string& name : issue.names)
            text += " " + fs::path(name).filename().string();
    }
    return text;
}

template <typename Function>
std::string refusal(Function function)
{
    try {
        function();
    } catch (const FileError& error) {
        return error.what();
    }
    return "taken";
}

bool has(const std::string& text, const std::string& part)
{
    if (text.find(part) != std::string::npos)
        return true;
    qWarning("\"%s\" is not in \"%s\"", part.c_str(), text.c_str());
    return false;
}

}

class TestLabelledFolder : public QObject {
    Q_OBJECT

private slots:
    void classesAreTheFoldersInByteOrder()
    {
        const Tree tree;
        for (const char* name :
             {"b/2.jpg", "b/1.JPEG", "a/x.png", "Z/y.webp", "\xc3\xa4/u.tif", "b/deep/er/3.ppm"})
            tree.file(name);
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(set.classes, (std::vector<std::string>{"Z", "a", "b", "\xc3\xa4"}));
        QCOMPARE(content(set), std::string("Z/y.webp a/x.png b/1.JPEG b/2.jpg b/3.ppm \xc3\xa4/u.tif"));
        QCOMPARE(set.layout, FolderLayout::ImageNet);
        QVERIFY(!set.video && set.notes.empty());
    }

    void kindFollowsTheMajorityAndTheRestIsNoted()
    {
        const Tree tree;
        for (const char* name : {"a/1.mp4", "a/2.MKV", "b/3.gif", "b/4.jpg", "b/readme.txt", "b/none"})
            tree.file(name);
        const LabelledSet videos = scanLabelled(tree.path(), FolderLayout::Auto);
        QVERIFY(videos.video);
        QCOMPARE(content(videos), std::string("a/1.mp4 a/2.MKV b/3.gif"));
        QVERIFY(isNoted(videos, "1 image is skipped"));
        const LabelledSet images = scanLabelled(tree.path(), FolderLayout::ImageNet);
        QCOMPARE(content(images), std::string("b/4.jpg"));
        QCOMPARE(images.files.front().label, std::int64_t{1});  // an empty class keeps its number
        QVERIFY(isNoted(images, "1 class has no image: a"));
    }

    void hiddenFilesAndFilesWithoutAClassAreNoSamples()
    {
        const Tree tree;
        for (const char* name : {"a/1.jpg", "a/._1.jpg", ".cache/2.jpg", "a/.thumbs/3.jpg", "loose.jpg"})
            tree.file(name);
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(content(set), std::string("a/1.jpg"));
        QVERIFY(isNoted(set, "1 file next to the class folders"));
    }

    /// What is passed over by kind: none of it is lost in silence.
    void contentDecidesWhatASuffixDoesNotTell()
    {
        const Tree tree;
        const std::string jpeg = "\xff\xd8\xff\xe0", png = "\x89PNG\r\n\x1a\n";
        tree.file("a/1.jfif", "x");
        tree.file("a/2.JPE", "x");
        tree.file("a/3", jpeg);
        tree.file("a/4.png~", png);
        tree.file("a/5.JPEG.1", jpeg);
        tree.file("a/6.avif", "x");  // cannot be read, which is said with the sample
        tree.file("a/7", "JFIF?");
        tree.file("a/readme.txt", "text");
        tree.file("loose", jpeg);
        tree.file("list.txt", "a/1.jfif 0\n");
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(content(set), std::string("a/1.jfif a/2.JPE a/3 a/4.png~ a/5.JPEG.1 a/6.avif"));
        QCOMPARE(issues(set), std::string("no_class 1 loose; unknown_kind 2 7 readme.txt"));
    }

    void whatSystemsLeaveIsPassedOverByNameAndSaid()
    {
        const Tree tree;
        tree.file("a/1.jpg");
        for (const char* name : {"@eaDir/1.jpg", "__MACOSX/a/._1.jpg", "lost+found/2.jpg", "$RECYCLE.BIN/3.jpg",
                                 "System Volume Information/x", "a/Thumbs.db", "a/desktop.ini",
                                 "a/@eaDir/1.jpg/SYNOPHOTO_THUMB_M.jpg", "a/._1.jpg"})
            tree.file(name);
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(set.classes, std::vector<std::string>{"a"});
        QCOMPARE(content(set), std::string("a/1.jpg"));
        QCOMPARE(set.issues.size(), std::size_t{1});
        QCOMPARE(set.issues.front().kind, std::string("system"));
        QCOMPARE(set.issues.front().count, std::int64_t{9});
    }

    void linksToLostFilesAreSamples()
    {
        const Tree tree;
        tree.file("a/1.jpg");
        tree.link("a/2.jpg", "lost.jpg");
        tree.link("b/3", "/nowhere/3");
        tree.link("b/loop", "loop");
        tree.file("list.txt", "a/1.jpg 0\na/2.jpg 1\na/gone.jpg 1\n");
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto),
                          list = scanLabelled(tree.path("list.txt"), FolderLayout::Auto);
        QCOMPARE(content(set), std::string("a/1.jpg a/2.jpg b/3"));
        QCOMPARE(issues(set), std::string("not_a_file 1 loop"));
        QCOMPARE(content(list), std::string("0/1.jpg 1/2.jpg"));
        QCOMPARE(issues(list), std::string("missing 1 gone.jpg"));
    }

    void emptyClassFoldersAreRefusedForTraining()
    {
        const Tree tree;
        tree.file("a/1.jpg");
        tree.file("b/notes.txt");
        QCOMPARE(issues(scanLabelled(tree.path(), FolderLayout::Auto)),
                 std::string("unknown_kind 1 notes.txt; empty_class 1 b"));
        QVERIFY(has(refusal([&] { scanSplits(tree.path(), FolderLayout::Auto, ""); }),
                    "1 of its classes has no image: b; remove empty folders"));
    }

    void archivesAreToBeUnpacked()
    {
        const Tree tree;
        const std::string tar = QByteArray(257, 'n').append("ustar").append(QByteArray(250, '\0')).toStdString();
        tree.file("val.tar", tar);
        tree.file("val.parquet", "PAR1 and more");
        tree.file("shards/train-0001.zip", "PK\3\4 and more");
        tree.file("classes/n01440764/n01440764.tar", tar);
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("val.tar"), FolderLayout::Auto); }),
                    "val.tar: is a tar archive; unpack it"));
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("val.parquet"), FolderLayout::Auto); }),
                    "is a Parquet table; unpack it"));
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("shards"), FolderLayout::Auto); }),
                    "train-0001.zip is a zip archive, which must be unpacked"));
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("classes"), FolderLayout::Auto); }),
                    "n01440764.tar is a tar archive"));
    }

    void listsAsOtherProgramsWriteThem_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const QString both = "3/x.jpg 5/y 1.jpg";
        QTest::newRow("comma and blank") << "x.jpg, 3\ny 1.jpg, 5\n" << both;
        QTest::newRow("semicolons") << "path;label\nx.jpg;3\ny 1.jpg;5\n" << both;
        QTest::newRow("floating point") << "path,label\nx.jpg,3.0\ny 1.jpg,5.0\n" << both;
        QTest::newRow("other headings") << "image_id,label_idx\nx.jpg,3\ny 1.jpg,5\n" << both;
        QTest::newRow("headings of our own") << "picture,number\nx.jpg,3\ny 1.jpg,5\n" << both;
        QTest::newRow("index of a data frame") << ",path,label\n0,x.jpg,3\n1,y 1.jpg,5\n" << both;
        QTest::newRow("label first, by heading") << "label\tfilepath\n3\tx.jpg\n5\ty 1.jpg\n" << both;
        QTest::newRow("written on Windows") << ".\\x.jpg,3\r\n.\\y 1.jpg,5\r\n" << both;
        QTest::newRow("no suffixes") << "ImageId,Class\nx,3\ny 1,5\n" << both;
        QTest::newRow("names with a hash") << "# by hand\nx.jpg 3\n#z.jpg 4\n"
                                           << "3/x.jpg 4/#z.jpg";
        QTest::newRow("heading behind a hash") << "#path label\nx.jpg 3\n"
                                               << "3/x.jpg";
        QTest::newRow("splits") << "path,label,split\nx.jpg,3,val\ny 1.jpg,5,train\n#z.jpg,5,Val\n"
                                << "3/x.jpg 5/#z.jpg";
        QTest::newRow("splits without a heading") << "x.jpg\t3\ttest\ny 1.jpg\t5\ttrain\n"
                                                  << "3/x.jpg";
        QTest::newRow("one split alone") << "path,label,split\nx.jpg,3,train\ny 1.jpg,5,train\n" << both;
    }
    void listsAsOtherProgramsWriteThem()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const Tree tree;
        for (const char* name : {"x.jpg", "y 1.jpg", "#z.jpg"})
            tree.file(name);
        tree.file("list.csv", text.toStdString());
        QCOMPARE(content(scanLabelled(tree.path("list.csv"), FolderLayout::Auto)), expected.toStdString());
    }

    void aListOfSplitsTrainsAndValidates()
    {
        const Tree tree;
        for (const char* name : {"x.jpg", "y.jpg", "z.jpg"})
            tree.file(name);
        tree.file("all.csv", "path,label,split\nx.jpg,cat,train\ny.jpg,dog,train\nz.jpg,dog,val\n");
        const LabelledSplits splits = scanSplits(tree.path("all.csv"), FolderLayout::Auto, "");
        QCOMPARE(content(splits.training), std::string("cat/x.jpg dog/y.jpg"));
        QCOMPARE(content(splits.validation.value()), std::string("dog/z.jpg"));
        QCOMPARE(issues(splits.training), std::string("other_split 1 z.jpg"));
        QVERIFY(!isNoted(*splits.validation, "training samples themselves"));
        tree.file("odd.csv", "path,label,split\nx.jpg,1,fold 1\ny.jpg,2,fold 2\n");
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("odd.csv"), FolderLayout::Auto); }),
                    "of the splits fold 1 and fold 2, none of which is for validation"));
    }

    void repeatedAndContradictingLinesAreSaid()
    {
        const Tree tree;
        tree.file("x.jpg");
        tree.file("y.jpg");
        tree.file("list.txt", "x.jpg 0\ny.jpg 1\nx.jpg 0\ny.jpg 2\n");
        const LabelledSet set = scanLabelled(tree.path("list.txt"), FolderLayout::Auto);
        QCOMPARE(set.files.size(), std::size_t{4});
        QCOMPARE(issues(set), std::string("duplicate 1 x.jpg; contradiction 1 y.jpg"));
    }

    void columnsInAnotherOrderAreExplained()
    {
        const Tree tree;
        tree.file("x.jpg");
        tree.file("swapped.txt", "3 x.jpg\n");
        tree.file("three.txt", "x.jpg 300 3\nx.jpg 300 4\n");
        tree.file("unknown.csv", "a,b,c\nx.jpg,3,1\nx.jpg,4,1\n");
        tree.file("negative.txt", "x.jpg 3\nx.jpg -1\n");
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("swapped.txt"), FolderLayout::Auto); }),
                    "its labels are files"));
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("three.txt"), FolderLayout::Auto); }),
                    "its lines have three fields"));
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("unknown.csv"), FolderLayout::Auto); }),
                    "does not name the columns of paths and labels: a, b, c"));
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("negative.txt"), FolderLayout::Auto); }),
                    "line 2: the label is -1; class numbers start at 0"));
    }

    void loopsOfLinksEndAndAreCountedOnce()
    {
        const Tree tree;
        tree.file("a/1.jpg");
        tree.file("b/2.jpg");
        tree.link("a/self", ".");
        tree.link("a/up", "..");
        tree.link("a/b", "../b");
        tree.link("b/around", "../a/b/around");
        tree.link("Again", "b");  // sorts before b, and must not take its pictures
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(content(set), std::string("a/1.jpg b/2.jpg"));
        QCOMPARE(set.classes, (std::vector<std::string>{"a", "b"}));
        QVERIFY(isNoted(set, "4 links point to folders that have already been read"));
    }

    void linksToFoldersAndFilesElsewhereAreFollowed()
    {
        const Tree elsewhere, tree;
        elsewhere.file("store/1.jpg");
        elsewhere.file("2.jpg");
        tree.link("a", elsewhere.path("store"));
        tree.link("b/two.jpg", elsewhere.path("2.jpg"));
        tree.link("b/dead.jpg", "nowhere.jpg");
        QCOMPARE(content(scanLabelled(tree.path(), FolderLayout::Auto)),
                 std::string("a/1.jpg b/dead.jpg b/two.jpg"));
    }

    void pipesSocketsAndFoldersNamedLikePicturesAreNotOpened()
    {
        const Tree tree;
        tree.file("a/1.jpg");
        tree.file("a/folder.jpg/2.png");
        QCOMPARE(mkfifo(tree.path("a/pipe.jpg").c_str(), 0600), 0);
        const int handle = socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{AF_UNIX, {}};
        tree.path("a/socket.png").copy(address.sun_path, sizeof(address.sun_path) - 1);
        QCOMPARE(bind(handle, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
        QElapsedTimer timer;
        timer.start();
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        close(handle);
        QVERIFY(timer.elapsed() < 1000);  // a pipe that is opened waits for ever
        QCOMPARE(content(set), std::string("a/1.jpg a/2.png"));
        QVERIFY(has(refusal([&] { scanLabelled(tree.path("a/pipe.jpg"), FolderLayout::Auto); }),
                    "not a regular file"));
    }

    void namesMayHoldAnything()
    {
        const Tree tree;
        const std::vector<std::string> names{"new\nline.jpg",
                                             "\xff\xfe.jpg",
                                             "\xe2\x80\xae"
                                             "gpj.jpg",
                                             "'; rm -rf .jpg",
                                             "a%20 b.jpg",
                                             "-rf.jpg"};
        for (const std::string& name : names)
            tree.file("odd \x1b[31m class/" + name);
        tree.file("emp\ty\n/x.txt");
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(set.files.size(), names.size());
        for (const LabelledFile& file : set.files)
            QVERIFY(fs::exists(file.path));
        QVERIFY(isNoted(set, "emp\\ty\\n"));  // escaped: a name must not draw on a terminal
    }

    void whatHoldsNoSamplesIsRefusedInASentence()
    {
        const Tree tree;
        tree.file("only.jpg");
        tree.file("videos/a/1.mp4");
        fs::create_directories(tree.path("empty/a"));
        const auto scan = [&](const char* name, FolderLayout layout) {
            return refusal([&] { scanLabelled(tree.path(name), layout); });
        };
        QVERIFY(has(scan("gone", FolderLayout::Auto), "does not exist"));
        QVERIFY(has(scan("empty/a", FolderLayout::Auto), "contains no folders"));
        QVERIFY(has(scan("empty", FolderLayout::Auto), "no image in its 1 class folder"));
        QVERIFY(has(scan("videos", FolderLayout::ImageNet), "but 1 video; use --layout kinetics"));
        QVERIFY(has(scan("videos", FolderLayout::List), "is a folder"));
        QVERIFY(has(scan("only.jpg", FolderLayout::ImageNet), "is not a folder"));
    }

    void listsAreReadWithBlanksCommasAndTabs_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("blank") << "x.jpg 0\na b.jpg 1\n"
                               << "0/x.jpg 1/a b.jpg";
        QTest::newRow("blank, a path with commas") << "c,d.jpg 1\nx.jpg 0\n"
                                                   << "1/c,d.jpg 0/x.jpg";
        QTest::newRow("quotes, comment, empty lines, CRLF") << "# list\r\n\r\n\"a b.jpg\" 1\r\nx.jpg 0\r\n"
                                                            << "1/a b.jpg 0/x.jpg";
        QTest::newRow("comma and names") << "x.jpg,playing guitar\na b.jpg,abseiling\n"
                                         << "playing guitar/x.jpg abseiling/a b.jpg";
        QTest::newRow("comma in quotes") << "\"c,d.jpg\",cat\n"
                                         << "cat/c,d.jpg";
        QTest::newRow("heading turns columns") << "label,path\ncat,x.jpg\n"
                                               << "cat/x.jpg";
        QTest::newRow("tab") << "a b.jpg\tbig cat\n"
                             << "big cat/a b.jpg";
        QTest::newRow("byte order mark, heading") << "\xef\xbb\xbf"
                                                     "Path\tClass\nx.jpg\tcat\n"
                                                  << "cat/x.jpg";
        QTest::newRow("no newline at the end") << "x.jpg 0"
                                               << "0/x.jpg";
    }
    void listsAreReadWithBlanksCommasAndTabs()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const Tree tree;
        for (const char* name : {"x.jpg", "a b.jpg", "c,d.jpg"})
            tree.file(name);
        tree.file("list.csv", text.toStdString());
        const LabelledSet set = scanLabelled(tree.path("list.csv"), FolderLayout::Auto);
        QCOMPARE(QString::fromStdString(content(set)), expected);
        QCOMPARE(set.layout, FolderLayout::List);
    }

    void numbersOfAListAreLabelsEvenWithGaps()
    {
        const Tree tree;
        tree.file("x.mp4");
        tree.file("list", "x.mp4 5\n");
        const LabelledSet set = scanLabelled(tree.path("list"), FolderLayout::List);
        QCOMPARE(set.classes.size(), std::size_t{6});
        QCOMPARE(set.files.front().label, std::int64_t{5});
        QVERIFY(set.video);
    }

    void brokenListsAreRefusedWithTheirLine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("empty") << QByteArray() << "has no lines";
        QTest::newRow("no label") << QByteArray("x.jpg\n") << "line 1: has no label";
        QTest::newRow("empty path") << QByteArray("a,b\n,b\n") << "line 2: the path is empty";
        QTest::newRow("number among names") << QByteArray("x.jpg cat\nx.jpg 7\n") << "line 2: label 7";
        QTest::newRow("name among numbers") << QByteArray("x.jpg 7\nx.jpg cat\n") << "line 2: label cat";
        QTest::newRow("label too large") << QByteArray("x.jpg 99999999999999999999999\n") << "is too large";
        QTest::newRow("label for gigabytes of classes") << QByteArray("x.jpg 1000000\n") << "is too large";
        QTest::newRow("binary") << QByteArray("\x7f"
                                              "ELF\0\1 1\n",
                                              10)
                                << "not a text file";
        QTest::newRow("line without end") << QByteArray(20000, 'x') << "longer than 16384";
        QTest::newRow("nothing is there")
            << QByteArray("gone.jpg 0\n") << "its only file, gone.jpg, does not exist";
    }
    void brokenListsAreRefusedWithTheirLine()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, reason);
        const Tree tree;
        tree.file("x.jpg");
        tree.file("list.txt", text.toStdString());
        QVERIFY(
            has(refusal([&] { scanLabelled(tree.path("list.txt"), FolderLayout::Auto); }), reason.toStdString()));
    }

    void whatAListLeavesOutOrReachesForIsNoted()
    {
        const Tree tree;
        tree.file("x.jpg");
        tree.file("outside.jpg");
        tree.file("film.mp4");
        QCOMPARE(mkfifo(tree.path("pipe.jpg").c_str(), 0600), 0);
        tree.file("inner/y.jpg");
        tree.file("inner/list.txt",
                  "y.jpg 0\n../outside.jpg 1\n/etc/passwd 0\n../pipe.jpg 0\ngone.jpg 0\n../film.mp4 1\n"
                      + tree.path("x.jpg") + " 1\n");
        const LabelledSet set = scanLabelled(tree.path("inner/list.txt"), FolderLayout::Auto);
        QCOMPARE(
            content(set),
            std::string("0/y.jpg 1/outside.jpg 0/passwd 1/x.jpg"));  // the reader will say that it is no picture
        QVERIFY(isNoted(set, "3 files are outside the list's folder: ../outside.jpg"));
        QVERIFY(isNoted(set, "1 file does not exist"));
        QVERIFY(isNoted(set, "1 entry is not a regular file"));
        QVERIFY(isNoted(set, "1 video in a list of images"));
    }

    void splitsAreFoundByTheirNames()
    {
        for (const char* name : {"val", "validation", "valid", "test"}) {
            const Tree tree;
            tree.file("train/a/1.jpg");
            tree.file("train/b/2.jpg");
            tree.file(std::string(name) + "/b/3.jpg");
            const LabelledSplits splits = scanSplits(tree.path(), FolderLayout::Auto, "");
            QCOMPARE(content(splits.training), std::string("a/1.jpg b/2.jpg"));
            QVERIFY(splits.validation.has_value());
            QCOMPARE(content(*splits.validation), std::string("b/3.jpg"));
            QCOMPARE(splits.validation->files.front().label,
                     std::int64_t{1});  // the training's number of b, not its own
            QVERIFY(isNoted(*splits.validation, "1 of 2 classes have no validation sample"));
        }
    }

    void classesMayBeCalledTrainAndTest()
    {
        const Tree tree;
        tree.file("boat/1.jpg");
        tree.file("train/2.jpg");
        tree.file("test/3.jpg");
        const LabelledSplits splits = scanSplits(tree.path(), FolderLayout::Auto, "");
        QCOMPARE(content(splits.training), std::string("boat/1.jpg test/3.jpg train/2.jpg"));
        QVERIFY(!splits.validation);
    }

    void listsInAFolderAreSplitsToo()
    {
        const Tree tree;
        tree.file("p/x.jpg");
        tree.file("p/y.jpg");
        tree.file("train.csv", "path,label\np/x.jpg,cat\np/y.jpg,dog\n");
        tree.file("val.txt", "p/y.jpg dog\n");
        const LabelledSplits splits = scanSplits(tree.path(), FolderLayout::List, "");
        QCOMPARE(content(splits.training), std::string("cat/x.jpg dog/y.jpg"));
        QCOMPARE(splits.validation->files.front().label, std::int64_t{1});
    }

    void anotherFolderMayValidate()
    {
        const Tree tree;
        tree.file("one/a/1.jpg");
        tree.file("two/a/2.jpg");
        tree.file("wrong/a/2.jpg");
        tree.file("wrong/c/2.jpg");
        tree.file("films/a/2.mp4");
        fs::create_directories(tree.path("two/unused"));
        const auto with = [&](const char* name) {
            return scanSplits(tree.path("one"), FolderLayout::Auto, tree.path(name));
        };
        QCOMPARE(content(*with("two").validation), std::string("a/2.jpg"));
        QVERIFY(has(refusal([&] { with("wrong"); }), "1 of its classes is not among the 1 of"));
        QVERIFY(has(refusal([&] { with("films"); }), "contains videos, but"));
        QVERIFY(has(refusal([&] { with("gone"); }), "does not exist"));
        QVERIFY(isNoted(*with("one").validation, "the training samples themselves"));
    }

    void layoutsHaveNames()
    {
        for (const FolderLayout layout :
             {FolderLayout::Auto, FolderLayout::ImageNet, FolderLayout::Kinetics, FolderLayout::List})
            QCOMPARE(parseFolderLayout(folderLayoutName(layout)), layout);
        QVERIFY_EXCEPTION_THROWN(parseFolderLayout("ImageNet"), UsageError);
    }
};

ATTNSCOPE_TEST(TestLabelledFolder)
#include "tst_labelled_folder.moc"
