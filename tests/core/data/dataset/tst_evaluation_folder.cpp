// What an evaluation finds in folders and lists, laid out as people have them.
#include "core/base/error.h"
#include "core/data/dataset/evaluation_folder.h"
#include "core/data/dataset/list_text.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <filesystem>
#include <fstream>

using namespace attnscope;

namespace {

using Labels = std::vector<int64_t>;
using Names = std::vector<std::string>;

Labels labelsOf(const LabelledSet& set)
{
    Labels labels;
    for (const LabelledFile& file : set.files)
        labels.push_back(file.label);
    return labels;
}

Names namesOf(const LabelledSet& set)
{
    Names names;
    for (const LabelledFile& file : set.files)
        names.push_back(fs::path(file.path).filename().string());
    return names;
}

void putFlat(const Folder& tree, const std::string& folder, int count)
{
    for (int i = 1; i <= count; ++i)
        tree.put(folder + "/" + QString("ILSVRC2012_val_%1.JPEG").arg(i, 8, 10, QChar('0')).toStdString());
}

}

class TestEvaluationFolder : public QObject {
    Q_OBJECT

private slots:
    void theValidationSplitIsTaken()
    {
        const Folder tree;
        for (const char* name : {"train/a/1.jpg", "train/b/2.jpg", "val/a/3.jpg", "val/b/4.jpg", "val/b/5.png"})
            tree.put(name);
        const LabelledSet set = scanEvaluation(tree.path(), FolderLayout::Auto);
        QCOMPARE(namesOf(set), (Names{"3.jpg", "4.jpg", "5.png"}));
        QCOMPARE(labelsOf(set), (Labels{0, 1, 1}));
        SAYS(set.notes, "this is val");
    }

    void aClassMayBeCalledVal()
    {
        const Folder tree;
        for (const char* name : {"val/1.jpg", "oval/2.jpg"})
            tree.put(name);
        QCOMPARE(scanEvaluation(tree.path(), FolderLayout::Auto).classes, (Names{"oval", "val"}));
    }

    void aLoneValidationSplitIsOne()
    {
        for (const char* name : {"val", "validation", "test"}) {
            const Folder tree;
            tree.put(std::string(name) + "/cat/1.jpg");
            tree.put(std::string(name) + "/dog/2.jpg");
            tree.put("@eaDir/cat/1.jpg");
            tree.put("readme.txt");
            const LabelledSet set = scanEvaluation(tree.path(), FolderLayout::Auto);
            QCOMPARE(set.classes, (Names{"cat", "dog"}));
            SAYS(set.notes, std::string("this is ") + name);
        }
    }

    void flatImagesWithAListOfAnyNameAreRead()
    {
        const Folder tree;
        tree.put("a.jpg");
        tree.put("b.jpg");
        tree.put("val.txt", "b.jpg 4\na.jpg 2\n");
        const LabelledSet set = scanEvaluation(tree.path(), FolderLayout::Auto);
        QCOMPARE(namesOf(set), (Names{"b.jpg", "a.jpg"}));
        QCOMPARE(labelsOf(set), (Labels{4, 2}));
    }

    void flatImageNetMayNameItsSynsets()
    {
        const Folder tree;
        tree.put("ILSVRC2012_val_00000001_n02119789.JPEG");
        tree.put("ILSVRC2012_val_00000002_n01440764.JPEG");
        const LabelledSet set = scanEvaluation(tree.path(), FolderLayout::Auto);
        QCOMPARE(set.classes, (Names{"n01440764", "n02119789"}));
        QCOMPARE(labelsOf(set), (Labels{1, 0}));
        SAYS(set.notes, "labels are from the images' names");
    }

    void otherSplitsOfKineticsAreSkipped()
    {
        const Folder tree;
        tree.put("mixed.csv", "label,youtube_id,time_start,time_end,split\nzumba,a,0,10,validate\nyoga,b,0,10,"
                              "train\nzumba,c,0,10,train\n");
        for (const char* name : {"a", "b", "c"})
            tree.put(std::string(name) + "_000000_000010.mp4");
        const LabelledSet set = scanEvaluation(tree / "mixed.csv", FolderLayout::Auto);
        QCOMPARE(namesOf(set), (Names{"a_000000_000010.mp4"}));
        SAYS(set.notes, "2 lines are of other splits than `validate`");
        QCOMPARE(set.issues.front().names, (Names{"b_000000_000010", "c_000000_000010"}));
    }

