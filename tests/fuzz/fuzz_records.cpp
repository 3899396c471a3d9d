#include "app/cli/input/labels.h"
#include "core/attention/backend_info.h"
#include "core/base/json_text.h"
#include "core/checkpoint/json_file.h"
#include "core/lab/leaderboard/leaderboard_json.h"
#include "core/lab/neighbours/feature_store.h"
#include "core/report/gate.h"
#include "core/report/receipt.h"
#include "models/class_embeddings.h"
#include "models/training/train_request_json.h"
#include "tests/fuzz/fuzz_sentence.h"
#include "tests/fuzz/mutate_json.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// Of `AttentionSpec::parse` only the grammar matters here.
namespace attnscope {

const std::vector<BackendInfo>& backends()
{
    static const std::vector<BackendInfo> table = [] {
        BackendInfo softmax;
        softmax.name = "softmax";
        return std::vector<BackendInfo>{softmax};
    }();
    return table;
}

}

using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

/// A file in memory, which stays open and is removed at the end.
class InputFile {
public:
    ~InputFile() { std::filesystem::remove(m_path); }
    const std::filesystem::path& write(std::string_view bytes)
    {
        const auto size = static_cast<::ssize_t>(bytes.size());
        requireThat(::pwrite(m_descriptor, bytes.data(), bytes.size(), 0) == size
                    && ::ftruncate(m_descriptor, size) == 0);
        return m_path;
    }

private:
    static std::filesystem::path folder()
    {
        return std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
    }

    std::filesystem::path m_path = folder() / ("attnscope-fuzz-" + std::to_string(::getpid()) + ".json");
    int m_descriptor = ::open(m_path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
};

const std::filesystem::path& written(std::string_view bytes)
{
    static InputFile file;
    return file.write(bytes);
}

void checkReceipt(std::string_view text)
{
    const Receipt receipt = receiptFrom(readJson(written(text)), "receipt.json");
    requireThat(differences(receipt.conditions, receipt.conditions).empty());
    const Receipt again = receiptFrom(toJson(receipt), "again");
    requireThat(again.options == receipt.options && again.conditions == receipt.conditions
                && again.results == receipt.results);
}

void checkRecord(std::string_view text)
{
    const auto file = written(text);
    const GateReport report = gate({.base = file, .changed = file});
    requireThat(!report.failed());
    static_cast<void>(toJson(report).dump() + benchmarkJson(report).dump() + junitXml(report));
}

void checkLeaderboard(std::string_view text)
{
    const LeaderboardReport report = readLeaderboard(written(text));
    requireThat(differentSetup(report, report).empty());
}

void checkLabels(std::string_view text)
{
    constexpr int64_t classes = 3;
    const auto labels = cli::readLabels(written(text), classes, {});
    requireThat(std::ssize(labels) == classes);
    for (const std::string& label : labels)
        requireThat(printable(label) == label);
}

void checkDatastore(std::string_view bytes)
{
    const FeatureStore store(written(bytes));
    for (int64_t entry = 0; entry < store.rows().count; ++entry)
        static_cast<void>(store.path(entry));
    store.require({});
}

void checkEmbeddings(std::string_view bytes)
{
    const ClassEmbeddings embeddings = readClassEmbeddings(written(bytes));
    requireThat(embeddings.values.size() == embeddings.classes.size() * size_t(embeddings.width));
}

void checkTraining(std::string_view text)
{
    const TrainRequest request = trainRequestFromJson(jsonFromText(text), "training");
    requireThat(toJson(trainRequestFromJson(toJson(request), "again")) == toJson(request));
}

}

/// The length in front of a header of safetensors stays right, most of the time.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
    Mutator mutator(seed);
    std::string text(reinterpret_cast<const char*>(data), size);
    const std::string reader = mutator.takeReader(text);
    const uint64_t length = numberAt(text, 0, 8);
    if (text.size() > 8 && length <= text.size() - 8 && !mutator.oneIn(8)) {
        std::string header = text.substr(8, length);
        mutateJson(header, mutator);
        text = littleEndian(header.size(), 8) + header + text.substr(8 + length);
    } else {
        mutateJson(text, mutator);
    }
    return store(reader + text, data, size, maxSize);
}

/// Records and lists in files: the first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0)
        return 0;
    constexpr void (*readers[])(std::string_view) = {
        checkReceipt, checkRecord, checkLeaderboard, checkLabels, checkDatastore, checkEmbeddings, checkTraining};
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    expectSentence([&] { readers[data[0] % std::size(readers)](bytes); });
    return 0;
}
