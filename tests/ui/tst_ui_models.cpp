#include "models/lab_options.h"
#include "tests/support/test_class.h"
#include "tests/support/timed_rounds.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/compare/table/quantities_model.h"
#include "ui/compare/table/run_table_model.h"
#include "ui/compare/verdict.h"
#include "ui/engine/guarded.h"
#include "ui/layers/layer_cells.h"
#include "ui/live/live_rows_model.h"
#include "ui/workspace/accuracy_text.h"
#include "ui/workspace/backend_list.h"
#include "ui/workspace/command_line.h"
#include "ui/workspace/settings.h"

#include "core/attention/backend_info.h"
#include "core/data/dataset/match_classes.h"

#include <QAbstractItemModelTester>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QTransposeProxyModel>

#include <cmath>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using CompareRow = attnscope::ui::Row;

namespace {

std::shared_ptr<RunRecord> record(const char* spec, const char* backend, double attentionMs, double spread,
                                  double bytes, double error)
{
    auto out = std::make_shared<RunRecord>();
    out->attention = out->resolved = spec;
    out->backend = backend;
    out->weights = WeightsKind::Swapped;
    out->top = {{281, "tabby", 0.7}, {282, "tiger cat", 0.2}};
    out->latency = attnscope::testing::inRounds(
        {60, 59, 61, attentionMs, attentionMs - spread, attentionMs + spread, 20}, error == 0 ? 0.02 : -0.02);
    out->memory = Memory{int64_t(bytes), 1000, 100};
    out->error = ApproximationError{};
    out->error->error.relative = error;
    out->error->seeds = 3;
    out->error->deterministic = error == 0;
    return out;
}

/// softmax as reference, performer 64, lara 49.
struct Filled {
    RunTableModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
    std::vector<std::shared_ptr<RunRecord>> records{record("softmax", "softmax", 5, 0.2, 1000, 0),
                                                    record("performer", "performer", 4, 0.2, 900, 0.8),
                                                    record("lara", "lara", 5.1, 0.2, 1100, 0.19)};

    explicit Filled(int inputs = 1)
    {
        model.setColumns({{1, u"softmax"_s, u"softmax"_s, {}, true},
                          {2, u"performer"_s, u"performer"_s, u"64"_s, false},
                          {3, u"lara"_s, u"lara"_s, u"49"_s, false}});
        std::vector<InputEntry> entries;
        std::vector<int> all;
        for (int i = 0; i < inputs; ++i) {
            const QString path = u"/tmp/%1.png"_s.arg(i);
            entries.push_back({path, path, {}});
            all.push_back(i);
        }
        model.setInputs(entries);
        model.beginRun({1, 2, 3}, all);
    }

    void fill(size_t input = 0)
    {
        for (const RunStage stage : {RunStage::Predict, RunStage::Latency, RunStage::Memory, RunStage::Error})
            for (size_t run = 0; run < 3; ++run)
                model.takeRun(input, run, stage, records[run]);
    }

    QString text(CompareRow row, int column, int role = Qt::DisplayRole) const
    {
        return model.index(int(row), column).data(role).toString();
    }
    Delta delta(CompareRow row, int column) const
    {
        return model.index(int(row), column).data(RunTableModel::DeltaRole).value<Delta>();
    }
};

}

class TestUiModels : public QObject {
    Q_OBJECT
private slots:
    void cellsFillOneByOneAndSayWhatTheyWaitFor()
    {
        Filled filled;
        QCOMPARE(filled.model.state(CompareRow::WholeModel, 1), CellState::Waiting);
        QVERIFY(filled.text(CompareRow::RelativeError, 1).startsWith("waiting"_L1));
        auto early = std::make_shared<RunRecord>(*filled.records[1]);
        early->latency.reset();
        early->memory.reset();
        early->error.reset();
        filled.model.takeRun(0, 1, RunStage::Predict, early);
        QCOMPARE(filled.model.state(CompareRow::Predictions, 1), CellState::Done);
        QCOMPARE(filled.model.state(CompareRow::WholeModel, 1), CellState::Waiting);
        filled.model.takeProgress(0, 1, RunStage::Latency, {"performer · time", 12, 20});
        QCOMPARE(filled.model.state(CompareRow::AttentionOnly, 1), CellState::Measuring);
        QCOMPARE(filled.model.index(2, 1).data(RunTableModel::ProgressRole).toPoint(), QPoint(12, 20));
        filled.fill();
        for (int row = 0; row < rowCount; ++row)
            for (int column = 0; column < 3; ++column)
                QCOMPARE(filled.model.state(static_cast<CompareRow>(row), column), CellState::Done);
    }