    void aListWithoutLabelsIsExplained()
    {
        const Folder tree;
        tree.put("test.csv", "youtube_id,time_start,time_end,split\na,0,10,test\n");
        REFUSES(Error, scanEvaluation(tree / "test.csv", FolderLayout::Auto), "has no column `label`");
    }

    void videosAreNotTakenFromOtherDataSets()
    {
        const Folder tree;
        tree.put("ssv2/labels.json", R"({"Pushing something": "0"})");
        tree.put(
            "ssv2/something-validation.json",
            R"([{"id": "12", "template": "Pushing [something]"}, {"id": "13", "template": "Pushing [something]"}, {"id": "14", "template": "Pushing [something]"}])");
        tree.put("ssv2/13.webm");
        tree.put("ssv2/14/one.jpg", "\xff\xd8\xff");       // a folder, but not of frames
        tree.put("cifar/12/image_1.jpg", "\xff\xd8\xff");  // a class of another data set, named like a video
        tree.put("cifar/12/image_2.jpg", "\xff\xd8\xff");
        const LabelledSet set = scanEvaluation(tree / "ssv2/something-validation.json", FolderLayout::Auto);
        QCOMPARE(namesOf(set), (Names{"13.webm"}));
        SAYS(set.notes, "2 of 3 listed videos do not exist");
        tree.put("videos/12.webm");
        const LabelledSet more = scanEvaluation(tree / "ssv2/something-validation.json", FolderLayout::Auto);
        QCOMPARE(namesOf(more), (Names{"12.webm", "13.webm"}));
        SAYS(more.notes, "videos are from " + (tree / "videos").string());
    }

    void flatImageNetTakesIndicesOfValTxt()
    {
        const Folder tree;
        putFlat(tree, "val", 3);
        tree.put("val.txt", "ILSVRC2012_val_00000001.JPEG 65\nILSVRC2012_val_00000003.JPEG 7\n");
        const LabelledSet set = scanEvaluation(tree / "val", FolderLayout::ImageNet);
        QCOMPARE(labelsOf(set), (Labels{65, 7}));
        QCOMPARE(set.classes.size(), 66);
        QCOMPARE(set.layout, FolderLayout::List);  // its numbers are the model's classes
        SAYS(set.notes, "1 image has no label");
    }

    void flatImageNetTakesKagglesSolutionFromAbove()
    {
        const Folder tree;
        putFlat(tree, "ILSVRC/Data/CLS-LOC/val", 2);
        tree.put("LOC_val_solution.csv",
                 "ImageId,PredictionString\nILSVRC2012_val_00000002,n01440764 1 2 3 4 n01440764 5 6 7 8\n"
                 "ILSVRC2012_val_00000001,n03995372 85 1 499 272\n");
        const LabelledSet set = scanEvaluation(tree / "ILSVRC/Data/CLS-LOC/val", FolderLayout::Auto);
        QCOMPARE(set.classes, (Names{"n01440764", "n03995372"}));
        QCOMPARE(labelsOf(set), (Labels{1, 0}));
    }

    void theDevkitsNumbersAreMapped()
    {
        for (const char* truth : {"ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt",
                                  "ILSVRC2014_devkit/data/ILSVRC2014_clsloc_validation_ground_truth.txt",
                                  "devkit/data/ILSVRC2015_clsloc_validation_ground_truth.txt"}) {
            const Folder tree;
            putFlat(tree, "val", 3);
            tree.put(truth, "490\n361\n490\n");
            const auto scan = [&] { return scanEvaluation(tree / "val", FolderLayout::Auto); };
            const LabelledSet known = scan();  // in the devkit's order, of which these are sea snake and alp
            QCOMPARE(known.classes, (Names{"n01751748", "n09193705"}));
            QCOMPARE(labelsOf(known), (Labels{0, 1, 0}));
            SAYS(known.notes, "in the order of the devkit of 2012");
            SAYS(known.notes, "1 of its 3 labels are not those of ILSVRC 2012");  // the third is a sheepdog
            tree.put(fs::path(truth).parent_path().string() + "/map_clsloc.txt",
                     "n02119789 361 kit_fox\n490 n01440764 tench\n");
            const LabelledSet set = scan();
            QCOMPARE(set.classes, (Names{"n01440764", "n02119789"}));
            QCOMPARE(labelsOf(set), (Labels{0, 1, 0}));
            tree.put(fs::path(truth).parent_path().string() + "/map_clsloc.txt", "n02119789 361 kit_fox\n");
            SAYS(refusal(scan), "no class number 490");
        }
    }

