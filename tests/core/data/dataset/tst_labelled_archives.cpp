// Data sets that lie in archives: the same samples and labels as in the unpacked folder, and what shards and tables say themselves.
#include "core/base/error.h"
#include "core/data/dataset/evaluation_folder.h"
#include "core/data/dataset/match_classes.h"
#include "core/store/data_identity.h"
#include "tests/support/folder.h"
#include "tests/support/packed_files.h"
#include "tests/support/test_class.h"

using namespace attnscope;

namespace {

using Names = std::vector<std::string>;

/// "cat: val.tar/cat/1.jpg", relative to the folder of a test.
Names samplesOf(const LabelledSet& set, const Folder& tree)
{
    Names samples;
    for (const LabelledFile& file : set.files)
        samples.push_back(set.classes[size_t(file.label)] + ": "
                          + fs::path(file.path).lexically_relative(tree.path()).string());
    return samples;
}

Names issuesOf(const LabelledSet& set)
{
    Names issues;
    for (const DataIssue& issue : set.issues)
        issues.push_back(issue.kind + " " + std::to_string(issue.count));
    return issues;
}

LabelledSet evaluated(const fs::path& place)
{
    return scanEvaluation(place.string(), FolderLayout::Auto);
}

MemberFiles classFolders()
{
    const std::string png("\x89PNG\r\n\x1a\n", 8);
    return {{"dog/2.jpg", "c"},     {"dog/b/1.jpg", "b"},    {"cat/1.JPEG", "a"}, {"cat/plain", png},
            {"cat/notes.txt", "t"}, {"cat/.hidden.jpg", ""}, {"loose.jpg", ""},   {"__MACOSX/cat/1.jpg", ""}};
}

MemberFiles within(const std::string& folder, MemberFiles files)
{
    for (MemberFile& file : files)
        file.name = folder + "/" + file.name;
    return files;
}

}

class TestLabelledArchives : public QObject {
    Q_OBJECT

private slots:
    /// The same files, in the same order, with the same issues, and for stores the same data.
    void anArchiveIsReadLikeItsFolder()
    {
        const Folder tree;
        for (const MemberFile& file : classFolders())
            tree.put("folder/" + file.name, file.content);
        const LabelledSet folder = evaluated(tree / "folder");
        QCOMPARE(folder.files.size(), size_t(4));
        const std::string tar = tarOf(classFolders());
        const std::vector<std::pair<const char*, std::string>> archives{
            {"a.tar", tar}, {"a.tar.gz", gzipOf(tar)}, {"a.zip", zipOf(classFolders())}};
        for (const auto& [name, bytes] : archives) {
            const LabelledSet packed = evaluated(tree.put(name, bytes));
            QCOMPARE(packed.classes, folder.classes);
            QCOMPARE(issuesOf(packed), issuesOf(folder));
            QCOMPARE(dataHash(packed), dataHash(folder));
            QCOMPARE(packed.files.front().path, (tree / name / "cat/1.JPEG").string());
            QCOMPARE(scanLabelled((tree / name).string(), FolderLayout::Auto, SetPurpose::Training).files,
                     packed.files);
        }
        // tar c FOLDER: all of it is in one more folder, or in two.
        const LabelledSet wrapped = evaluated(tree.put("w.tar", tarOf(within("x/imagenet", classFolders()))));
        QCOMPARE(wrapped.root, (tree / "w.tar/x/imagenet").string());
        QCOMPARE(dataHash(wrapped), dataHash(folder));
        QCOMPARE(dataHash(evaluated(wrapped.root)), dataHash(folder));
    }

    void splitsInArchivesAreFound()
    {
        const Folder tree;
        MemberFiles files = within("data/train", {{"a/1.jpg", ""}, {"b/2.jpg", ""}});
        for (const MemberFile& file : within("data/val", {{"a/3.jpg", ""}, {"b/4.jpg", ""}}))
            files.push_back(file);
        const LabelledSet set = evaluated(tree.put("all.tar", tarOf(files)));
        QCOMPARE(samplesOf(set, tree), (Names{"a: all.tar/data/val/a/3.jpg", "b: all.tar/data/val/b/4.jpg"}));
        SAYS(set.notes, "this is val");
        tree.put("two/train.tar", tarOf({{"a/1.jpg", ""}, {"b/2.jpg", ""}}));
        tree.put("two/val.tar.gz", gzipOf(tarOf({{"b/3.jpg", ""}})));
        QCOMPARE(samplesOf(evaluated(tree / "two"), tree), (Names{"b: two/val.tar.gz/b/3.jpg"}));
        const LabelledSplits splits = scanSplits((tree / "two").string(), FolderLayout::Auto, {});
        QCOMPARE(samplesOf(splits.training, tree),
                 (Names{"a: two/train.tar/a/1.jpg", "b: two/train.tar/b/2.jpg"}));
        QCOMPARE(samplesOf(*splits.validation, tree), (Names{"b: two/val.tar.gz/b/3.jpg"}));
    }

