#include "tests/models/checkpoint_builder.h"
#include "tests/support/folder.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/lab/plan/plan.h"
#include "core/run/measures.h"
#include "models/model_family.h"
#include "models/open_model.h"
#include "models/training/student.h"

#include <QRegularExpression>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace attnscope;
using namespace Qt::StringLiterals;

namespace {

const fs::path project = fs::path(TEST_DATA_DIR) / "../..";

std::string textOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> linesOf(const fs::path& file)
{
    std::istringstream text(textOf(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

/// The lines of a table with a sample that the program's own table does not have; all others are in both, in one order.
std::vector<std::string> addedLines(const std::string& table)
{
    const std::vector<std::string> with = linesOf(fs::read_symlink("/proc/self/exe").parent_path()
                                                  / fs::path(table).filename());
    std::vector<std::string> own = linesOf(project / table), added;
    auto next = own.begin();
    for (const std::string& line : with)
        if (next != own.end() && *next == line)
            ++next;
        else
            added.push_back(line);
    return next == own.end() ? added : std::vector<std::string>{};
}

ptrdiff_t filesIn(const char* folder)
{
    return std::distance(fs::directory_iterator(project / "tests/samples" / folder), {});
}

std::shared_ptr<TrainableClassifier> network()
{
    return findModel("patch_mixer_small")->description->untrained(0, {.source = "untrained, seed 0"});
}

}

/// This program's tables hold a method and a family that the program itself has not.
class TestSamples : public QObject {
    Q_OBJECT

private slots:
    void aMethodIsAddedByAPairOfFilesAndALine()
    {
        QCOMPARE(
            addedLines("core/attention/backend_info_table.cpp"),
            (std::vector<std::string>{"#include \"tests/samples/method/softplus.h\"", "        softplusInfo(),"}));
        QCOMPARE(filesIn("method"), ptrdiff_t(2));
    }

    void aFamilyIsAddedByAFolderAndALine()
    {
        QCOMPARE(addedLines("models/model_family_table.cpp"),
                 (std::vector<std::string>{"#include \"tests/samples/family/patch_mixer_family.h\"",
                                           "        patchMixerFamily(),"}));
        QVERIFY(filesIn("family") <= 8);
    }

    void aMeasureIsAddedByOneEntry()
    {
        QCOMPARE(
            addedLines("core/run/measures.cpp"),
            (std::vector<std::string>{"#include \"tests/samples/measure/jitter.h\"", "        jitterMeasure(),"}));
        QCOMPARE(filesIn("measure"), ptrdiff_t(1));
        // Charts and tables take title, unit and value from there.
        const Measure& jitter = inputMeasures().back();
        QCOMPARE(jitter.key, "jitter");
        QCOMPARE(english(columnOf(jitter).title), "Jitter");
        const Latency latency{.medianMs = 5, .p05Ms = 4, .p95Ms = 7.5};
        QCOMPARE(english(cellOf(jitter, {.latency = &latency}).text), "2.50 ms");
        QVERIFY(cellOf(jitter, {}).text.empty());
    }

    void theMethodIsKnownEverywhere()
    {
        QCOMPARE(backends().back().name, "softplus");
        QCOMPARE(AttentionSpec::parse("softplus:sharpness=2.0").canonical(), "softplus:sharpness=2");
        THROWS(UsageError, AttentionSpec::parse("softplus:samples=4"));
        const SeriesStyle look = seriesStyle("softplus");
        for (const BackendInfo& info : backends())
            if (info.name != "softplus")
                QVERIFY(info.look.mark != look.mark && info.look.dash != look.dash);
        const std::vector<AttentionSpec> planned = defaultCandidates();
        QVERIFY(std::find(planned.begin(), planned.end(), AttentionSpec::parse("softplus:sharpness=2"))
                != planned.end());
        const auto model = findModel("deit_tiny_patch16_224")->description->clone();
        model->setImageSize(InputSize::square(32));
        const auto deit = model->untrained(0, {});
        const auto prepared = deit->prepare(AttentionSpec::parse("0-3=softplus;4-11=softmax"), 0);
        QVERIFY(isFinite(deit->logits(at::ones({1, 3, 32, 32}), prepared)));
    }

    void theFamilyRunsTrainsAndIsRecognised()
    {
        const auto model = network();
        const auto input = at::ones({2, 3, 32, 32});
        for (const BackendInfo& info : backends()) {
            if (info.needsReduction)
                continue;
            const auto prepared = model->prepare(
                AttentionSpec::parse(info.landmarks ? info.name + ":samples=9" : info.name), 0);
            const auto logits = model->logits(input, prepared);
            QCOMPARE(logits.sizes().vec(), (std::vector<int64_t>{2, 10}));
            QVERIFY(isFinite(logits));
        }
        QCOMPARE(model->describe().parameters, findModel("patch_mixer_small")->description->parameters());
        test::Entries entries;
        for (const NamedWeight& weight : model->weights())
            entries[weight.name] = test::zeros(weight.shape);
        const Folder folder;
        const std::string file = folder / "mixer.safetensors";
        writeSafetensors(file, entries);
        const CheckpointIdentity identity = identify(readCheckpoint(file));
        QCOMPARE(identity.family, "patch_mixer");
        QCOMPARE(identity.model, "patch_mixer_small");
        QVERIFY(identity.undecided.empty());
        ModelRequest opened;
        opened.weights = file;
        QCOMPARE(openModel(opened)->describe().weights, WeightsKind::Trained);
        TrainRequest request;
        request.model.model = "patch_mixer_small";
        request.model.weights = "untrained";
        request.attention = "softplus";
        const Student student = makeStudent(request, {}, {"cat", "dog"});
        QCOMPARE(student.network->describe().nativeAttention, "softplus");
        QCOMPARE(student.network->describe().classes, int64_t(2));
    }

    /// A name of a method in a text of the program would be a second place to change. Those that may stand: the method's own files, the
    /// grammar's and the reference's, networks that are defined with a method or whose source file has the same name, results published for one, examples of commands, words, and
    /// drawings of empty screens.
    void nothingElseGoesByTheNameOfAMethod()
    {
        std::string names;
        for (const BackendInfo& info : backends())
            if (info.name != "distance" && info.name != "merge" && info.name != "sample"
                && info.name != "blocks")  // also words of other things
                names += (names.empty() ? "" : "|") + info.name;
        const QRegularExpression literal(u"\"(%1)(:[^\"]*)?\""_s.arg(QString::fromStdString(names)));
        const QRegularExpression allowed(
            u"^core/attention/|^core/lab/decode/|^models/export/exportable|^models/(pvt|motionformer|vit/formats)/"
            "|^models/blocks/native_attention|_empty\\.cpp$|_tab(_\\w+)?\\.cpp$"
            "|train_demo|published_accuracy|command_(approximate|compare|train)\\.cpp$|(layer_words|lab_tables|"
            "lab_"
            "charts)"
            "\\.cpp$"_s);
        int files = 0;
        for (const char* top : {"core", "models", "ui", "app"})
            for (const auto& entry : fs::recursive_directory_iterator(project / top)) {
                const QString path = QString::fromStdString(
                    entry.path().lexically_relative(project).generic_string());
                if (!path.endsWith(".cpp"_L1) && !path.endsWith(".h"_L1))
                    continue;
                ++files;
                if (allowed.match(path).hasMatch())
                    continue;
                for (const std::string& line : linesOf(entry.path()))
                    QVERIFY2(!literal.match(QString::fromStdString(line.substr(0, line.find("//")))).hasMatch(),
                             qPrintable(path + ": "_L1 + QString::fromStdString(line)));
            }
        QVERIFY(files > 500);
    }
};

ATTNSCOPE_TEST(TestSamples)
#include "tst_samples.moc"
