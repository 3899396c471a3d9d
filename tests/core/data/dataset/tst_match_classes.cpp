// SPDX-License-Identifier: Apache-2.0
// From a data set's classes to a model's.
#include "core/base/error.h"
#include "core/data/dataset/match_classes.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace attnscope;

namespace {

using Names = std::vector<std::string>;
using Labels = std::vector<std::int64_t>;

/// One file a class, unless `empty` says that a class has none.
LabelledSet setOf(const Names& classes, FolderLayout layout = FolderLayout::ImageNet, std::size_t empty = 1000)
{
    LabelledSet set;
    set.root = "data";
    set.layout = layout;
    set.classes = classes;
    for (std::size_t i = 0; i < classes.size(); ++i)
        if (i != empty)
            set.files.push_back({"data/" + classes[i] + "/a.jpg", static_cast<std::int64_t>(i)});
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

}  // namespace

class TestMatchClasses : public QObject {
    Q_OBJECT

private slots:
    void synsetsGoByNameAndNotByRank();
    void namesIgnoreCaseBlanksAndBrackets();
    void numbersOfListsAreTheModelsOwn();
    void numbersBeyondTheModelAreRefused();
    void sortedNamesServeWhereTheModelHasNone();
    void anUnknownClassIsRefusedWithWhatWouldBeRight();
    void classesWithoutSamplesNeedNoMatch();
    void aNameOfTwoClassesMatchesNeither();
    void randomWeightsTakeAnyNames();
};

void TestMatchClasses::synsetsGoByNameAndNotByRank()
{
    const LabelledSet set = matchClasses(setOf({"n00000001", "n00000007", "n00000009"}), birds);
    QCOMPARE(labelsOf(set), (Labels{2, 3, 1}));
    QCOMPARE(set.classes, birds.names);
    QVERIFY(set.notes.back().find("3 of the model's 4 classes") == 0);
}

void TestMatchClasses::namesIgnoreCaseBlanksAndBrackets()
{
    QCOMPARE(labelsOf(matchClasses(setOf({"great_grey-owl", "COCK"}), birds)), (Labels{1, 2}));
    QCOMPARE(comparableName("Putting [something] on \"a_ table\""), std::string("putting something on a table"));
    QCOMPARE(comparableName("  _"), std::string());
}

void TestMatchClasses::numbersOfListsAreTheModelsOwn()
{
    QCOMPARE(labelsOf(matchClasses(setOf({"0", "1", "2"}, FolderLayout::List), birds)), (Labels{0, 1, 2}));
}

void TestMatchClasses::numbersBeyondTheModelAreRefused()
{
    const std::string sentence = refusal(setOf({"0", "1", "2", "3", "4"}, FolderLayout::List), birds);
    QVERIFY2(sentence.find("class number 4") != std::string::npos
                 && sentence.find("4 classes (0 to 3)") != std::string::npos,
             sentence.c_str());
}

void TestMatchClasses::sortedNamesServeWhereTheModelHasNone()
{
    const LabelledSet set = matchClasses(setOf({"ant", "bee"}), {"tiny", 5, {}, {}});
    QCOMPARE(labelsOf(set), (Labels{0, 1}));
    QCOMPARE(set.classes.size(), std::size_t{5});
    QVERIFY(set.notes.back().find("does not name its classes") != std::string::npos);
    QVERIFY(refusal(setOf({"a", "b", "c"}), {"tiny", 2, {}, {}}).find("class number 2") != std::string::npos);
}

void TestMatchClasses::anUnknownClassIsRefusedWithWhatWouldBeRight()
{
    const std::string sentence = refusal(setOf({"cock", "n00000003"}), birds);
    for (const char* part : {"1 of its 2 classes is not among the 4 of birds: n00000003", "n00000002", "--labels"})
        QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
}

void TestMatchClasses::classesWithoutSamplesNeedNoMatch()
{
    QCOMPARE(labelsOf(matchClasses(setOf({"cock", "notes"}, FolderLayout::ImageNet, 1), birds)), (Labels{2}));
}

void TestMatchClasses::aNameOfTwoClassesMatchesNeither()
{
    const ModelClasses model{"birds", 2, {"crane", "Crane"}, {}};
    QVERIFY(refusal(setOf({"crane"}), model).find("crane") != std::string::npos);
}

void TestMatchClasses::randomWeightsTakeAnyNames()
{
    ModelClasses model = birds;
    model.trained = false;
    const LabelledSet set = matchClasses(setOf({"x", "y"}), model);
    QCOMPARE(labelsOf(set), (Labels{0, 1}));
    QVERIFY(set.notes.back().find("weights are random") != std::string::npos);
    // Confusions are told by the names of the folder, not by numbers or by names for other things.
    QCOMPARE(set.classes, (std::vector<std::string>{"x", "y", "2", "3"}));
    QCOMPARE(labelsOf(matchClasses(setOf({"n00000001"}), model)), (Labels{2}));
}

ATTNSCOPE_EVENT_TEST(TestMatchClasses)
#include "tst_match_classes.moc"