    void flatArchivesHaveTheirLabelsInNamesOrLists()
    {
        const Folder tree;
        const auto named = tree.put("named.tar.gz",
                                    gzipOf(tarOf({{"ILSVRC2012_val_00000002_n02119789.JPEG", ""},
                                                  {"ILSVRC2012_val_00000001_n01440764.JPEG", ""}})));
        QCOMPARE(samplesOf(evaluated(named), tree),
                 (Names{"n01440764: named.tar.gz/ILSVRC2012_val_00000001_n01440764.JPEG",
                        "n02119789: named.tar.gz/ILSVRC2012_val_00000002_n02119789.JPEG"}));
        const MemberFiles flat{{"ILSVRC2012_val_00000001.JPEG", ""}, {"ILSVRC2012_val_00000002.JPEG", ""}};
        const auto listed = tree.put("near/val.tar", tarOf(flat));
        tree.put("near/val.txt", "ILSVRC2012_val_00000001.JPEG 1\nILSVRC2012_val_00000002.JPEG 0\n");
        QCOMPARE(samplesOf(evaluated(listed), tree), (Names{"1: near/val.tar/ILSVRC2012_val_00000001.JPEG",
                                                            "0: near/val.tar/ILSVRC2012_val_00000002.JPEG"}));
        const auto inside = tree.put(
            "i.zip", zipOf({{"b.jpg", ""}, {"a.jpg", ""}, {"labels.csv", "path,label\nb.jpg,x\na.jpg,y\n"}}));
        QCOMPARE(samplesOf(evaluated(inside), tree), (Names{"x: i.zip/b.jpg", "y: i.zip/a.jpg"}));
        // And a list of files in archives.
        const auto list = tree.put(
            "list.txt", "near/val.tar/ILSVRC2012_val_00000002.JPEG dog\ni.zip/a.jpg cat\ni.zip/c.jpg cat\n");
        const LabelledSet set = evaluated(list);
        QCOMPARE(samplesOf(set, tree),
                 (Names{"dog: near/val.tar/ILSVRC2012_val_00000002.JPEG", "cat: i.zip/a.jpg"}));
        QCOMPARE(issuesOf(set), (Names{"missing 1"}));
    }

    void anArchivePerClassIsOne()
    {
        const Folder tree;
        tree.put("train/n02119789.tar", tarOf({{"n02119789_2.JPEG", ""}, {"n02119789_1.JPEG", ""}}));
        tree.put("train/n01440764.tar", tarOf({{"n01440764/n01440764_5.JPEG", ""}}));
        tree.put("train/labels.txt", "these are names of classes\n");
        QCOMPARE(samplesOf(evaluated(tree / "train"), tree),
                 (Names{"n01440764: train/n01440764.tar/n01440764/n01440764_5.JPEG",
                        "n02119789: train/n02119789.tar/n02119789_1.JPEG",
                        "n02119789: train/n02119789.tar/n02119789_2.JPEG"}));
        tree.put("train/z.tar", tarOf(classFolders()));
        REFUSES(FileError, evaluated(tree / "train"),
                "z.tar: contains class folders, and is not alone in its folder");
        // Next to class folders an archive is what it was: no sample.
        for (const char* name : {"old/a/1.jpg", "old/b/2.jpg"})
            tree.put(name);
        tree.put("old/c.tar", tarOf({{"3.jpg", ""}}));
        QCOMPARE(evaluated(tree / "old").classes, (Names{"a", "b"}));
    }

