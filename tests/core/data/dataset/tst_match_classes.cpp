// From a data set's classes to a model's.
#include "core/base/error.h"
#include "core/data/dataset/match_classes.h"
#include "tests/support/test_class.h"

using namespace attnscope;

namespace {

using Names = std::vector<std::string>;
using Labels = std::vector<int64_t>;

/// One file a class, unless `empty` says that a class has none.
LabelledSet setOf(const Names& classes, FolderLayout layout = FolderLayout::ImageNet, size_t empty = 1000)
{
    LabelledSet set;
    set.root = "data";
    set.layout = layout;
    set.classes = classes;
    for (size_t i = 0; i < classes.size(); ++i)
        if (i != empty)
            set.files.push_back({"data/" + classes[i] + "/a.jpg", int64_t(i)});
    return set;
}

Labels labelsOf(const LabelledSet& set)
{
    Labels labels;
    for (const LabelledFile& file : set.files)
        labels.push_back(file.label);
    return labels;
}

const ModelClasses birds{"birds",
                         4,
                         {"crane (n1)", "Great Grey Owl", "cock", "crane (n2)"},
                         {"n00000002", "n00000009", "n00000001", "n00000007"}};

std::string refusal(const LabelledSet& set, const ModelClasses& model)
{
    try {
        matchClasses(set, model);
    } catch (const FileError& error) {
        return error.what();
    }
    return "accepted";
}

}

class TestMatchClasses : public QObject {
    Q_OBJECT

private slots:
    void synsetsGoByNameAndNotByRank()
    {
        const LabelledSet set = matchClasses(setOf({"n00000001", "n00000007", "n00000009"}), birds);
        QCOMPARE(labelsOf(set), (Labels{2, 3, 1}));
        QCOMPARE(set.classes, birds.names);
        QVERIFY(set.notes.back().find("3 of the model's 4 classes") == 0);
    }

    void namesIgnoreCaseBlanksAndBrackets()
    {
        QCOMPARE(labelsOf(matchClasses(setOf({"great_grey-owl", "COCK"}), birds)), (Labels{1, 2}));
        QCOMPARE(comparableName("Putting [something] on \"a_ table\""), "putting something on a table");
        QCOMPARE(comparableName("  _"), std::string());
    }

    void numbersOfListsAreTheModelsOwn()
    {
        QCOMPARE(labelsOf(matchClasses(setOf({"0", "1", "2"}, FolderLayout::List), birds)), (Labels{0, 1, 2}));
        const LabelledSet fromOne = matchClasses(setOf({"0", "1", "2", "3"}, FolderLayout::List, 0), birds);
        SAYS(fromOne.notes.back(), "if the list counts classes from 1");
    }

    void numbersBeyondTheModelAreRefused()
    {
        const std::string sentence = refusal(setOf({"0", "1", "2", "3", "4"}, FolderLayout::List), birds);
        SAYS(sentence, "class number 4");
        SAYS(sentence, "4 classes (0 to 3)");
    }

    void sortedNamesServeWhereTheModelHasNone()
    {
        const LabelledSet set = matchClasses(setOf({"ant", "bee"}), {"tiny", 2, {}, {}});
        QCOMPARE(labelsOf(set), (Labels{0, 1}));
        QCOMPARE(set.classes, (Names{"ant", "bee"}));
        SAYS(set.notes.back(), "does not name its classes: the 2 sorted names are assumed");
    }

    void anUnknownClassIsRefusedWithWhatWouldBeRight()
    {
        const std::string sentence = refusal(setOf({"cock", "n00000003"}), birds);
        for (const char* part :
             {"1 of its 2 classes is not among the 4 of birds: n00000003", "n00000002", "--labels"})
            SAYS(sentence, part);
    }

    void classesWithoutSamplesNeedNoMatch()
    {
        QCOMPARE(labelsOf(matchClasses(setOf({"cock", "notes"}, FolderLayout::ImageNet, 1), birds)), (Labels{2}));
    }

    void aNameOfTwoClassesMatchesNeither()
    {
        const ModelClasses model{"birds", 2, {"crane", "Crane"}, {}};
        SAYS(refusal(setOf({"crane"}), model), "crane");
        QVERIFY(refusal(setOf({"crane"}), birds)
                    .find("`crane` is the name of several classes of birds; name it by its synset")
                != std::string::npos);
    }

    void positionsAreAssumedOnlyWhereSure_data()
    {
        columns<Names, qint64, QString>("classes", "count", "problem");
        const QString ok = "accepted", fewer = "and the data set has", order = "sort differently";
        row("as many, one order", Names{"ant", "bee", "cat"}, qint64{3}, ok);
        row("fewer folders", Names{"ant", "bee"}, qint64{3}, fewer);
        row("more folders", Names{"ant", "bee", "cat"}, qint64{2}, fewer);
        row("synsets of another head", Names{"n01440764", "n01443537"}, qint64{21843}, fewer);
        row("a lone split", Names{"val"}, qint64{1000}, fewer);
        row("numbers below ten", Names{"0", "1", "2"}, qint64{3}, ok);
        row("numbers as text", Names{"0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"}, qint64{12},
            order);
        row("padded numbers", Names{"00", "01", "02", "09", "10"}, qint64{5}, ok);
        row("names with numbers", Names{"class_1", "class_10", "class_2"}, qint64{3}, order);
        row("capitals", Names{"Zebra", "ant"}, qint64{2}, order);
    }