    void overlappingIntervalsHaveNoWinner()
    {
        Filled filled;
        filled.fill();
        QCOMPARE(filled.delta(CompareRow::AttentionOnly, 2).kind, Delta::Overlap);
        QCOMPARE(filled.delta(CompareRow::AttentionOnly, 2).text, u"≈"_s);
        QCOMPARE(filled.delta(CompareRow::AttentionOnly, 1).kind, Delta::Better);
        QVERIFY(filled.delta(CompareRow::AttentionOnly, 1).text.contains(u"▲"_s));
        QCOMPARE(filled.delta(CompareRow::PeakMemory, 1).text, u"−10 %"_s);
        QCOMPARE(filled.delta(CompareRow::PeakMemory, 2).kind, Delta::Worse);
        QCOMPARE(filled.delta(CompareRow::AttentionOnly, 0).kind, Delta::None);
    }

    /// 8 % are told from noise of 30 % that all rounds share, and are not by records without rounds.
    void speedIsJudgedByTheRoundsThatBothWereTimedIn()
    {
        const auto delta = [](Latency latency, Latency reference) {
            return speedDelta(latency, reference, TimedPart::Model, u"softmax"_s);
        };
        const Latency exact{.medianMs = 100, .p05Ms = 70, .p95Ms = 130, .repetitions = 20};
        Latency faster = exact;
        faster.medianMs = 92;
        QCOMPARE(delta(attnscope::testing::inRounds(faster, 0.3), attnscope::testing::inRounds(exact, 0.3)).text,
                 QString::fromUtf8("1.1× ▲"));
        QCOMPARE(delta(attnscope::testing::inRounds(exact, 0.3), attnscope::testing::inRounds(faster, 0.3)).kind,
                 Delta::Worse);
        QCOMPARE(delta(attnscope::testing::inRounds(faster, 0.3), attnscope::testing::inRounds(exact, -0.3)).text,
                 QString::fromUtf8("≈"));
        QCOMPARE(delta(faster, exact).text, u"not paired"_s);
        faster.medianMs = 98;
        QCOMPARE(delta(attnscope::testing::inRounds(faster), attnscope::testing::inRounds(exact)).text,
                 QString::fromUtf8("1.02× ▲"));
        faster.medianMs = 99.8;
        QCOMPARE(delta(attnscope::testing::inRounds(faster), attnscope::testing::inRounds(exact)).text,
                 QString::fromUtf8("≈"));
    }

    void everyCellSpeaksColumnRowAndValue()
    {
        Filled filled;
        filled.fill();
        const QString spoken = filled.text(CompareRow::AttentionOnly, 1, Qt::AccessibleTextRole);
        QVERIFY2(spoken.contains("performer 64"_L1) && spoken.contains("Attention only"_L1)
                     && spoken.contains("ms"_L1) && spoken.contains("faster"_L1),
                 qPrintable(spoken));
        QCOMPARE(filled.text(CompareRow::RelativeError, 0), u"exact"_s);
    }

    void intervalsOfARowShareOneScale()
    {
        Filled filled;
        filled.fill();
        const auto a = filled.model.index(2, 0).data(RunTableModel::IntervalRole).value<ui::Interval>();
        const auto b = filled.model.index(2, 1).data(RunTableModel::IntervalRole).value<ui::Interval>();
        QCOMPARE(a.scaleLow, b.scaleLow);
        QCOMPARE(a.scaleHigh, b.scaleHigh);
        QVERIFY(b.hasReference && !a.hasReference);
    }

