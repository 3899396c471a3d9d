// An option that was added by a member and a line (CMakeLists.txt): help, ranges and the line that asks for the same again follow.
#include "app/cli/input/declare_options.h"
#include "models/training/train_options.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace attnscope;

class TestSampleOption : public QObject {
    Q_OBJECT

private slots:
    void everythingFollowsFromTheList()
    {
        TrainOptions options;
        CLI::App train;
        cli::declareOptions(train, options);
        QVERIFY(train.help().find("Strength of film grain") != std::string::npos);
        const auto read = [&](const std::string& line) { train.parse(line + " --out a FOLDER"); };
        QVERIFY_EXCEPTION_THROWN(read("--grain 2"), CLI::ValidationError);
        read("--grain 0.25");
        QCOMPARE(shellLine(optionWords(options)), std::string("attnscope-cli FOLDER --out a --grain 0.25"));
    }
};

ATTNSCOPE_TEST(TestSampleOption)
#include "tst_sample_option.moc"
