// Published protocols on data that the test makes: which samples count, which classes are right and which are predicted.
#include "core/base/error.h"
#include "core/data/dataset/imagenet_metadata.h"
#include "core/data/dataset/protocol.h"
#include "core/data/dataset/video_segment.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <algorithm>

using namespace attnscope;

namespace {

using Labels = std::vector<int64_t>;

/// A network with ImageNet's 1000 classes.
ModelClasses imageNetModel()
{
    return {"vit", 1000, {}, imageNetClasses().synsets};
}

const std::string& synset(int64_t number)
{
    return imageNetClasses().synsets.at(size_t(number));
}

LabelledSet matched(const std::string& place, const std::string& protocol,
                    const ModelClasses& model = imageNetModel())
{
    return matchProtocol(scanEvaluation({.place = place, .protocol = protocol}), model);
}

Labels labelsOf(const LabelledSet& set)
{
    Labels labels;
    for (const LabelledFile& file : set.files)
        labels.push_back(file.label);
    return labels;
}

void putObjectNet(const Folder& tree)
{
    tree.put("images/alarm_clock/1.png");
    tree.put("images/soap/2.png");
    tree.put("images/bench/3.png");
    tree.put("images/bench/4.png");
    tree.put("mappings/folder_to_objectnet_label.json",
             R"({"alarm_clock": "Alarm clock", "bench": "Bench", "soap": "Soap bar"})");
    tree.put(
        "mappings/objectnet_to_imagenet_1k.json",
        R"({"Alarm clock": "analog clock", "Bench": "park bench; barber chair, seat", "Chair": "folding chair"})");
    tree.put("mappings/imagenet_to_label_2012_v2",
             "folding chair\nbarber chair, seat\nanalog clock\npark bench\n");
    tree.put("mappings/pytorch_to_imagenet_2012_id.json", R"({"409": 2, "423": 1, "703": 3, "559": 0})");
}

/// An annotation with these lines; its path.
std::string putKitchens(const Folder& tree, const std::string& lines)
{
    return tree
        .put("annotations/EPIC_100_validation.csv", "narration_id,video_id,start_timestamp,stop_timestamp,"
                                                    "narration,verb_class,noun_class,all_noun_classes\n"
                                                        + lines)
        .string();
}

}