    void positionsAreAssumedOnlyWhereSure()
    {
        QFETCH(Names, classes);
        QFETCH(qint64, count);
        FETCH_TEXT(problem);
        const std::string sentence = refusal(setOf(classes), {"tiny", count, {}, {}});
        SAYS(sentence, problem);
        QVERIFY(problem == "accepted" || sentence.find("--labels") != std::string::npos);
        QCOMPARE(refusal(setOf(classes), {"random", std::max<int64_t>(count, std::ssize(classes)), {}, {}, false}),
                 "accepted");
    }

    void numbersOfTheDataSetItselfAreNoGuess()
    {
        LabelledSet set = setOf({"Pushing", "Approaching"}, FolderLayout::List);
        set.numbered = true;
        const LabelledSet matched = matchClasses(set, {"ssv2", 2, {}, {}});
        QCOMPARE(matched.classes, (Names{"Pushing", "Approaching"}));
        SAYS(matched.notes.back(), "classes as the data set numbers them");
        SAYS(refusal(set, {"ssv2", 174, {}, {}}), "does not name its 174 classes");
    }

    void namesThatAreNotKnownGoByTheirNumber()
    {
        LabelledSet set = setOf({"crane", "great grey owl", "cock", "crane"});
        QVERIFY(refusal(set, birds).find("name of several classes") != std::string::npos);
        set.numbered = true;
        const LabelledSet matched = matchClasses(set, birds);
        QCOMPARE(labelsOf(matched), (Labels{0, 1, 2, 3}));
        SAYS(matched.notes, "2 of its 4 classes are named as the model's");
        LabelledSet turned = setOf({"cock", "great grey owl", "crane", "crane"});
        turned.numbered = true;
        QVERIFY(refusal(turned, birds).find("name of several classes") != std::string::npos);
    }

    void numberedFoldersAreImageNetsClasses()
    {
        const LabelledSet set = matchClasses(setOf({"0", "1", "3"}), birds);
        QCOMPARE(labelsOf(set), (Labels{0, 1, 3}));
        SAYS(set.notes.front(), "named by numbers, which are assumed to be the model's: 0 is crane (n1)");
        SAYS(refusal(setOf({"1", "2", "4"}), birds), "not among");
        // A model with names of its own may number them in another way.
        SAYS(refusal(setOf({"0", "1"}), {"own", 2, {"cat", "dog"}, {}}), "not among");
        QCOMPARE(labelsOf(matchClasses(setOf({"0", "1", "10"}), {"own", 3, {"1", "10", "0"}, {}})),
                 (Labels{2, 0, 1}));
    }

    void namesMayListSeveral()
    {
        const ModelClasses short_{"dogs", 3, {"Irish setter", "crane", "kite"}, {}};
        QCOMPARE(labelsOf(matchClasses(setOf({"Irish setter, red setter", "kite"}), short_)), (Labels{0, 2}));
        const ModelClasses whole{"dogs", 3, {"Irish setter, red setter", "crane, machine", "crane, bird"}, {}};
        QCOMPARE(labelsOf(matchClasses(setOf({"red setter", "crane, bird"}), whole)), (Labels{0, 2}));
        const std::string sentence = refusal(setOf({"crane"}), whole);
        SAYS(sentence, "`crane` is the name of several classes of dogs");
    }

    void namesMayBeginWithTheirSynsets()
    {
        const ModelClasses words{
            "foxes", 2, {"n02119789 kit fox, Vulpes macrotis", "n02100735 English setter"}, {}};
        QCOMPARE(labelsOf(matchClasses(setOf({"n02100735", "n02119789"}), words)), (Labels{1, 0}));
        const LabelledSet set = matchClasses(setOf({"English setter", "kit fox"}), words);
        QCOMPARE(labelsOf(set), (Labels{1, 0}));
        QCOMPARE(set.classes.back(), "English setter");
    }

    void randomWeightsTakeAnyNames()
    {
        ModelClasses model = birds;
        model.trained = false;
        const LabelledSet set = matchClasses(setOf({"x", "y"}), model);
        QCOMPARE(labelsOf(set), (Labels{0, 1}));
        SAYS(set.notes.back(), "weights are random");
        // Confusions are told by the names of the folder, not by numbers or by names for other things.
        QCOMPARE(set.classes, (std::vector<std::string>{"x", "y", "2", "3"}));
        QCOMPARE(labelsOf(matchClasses(setOf({"n00000001"}), model)), (Labels{2}));
    }
};

ATTNSCOPE_EVENT_TEST(TestMatchClasses)
#include "tst_match_classes.moc"