    void annotationsNameTheClass()
    {
        const Folder tree;
        putFlat(tree, "Data/CLS-LOC/val", 2);
        const auto put = [&](int number, const std::string& name) {
            tree.put(QString("Annotations/CLS-LOC/val/ILSVRC2012_val_%1.xml")
                         .arg(number, 8, 10, QChar('0'))
                         .toStdString(),
                     "<annotation><folder>val</folder><size><name>n00000000</name></size><object><name>" + name
                         + "</name></object></annotation>");
        };
        put(1, "n01440764");
        put(2, "n03995372");
        const LabelledSet set = scanEvaluation(tree / "Data/CLS-LOC/val", FolderLayout::Auto);
        QCOMPARE(set.classes, (Names{"n01440764", "n03995372"}));
        QCOMPARE(labelsOf(set), (Labels{0, 1}));
        put(2, "");
        SAYS(scanEvaluation(tree / "Data/CLS-LOC/val", FolderLayout::Auto).notes, "1 image has no label");
    }

    void validationImagesAreKnown()
    {
        const Folder tree;
        putFlat(tree, "deep/in/a/tree/val", 3);
        const LabelledSet set = scanEvaluation(tree / "deep/in/a/tree/val", FolderLayout::ImageNet);
        QCOMPARE(set.classes, (Names{"n01751748", "n02105855", "n09193705"}));
        QCOMPARE(labelsOf(set), (Labels{0, 2, 1}));
        SAYS(set.notes, "the program's own list");
    }

    void aListOfAnyNameLabelsAFolder()
    {
        const Folder tree;
        for (const char* name : {"images/a.jpg", "images/b.png", "images/more/c.jpg", "images/d.jpg"})
            tree.put(name);
        tree.put("lists/my labels.csv", "file,label\na,5\nb.png,2\nmore/c.jpg,5\nlost.jpg,1\n");
        const EvaluationSource source{tree / "images", FolderLayout::Auto, tree / "lists/my labels.csv"};
        const LabelledSet set = scanEvaluation(source);
        QCOMPARE(namesOf(set), (Names{"a.jpg", "b.png", "c.jpg"}));
        QCOMPARE(labelsOf(set), (Labels{5, 2, 5}));
        QVERIFY(set.numbered);
        QCOMPARE(set.root, tree / "images");
        SAYS(set.notes, "1 file does not exist and is skipped: lost.jpg");
        SAYS(set.notes, "1 file has no label there and is skipped");
        tree.put("lists/truth.txt", "490\n361\n");
        REFUSES(Error, scanEvaluation({tree / "images", FolderLayout::Auto, tree / "lists/truth.txt"}),
                "numbers without names of files");
        putFlat(tree, "val", 2);
        QCOMPARE(scanEvaluation({tree / "val", FolderLayout::Auto, tree / "lists/truth.txt"}).classes,
                 (Names{"n01751748", "n09193705"}));
    }

    void divingIsNumberedAndWhole()
    {
        const Folder tree;
        tree.put(
            "Diving48_V2_test.json",
            R"([{"vid_name": "a_00001", "label": 12, "start_frame": 0, "end_frame": 9}, {"vid_name": "b_2", "label": 0}])");
        tree.put("rgb/a_00001.mp4");
        tree.put("rgb/b_2.mp4");
        const LabelledSet set = scanEvaluation(tree.path(), FolderLayout::Auto);
        QCOMPARE(namesOf(set), (Names{"a_00001.mp4", "b_2.mp4"}));
        QCOMPARE(labelsOf(set), (Labels{12, 0}));
        QVERIFY(set.numbered && set.wholeVideos && set.video);
    }