class TestProtocol : public QObject {
    Q_OBJECT

private slots:
    void factsAreComplete()
    {
        const ImageNetClasses& classes = imageNetClasses();
        QCOMPARE(classes.synsets.size(), 1000);
        QVERIFY(std::ranges::is_sorted(classes.synsets));
        std::vector<std::string> devkit = classes.devkit;
        std::ranges::sort(devkit);
        QCOMPARE(devkit, classes.synsets);
        QCOMPARE(classes.devkit.front(), std::string("n02119789"));
        QCOMPARE(classes.a.size(), 200);
        QCOMPARE(classes.r.size(), 200);
        QCOMPARE(validationImages().size(), 50'000);
        std::vector<int64_t> perClass(1000);
        int64_t counted = 0, first = 0;
        for (const ValidationImage& image : validationImages()) {
            ++perClass[size_t(image.label)];
            counted += image.right.empty() ? 0 : 1;
            first += std::ranges::count(image.right, image.label);
        }
        QVERIFY(std::ranges::all_of(perClass, [](int64_t images) { return images == 50; }));
        QCOMPARE(counted, 46'837);
        QVERIFY(first > 42'000 && first < 42'300);  // 90.0 % of them
        QCOMPARE(corruptions().size(), 15);
        QCOMPARE(validationNumber("ILSVRC2012_val_00000293_n01751748"), 293);
        QCOMPARE(validationNumber("ILSVRC2012_val_0293"), 0);
        QCOMPARE(validationNumber("ILSVRC2012_val_000002934"), 0);
    }

    void subsetsLeaveOtherLogitsOut()
    {
        const Folder tree;
        tree.put(synset(6) + "/1.jpg");
        tree.put(synset(13) + "/2.jpg");
        const LabelledSet set = matched(tree.path(), "imagenet-a");
        QCOMPARE(labelsOf(set), (Labels{6, 13}));
        QCOMPARE(set.choices, imageNetClasses().a);
        QCOMPARE(set.protocol, std::string("imagenet-a"));
        SAYS(set.notes, "2 of its 7500 samples are here");
        tree.put(synset(0) + "/3.jpg");  // not one of the 200
        REFUSES(FileError, matched(tree.path(), "imagenet-a"), "is none of the 200 of ImageNet-A");
        QCOMPARE(matched(tree.path(), "imagenet-sketch").choices, Labels());
    }

    void numbersAreImageNetsAndMapToOtherHeads()
    {
        const Folder tree;
        tree.put("7/1.jpg");
        tree.put("10/2.jpg");
        QCOMPARE(labelsOf(matched(tree.path(), "imagenet-v2")), (Labels{10, 7}));
        // A head of three classes more, in which the 1000 are moved and one is missing.
        ModelClasses wide{"wide", 1002, {}, {"n00000001", "n00000002", "n00000003"}};
        for (int64_t i = 1; i < 1000; ++i)
            wide.keys.push_back(synset(i));
        const LabelledSet set = matched(tree.path(), "imagenet-v2", wide);
        QCOMPARE(labelsOf(set), (Labels{12, 9}));
        QCOMPARE(set.choices.size(), 999);
        QCOMPARE(set.choices.front(), 3);
        REFUSES(UsageError, matched(tree.path(), "imagenet-v2", {"small", 12}),
                "networks with ImageNet's classes");
    }

    void reassessedLabelsAreSeveral()
    {
        const Folder tree;
        // Of images 1 to 3 ReaL has none, 970 and 795, 230 and 231; their own labels are 65, 970 and 230.
        for (const char* number : {"1", "2", "3"})
            tree.put(std::string("ILSVRC2012_val_0000000") + number + ".JPEG");
        const LabelledSet set = matched(tree.path(), "real");
        QCOMPARE(labelsOf(set), (Labels{970, 230}));
        QCOMPARE(set.files[0].otherLabels, Labels{795});
        QCOMPARE(set.files[1].otherLabels, Labels{231});
        QCOMPARE(set.issues.front().kind, std::string("no_label"));
        QCOMPARE(set.issues.front().count, 1);
        const Folder other;
        other.put(synset(3) + "/dog.jpg");
        REFUSES(FileError, matched(other.path(), "real"), "dog.jpg is no image of ILSVRC 2012's validation set");
    }

    void corruptionsAreOneSet()
    {
        const Folder tree;
        for (const char* place : {"noise/gaussian_noise/1", "noise/gaussian_noise/5", "fog/1"})
            for (const int number : {4, 9})
                tree.put(std::string(place) + "/" + synset(number) + "/x.jpg");
        tree.put("extra/speckle_noise/1/" + synset(1) + "/x.jpg");
        const LabelledSet set = matched(tree.path(), "imagenet-c");
        QCOMPARE(labelsOf(set), (Labels{4, 9, 4, 9, 4, 9}));
        QCOMPARE(protocolGroup(set.protocol, "noise/gaussian_noise/5/n1/x.jpg"), std::string("gaussian_noise/5"));
        QCOMPARE(protocolGroup(set.protocol, "fog/x.jpg"), std::string());
        SAYS(set.notes, "3 of the 75 corruptions and severities are here");
        tree.put("snow/" + synset(4) + "/x.jpg");
        REFUSES(FileError, matched(tree.path(), "imagenet-c"), "it has no severities");
        const Folder plain;
        plain.put(synset(4) + "/x.jpg");
        REFUSES(FileError, matched(plain.path(), "imagenet-c"), "contains none of ImageNet-C's corruptions");
    }

    void objectNetIsMappedByItsOwnFiles()
    {
        const Folder tree;
        putObjectNet(tree);
        const LabelledSet set = matched(tree.path(), "objectnet");
        QCOMPARE(labelsOf(set), (Labels{409, 703, 703}));
        QCOMPARE(set.files[1].otherLabels, Labels{423});
        QCOMPARE(set.choices, (Labels{409, 423, 703}));
        QCOMPARE(set.border, 2);
        SAYS(set.notes, "1 image is of a class that ImageNet does not have");
        tree.put("mappings/objectnet_to_imagenet_1k.json", R"({"Bench": "throne room"})");
        REFUSES(FileError, matched(tree.path(), "objectnet"), "`throne room` is not a class");
        fs::remove_all(tree / "mappings");
        REFUSES(FileError, matched(tree.path(), "objectnet"), "mappings to ImageNet's classes were not found");
    }

    void outliersNeedImagesInDistribution()
    {
        const Folder tree, known;
        tree.put(synset(5) + "/odd.jpg");
        tree.put(synset(8) + "/odd.jpg");
        for (const int number : {5, 6, 8})
            known.put(synset(number) + "/usual.jpg");
        REFUSES(UsageError, matched(tree.path(), "imagenet-o"), "--in-distribution");
        const EvaluationSource source{
            .place = tree.path(), .protocol = "imagenet-o", .inDistribution = known.path()};
        const LabelledSet set = matchProtocol(scanEvaluation(source), imageNetModel());
        QCOMPARE(labelsOf(set), (Labels{5, 8, 5, 8}));
        QCOMPARE(set.choices, (Labels{5, 8}));
        QCOMPARE(protocolGroup(set.protocol, synset(5) + "/odd.jpg"), std::string(outlierGroup));
        QCOMPARE(protocolGroup(set.protocol, set.files.back().path), std::string("in-distribution"));
        const EvaluationSource wrong{
            .place = tree.path(), .protocol = "imagenet-a", .inDistribution = known.path()};
        REFUSES(UsageError, scanEvaluation(wrong), "belongs to the protocol imagenet-o");
    }

    void videosHaveTheirOwn_data()
    {
        QTest::addColumn<int>("classes");
        QTest::addColumn<QString>("title");
        QTest::addColumn<bool>("wholeVideos");
        QTest::newRow("k400") << 400 << "Kinetics-400" << false;
        QTest::newRow("k600") << 600 << "Kinetics-600" << false;
        QTest::newRow("k700") << 700 << "Kinetics-700" << false;
        QTest::newRow("ssv2") << 174 << "Something-Something v2" << true;
        QTest::newRow("diving48") << 48 << "Diving-48 V2" << true;
    }

    void videosHaveTheirOwn()
    {
        QFETCH(int, classes);
        QFETCH(QString, title);
        QFETCH(bool, wholeVideos);
        const std::string protocol = QTest::currentDataTag();
        const Folder tree;
        tree.put("bowling/1.mp4");
        tree.put("archery/2.mp4");
        ModelClasses model{"motionformer", classes};
        for (int i = 0; i < classes; ++i)
            model.names.push_back(i == 7             ? "archery"
                                  : i == classes - 1 ? "bowling"
                                                     : "class " + std::to_string(i));
        const LabelledSet set = matched(tree.path(), protocol, model);
        QCOMPARE(labelsOf(set), (Labels{7, classes - 1}));
        QVERIFY(set.choices.empty());
        QCOMPARE(set.wholeVideos, wholeVideos);
        model.count = 12;
        REFUSES(UsageError, matched(tree.path(), protocol, model),
                title.toStdString() + " has " + std::to_string(classes) + " classes; motionformer has 12");
        for (int i = 0; i < classes; ++i)
            tree.put("c" + std::to_string(i) + "/1.mp4");
        REFUSES(FileError, matched(tree.path(), protocol, model),
                "it has " + std::to_string(classes + 2) + " classes, and " + title.toStdString());
        REFUSES(FileError, matched(tree.path(), "imagenet"), "is a set of images");
        REFUSES(UsageError, matched(tree.path(), "k300"), "unknown protocol");
    }

    void actionsOfKitchensAreSegments()
    {
        const Folder tree;
        tree.put("P01/videos/P01_11.MP4");
        tree.put("P02/P02_03.mp4");
        const std::string list = putKitchens(tree,
                                             "P01_11_0,P01_11,00:00:00.54,00:00:02.23,take knife,0,4,\"[4, 2]\"\n"
                                             "P01_11_1,P01_11,00:01:02.25,01:00:00,take knife,0,4,[4]\n"
                                             "P02_03_0,P02_03,00:00:01.5,00:00:02,open,96,299,[299]\n"
                                             "P09_01_0,P09_01,00:00:01.5,00:00:02,open,3,3,[3]\n");
        ModelClasses model{"motionformer", 397};
        const LabelledSet set = matched(tree.path(), "epic100", model);
        QCOMPARE(labelsOf(set), (Labels{4, 4, 97 * 300 - 1}));
        QCOMPARE(set.heads, (Labels{97, 300}));
        QCOMPARE(set.classes.back(), std::string("96 299"));
        QCOMPARE(set.files[0].path, (tree / "P01/videos/P01_11.MP4").string() + "#id=P01_11_0&t=0.54,2.23");
        const VideoSegment segment = segmentOf(set.files[1].path);
        QCOMPARE(segment.file, (tree / "P01/videos/P01_11.MP4").string());
        QCOMPARE(segment.start, 62.25);
        QCOMPARE(segment.end, 3600.0);
        QCOMPARE(segmentOf("plain#id=1&t=2,1.mp4").end, 0.0);
        QCOMPARE(set.issues.front().kind, std::string("missing"));
        QCOMPARE(set.issues.front().names, std::vector<std::string>{"P09_01_0"});
        SAYS(set.notes, "3 of its 9668 samples are here");
        for (int i = 0; i < 397; ++i)
            model.names.push_back((i < 97 ? "verb" : "noun") + std::to_string(i));
        QCOMPARE(matched(list, "epic100", model).classes[4], std::string("verb0 noun101"));
        const Folder videos;
        videos.put("P02_03.mp4");
        const EvaluationSource elsewhere{.place = videos.path(), .labelsFile = list, .protocol = "epic100"};
        QCOMPARE(labelsOf(scanEvaluation(elsewhere)), Labels{97 * 300 - 1});
        REFUSES(FileError, matched(videos.path(), "epic100", model), "there is no EPIC_100_validation.csv in it");
    }

    void badKitchensAreOneSentence_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("problem");
        QTest::newRow("time") << "a,P01_11,noon,00:00:02,x,0,4,[4]"
                              << "line 2: `noon` is not a time";
        QTest::newRow("order") << "a,P01_11,00:00:02,00:00:02,x,0,4,[4]"
                               << "line 2: ends before it begins";
        QTest::newRow("verb") << "a,P01_11,00:00:01,00:00:02,x,97,4,[4]"
                              << "`97` is not a number from 0 to 96";
        QTest::newRow("noun") << "a,P01_11,00:00:01,00:00:02,x,9,300,[4]"
                              << "`300` is not a number from 0 to 299";
        QTest::newRow("columns") << "a,P01_11,00:00:01"
                                 << "line 2: has too few columns";
        QTest::newRow("name") << "../a,P01_11,00:00:01,00:00:02,x,9,3,[3]"
                              << "has no narration or no video";
        QTest::newRow("videos") << "a,P01_12,00:00:01,00:00:02,x,9,3,[3]"
                                << "none of its 1 videos is in";
    }

    void badKitchensAreOneSentence()
    {
        QFETCH(QString, line);
        QFETCH(QString, problem);
        const Folder tree;
        tree.put("P01/P01_11.MP4");
        const std::string list = putKitchens(tree, line.toStdString() + "\n");
        REFUSES(FileError, matched(list, "epic100"), problem.toStdString());
        tree.put("annotations/EPIC_100_validation.csv", "narration_id,video_id,start_timestamp,stop_timestamp\n");
        REFUSES(FileError, matched(list, "epic100"), "has no column `verb_class`");
    }

    void wholeImageNetIsAmongAllClassesOfTheHead()
    {
        const Folder tree;
        tree.put("n00005787/1.jpg");
        tree.put(synset(0) + "/2.jpg");
        const LabelledSet set = matched(tree.path(), "imagenet-21k",
                                        {"vit", 3, {}, {"n00004475", "n00005787", synset(0)}});
        QCOMPARE(labelsOf(set), (Labels{1, 2}));
        QVERIFY(set.choices.empty());
        REFUSES(FileError, matched(tree.path(), "imagenet-21k"), "not among the 1000 of vit: n00005787");
    }
};

ATTNSCOPE_EVENT_TEST(TestProtocol)
#include "tst_protocol.moc"
