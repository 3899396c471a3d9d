#include "core/store/result_store.h"
#include "tests/fuzz/fuzz_sentence.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

/// Results stores whose values somebody chose: sound as SQLite sees them, and read, and merged into another.
namespace {

using namespace attnscope;
using namespace attnscope::fuzz;
namespace fs = std::filesystem;

enum class Type { Integer, Real, Text, Blob };

struct Column {
    const char *table, *name;
    Type type;
};

constexpr std::array columns{Column{"data_set", "hash", Type::Text},
                             Column{"data_set", "class_hash", Type::Text},
                             Column{"data_set", "layout", Type::Integer},
                             Column{"data_set", "video", Type::Integer},
                             Column{"data_set", "files", Type::Integer},
                             Column{"class", "label", Type::Integer},
                             Column{"class", "name", Type::Text},
                             Column{"file", "sample", Type::Integer},
                             Column{"file", "path", Type::Text},
                             Column{"file", "label", Type::Integer},
                             Column{"evaluation", "uid", Type::Text},
                             Column{"evaluation", "data_set", Type::Integer},
                             Column{"evaluation", "identity", Type::Text},
                             Column{"evaluation", "whole_identity", Type::Text},
                             Column{"evaluation", "data_root", Type::Text},
                             Column{"evaluation", "facts", Type::Text},
                             Column{"evaluation", "shards", Type::Integer},
                             Column{"evaluation", "state", Type::Integer},
                             Column{"evaluation", "samples", Type::Integer},
                             Column{"evaluation", "done", Type::Integer},
                             Column{"evaluation", "unreadable", Type::Integer},
                             Column{"part", "number", Type::Integer},
                             Column{"part", "shard", Type::Integer},
                             Column{"part", "facts", Type::Text},
                             Column{"run", "position", Type::Integer},
                             Column{"run", "attention", Type::Text},
                             Column{"run", "facts", Type::Text},
                             Column{"run", "seconds", Type::Real},
                             Column{"run", "samples", Type::Integer},
                             Column{"run", "correct1", Type::Integer},
                             Column{"batch", "number", Type::Integer},
                             Column{"batch", "digest", Type::Text},
                             Column{"batch", "samples", Type::Blob},
                             Column{"answer", "sample", Type::Integer},
                             Column{"answer", "label", Type::Integer},
                             Column{"answer", "rank", Type::Integer},
                             Column{"answer", "answer", Type::Integer},
                             Column{"answer", "probability", Type::Real},
                             Column{"answer", "rest", Type::Blob},
                             Column{"logits", "sample", Type::Integer},
                             Column{"logits", "value", Type::Blob},
                             Column{"unreadable", "sample", Type::Integer},
                             Column{"unreadable", "reason", Type::Text},
                             Column{"class_count", "label", Type::Integer},
                             Column{"class_count", "samples", Type::Integer},
                             Column{"confusion", "label", Type::Integer},
                             Column{"confusion", "answer", Type::Integer},
                             Column{"confusion", "samples", Type::Integer}};

fs::path placeOf(const std::string& name)
{
    const fs::path memory = fs::is_directory("/dev/shm") ? "/dev/shm" : fs::temp_directory_path();
    return memory / ("attnscope-fuzz-" + std::to_string(::getpid()) + name);
}

void removeStore(const fs::path& file)
{
    for (const char* suffix : {"", "-wal", "-shm"})
        fs::remove(file.string() + suffix);
}

/// A finished evaluation of two attentions, as bytes.
std::string soundStore()
{
    const fs::path file = placeOf("-sound.sqlite");
    {
        ResultStore store(file, ResultStore::Mode::Write);
        LabelledSet data{.root = "/data",
                         .layout = FolderLayout::ImageNet,
                         .classes = {"cat", "dog"},
                         .files = {},
                         .notes = {}};
        for (int i = 0; i < 4; ++i)
            data.files.push_back({"/data/" + std::to_string(i) + ".jpg", i % 2});
        EvaluationSettings settings;
        settings.model = "tiny";
        settings.batch = 2;
        StoredRun first, second;
        first.attention = first.resolved = "softmax";
        second.attention = second.resolved = "lara";
        const int64_t id = store.begin(settings, data, {first, second}, false);
        for (int64_t batch = 0; batch < 2; ++batch) {
            FinishedBatch finished{.number = batch,
                                   .samples = {2 * batch},
                                   .predictions = {},
                                   .unreadable = {{2 * batch + 1, "cut off"}},
                                   .seconds = {0.1, 0.1}};
            SamplePrediction prediction;
            prediction.classes = {1, 0, -1, -1, -1};
            prediction.probabilities = {0.75f, 0.25f, 0, 0, 0};
            prediction.labelProbability = 0.25f;
            prediction.labelRank = 1;
            prediction.squaredProbabilities = 0.625f;
            finished.predictions = {{prediction}, {prediction}};
            finished.logits = {{{0, 1}}, {}};
            store.add(id, finished);
        }
        store.setState(id, EvaluationState::Finished);
    }
    std::ifstream stream(file, std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(stream), {});
    stream.close();
    removeStore(file);
    return bytes;
}

/// Takes what it needs from the front of the input.
class Input {
public:
    Input(const uint8_t* data, size_t size)
        : m_bytes(reinterpret_cast<const char*>(data), size)
    {}
    bool isEmpty() const { return m_bytes.empty(); }
    std::string_view take(size_t size)
    {
        const std::string_view front = m_bytes.substr(0, size);
        m_bytes.remove_prefix(front.size());
        return front;
    }
    template <typename Number>
    Number number()
    {
        Number value{};
        const std::string_view bytes = take(sizeof value);
        std::memcpy(&value, bytes.data(), bytes.size());
        return value;
    }

private:
    std::string_view m_bytes;
};

void change(SQLite::Database& database, Input& input)
{
    const Column& column = columns[input.number<uint8_t>() % columns.size()];
    const bool all = input.number<uint8_t>() % 2 == 0;
    const std::string where = all ? ""
                                  : std::string(" WHERE ") + column.name + " = (SELECT min(" + column.name
                                        + ") FROM " + column.table + ")";
    SQLite::Statement update(database, std::string("UPDATE OR IGNORE ") + column.table + " SET " + column.name
                                           + " = ?" + where);
    const auto text = [&] { return std::string(input.take(input.number<uint8_t>())); };
    switch (column.type) {
    case Type::Integer:
        update.bind(1, input.number<int64_t>());
        break;
    case Type::Real:
        update.bind(1, input.number<double>());
        break;
    case Type::Text:
        update.bind(1, text());
        break;
    case Type::Blob: {
        const std::string bytes = text();
        update.bind(1, bytes.data(), int(bytes.size()));
        break;
    }
    }
    update.exec();
}

void readEverything(const ResultStore& store)
{
    for (const bool hidden : {false, true})
        for (const StoredEvaluation& evaluation : store.evaluations(hidden)) {
            static_cast<void>(store.parts(evaluation.id));
            static_cast<void>(store.classes(evaluation.id));
            static_cast<void>(store.unreadable(evaluation.id, 0, -1));
            std::vector<int64_t> runs;
            for (const StoredRun& run : evaluation.runs) {
                runs.push_back(run.id);
                static_cast<void>(store.accuracy(run.id).value());
                static_cast<void>(store.classAccuracies(run.id));
                static_cast<void>(store.worstConfusions(run.id, 5));
                static_cast<void>(store.samples({.run = run.id, .predictions = PredictionsShown::All}));
                static_cast<void>(store.sampleCount({.run = run.id}));
            }
            static_cast<void>(store.pairs(runs));
        }
    static_cast<void>(store.trainings());
}

}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const std::string sound = soundStore();
    const fs::path file = placeOf(".sqlite"), merged = placeOf("-merged.sqlite");
    std::ofstream(file, std::ios::binary | std::ios::trunc) << sound;
    Input input(data, size);
    const bool merges = input.number<uint8_t>() % 4 == 0;
    try {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
        for (int i = 0; i < 8 && !input.isEmpty(); ++i)
            change(database, input);
    } catch (const SQLite::Exception&) {  // what SQLite itself does not accept
    }
    expectSentence([&] { readEverything(ResultStore(file, ResultStore::Mode::Read)); });
    if (merges)
        expectSentence([&] {
            ResultStore store(merged, ResultStore::Mode::Write);
            store.merge(file);
            readEverything(store);
        });
    removeStore(file);
    removeStore(merged);
    return 0;
}
