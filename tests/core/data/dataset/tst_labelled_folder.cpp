#include "core/base/error.h"
#include "core/data/dataset/labelled_folder.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>

#include <filesystem>
#include <fstream>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace attnscope;

namespace {

struct Tree : Folder {
    void link(const std::string& name, const std::string& target) const
    {
        fs::create_directories((*this / name).parent_path());
        fs::create_symlink(target, *this / name);
    }
};

/// "class/file …" in the set's order, to compare at a glance.
std::string content(const LabelledSet& set)
{
    std::string text;
    for (const LabelledFile& file : set.files)
        text += (text.empty() ? "" : " ") + set.classes[size_t(file.label)] + "/"
                + fs::path(file.path).filename().string();
    return text;
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

}

class TestLabelledFolder : public QObject {
    Q_OBJECT

private slots:
    void classesAreTheFoldersInByteOrder()
    {
        const Tree tree;
        for (const char* name :
             {"b/2.jpg", "b/1.JPEG", "a/x.png", "Z/y.webp", "\xc3\xa4/u.tif", "b/deep/er/3.ppm"})
            tree.put(name);
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(set.classes, (std::vector<std::string>{"Z", "a", "b", "\xc3\xa4"}));
        QCOMPARE(content(set), "Z/y.webp a/x.png b/1.JPEG b/2.jpg b/3.ppm \xc3\xa4/u.tif");
        QCOMPARE(set.layout, FolderLayout::ImageNet);
        QVERIFY(!set.video && set.notes.empty());
    }

    void kindFollowsTheMajorityAndTheRestIsNoted()
    {
        const Tree tree;
        for (const char* name : {"a/1.mp4", "a/2.MKV", "b/3.gif", "b/4.jpg", "b/readme.txt", "b/none"})
            tree.put(name);
        const LabelledSet videos = scanLabelled(tree.path(), FolderLayout::Auto);
        QVERIFY(videos.video);
        QCOMPARE(content(videos), "a/1.mp4 a/2.MKV b/3.gif");
        SAYS(videos.notes, "1 image is skipped");
        const LabelledSet images = scanLabelled(tree.path(), FolderLayout::ImageNet);
        QCOMPARE(content(images), "b/4.jpg");
        QCOMPARE(images.files.front().label, 1);  // an empty class keeps its number
        SAYS(images.notes, "1 class has no image: a");
    }

    void hiddenFilesAndFilesWithoutAClassAreNoSamples()
    {
        const Tree tree;
        for (const char* name : {"a/1.jpg", "a/._1.jpg", ".cache/2.jpg", "a/.thumbs/3.jpg", "loose.jpg"})
            tree.put(name);
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(content(set), "a/1.jpg");
        SAYS(set.notes, "1 file next to the class folders");
    }

    /// What is passed over by kind: none of it is lost in silence.
    void contentDecidesWhatASuffixDoesNotTell()
    {
        const Tree tree;
        const std::string jpeg = "\xff\xd8\xff\xe0", png = "\x89PNG\r\n\x1a\n";
        tree.put("a/1.jfif", "x");
        tree.put("a/2.JPE", "x");
        tree.put("a/3", jpeg);
        tree.put("a/4.png~", png);
        tree.put("a/5.JPEG.1", jpeg);
        tree.put("a/6.avif", "x");  // cannot be read, which is said with the sample
        tree.put("a/7", "JFIF?");
        tree.put("a/readme.txt", "text");
        tree.put("loose", jpeg);
        tree.put("list.txt", "a/1.jfif 0\n");
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(content(set), "a/1.jfif a/2.JPE a/3 a/4.png~ a/5.JPEG.1 a/6.avif");
        QCOMPARE(issues(set), "no_class 1 loose; unknown_kind 2 7 readme.txt");
    }

    void whatSystemsLeaveIsPassedOverByNameAndSaid()
    {
        const Tree tree;
        tree.put("a/1.jpg");
        for (const char* name : {"@eaDir/1.jpg", "__MACOSX/a/._1.jpg", "lost+found/2.jpg", "$RECYCLE.BIN/3.jpg",
                                 "System Volume Information/x", "a/Thumbs.db", "a/desktop.ini",
                                 "a/@eaDir/1.jpg/SYNOPHOTO_THUMB_M.jpg", "a/._1.jpg"})
            tree.put(name);
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(set.classes, std::vector<std::string>{"a"});
        QCOMPARE(content(set), "a/1.jpg");
        QCOMPARE(set.issues.size(), 1);
        QCOMPARE(set.issues.front().kind, "system");
        QCOMPARE(set.issues.front().count, 9);
    }

