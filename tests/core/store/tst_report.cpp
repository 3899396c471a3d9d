#include "core/report/published_accuracy.h"
#include "core/report/report.h"
#include "core/report/result_tables.h"
#include "core/run/measures.h"
#include "tests/core/store/store_cases.h"
#include "tests/support/test_class.h"
#include "tests/support/timed_rounds.h"

#include <QXmlStreamReader>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::testing;

namespace {

/// Latency, memory and error of every run: the later the cheaper.
void measureAll(ResultStore& store, int64_t id)
{
    double index = 1;
    for (StoredRun run : store.evaluation(id).runs) {
        run.latency = Latency{60 / index, 58 / index, 63 / index, 5, 4, 6, 20};
        run.memory = Memory{int64_t(24e6 / index), 22'000'000, 3000};
        if (index > 1)
            run.error = ErrorValue{1e-3, 1e-4, 0.1 * index, 0.01};
        store.setMeasurements(run.id, run);
        ++index;
    }
}

/// The page without its first line and with its void elements closed, as XML: every name and value must be escaped for this to parse.
std::string asXml(std::string html)
{
    html.erase(0, html.find('\n') + 1);
    for (size_t at = html.find("<meta "); at != std::string::npos; at = html.find("<meta ", at + 1))
        html.insert(html.find('>', at), "/");
    return html;
}

std::set<QString> elementNames(const std::string& html)
{
    QXmlStreamReader reader(QByteArray::fromStdString(asXml(html)));
    std::set<QString> names;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement) {
            names.insert(reader.name().toString());
            for (const auto& attribute : reader.attributes()) {
                const QString name = attribute.name().toString();
                if (name.startsWith("on") || name == "href" || name == "src"
                    || attribute.value().contains("url("_L1))
                    names.insert("attribute " + name);
            }
        }
    if (reader.hasError()) {
        qWarning("line %lld: %s", reader.lineNumber(), qPrintable(reader.errorString()));
        return {};
    }
    return names;
}

const std::string evil = "<img src=x onerror=alert(1)>\n\u202e\"'|`[x](javascript:1)";

}