    void kineticsAnnotationFindsItsVideos()
    {
        const Folder tree;
        tree.put("val.csv",
                 "label,youtube_id,time_start,time_end,split\nzumba,--07WQ2iBlw,1,11,val\n\"abseiling\","
                 "4YTwq0-73Y8,15,25,val\n"
                 "zumba,gone0000000,0,10,val\n");
        tree.put("videos/zumba/--07WQ2iBlw_000001_000011.mp4");
        tree.put("videos/4YTwq0-73Y8_000015_000025.mkv");
        for (const fs::path& place : {tree.path(), tree / "val.csv"}) {
            const LabelledSet set = scanEvaluation(place, FolderLayout::Kinetics);
            QCOMPARE(set.classes, (Names{"abseiling", "zumba"}));
            QCOMPARE(labelsOf(set), (Labels{1, 0}));
            QVERIFY(set.video && contains(set.notes, "1 of 3 listed videos does not exist"));
        }
    }

    void kineticsListOfPathsIsSplitAtTheLastBlank()
    {
        const Folder tree;
        tree.put("val.csv", "videos/a b.mp4 3\nvideos/c.mp4 0\nvideos/none.mp4 1\n");
        tree.put("videos/a b.mp4");
        tree.put("videos/c.mp4");
        const LabelledSet set = scanEvaluation(tree / "val.csv", FolderLayout::Kinetics);
        QCOMPARE(labelsOf(set), (Labels{3, 0}));
        QVERIFY(set.video && contains(set.notes, "1 file does not exist"));
    }

    void somethingSplitsNameTemplatesWithBrackets()
    {
        const Folder tree;  // videos are also looked for in the folder above the list's
        tree.put("set/labels.json", R"({"Pushing something": "1", "Approaching something": "0"})");
        tree.put(
            "set/something-validation.json",
            R"([{"id": "74225", "label": "x", "template": "Pushing [something]"}, {"id": 7, "template": "Approaching [something]"},
                 {"id": "8", "template": "Approaching [something]"}])");
        tree.put("set/20bn/74225.webm");
        for (const char* frame : {"1", "2", "3"})
            tree.put("set/20bn/7/frame_000" + std::string(frame) + ".jpg", "\xff\xd8\xff");
        const LabelledSet set = scanEvaluation(tree / "set/something-validation.json", FolderLayout::Auto);
        QCOMPARE(set.classes, (Names{"Approaching something", "Pushing something"}));
        QCOMPARE(labelsOf(set), (Labels{1, 0}));
        QCOMPARE(namesOf(set), (Names{"74225.webm", "7"}));
        SAYS(set.notes, "1 of 3");
        QCOMPARE(scanEvaluation(tree / "set", FolderLayout::Auto).files, set.files);
    }

    void textsThatAreNoListsAreRefused_data()
    {
        columns<QByteArray, QString>("text", "part");
        row("zero bytes", QByteArray("a\0b 1\n", 6), "zero byte");
        row("endless line", QByteArray(20'000, 'a'), "longer than");
        row("no label", QByteArray("a.jpg\n"), "no label");
        row("empty path", QByteArray("path,label\n,3\n"), "path is empty");
    }

    void textsThatAreNoListsAreRefused()
    {
        QFETCH(QByteArray, text);
        FETCH_TEXT(part);
        REFUSES(Error, parseLabelList({text.data(), size_t(text.size())}, "list"), part);
    }

    void deepJsonDoesNotExhaustTheStack()
    {
        const std::string deep(1'000'000, '[');
        REFUSES(Error, parseSomethingSplit(deep, "split"), "is not JSON");
        const std::string closed = deep + std::string(1'000'000, ']');
        THROWS(Error, parseSomethingSplit(closed, "split"));
        REFUSES(Error, parseSomethingLabels(R"({"a": "0", "b": "0"})", "labels"), "not numbered");
        REFUSES(Error, parseSynsetNumbers("n01440764 1 x\nn01440765 1 y\n", "map"), "twice");
    }
};

ATTNSCOPE_EVENT_TEST(TestEvaluationFolder)
#include "tst_evaluation_folder.moc"