    void linksToLostFilesAreSamples()
    {
        const Tree tree;
        tree.put("a/1.jpg");
        tree.link("a/2.jpg", "lost.jpg");
        tree.link("b/3", "/nowhere/3");
        tree.link("b/loop", "loop");
        tree.put("list.txt", "a/1.jpg 0\na/2.jpg 1\na/gone.jpg 1\n");
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto),
                          list = scanLabelled(tree / "list.txt", FolderLayout::Auto);
        QCOMPARE(content(set), "a/1.jpg a/2.jpg b/3");
        QCOMPARE(issues(set), "not_a_file 1 loop");
        QCOMPARE(content(list), "0/1.jpg 1/2.jpg");
        QCOMPARE(issues(list), "missing 1 gone.jpg");
    }

    void emptyClassFoldersAreRefusedForTraining()
    {
        const Tree tree;
        tree.put("a/1.jpg");
        tree.put("b/notes.txt");
        QCOMPARE(issues(scanLabelled(tree.path(), FolderLayout::Auto)),
                 "unknown_kind 1 notes.txt; empty_class 1 b");
        REFUSES(FileError, scanSplits(tree.path(), FolderLayout::Auto, ""),
                "1 of its classes has no image: b; remove empty folders");
    }

    void whatIsNotReadInPlaceIsToBeUnpacked()
    {
        const Tree tree;
        const std::string tar = QByteArray(257, 'n').append("ustar").append(QByteArray(250, '\0')).toStdString();
        tree.put("val.tar", tar);
        tree.put("val.parquet", "PAR1 and more");
        tree.put("shards/train-0001.zip", "PK\3\4 and more");
        tree.put("classes/n01440764/n01440764.tar", tar);
        REFUSES(FileError, scanLabelled(tree / "val.tar", FolderLayout::Auto),
                "val.tar: it cannot be read as a tar archive");
        REFUSES(FileError, scanLabelled(tree / "val.parquet", FolderLayout::Auto),
                "it does not begin and end as a Parquet table does");
        REFUSES(FileError, scanLabelled(tree / "shards", FolderLayout::Auto),
                "train-0001.zip: its zip directory is missing, so it was cut off");
        REFUSES(FileError, scanLabelled(tree / "classes", FolderLayout::Auto), "n01440764.tar is a tar archive");
    }

    void listsAsOtherProgramsWriteThem_data()
    {
        columns<QString, QString>("text", "expected");
        const QString both = "3/x.jpg 5/y 1.jpg";
        row("comma and blank", "x.jpg, 3\ny 1.jpg, 5\n", both);
        row("semicolons", "path;label\nx.jpg;3\ny 1.jpg;5\n", both);
        row("floating point", "path,label\nx.jpg,3.0\ny 1.jpg,5.0\n", both);
        row("other headings", "image_id,label_idx\nx.jpg,3\ny 1.jpg,5\n", both);
        row("headings of our own", "picture,number\nx.jpg,3\ny 1.jpg,5\n", both);
        row("index of a data frame", ",path,label\n0,x.jpg,3\n1,y 1.jpg,5\n", both);
        row("label first, by heading", "label\tfilepath\n3\tx.jpg\n5\ty 1.jpg\n", both);
        row("written on Windows", ".\\x.jpg,3\r\n.\\y 1.jpg,5\r\n", both);
        row("no suffixes", "ImageId,Class\nx,3\ny 1,5\n", both);
        row("names with a hash", "# by hand\nx.jpg 3\n#z.jpg 4\n", "3/x.jpg 4/#z.jpg");
        row("heading behind a hash", "#path label\nx.jpg 3\n", "3/x.jpg");
        row("splits", "path,label,split\nx.jpg,3,val\ny 1.jpg,5,train\n#z.jpg,5,Val\n", "3/x.jpg 5/#z.jpg");
        row("splits without a heading", "x.jpg\t3\ttest\ny 1.jpg\t5\ttrain\n", "3/x.jpg");
        row("one split alone", "path,label,split\nx.jpg,3,train\ny 1.jpg,5,train\n", both);
    }
    void listsAsOtherProgramsWriteThem()
    {
        FETCH_TEXT(text);
        FETCH_TEXT(expected);
        const Tree tree;
        for (const char* name : {"x.jpg", "y 1.jpg", "#z.jpg"})
            tree.put(name);
        tree.put("list.csv", text);
        QCOMPARE(content(scanLabelled(tree / "list.csv", FolderLayout::Auto)), expected);
    }