    void changedOptionsLeaveTheFigureAsStale()
    {
        Filled filled;
        filled.fill();
        filled.model.endRun();
        QVERIFY(!filled.model.needsRun());
        filled.model.setColumns({{1, u"softmax"_s, u"softmax"_s, {}, true},
                                 {2, u"performer:samples=8"_s, u"performer"_s, u"8"_s, false}});
        QCOMPARE(filled.model.columnCount(), 2);
        QCOMPARE(filled.text(CompareRow::WholeModel, 1, RunTableModel::StaleRole), u"made with performer"_s);
        QVERIFY(!filled.text(CompareRow::WholeModel, 1, RunTableModel::ValueRole).isEmpty());
        QVERIFY(filled.model.needsRun());
        RunContext context;
        context.seed = 7;
        filled.model.setContext(context);
        QCOMPARE(filled.text(CompareRow::WholeModel, 0, RunTableModel::StaleRole), u"made with seed 0"_s);
    }

    /// Every part of a run's context changes its figures.
    void anotherContextMakesFiguresStale_data()
    {
        QTest::addColumn<RunContext>("now");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const RunContext& now, const char* text) {
            QTest::newRow(name) << now << QString::fromLatin1(text);
        };
        row("model", {.model = u"vit"_s}, "made with another model");
        row("weights", {.weights = u"a.safetensors"_s}, "made with other weights");
        row("image size", {.imageSize = InputSize::square(448)}, "made with the model's own image size");
        row("heads", {.heads = 3}, "made with other weights");
        row("class embeddings", {.classEmbeddings = u"a.safetensors"_s}, "made without class embeddings");
        row("device", {.device = u"cuda"_s}, "made with device auto");
        row("dtype", {.dtype = u"bfloat16"_s}, "made with float32");
        row("seed", {.seed = 1}, "made with seed 0");
        row("views of an image", {.views = u"3x1"_s}, "");
    }

    void anotherContextMakesFiguresStale()
    {
        QFETCH(RunContext, now);
        QFETCH(QString, text);
        Filled filled;
        filled.fill();
        filled.model.endRun();
        filled.model.setContext(now);
        for (const CompareRow row : {CompareRow::Predictions, CompareRow::WholeModel, CompareRow::AttentionOnly,
                                     CompareRow::PeakMemory, CompareRow::RelativeError})
            QCOMPARE(filled.text(row, 1, RunTableModel::StaleRole), text);
        QCOMPARE(filled.model.needsRun(), !text.isEmpty());
        filled.model.setContext({});
        QCOMPARE(filled.text(CompareRow::WholeModel, 1, RunTableModel::StaleRole), QString());
    }

    void moreOrLessEffortMakesStaleWhatDependsOnIt()
    {
        Filled filled;
        filled.fill();
        filled.model.endRun();
        const auto stale = [&](const RunEffort& now) {
            filled.model.setEffort(now);
            QStringList texts;
            for (const CompareRow row :
                 {CompareRow::Predictions, CompareRow::WholeModel, CompareRow::AttentionOnly,
                  CompareRow::PeakMemory, CompareRow::RelativeError})
                texts << filled.text(row, 1, RunTableModel::StaleRole);
            return texts.join(QLatin1Char('|'));
        };
        QCOMPARE(stale({}), u"||||"_s);
        QVERIFY(!filled.model.needsRun());
        QCOMPARE(stale({.threads = 2}),
                 u"|made with one thread per core|made with one thread per core|made with one "
                 "thread per core|"_s);
        QVERIFY(filled.model.needsRun());
        QCOMPARE(stale({.repetitions = 50}), u"|made with 20 repetitions|made with 20 repetitions||"_s);
        QCOMPARE(stale({.seconds = 0.5}), u"|made with 1 s|made with 1 s||"_s);
        QCOMPARE(stale({.seeds = 9}), u"||||made with 3 seeds"_s);
        // An exact attention has no draws.
        QCOMPARE(filled.text(CompareRow::RelativeError, 0, RunTableModel::StaleRole), QString());
    }

    void stoppingKeepsWhatWasMeasured()
    {
        Filled filled;
        filled.model.takeRun(0, 0, RunStage::Predict, filled.records[0]);
        filled.model.endRun();
        QCOMPARE(filled.model.state(CompareRow::Predictions, 0), CellState::Done);
        QCOMPARE(filled.model.state(CompareRow::WholeModel, 0), CellState::Absent);
        QVERIFY(filled.model.needsRun());
    }

    void failureIsToldInItsCellAndTheOthersGoOn()
    {
        Filled filled;
        auto broken = std::make_shared<RunRecord>(*filled.records[2]);
        broken->failure = "lara: needs 9 GiB of memory";
        filled.model.takeRun(0, 2, RunStage::Latency, broken);
        QCOMPARE(filled.model.state(CompareRow::WholeModel, 2), CellState::Failed);
        QCOMPARE(filled.text(CompareRow::WholeModel, 2), u"Not enough memory"_s);
        QVERIFY(filled.text(CompareRow::WholeModel, 2, RunTableModel::DetailRole).contains("9 GiB"_L1));
        QCOMPARE(filled.model.state(CompareRow::WholeModel, 1), CellState::Waiting);
    }

    void sortingKeepsAPinnedReferenceFirst()
    {
        Filled filled;
        filled.fill();
        filled.model.sortByRow(CompareRow::RelativeError, Qt::DescendingOrder);
        QCOMPARE(filled.model.columnTitle(0), u"softmax"_s);
        QCOMPARE(filled.model.columnTitle(1), u"performer 64"_s);
        filled.model.sortByRow(CompareRow::RelativeError, Qt::AscendingOrder);
        QCOMPARE(filled.model.columnTitle(1), u"lara 49"_s);
        filled.model.setReferencePinned(false);
        filled.model.sortByRow(CompareRow::AttentionOnly, Qt::AscendingOrder);
        QCOMPARE(filled.model.columnTitle(0), u"performer 64"_s);
        filled.model.moveColumn(0, 2);
        QCOMPARE(filled.model.columnTitle(2), u"performer 64"_s);
        QVERIFY(!filled.model.sortedRow());
    }

    void untrainedWeightsHideClassNames()
    {
        Filled filled;
        for (auto& one : filled.records)
            one->weights = WeightsKind::Untrained;
        filled.fill();
        const auto cell = filled.model.index(0, 1).data(RunTableModel::PredictionsRole).value<PredictionCell>();
        QVERIFY(cell.hiddenNames);
        QCOMPARE(cell.lines.front().name, u"class 281"_s);
        const Verdict words = verdict(filled.model);
        QVERIFY2(words.headline.contains("untrained"_L1) && !words.headline.contains("tabby"_L1),
                 qPrintable(words.headline));
        for (int column = 0; column < 3; ++column)
            for (int row = 0; row < rowCount; ++row)
                for (const int role : {int(Qt::DisplayRole), int(Qt::AccessibleTextRole), int(Qt::ToolTipRole)})
                    QVERIFY(!filled.text(static_cast<CompareRow>(row), column, role).contains("tabby"_L1));
    }

    void verdictNamesWhoAnswersOtherwise()
    {
        Filled filled;
        filled.records[1]->top.front() = {287, "lynx", 0.5};
        filled.fill();
        filled.model.endRun();
        QCOMPARE(verdict(filled.model).headline, u"Two of three predict tabby; performer 64 predicts lynx"_s);
        QVERIFY(verdict(filled.model).detail.contains(u"lara 49: error 0.19, attention time ≈, memory +10 %"_s));
    }

    void verdictSaysWhatIsGainedAndWhetherItIsWorthIt()
    {
        const auto words = [](double attention, double memory, double error, const char* label) {
            Filled filled;
            filled.records[2] = record("lara", "lara", attention, 0.01, memory, error);
            filled.records[2]->error->meanOfValues.relative = 0.73;
            filled.records[2]->top.front() = {int64_t{label[0]}, label, 0.5};
            for (const int other : {0, 1})
                filled.records[size_t(other)]->top.front() = {'t', "tabby", 0.7};
            filled.fill();
            filled.model.endRun();
            const QString detail = verdict(filled.model).detail;
            return detail.mid(detail.indexOf(u" – "_s, detail.indexOf("lara 49"_L1)) + 3);
        };
        QCOMPARE(words(9, 1000, 0.5, "tabby"), u"not worth it: no gain"_s);
        QCOMPARE(words(1, 1000, 0.5, "tabby"), u"worth an evaluation"_s);
        QCOMPARE(words(9, 500, 0.5, "tabby"), u"worth an evaluation"_s);
        QCOMPARE(words(1, 500, 0.5, "lynx"), u"not worth it: another class"_s);
        QCOMPARE(words(1, 1000, 0.73, "tabby"), u"not worth it: ignores the queries"_s);
    }

    void anErrorStandsNextToThatOfIgnoringTheQueries()
    {
        Filled filled;
        filled.records[1]->error->meanOfValues.relative = filled.records[2]->error->meanOfValues.relative = 0.73;
        filled.fill();
        QCOMPARE(filled.delta(CompareRow::RelativeError, 0).kind, Delta::None);   // exact
        QCOMPARE(filled.delta(CompareRow::RelativeError, 1).kind, Delta::Worse);  // 0.8
        QCOMPARE(filled.delta(CompareRow::RelativeError, 1).text, u"≥ mean 0.73"_s);
        QCOMPARE(filled.delta(CompareRow::RelativeError, 2).kind, Delta::Overlap);
        QCOMPARE(filled.delta(CompareRow::RelativeError, 2).text, u"mean 0.73"_s);
        const auto interval = filled.model.index(4, 2).data(RunTableModel::IntervalRole).value<ui::Interval>();
        QVERIFY(interval.hasReference && interval.reference == 0.73 && interval.scaleHigh >= 0.8);
        QVERIFY(filled.model.headerData(4, Qt::Vertical, Qt::ToolTipRole)
                    .toString()
                    .contains("mean of the values"_L1));
    }

    /// A step is a pass: twenty rounds of timing are not one step of four.
    void workIsCountedInRounds()
    {
        Filled filled(2);
        const auto whole = filled.model.work();
        QCOMPARE(whole.done, 0.0);
        QCOMPARE(whole.total, 2 * 3 * (1 + 20 + 1 + 9.0));
        for (size_t run = 0; run < 3; ++run)
            filled.model.takeRun(0, run, RunStage::Predict, filled.records[run]);
        filled.model.takeProgress(0, 1, RunStage::Latency, {"performer", 10, 20});
        QCOMPARE(filled.model.work().done, 13.0);
        filled.model.takeProgress(0, 1, RunStage::Latency, {"performer", 150, 200});  // ten passes a round
        QCOMPARE(filled.model.work().done, 18.0);
        filled.model.takeUnreadable(u"/tmp/1.png"_s, u"it breaks off"_s);
        QCOMPARE(filled.model.work().total - filled.model.work().done, 93 - 18.0);
        filled.fill();
        QCOMPARE(filled.model.work().done, filled.model.work().total);
    }

    void agreementIsCountedOverInputs()
    {
        Filled filled(3);
        filled.fill(0);
        filled.fill(1);
        filled.records[2]->top.front().index = 9;
        filled.fill(2);
        const auto cell = filled.model.index(0, 2).data(RunTableModel::PredictionsRole).value<PredictionCell>();
        // The record is shared by all three inputs here, so the change shows in each.
        QCOMPARE(cell.footer, u"0 of 3 agree with softmax"_s);
        QCOMPARE(filled.model.index(0, 1).data(RunTableModel::PredictionsRole).value<PredictionCell>().footer,
                 u"3 of 3 agree with softmax"_s);
    }

    void logitsThatAreNotFiniteAgreeWithNothing()
    {
        Filled filled(2);
        filled.fill(0);
        filled.fill(1);
        RunRecord& broken = *filled.records[1];  // shared by both inputs
        broken.top.clear();
        broken.views.resize(1);
        broken.endToEnd = EndToEnd{.kl = std::nan("")};
        filled.fill(1);
        QVERIFY(!filled.model.index(0, 1).data(RunTableModel::PredictionsRole).isValid());
        QCOMPARE(filled.text(CompareRow::Predictions, 1, RunTableModel::NoteRole), u"not finite"_s);
        QVERIFY2(verdict(filled.model).headline.endsWith(u"; the logits of performer 64 are not finite"_s),
                 qPrintable(verdict(filled.model).headline));
        const QuantitiesModel figures(filled.model);
        QVERIFY(figures.asTsv().contains(u"not finite"_s));
    }

    void transposedAndFigureTablesAreSoundModels()
    {
        Filled filled;
        QTransposeProxyModel transposed;
        transposed.setSourceModel(&filled.model);
        QAbstractItemModelTester a(&transposed, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QuantitiesModel figures(filled.model);
        QAbstractItemModelTester b(&figures, QAbstractItemModelTester::FailureReportingMode::QtTest);
        filled.fill();
        QCOMPARE(figures.rowCount(), 3);
        QCOMPARE(figures.asTsv().count(QLatin1Char('\n')), 4);
        QVERIFY(figures.asMarkdown().contains("|---|"_L1));
    }

    void backendListStartsWithTheRegistry()
    {
        BackendList list;
        QCOMPARE(list.entries().size(), backends().size());
        QCOMPARE(list.columns().front().backend, u"softmax"_s);
        QVERIFY(list.columns().front().reference);
        const int id = list.entries().back().id;
        const QString problem = list.setSpec(id, u"lara:proposal=fancy"_s);
        QVERIFY2(problem.contains("mixed"_L1),
                 qPrintable(problem));  // the sentence names the alternatives
        QCOMPARE(list.setSpec(id, u"lara:samples=64"_s), QString());
        QCOMPARE(QString::fromStdString(list.entry(id)->spec.canonical()), u"lara:samples=64"_s);
        const int second = list.add(AttentionSpec::parse("lara:samples=16"));
        QVERIFY(list.entry(second)->checked);
        list.setReference(second);
        QVERIFY(list.columns().back().reference);
        list.remove(second);
        QCOMPARE(list.columns().front().reference, true);
        for (const Preset& preset : presets())
            for (const QString& spec : preset.specs)
                AttentionSpec::parse(spec.toStdString());
    }

    void copiedCommandIsReadBackByAShellAsItWas()
    {
        auto options = optionsOf<CompareOptions>({.model = u"deit_tiny_patch16_224"_s}, 2);
        options.inputs.paths = {"/tmp/a photo's name.jpg", "-odd.png"};
        options.attention = {"softmax", "lara:samples=64,beta=2"};
        QProcess shell;
        QString line = CommandLine("compare", options, {"--seeds"}).text();
        QVERIFY(line.startsWith("attnscope-cli compare "_L1));
        line.replace(0, u"attnscope-cli"_s.size(), u"printf '%s\\n'"_s);
        shell.start(u"sh"_s, {u"-c"_s, line});
        QVERIFY(shell.waitForFinished());
        const QStringList words =
            QString::fromUtf8(shell.readAllStandardOutput()).trimmed().split(QLatin1Char('\n'));
        QCOMPARE(
            words.join(u"|"_s),
            u"compare|/tmp/a photo's name.jpg|./-odd.png|--weights|untrained|--model|deit_tiny_patch16_224|"
            "--attention|softmax|--attention|lara:samples=64,beta=2|--device|auto|--dtype|float32|--threads|2|"
            "--seed|0|--seeds|3"_s);
    }

    void settingsComeBackAsTheyWere()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"deep/attnscope.ini"_s);
        Settings settings;
        settings.theme = u"dark"_s;
        settings.threads = 3;
        settings.limits.imagePixels = 5'000'000;
        settings.cropGibibytes = 7;
        settings.context.seed = 42;
        settings.specs = {u"softmax"_s, u"lara:samples=64,beta=2"_s};
        settings.geometry = QByteArray("\x01\x02\x00\x03", 4);
        QCOMPARE(saveSettings(path, settings), QString());
        const LoadedSettings back = loadSettings(path);
        QCOMPARE(back.problem, QString());
        QCOMPARE(back.settings.theme, settings.theme);
        QCOMPARE(back.settings.threads, 3);
        QCOMPARE(back.settings.limits.imagePixels, settings.limits.imagePixels);
        QCOMPARE(back.settings.cropGibibytes, 7);
        QCOMPARE(back.settings.context, settings.context);
        QCOMPARE(back.settings.specs, settings.specs);
        QCOMPARE(back.settings.geometry, settings.geometry);
    }

    void damagedSettingsAreSetAsideAndTold_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("binary") << QByteArray("\x00\x01\x02garbage", 10);
        QTest::newRow("out of range") << QByteArray("[run]\nthreads=-5\n");
        QTest::newRow("not a number") << QByteArray("[limits]\nimagePixels=many\n");
        QTest::newRow("unknown theme") << QByteArray("[look]\ntheme=pink\n");
    }
    void damagedSettingsAreSetAsideAndTold()
    {
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        const QString path = folder.filePath(u"attnscope.ini"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        const LoadedSettings loaded = loadSettings(path);
        QVERIFY(!loaded.problem.isEmpty());
        QCOMPARE(loaded.settings.threads, 0);
        QVERIFY(!QFile::exists(path));
        QVERIFY(QFile::exists(path + u".damaged"_s));
    }

    void anUnknownAttentionIsLeftOutAndTheOtherSettingsStay()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"attnscope.ini"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[run]\nbackends=softmax, magic:samples=3, lara:samples=16\nthreads=3\n[look]\ntheme=dark\n");
        file.close();
        const LoadedSettings loaded = loadSettings(path);
        QVERIFY2(loaded.problem.contains("magic:samples=3"_L1) && !loaded.problem.contains("lara"_L1),
                 qPrintable(loaded.problem));
        QCOMPARE(loaded.settings.specs, QStringList({u"softmax"_s, u"lara:samples=16"_s}));
        QCOMPARE(loaded.settings.threads, 3);
        QCOMPARE(loaded.settings.theme, u"dark"_s);
        QVERIFY(QFile::exists(path));
    }

    void sortingMovesColumnsAndKeepsWhatIsChosen()
    {
        Filled filled;
        filled.fill();
        filled.model.setReferencePinned(false);
        QuantitiesModel figures(filled.model);
        QAbstractItemModelTester tester(&figures, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&filled.model, &QAbstractItemModel::modelReset),
            figureResets(&figures, &QAbstractItemModel::modelReset);
        const QPersistentModelIndex performer = filled.model.index(2, 1);
        filled.model.sortByRow(CompareRow::RelativeError, Qt::DescendingOrder);
        QCOMPARE(filled.model.column(0).backend, u"performer"_s);
        QCOMPARE(performer.column(), 0);
        filled.model.moveColumn(0, 2);
        QCOMPARE(performer.column(), 2);
        QCOMPARE(resets.count(), 0);
        QCOMPARE(figureResets.count(), 0);
        QCOMPARE(figures.index(2, 0).data().toString(), u"performer"_s);
    }

    void viewsThatArriveAreToldToViews()
    {
        Filled filled;
        QSignalSpy changes(&filled.model, &QAbstractItemModel::dataChanged);
        filled.model.takeView(0, 1, filled.records[1]);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(changes[0][0].toModelIndex(), filled.model.index(0, 0));
        QCOMPARE(changes[0][1].toModelIndex(), filled.model.index(rowCount - 1, 2));
    }

    void attentionsOfOneBackendAreToldApart()
    {
        BackendList list;
        list.setSpecs({AttentionSpec::parse("softmax"), AttentionSpec::parse("lara:samples=16"),
                       AttentionSpec::parse("lara:samples=49,beta=2"),
                       AttentionSpec::parse("lara:samples=49,proposal=mixed")});
        const std::vector<ColumnSpec> columns = list.columns();
        QCOMPARE(columns.size(), size_t(4));
        QCOMPARE(columns[0].lookKey(), u"softmax"_s);
        QCOMPARE(columns[0].title(), u"softmax"_s);
        QSet<QString> looks, titles;
        for (const ColumnSpec& column : columns) {
            looks << column.lookKey();
            titles << column.title();
        }
        QCOMPARE(looks.size(), 4);
        QCOMPARE(titles.size(), 4);
        QVERIFY2(columns[1].title().startsWith("lara 16, "_L1), qPrintable(columns[1].title()));
        QVERIFY2(columns[2].title().contains("beta 2"_L1) && !columns[2].title().contains("seed"_L1),
                 qPrintable(columns[2].title()));
        // One that is ticked off keeps its look, and the others theirs; what differs no more is not said.
        list.setChecked(columns[2].id, false);
        QCOMPARE(list.columns()[2].lookKey(), columns[3].lookKey());
        QVERIFY2(!list.columns()[1].title().contains("beta"_L1), qPrintable(list.columns()[1].title()));
        // Alone, it is called as before.
        list.setChecked(columns[3].id, false);
        QCOMPARE(list.columns()[1].title(), u"lara 16"_s);
        RunTableModel model;
        model.setColumns(columns);
        QCOMPARE(model.headerData(2, Qt::Horizontal, RunTableModel::BackendRole).toString(), columns[2].lookKey());
        QCOMPARE(model.headerData(2, Qt::Horizontal, RunTableModel::NameRole).toString(), u"lara"_s);
    }

    void theReferenceIsAlwaysTicked()
    {
        BackendList list;
        const int lara = list.add(AttentionSpec::parse("lara:samples=16"));
        list.setReference(lara);
        list.setChecked(lara, false);
        QCOMPARE(list.entry(list.reference())->spec.canonical(), std::string("softmax"));  // takes its place
        list.remove(list.reference());
        QVERIFY(list.entry(list.reference())->checked);
        list.setSpecs({});
        QCOMPARE(list.reference(), 0);
        const int first = list.add(AttentionSpec::parse("rfa:samples=16"));
        QCOMPARE(list.reference(), first);
    }

    void everyModelOfLiveAndLayersIsSound()
    {
        LiveRowsModel live;
        QAbstractItemModelTester a(&live, QAbstractItemModelTester::FailureReportingMode::QtTest);
        BackendList list;
        live.setRows(list.columns());
        QVERIFY(live.rowCount() > 1);
        LivePrediction prediction;
        prediction.predictions.push_back({.attention = "softmax", .backend = "softmax", .top = {{3, "cat", 0.9}}});
        live.take(prediction);
        QCOMPARE(live.index(0, LiveRowsModel::Backend).data(LiveRowsModel::NameRole).toString(), u"softmax"_s);
        live.setRows({});
        live.clear();
        QCOMPARE(live.rowCount(), 0);

        LayerCells cells;
        QAbstractItemModelTester b(&cells, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::vector<InspectedLayer> layers(3);
        for (InspectedLayer& layer : layers)
            layer.heads.resize(4);
        cells.setLayers(layers, HeadMetric::Relative, {});
        QCOMPARE(cells.rowCount(), 3);
        cells.setLayers({}, HeadMetric::Relative, {});
        QCOMPARE(cells.rowCount(), 0);
    }

    /// The window has no options; what helps there is a screen or a list.
    void sentencesOfTheEngineNameWaysOfTheWindow()
    {
        QString said;
        ModelClasses none;
        none.model = "dinov2";
        guarded([&] { (void)matchClasses({}, none); }, [&](const QString& sentence) { said = sentence; });
        QVERIFY2(said.contains("Batch screen"_L1) && !said.contains("--"_L1), qPrintable(said));
    }
};

ATTNSCOPE_WINDOW_TEST(TestUiModels)
#include "tst_ui_models.moc"