class TestReport : public QObject {
    Q_OBJECT

private slots:
    void measuresHaveNamesUnitsAndIntervals()
    {
        const Latency latency{62.1, 60, 64.2, 5, 4, 6, 20};
        const Memory memory{24'000'000, 0, 3000};
        const ErrorValue error{1e-3, 0, 0.29, 0.01};
        const Measurements run{
            .latency = &latency, .memory = &memory, .error = &error, .accuracy = {{10'000, 7982}, 9000}};
        const auto text = [&](const char* key) {
            const Cell cell = cellOf(measure(key), run);
            return english(cell.text) + "|" + english(cell.small);
        };
        QCOMPARE(text("top1"), std::string("79.82 %|[79.02, 80.60]"));
        QCOMPARE(text("latency"), std::string("62.1 ms|60.0 – 64.2 ms"));
        QCOMPARE(text("attention_latency"), std::string("5.00 ms|4.00 – 6.00 ms"));
        QCOMPARE(text("memory"), std::string("22.9 MiB|"));
        QCOMPARE(text("error"), std::string("0.29|± 0.01"));
        QCOMPARE(english(millisecondsRange({.low = 0.0126, .high = 0.0137}).text), "12.6 – 13.7 µs");
        QCOMPARE(english(millisecondsRange({.low = 0.5, .high = 12}).text), "500 µs – 12.0 ms");
        std::set<std::string_view> keys;
        for (const Measure& each : measures()) {
            QVERIFY(!each.title.empty() && !each.axis.empty() && keys.insert(each.key).second);
            QVERIFY(cellOf(each, {}).text.empty());
        }
    }

    void htmlHoldsTheFiguresOfTheStore()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = evaluateMadeUp(store, madeUpSettings(), madeUpData(500, 10), madeUpRuns(3));
        measureAll(store, id);
        const std::string html = reportHtml(makeReport(store, {}));
        const Accuracy accuracy = store.accuracy(store.evaluation(id).runs[1].id);
        SAYS(html, QString::number(accuracy.value() * 100, 'f', 2).toStdString() + " %");
        for (const char* expected :
             {"Accuracy vs. latency", "Accuracy vs. memory", "Accuracy vs. error", "<polyline class=\"f-606877s\"",
              "McNemar p", "30.0 ms", "30.0 ms", "22.9 MiB", "0.20", "Best top-1: ", "class 7",
              "10 of 500 files could not be read", "/data/val/c0/49.jpg",
              "attnscope-cli evaluate val --store runs.sqlite", "Weights, SHA-256", "490"})
            QVERIFY2(contains(html, expected), expected);
        const auto [markdown, figures] = reportMarkdown(makeReport(store, {}), "figures");
        // Three scatters, one of calibration, one of classes, three confusion matrices.
        QCOMPARE(figures.size(), size_t(8));
        const Calibration calibration = store.calibration(store.evaluation(id).runs[1].id);
        for (const double figure : {calibration.nll(), calibration.ece(), *calibration.brier()})
            SAYS(html, english(decimalCell(figure, 4).text));
        SAYS(html, "Holm p");
        SAYS(html, "Reliability");
        for (const auto& [name, svg] : figures) {
            SAYS(markdown, "](<figures/" + name + ">)");
            QVERIFY(svg.starts_with("<svg "));
        }
    }

    void htmlRunsAndFetchesNothing()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        measureAll(store, evaluateMadeUp(store, madeUpSettings(), madeUpData(100, 10), madeUpRuns(4)));
        const std::string html = reportHtml(makeReport(store, {}));
        QVERIFY(contains(html, "Content-Security-Policy\" content=\"default-src &#39;none&#39;")
                || contains(html, "content=\"default-src 'none'"));
        const auto names = elementNames(html);
        QVERIFY(names.size() > 20);
        for (const char* forbidden : {"script", "iframe", "img", "link", "object", "embed", "form", "a",
                                      "foreignObject", "attribute href", "attribute src"})
            QVERIFY2(!names.contains(forbidden), forbidden);
        SAYS(html, "prefers-color-scheme:dark");
    }

    void namesOfOthersAreEscapedEverywhere()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        auto data = madeUpData(100, 10, "/data/" + evil);
        for (std::string& name : data.classes)
            name += evil;
        data.files[49].path = data.root + "/=HYPERLINK(1)" + evil + ".jpg";
        auto settings = madeUpSettings();
        settings.model = settings.weights = settings.transform = settings.device = settings.command =
            settings.decoder = evil;
        settings.notes = {evil};
        auto runs = madeUpRuns(2);
        runs[1].attention = "=cmd|" + evil;
        runs[1].backend = runs[1].resolved = evil;
        const auto id = evaluateMadeUp(store, settings, data, runs);
        measureAll(store, id);
        store.setNote(id, evil);
        const std::string html = reportHtml(makeReport(store, {}));
        const auto names = elementNames(html);
        QVERIFY(names.size() > 20 && !names.contains("img"));
        QVERIFY(!contains(html, "<img") && !contains(html, "\u202e"));
        auto [markdown, figures] = reportMarkdown(makeReport(store, {}), "figures");
        for (size_t at = markdown.find("\n    "); at != std::string::npos; at = markdown.find("\n    ", at))
            markdown.erase(at, markdown.find('\n', at + 1) - at);  // code is shown as it is
        QVERIFY(!contains(markdown, "<img") && !contains(markdown, "[x](") && !contains(markdown, "\u202e"));
        for (const auto& [name, svg] : figures) {
            QVERIFY(!contains(svg, "<img") && !contains(svg, "\u202e"));
            QVERIFY(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string::npos);
        }
        const std::string csv = reportCsv(store, {});
        QVERIFY(contains(csv, "'=cmd|") && !contains(csv, ",=cmd|") && !contains(csv, ",\"=cmd|"));
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), 3);
    }

    /// Weights trained for an attention are another evaluation; the question is asked across.
    void runsOnTheSameDataStandSideBySide()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto data = madeUpData(300, 10);
        evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(1));
        auto settings = madeUpSettings();
        settings.weights = "deit_lara.safetensors";
        settings.weightsHash = "def";
        auto runs = madeUpRuns(3);
        runs.erase(runs.begin(), runs.begin() + 2);
        runs[0].weights = WeightsKind::Trained;
        evaluateMadeUp(store, settings, data, runs);
        evaluateMadeUp(store, madeUpSettings(), madeUpData(64, 4, "/data/other"), madeUpRuns(1));
        const Report report = makeReport(store, {});
        int headings = 0;
        for (const auto& block : report.blocks)
            if (const auto* heading = std::get_if<Heading>(&block); heading != nullptr && heading->level == 2)
                ++headings;
        QCOMPARE(headings, 2);
        const std::string html = reportHtml(report);
        QVERIFY(contains(html, "lara · deit_lara") && contains(html, "softmax · weights"));
        SAYS(html, "All pairs of runs");
    }

    /// The same network on the same samples with another crop: neither has the other's name, and what differs is said first.
    void runsOfDifferentSettingsAreToldApart()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto data = madeUpData(300, 200);
        auto settings = madeUpSettings();
        settings.transform = "crop 224";
        settings.notes = {"assumed: sorted names"};
        evaluateMadeUp(store, settings, data, madeUpRuns(1));
        settings.transform = "crop 168";
        evaluateMadeUp(store, settings, data, madeUpRuns(1));
        const Report report = makeReport(store, {});
        for (const std::string& text : {reportHtml(report), reportMarkdown(report, "figures").first}) {
            QVERIFY(contains(text, "softmax · crop 224") && contains(text, "softmax · crop 168")
                    && !contains(text, "softmax · evaluation"));
            SAYS(text, "Evaluations 1 and 2 differ in: transform (crop 224 and crop 168).");
            SAYS(text, "assumed: sorted names");
            QVERIFY(!contains(text, "that differ between two runs"));  // of classes: both predict the same
        }
        const std::vector<StoredEvaluation> two = store.evaluations();
        std::map<std::string, std::vector<std::string>> differing;
        for (const DifferingSetting& setting : differingSettings({&two[0], &two[1]}))
            differing[english(setting.name)] = setting.values;
        QCOMPARE(differing.at("Transform"), (std::vector<std::string>{"crop 224", "crop 168"}));
        QCOMPARE(differing.at("Started"), (std::vector<std::string>{two[0].started, two[1].started}));
        QCOMPARE(differing.size(), size_t(2));
        QVERIFY(differingSettings({&two[0]}).empty() && differingSettings({}).empty());
        const auto* accuracies = std::get_if<Table>(&*std::ranges::find_if(
            report.blocks, [](const auto& block) { return std::holds_alternative<Table>(block); }));
        std::vector<std::string> titles;
        for (const Column& column : accuracies->columns)
            titles.push_back(english(column.title));
        const auto place = size_t(std::ranges::find(titles, "Transform") - titles.begin());
        QVERIFY(place < titles.size() && titles.back() == "Started");
        QCOMPARE(english(accuracies->rows[1].cells[place].text), std::string("crop 168"));
        const std::string latex = reportLatex(report);
        SAYS(latex, "\n% Evaluations 1 and 2 differ in: transform (crop 224 and crop 168).\n");
        SAYS(latex, "softmax $\\cdot$ crop 224 & ");
        SAYS(latex, " & Transform & Started \\\\\n\\hline\n");
        evaluateMadeUp(store, settings, data, madeUpRuns(2));
        SAYS(reportHtml(makeReport(store, {})), "Top-1 by class: 20 of the ");
        settings.shard = {1, 2};
        const auto part = evaluateMadeUp(store, settings, data, madeUpRuns(1));
        QCOMPARE(stateText(store.evaluation(part)), "finished, part 1 of 2");
        QVERIFY(contains(settingsText(store.evaluation(part)), " · batch 32 · ")
                && contains(settingsText(store.evaluation(part)), "crop 168"));
        const QStringList lines = QString::fromStdString(reportCsv(store, {})).split("\r\n");
        const QStringList names = lines[0].split(',');
        for (const auto& [column, value] : std::map<QString, QString>{
                 {"transform", "crop 168"}, {"batch", "32"}, {"limit", "0"}, {"not_finite", "0"}})
            QCOMPARE(lines[2].split(',').at(names.indexOf(column)), value);
        QVERIFY(lines[5].contains("1/2"));
    }

    /// By the rounds that two runs share, or not at all.
    void fastestIsWhatIsClearlyFaster()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto runs =
            store.evaluation(evaluateMadeUp(store, madeUpSettings(), madeUpData(50, 10), madeUpRuns(2))).runs;
        const auto verdict = [&](const Latency& slow, const Latency& fast) {
            for (const auto& [run, latency] : {std::pair(runs[0], slow), std::pair(runs[1], fast)}) {
                StoredRun measured = run;
                measured.latency = latency;
                store.setMeasurements(run.id, measured);
            }
            return reportHtml(makeReport(store, {}));
        };
        const Latency slow{60, 50, 70, 5, 4, 6, 20}, fast{55, 45, 65, 5, 4, 6, 20};
        SAYS(verdict(slow, fast),
             "None of them is clearly faster here (55.0 ms vs. 60.0 ms per forward pass; not paired).");
        SAYS(verdict(inRounds(slow, 0.1), inRounds(fast, -0.1)), "; no clear difference).");
        const std::string clear = verdict(inRounds(slow, 0.1), inRounds(fast, 0.1));
        QVERIFY(contains(clear, "fastest of them")
                && contains(clear, "(55.0 ms vs. 60.0 ms per forward pass, \u22128 %)."));
    }

    void unfinishedIsSaid()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        evaluateMadeUp(store, madeUpSettings(), madeUpData(100, 10), madeUpRuns(2), 1);
        const std::string html = reportHtml(makeReport(store, {}));
        SAYS(html, "class=\"warning\">Evaluation 1 is not finished (interrupted, 32 of 100 samples)");
        ReportOptions finished;
        finished.finishedOnly = true;
        THROWS(UsageError, makeReport(store, finished));
        QVERIFY(contains(reportCsv(store, {}), "\"interrupted, 32 of 100 samples\"")
                || contains(reportCsv(store, {}), "interrupted"));
    }

    void optionsChoose()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto data = madeUpData(100, 10);
        auto settings = madeUpSettings();
        evaluateMadeUp(store, settings, data, madeUpRuns(3));
        settings.model = "pvt_v2_b1";
        evaluateMadeUp(store, settings, data, madeUpRuns(2));
        ReportOptions options;
        QCOMPARE(chosenEvaluations(store, options).size(), size_t(2));
        options.model = "pvt";
        QCOMPARE(chosenEvaluations(store, options).at(0).id, 2);
        options.attention = "lara";
        THROWS(UsageError, chosenEvaluations(store, options));
        options = {};
        options.evaluations = {1};
        options.attention = "lara";
        const std::string csv = reportCsv(store, options);
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), 2);
        options.evaluations = {7};
        THROWS(StoreError, chosenEvaluations(store, options));
    }

    void publishedAccuraciesStandOnlyBesideImageNet()
    {
        QCOMPARE(publishedAccuracies("deit_tiny_patch16_224").size(), size_t(5));
        QCOMPARE(publishedAccuracies("pvt_v2_b2").size(), size_t(3));
        QVERIFY(publishedAccuracies("mine").empty());
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        measureAll(store, evaluateMadeUp(store, madeUpSettings(), madeUpData(1000, 10), madeUpRuns(2)));
        QVERIFY(!contains(reportHtml(makeReport(store, {})), "published"));
        ResultStore imageNet(folder / "imagenet.sqlite", ResultStore::Mode::Write);
        measureAll(imageNet,
                   evaluateMadeUp(imageNet, madeUpSettings(1000), madeUpData(50'000, 1000), madeUpRuns(2), 2));
        const std::string html = reportHtml(makeReport(imageNet, {}));
        SAYS(html, "published: 65.92 % of deit_tiny_patch16_224");
        SAYS(html, "published, performer");
    }

    void timmsResultsAreOfTheSameWeightsSizeAndImages()
    {
        StoredEvaluation evaluation;
        evaluation.state = EvaluationState::Finished;
        evaluation.samples = 50'000;
        EvaluationSettings& settings = evaluation.settings;
        settings.model = "deit3_base_patch16_224";
        settings.weights = "/hub/models--timm--deit3_base_patch16_224.fb_in1k/snapshots/a/model.safetensors";
        settings.modelDescription = R"json({"img_size": [224, 224], "num_classes": 1000})json";
        StoredRun run;
        run.weights = WeightsKind::Trained;
        const auto top1 = [&] { return timmPercent(evaluation, run); };
        QCOMPARE(top1(), std::optional(83.8));
        QCOMPARE(english(publishedCell(evaluation, run).text), std::string("83.80 %"));
        QVERIFY(contains(english(publishedCell(evaluation, run).small), "timm"));
        for (const auto& [protocol, samples, percent] :
             {std::tuple("imagenet", 50'000, 83.8), {"imagenet-v2", 10'000, 73.42}, {"imagenet-a", 7'500, 0.}}) {
            settings.protocol = protocol;
            evaluation.samples = samples;
            QVERIFY(top1() && (percent == 0 || *top1() == percent));
        }
        evaluation.samples = 7'499;
        QVERIFY(!top1());
        settings.protocol.clear();
        evaluation.samples = 50'000;
        settings.weights = "deit3_base_patch16_224.fb_in22k_ft_in1k.safetensors";
        QCOMPARE(top1(), std::optional(85.728));
        for (const char* other :
             {"deit3_base_patch16_224.safetensors", "my_deit3_base_patch16_224.fb_in1k.pth",
              "deit3_base_patch16_224.fb_in1k_mine.pth", "deit3_base_patch16_384.fb_in1k.pth"}) {
            settings.weights = other;
            QVERIFY2(!top1(), other);
        }
        settings.weights = "deit3_base_patch16_224.fb_in1k.pth";
        QVERIFY(top1());
        run.weights = WeightsKind::Swapped;
        QVERIFY(!top1());
        run.weights = WeightsKind::Trained;
        for (const char* description : {R"({"img_size": [288, 288], "num_classes": 1000})", "{}", "",
                                        R"({"img_size": [224, 224], "num_classes": 10})"}) {
            settings.modelDescription = description;
            QVERIFY2(!top1() && !publishedCell(evaluation, run).value, description);
        }
    }

    void csvHasALineARun()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = evaluateMadeUp(store, madeUpSettings(), madeUpData(100, 10), madeUpRuns(2));
        measureAll(store, id);
        const QStringList lines = QString::fromStdString(reportCsv(store, {})).split("\r\n", Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        const QStringList names = lines[0].split(','), values = lines[2].split(',');
        QCOMPARE(values.size(), names.size());
        const Accuracy accuracy = store.accuracy(store.evaluation(id).runs[1].id);
        QCOMPARE(values[names.indexOf("correct1")].toLongLong(), accuracy.correct);
        QCOMPARE(values[names.indexOf("top1")].toDouble(), accuracy.value());
        QCOMPARE(values[names.indexOf("latency_ms")].toDouble(), 30.0);
        QCOMPARE(values[names.indexOf("error_relative")].toDouble(), 0.2);
        StoredRun broken = store.evaluation(id).runs[1];
        broken.error->relative = std::nan("");
        store.setMeasurements(broken.id, broken);
        const QStringList changed =
            QString::fromStdString(reportCsv(store, {})).split("\r\n", Qt::SkipEmptyParts)[2].split(',');
        QCOMPARE(changed[names.indexOf("error_relative")], QString("nan"));
        const Calibration calibration = store.calibration(broken.id);
        QCOMPARE(values[names.indexOf("nll")].toDouble(), calibration.nll());
        QCOMPARE(values[names.indexOf("brier")].toDouble(), *calibration.brier());
        QCOMPARE(values[names.indexOf("macro_top1")].toDouble(), calibration.macroTop1());
    }

    void classesAndConfusionsAreWrittenWhole()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = evaluateMadeUp(store, madeUpSettings(), madeUpData(300, 10), madeUpRuns(3));
        const StoredRun run = store.evaluation(id).runs[1];
        const auto linesOf = [](const std::string& csv) {
            QList<QStringList> lines;
            for (const QString& line : QString::fromStdString(csv).split("\r\n", Qt::SkipEmptyParts))
                lines << line.split(',');
            return lines;
        };
        const auto classes = linesOf(classesCsv(store, {.attention = run.attention}));
        QCOMPARE(classes.size(), 1 + 10);
        QCOMPARE(classes[0].join(','),
                 QString("evaluation,attention,label,class,samples,correct1,correct5,top1,top5"));
        qint64 samples = 0, correct = 0, diagonal = 0, all = 0;
        for (const QStringList& line : classes.mid(1)) {
            samples += line[4].toLongLong(), correct += line[5].toLongLong();
            QCOMPARE(line[7].toDouble(), line[5].toDouble() / line[4].toDouble());
        }
        const Accuracy accuracy = store.accuracy(run.id);
        QVERIFY(samples == accuracy.samples && correct == accuracy.correct);
        for (const QStringList& line : linesOf(confusionsCsv(store, {.attention = run.attention})).mid(1)) {
            QVERIFY(line[1].toStdString() == run.attention && line[3] == "class " + line[2]);
            all += line[6].toLongLong();
            diagonal += line[2] == line[4] ? line[6].toLongLong() : 0;
        }
        QVERIFY(all == accuracy.samples && diagonal == accuracy.correct);
    }
};

ATTNSCOPE_EVENT_TEST(TestReport)
#include "tst_report.moc"
