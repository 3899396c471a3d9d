#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/checkpoint/zip_directory.h"
#include "core/report/predictions_file.h"
#include "tests/core/store/store_cases.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

std::string textOf(const std::filesystem::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// An array of an .npz file: its header, and its values' bytes.
struct Array {
    std::string header, bytes;

    template <typename Number>
    std::vector<Number> values() const
    {
        std::vector<Number> numbers(bytes.size() / sizeof(Number));
        std::memcpy(numbers.data(), bytes.data(), bytes.size());
        return numbers;
    }
};

std::map<std::string, Array> arraysOf(const std::filesystem::path& file)
{
    const std::string all = textOf(file);
    std::map<std::string, Array> arrays;
    for (const auto& [name, range] : readZipDirectory(*openFile(file), {})) {
        const std::string entry = all.substr(size_t(range.offset), size_t(range.bytes));
        const size_t header = uint8_t(entry[8]) + 256 * size_t(uint8_t(entry[9]));
        arrays[name] = {entry.substr(10, header), entry.substr(10 + header)};
    }
    return arrays;
}

}

class Predictions : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<Folder>();
        m_store = std::make_unique<ResultStore>(m_folder->path() / "runs.sqlite", ResultStore::Mode::Write);
        m_evaluation = evaluateMadeUp(*m_store, madeUpSettings(), m_data, madeUpRuns(3));
    }

    void arraysGiveThePairsOfTheStore()
    {
        const PredictionCounts counts = write("predictions.npz");
        QCOMPARE(counts.runs, 3);
        QCOMPARE(counts.predictions, 3 * 118);  // two of 120 cannot be read
        const auto arrays = arraysOf(m_folder->path() / "predictions.npz");
        QVERIFY(arrays.at("rank.npy")
                    .header.starts_with("{'descr': '<i4', 'fortran_order': False, 'shape': (3,118,), }"));
        QVERIFY(contains(arrays.at("classes.npy").header, "'shape': (3,118,5,)"));
        QVERIFY(contains(arrays.at("attention.npy").header, "'descr': '<U9'"));
        const auto ranks = arrays.at("rank.npy").values<int32_t>();
        int64_t only0 = 0, only1 = 0;
        for (size_t sample = 0; sample < 118; ++sample) {
            only0 += ranks[sample] == 0 && ranks[118 + sample] != 0 ? 1 : 0;
            only1 += ranks[sample] != 0 && ranks[118 + sample] == 0 ? 1 : 0;
        }
        const auto runs = m_store->evaluation(m_evaluation).runs;
        const RunPair pair = m_store->pair(runs[0].id, runs[1].id);
        QCOMPARE(only0, pair.onlyA);
        QCOMPARE(only1, pair.onlyB);
        const auto labels = arrays.at("label.npy").values<int64_t>();
        const auto classes = arrays.at("classes.npy").values<int32_t>();
        const auto probabilities = arrays.at("probabilities.npy").values<float>();
        const SamplePrediction first = madeUpPrediction(2, 0, labels[0], 10);
        for (size_t place = 0; place < SamplePrediction::kept; ++place) {
            QCOMPARE(classes[2 * 118 * 5 + place], first.classes[place]);
            QCOMPARE(probabilities[2 * 118 * 5 + place], first.probabilities[place]);
        }
        QCOMPARE(arrays.at("label_probability.npy").values<float>()[2 * 118], first.labelProbability);
        for (const auto& [name, array] : arrays)
            QVERIFY2((array.header.size() + 10) % 64 == 0 && array.header.ends_with("\n"), name.c_str());
    }

    void jsonAndCsvHaveEverySample()
    {
        write("predictions.json");
        const Json json = jsonFromText(textOf(m_folder->path() / "predictions.json"));
        QCOMPARE(json["runs"].size(), 3);
        const Json& second = json["runs"][1];
        QVERIFY(second["attention"] == "performer" && second["weights_sha256"] == "abc");
        QCOMPARE(second["predictions"].size(), 118);
        QVERIFY(second["predictions"][0]["path"] == "/data/val/c0/0.jpg");
        int64_t right = 0;
        for (const Json& prediction : second["predictions"])
            right += prediction["classes"][0] == prediction["label"] ? 1 : 0;
        QCOMPARE(right, m_store->accuracy(m_store->evaluation(m_evaluation).runs[1].id).correct);

        write("predictions.csv", {.attention = "performer"});
        const std::string csv = textOf(m_folder->path() / "predictions.csv");
        QCOMPARE(std::ranges::count(csv, '\n'), 1 + 118);
        QVERIFY(csv.starts_with("evaluation,model,weights_file,attention,path,label,class,rank,label_probability,"
                                "prediction1,class1,probability1,"));
        QVERIFY(contains(
            csv, "\r\n1,deit_tiny_patch16_224,weights.safetensors,performer,/data/val/c0/0.jpg,0,class 0,"));
    }

    /// Logits that were not finite, and networks of few classes.
    void whatIsNotThereIsEmpty()
    {
        const LabelledSet data = madeUpData(2, 2);
        ResultStore store(m_folder->path() / "few.sqlite", ResultStore::Mode::Write);
        const int64_t id = store.begin(madeUpSettings(), data, madeUpRuns(1), false);
        SamplePrediction none, two;
        none.labelRank = 1000;
        two.classes = {1, 0, -1, -1, -1};
        two.probabilities = {0.75F, 0.25F};
        two.labelProbability = 0.75F;
        two.squaredProbabilities = 0.625F;
        store.add(id, {0, {0, 1}, {{none, two}}, {}, {}, {0.1}});
        store.setState(id, EvaluationState::Finished);
        const auto file = [&](const char* name) {
            writePredictions(store, {}, m_folder->path() / name);
            return m_folder->path() / name;
        };
        const std::string csv = textOf(file("few.csv"));
        QVERIFY(contains(csv, "c0/0.jpg,0,class 0,,,,,,,,,,,,,,,,,,\r\n"));
        QVERIFY(contains(csv, "c1/1.jpg,1,class 1,0,0.75,1,class 1,0.75,0,class 0,0.25,,,,,,,,,,0.625\r\n"));
        const Json json = jsonFromText(textOf(file("few.json")))["runs"][0]["predictions"];
        QVERIFY(json[0]["rank"].is_null() && json[0]["classes"].empty());
        QVERIFY(json[1]["classes"] == Json({1, 0}) && json[1]["label_probability"] == 0.75);
        QVERIFY(json[0]["squared_probabilities"].is_null() && json[1]["squared_probabilities"] == 0.625);
        const auto arrays = arraysOf(file("few.npz"));
        QCOMPARE(arrays.at("rank.npy").values<int32_t>(), std::vector<int32_t>({-1, 0}));
        QVERIFY(std::isnan(arrays.at("label_probability.npy").values<float>()[0]));
        QCOMPARE(arrays.at("classes.npy").values<int32_t>(),
                 std::vector<int32_t>({-1, -1, -1, -1, -1, 1, 0, -1, -1, -1}));
    }

    /// Those of runs that keep none are NaN.
    void arraysHaveKeptLogits()
    {
        const LabelledSet data = madeUpData(3, 3);
        ResultStore store(m_folder->path() / "kept.sqlite", ResultStore::Mode::Write);
        for (const bool keeps : {false, true}) {
            EvaluationSettings settings = madeUpSettings();
            settings.keep = keeps ? "logits" : "";
            const int64_t id = store.begin(settings, data, madeUpRuns(1), false);
            FinishedBatch batch = madeUpBatch(0, settings, data, 1, 2);  // the second cannot be read
            if (keeps)
                batch.logits = {{{0.5F, 1, 2}, {-1, -2.25F, 4}}};
            store.add(id, batch);
            store.setState(id, EvaluationState::Finished);
        }
        writePredictions(store, {}, m_folder->path() / "kept.npz");
        const Array logits = arraysOf(m_folder->path() / "kept.npz").at("logits.npy");
        QVERIFY(contains(logits.header, "'descr': '<f4'") && contains(logits.header, "'shape': (2,2,3,)"));
        const auto values = logits.values<float>();
        QCOMPARE(values.size(), size_t(12));
        QVERIFY(std::all_of(values.begin(), values.begin() + 6, [](float value) { return std::isnan(value); }));
        QCOMPARE(std::vector(values.begin() + 6, values.end()), (std::vector<float>{0.5F, 1, 2, -1, -2.25F, 4}));
        writePredictions(store, {.evaluations = {1}}, m_folder->path() / "none.npz");
        QVERIFY(!arraysOf(m_folder->path() / "none.npz").contains("logits.npy"));
        writePredictions(store, {}, m_folder->path() / "kept.json");
        QVERIFY(jsonFromText(textOf(m_folder->path() / "kept.json"))["runs"][1]["keep"] == "logits");
    }

    void whatCannotBeWrittenIsRefused()
    {
        QVERIFY_THROWS_EXCEPTION(UsageError, write("predictions.txt"));
        QVERIFY_THROWS_EXCEPTION(UsageError, write("none.csv", {.model = "pvt"}));
        evaluateMadeUp(*m_store, madeUpSettings(), madeUpData(40, 4, "/data/other"), madeUpRuns(1));
        QVERIFY_THROWS_EXCEPTION(UsageError, write("mixed.npz"));
        QVERIFY(!std::filesystem::exists(m_folder->path() / "mixed.npz"));
        write("one.npz", {.evaluations = {m_evaluation}});
    }

private:
    PredictionCounts write(const char* name, const ReportOptions& options = {})
    {
        return writePredictions(*m_store, options, m_folder->path() / name);
    }

    LabelledSet m_data = madeUpData(120, 10);
    std::unique_ptr<Folder> m_folder;
    std::unique_ptr<ResultStore> m_store;
    int64_t m_evaluation = 0;
};

ATTNSCOPE_TEST(Predictions)
#include "tst_predictions.moc"