    void aListOfSplitsTrainsAndValidates()
    {
        const Tree tree;
        for (const char* name : {"x.jpg", "y.jpg", "z.jpg"})
            tree.put(name);
        tree.put("all.csv", "path,label,split\nx.jpg,cat,train\ny.jpg,dog,train\nz.jpg,dog,val\n");
        const LabelledSplits splits = scanSplits(tree / "all.csv", FolderLayout::Auto, "");
        QCOMPARE(content(splits.training), "cat/x.jpg dog/y.jpg");
        QCOMPARE(content(splits.validation.value()), "dog/z.jpg");
        QCOMPARE(issues(splits.training), "other_split 1 z.jpg");
        QVERIFY(!contains(splits.validation->notes, "training samples themselves"));
        tree.put("odd.csv", "path,label,split\nx.jpg,1,fold 1\ny.jpg,2,fold 2\n");
        REFUSES(FileError, scanLabelled(tree / "odd.csv", FolderLayout::Auto),
                "of the splits fold 1 and fold 2, none of which is for validation");
    }

    void repeatedAndContradictingLinesAreSaid()
    {
        const Tree tree;
        tree.put("x.jpg");
        tree.put("y.jpg");
        tree.put("list.txt", "x.jpg 0\ny.jpg 1\nx.jpg 0\ny.jpg 2\n");
        const LabelledSet set = scanLabelled(tree / "list.txt", FolderLayout::Auto);
        QCOMPARE(set.files.size(), 4);
        QCOMPARE(issues(set), "duplicate 1 x.jpg; contradiction 1 y.jpg");
    }

    void columnsInAnotherOrderAreExplained()
    {
        const Tree tree;
        tree.put("x.jpg");
        tree.put("swapped.txt", "3 x.jpg\n");
        tree.put("three.txt", "x.jpg 300 3\nx.jpg 300 4\n");
        tree.put("unknown.csv", "a,b,c\nx.jpg,3,1\nx.jpg,4,1\n");
        tree.put("negative.txt", "x.jpg 3\nx.jpg -1\n");
        REFUSES(FileError, scanLabelled(tree / "swapped.txt", FolderLayout::Auto), "its labels are files");
        REFUSES(FileError, scanLabelled(tree / "three.txt", FolderLayout::Auto), "its lines have three fields");
        REFUSES(FileError, scanLabelled(tree / "unknown.csv", FolderLayout::Auto),
                "does not name the columns of paths and labels: a, b, c");
        REFUSES(FileError, scanLabelled(tree / "negative.txt", FolderLayout::Auto),
                "line 2: the label is -1; class numbers start at 0");
    }

    void loopsOfLinksEndAndAreCountedOnce()
    {
        const Tree tree;
        tree.put("a/1.jpg");
        tree.put("b/2.jpg");
        tree.link("a/self", ".");
        tree.link("a/up", "..");
        tree.link("a/b", "../b");
        tree.link("b/around", "../a/b/around");
        tree.link("Again", "b");  // sorts before b, and must not take its pictures
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(content(set), "a/1.jpg b/2.jpg");
        QCOMPARE(set.classes, (std::vector<std::string>{"a", "b"}));
        SAYS(set.notes, "4 links point to folders that have already been read");
    }

    void linksToFoldersAndFilesElsewhereAreFollowed()
    {
        const Tree elsewhere, tree;
        elsewhere.put("store/1.jpg");
        elsewhere.put("2.jpg");
        tree.link("a", elsewhere / "store");
        tree.link("b/two.jpg", elsewhere / "2.jpg");
        tree.link("b/dead.jpg", "nowhere.jpg");
        QCOMPARE(content(scanLabelled(tree.path(), FolderLayout::Auto)), "a/1.jpg b/dead.jpg b/two.jpg");
    }