    void shardsAreReadByTheirLabels()
    {
        const Folder tree;
        tree.put("wds/imagenet-val-000000.tar",
                 tarOf({{"s1.jpg", ""}, {"s1.cls", "4"}, {"s0.cls", "2\n"}, {"s0.jpg", ""}}));
        tree.put("wds/imagenet-val-000001.tar", tarOf({{"s2.json", "{\"label\": 0}"},
                                                       {"s2.webp", ""},
                                                       {"s3.jpg", ""},
                                                       {"s4.mp4", ""},
                                                       {"s4.cls", "1"}}));
        tree.put("wds/imagenet-train-000000.tar", tarOf({{"t.jpg", ""}, {"t.cls", "9"}}));
        const LabelledSet set = evaluated(tree / "wds");
        QCOMPARE(samplesOf(set, tree),
                 (Names{"4: wds/imagenet-val-000000.tar/s1.jpg", "2: wds/imagenet-val-000000.tar/s0.jpg",
                        "0: wds/imagenet-val-000001.tar/s2.webp"}));
        QCOMPARE(issuesOf(set), (Names{"no_label 1", "other_kind 1", "other_split 1"}));
        QCOMPARE(matchClasses(set, {"five", 5, {"a", "b", "c", "d", "e"}, {}}).files.front().label, int64_t(4));
        const LabelledSet some = evaluated(tree / "wds/imagenet-val-{000000..000001}.tar");
        QCOMPARE(some.files, set.files);
        QCOMPARE(openedPath(storedPath(some.files[0].path, baseFolder(some.root, some.layout)),
                            baseFolder(some.root, some.layout)),
                 some.files[0].path);
        QCOMPARE(samplesOf(scanLabelled((tree / "wds").string(), FolderLayout::Auto, SetPurpose::Training), tree),
                 (Names{"9: wds/imagenet-train-000000.tar/t.jpg"}));
        QCOMPARE(samplesOf(evaluated(tree / "wds/imagenet-train-000000.tar"), tree),
                 (Names{"9: wds/imagenet-train-000000.tar/t.jpg"}));
    }

    void shardsMayNameTheirClasses()
    {
        const Folder tree;
        tree.put("x-0000.tar", tarOf({{"0.jpg", ""}, {"0.cls", "tabby"}, {"1.jpg", ""}, {"1.cls", "beagle"}}));
        const LabelledSet set = evaluated(tree.path());
        QCOMPARE(set.classes, (Names{"beagle", "tabby"}));
        QCOMPARE(set.files.front().label, int64_t(1));
    }

    void whatIsWrongIsSaid()
    {
        const Folder tree;
        tree.put("m/x-0000.tar", tarOf({{"0.jpg", ""}, {"0.cls", "tabby"}, {"1.jpg", ""}, {"1.cls", "3"}}));
        REFUSES(FileError, evaluated(tree / "m"), "some of its labels are numbers and others are names");
        tree.put("u/x-0000.tar", tarOf({{"0.jpg", ""}}));
        tree.put("u/x-0001.tar", tarOf({{"1.jpg", ""}}));
        REFUSES(FileError, evaluated(tree / "u"), "x-0000.tar: its samples have no labels");
        const std::string whole = tarOf({{"1.jpg", std::string(5000, 'x')}, {"1.cls", "1"}});
        tree.put("d/x-0000.tar", whole);
        tree.put("d/x-0001.tar", whole.substr(0, 3000));
        REFUSES(FileError, evaluated(tree / "d"),
                "x-0001.tar: its entry `1.jpg` reaches beyond its end; it was cut off");
        REFUSES(FileError, evaluated(tree / "d/x-{0000..0002}.tar"), "x-0001.tar");
        REFUSES(FileError, evaluated(tree / "d/y-{0000..0002}.tar"),
                "y-0000.tar: it cannot be read (No such file");
        REFUSES(FileError, evaluated(tree / "d/x-{2..1}.tar"), "its braces are not two numbers in order");
        REFUSES(FileError, evaluated(tree.put("v.tar", tarOf({{"a/1.mp4", ""}, {"b/2.mp4", ""}}))),
                "only images are read in archives");
        REFUSES(FileError, evaluated(tree.put("e.tar", tarOf({{"a/1.txt", ""}}))), "e.tar");
        REFUSES(FileError, evaluated(tree / "v.tar/nothing"), "does not exist");
        REFUSES(FileError,
                evaluated(tree.put("a.tar.xz", "\xfd"
                                               "7zXZ")),
                "is an xz archive; unpack it");
    }
};

ATTNSCOPE_TEST(TestLabelledArchives)
#include "tst_labelled_archives.moc"