    void pipesSocketsAndFoldersNamedLikePicturesAreNotOpened()
    {
        const Tree tree;
        tree.put("a/1.jpg");
        tree.put("a/folder.jpg/2.png");
        QCOMPARE(mkfifo((tree / "a/pipe.jpg").c_str(), 0600), 0);
        const int handle = socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{AF_UNIX, {}};
        (tree / "a/socket.png").string().copy(address.sun_path, sizeof(address.sun_path) - 1);
        QCOMPARE(bind(handle, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
        QElapsedTimer timer;
        timer.start();
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        close(handle);
        QVERIFY(timer.elapsed() < 1000);  // a pipe that is opened waits for ever
        QCOMPARE(content(set), "a/1.jpg a/2.png");
        REFUSES(FileError, scanLabelled(tree / "a/pipe.jpg", FolderLayout::Auto), "not a regular file");
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
            tree.put("odd \x1b[31m class/" + name);
        tree.put("emp\ty\n/x.txt");
        const LabelledSet set = scanLabelled(tree.path(), FolderLayout::Auto);
        QCOMPARE(set.files.size(), names.size());
        for (const LabelledFile& file : set.files)
            QVERIFY(fs::exists(file.path));
        SAYS(set.notes, "emp\\ty\\n");  // escaped: a name must not draw on a terminal
    }

    void whatHoldsNoSamplesIsRefusedInASentence()
    {
        const Tree tree;
        tree.put("only.jpg");
        tree.put("videos/a/1.mp4");
        fs::create_directories(tree / "empty/a");
        const auto scan = [&](const char* name, FolderLayout layout) {
            return refusal<FileError>([&] { scanLabelled(tree / name, layout); });
        };
        SAYS(scan("gone", FolderLayout::Auto), "does not exist");
        SAYS(scan("empty/a", FolderLayout::Auto), "contains no folders");
        SAYS(scan("empty", FolderLayout::Auto), "no image in its 1 class folder");
        SAYS(scan("videos", FolderLayout::ImageNet), "but 1 video; use --layout kinetics");
        SAYS(scan("videos", FolderLayout::List), "is a folder");
        SAYS(scan("only.jpg", FolderLayout::ImageNet), "is not a folder");
    }

    void listsAreReadWithBlanksCommasAndTabs_data()
    {
        columns<QString, QString>("text", "expected");
        row("blank", "x.jpg 0\na b.jpg 1\n", "0/x.jpg 1/a b.jpg");
        row("blank, a path with commas", "c,d.jpg 1\nx.jpg 0\n", "1/c,d.jpg 0/x.jpg");
        row("quotes, comment, empty lines, CRLF", "# list\r\n\r\n\"a b.jpg\" 1\r\nx.jpg 0\r\n",
            "1/a b.jpg 0/x.jpg");
        row("comma and names", "x.jpg,playing guitar\na b.jpg,abseiling\n",
            "playing guitar/x.jpg abseiling/a b.jpg");
        row("comma in quotes", "\"c,d.jpg\",cat\n", "cat/c,d.jpg");
        row("heading turns columns", "label,path\ncat,x.jpg\n", "cat/x.jpg");
        row("tab", "a b.jpg\tbig cat\n", "big cat/a b.jpg");
        row("byte order mark, heading",
            "\xef\xbb\xbf"
            "Path\tClass\nx.jpg\tcat\n",
            "cat/x.jpg");
        row("no newline at the end", "x.jpg 0", "0/x.jpg");
    }
    void listsAreReadWithBlanksCommasAndTabs()
    {
        FETCH_TEXT(text);
        FETCH_TEXT(expected);
        const Tree tree;
        for (const char* name : {"x.jpg", "a b.jpg", "c,d.jpg"})
            tree.put(name);
        tree.put("list.csv", text);
        const LabelledSet set = scanLabelled(tree / "list.csv", FolderLayout::Auto);
        QCOMPARE(content(set), expected);
        QCOMPARE(set.layout, FolderLayout::List);
    }

    void numbersOfAListAreLabelsEvenWithGaps()
    {
        const Tree tree;
        tree.put("x.mp4");
        tree.put("list", "x.mp4 5\n");
        const LabelledSet set = scanLabelled(tree / "list", FolderLayout::List);
        QCOMPARE(set.classes.size(), 6);
        QCOMPARE(set.files.front().label, 5);
        QVERIFY(set.video);
    }

    void brokenListsAreRefusedWithTheirLine_data()
    {
        columns<QByteArray, QString>("text", "reason");
        row("empty", QByteArray(), "has no lines");
        row("no label", QByteArray("x.jpg\n"), "line 1: has no label");
        row("empty path", QByteArray("a,b\n,b\n"), "line 2: the path is empty");
        row("number among names", QByteArray("x.jpg cat\nx.jpg 7\n"), "line 2: label 7");
        row("name among numbers", QByteArray("x.jpg 7\nx.jpg cat\n"), "line 2: label cat");
        row("label too large", QByteArray("x.jpg 99999999999999999999999\n"), "is too large");
        row("label for gigabytes of classes", QByteArray("x.jpg 1000000\n"), "is too large");
        row("binary",
            QByteArray("\x7f"
                       "ELF\0\1 1\n",
                       10),
            "not a text file");
        row("line without end", QByteArray(20000, 'x'), "longer than 16384");
        row("nothing is there", QByteArray("gone.jpg 0\n"), "its only file, gone.jpg, does not exist");
    }
    void brokenListsAreRefusedWithTheirLine()
    {
        QFETCH(QByteArray, text);
        FETCH_TEXT(reason);
        const Tree tree;
        tree.put("x.jpg");
        tree.put("list.txt", text.toStdString());
        REFUSES(FileError, scanLabelled(tree / "list.txt", FolderLayout::Auto), reason);
    }

    void whatAListLeavesOutOrReachesForIsNoted()
    {
        const Tree tree;
        tree.put("x.jpg");
        tree.put("outside.jpg");
        tree.put("film.mp4");
        QCOMPARE(mkfifo((tree / "pipe.jpg").c_str(), 0600), 0);
        tree.put("inner/y.jpg");
        tree.put("inner/list.txt",
                 "y.jpg 0\n../outside.jpg 1\n/etc/passwd 0\n../pipe.jpg 0\ngone.jpg 0\n../film.mp4 1\n"
                     + (tree / "x.jpg").string() + " 1\n");
        const LabelledSet set = scanLabelled(tree / "inner/list.txt", FolderLayout::Auto);
        QCOMPARE(content(set),
                 "0/y.jpg 1/outside.jpg 0/passwd 1/x.jpg");  // the reader will say that it is no picture
        SAYS(set.notes, "3 files are outside the list's folder: ../outside.jpg");
        SAYS(set.notes, "1 file does not exist");
        SAYS(set.notes, "1 entry is not a regular file");
        SAYS(set.notes, "1 video in a list of images");
    }

    void splitsAreFoundByTheirNames()
    {
        for (const char* name : {"val", "validation", "valid", "test"}) {
            const Tree tree;
            tree.put("train/a/1.jpg");
            tree.put("train/b/2.jpg");
            tree.put(std::string(name) + "/b/3.jpg");
            const LabelledSplits splits = scanSplits(tree.path(), FolderLayout::Auto, "");
            QCOMPARE(content(splits.training), "a/1.jpg b/2.jpg");
            QVERIFY(splits.validation.has_value());
            QCOMPARE(content(*splits.validation), "b/3.jpg");
            QCOMPARE(splits.validation->files.front().label, 1);  // the training's number of b, not its own
            SAYS(splits.validation->notes, "1 of 2 classes have no validation sample");
        }
    }

    void classesMayBeCalledTrainAndTest()
    {
        const Tree tree;
        tree.put("boat/1.jpg");
        tree.put("train/2.jpg");
        tree.put("test/3.jpg");
        const LabelledSplits splits = scanSplits(tree.path(), FolderLayout::Auto, "");
        QCOMPARE(content(splits.training), "boat/1.jpg test/3.jpg train/2.jpg");
        QVERIFY(!splits.validation);
    }

    void listsInAFolderAreSplitsToo()
    {
        const Tree tree;
        tree.put("p/x.jpg");
        tree.put("p/y.jpg");
        tree.put("train.csv", "path,label\np/x.jpg,cat\np/y.jpg,dog\n");
        tree.put("val.txt", "p/y.jpg dog\n");
        const LabelledSplits splits = scanSplits(tree.path(), FolderLayout::List, "");
        QCOMPARE(content(splits.training), "cat/x.jpg dog/y.jpg");
        QCOMPARE(splits.validation->files.front().label, 1);
    }

    void anotherFolderMayValidate()
    {
        const Tree tree;
        tree.put("one/a/1.jpg");
        tree.put("two/a/2.jpg");
        tree.put("wrong/a/2.jpg");
        tree.put("wrong/c/2.jpg");
        tree.put("films/a/2.mp4");
        fs::create_directories(tree / "two/unused");
        const auto with = [&](const char* name) {
            return scanSplits(tree / "one", FolderLayout::Auto, tree / name);
        };
        QCOMPARE(content(*with("two").validation), "a/2.jpg");
        REFUSES(FileError, with("wrong"), "1 of its classes is not among the 1 of");
        REFUSES(FileError, with("films"), "contains videos, but");
        REFUSES(FileError, with("gone"), "does not exist");
        SAYS(with("one").validation->notes, "the training samples themselves");
    }

    void layoutsHaveNames()
    {
        for (const FolderLayout layout :
             {FolderLayout::Auto, FolderLayout::ImageNet, FolderLayout::Kinetics, FolderLayout::List})
            QCOMPARE(parseFolderLayout(folderLayoutName(layout)), layout);
        THROWS(UsageError, parseFolderLayout("ImageNet"));
    }
};

ATTNSCOPE_TEST(TestLabelledFolder)
#include "tst_labelled_folder.moc"
