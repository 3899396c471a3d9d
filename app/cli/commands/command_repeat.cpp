#include "app/cli/commands/command_evaluate.h"

#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/json_file.h"
#include "core/report/receipt.h"
#include "models/evaluate_options.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace attnscope::cli {

namespace {

namespace fs = std::filesystem;

struct RepeatArguments {
    std::string receipt, folder, weights, model, classEmbeddings, labels, store;
    int64_t threads = 0, workers = 0;
    OutputOptions output;
};

void visitOptions(RepeatArguments& arguments, auto& visit)
{
    visit("RECEIPT", arguments.receipt, requiredText(""), "A file that `evaluate --receipt` wrote");
    visit("FOLDER", arguments.folder, requiredText(""), "The data set, or the list, that was evaluated");
    visit("--weights", arguments.weights, anyText(), "The weights that were evaluated; none for untrained ones");
    visit("--model", arguments.model, anyText(), "The description of the model, where that was a file");
    visit("--class-embeddings", arguments.classEmbeddings, anyText(),
          "The embeddings of classes that were given, if any");
    visit("--labels", arguments.labels, anyText(), "The class names that were given, if any");
    visit("--store", arguments.store, anyText(), "Keep the results in this store");
    visit("--threads", arguments.threads, within(0, 1024), "Threads of the network; 0: one per core");
    visit("--workers", arguments.workers, within(0, 1024), "Threads that read and preprocess; 0: as many");
    visitOptions(arguments.output, visit);
}

/// A folder for the results, which goes when they have been compared.
class Workplace {
public:
    Workplace()
    {
        std::string pattern = (fs::temp_directory_path() / "attnscope-repeat-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw FileError(fs::temp_directory_path().string(), "no folder can be made there for the results",
                            "set TMPDIR to another folder");
        m_folder = pattern;
    }
    ~Workplace()
    {
        std::error_code error;
        fs::remove_all(m_folder, error);
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    fs::path file(const char* name) const { return m_folder / name; }

private:
    fs::path m_folder;
};

Receipt readReceipt(const fs::path& path, const Limits& limits)
{
    std::error_code error;
    if (fs::file_size(path, error) > static_cast<std::uintmax_t>(limits.jsonBytes) && !error)
        throw FileError(path.string(), "it is too large for a receipt",
                        "give a file that `evaluate --receipt` wrote");
    if (!fs::is_regular_file(path, error))
        throw FileError(path.string(), "the receipt cannot be read", "check the path and its permissions");
    return receiptFrom(readJson(path), path.string());
}

/// A receipt may say how to evaluate, but neither which files to read or write, nor what to load.
void checkOptions(const std::vector<std::string>& options, const std::string& receipt)
{
    for (size_t i = 0; i < options.size(); ++i) {
        std::error_code error;
        const bool namesFile = options[i] == "--model" && i + 1 < options.size()
                               && fs::exists(options[i + 1], error);
        if (namesFile || !isReceiptOption(options[i]))
            throw FileError(receipt, fmt::format("a receipt may not ask for `{}`", printable(options[i])),
                            "give a file that `evaluate --receipt` wrote");
        i += options[i] == "--plain" ? 0 : 1;
    }
}

/// The words of the command that evaluates as the receipt says.
std::vector<std::string> wordsFor(const RepeatArguments& arguments, const Receipt& receipt, const fs::path& store,
                                  const fs::path& own)
{
    std::vector<std::string> words{arguments.folder, "--store",    store.string(),
                                   "--receipt",      own.string(), "--no-measuring"};
    const auto add = [&](const char* option, const std::string& value, bool given) {
        if (given)
            words.insert(words.end(), {option, value});
    };
    add("--weights", arguments.weights, !arguments.weights.empty());
    add("--model", arguments.model, !arguments.model.empty());
    add("--class-embeddings", arguments.classEmbeddings, !arguments.classEmbeddings.empty());
    add("--labels", arguments.labels, !arguments.labels.empty());
    add("--threads", std::to_string(arguments.threads), arguments.threads > 0);
    add("--workers", std::to_string(arguments.workers), arguments.workers > 0);
    if (arguments.output.quiet)
        words.emplace_back("--quiet");
    if (std::ranges::find(receipt.options, "--sampling") == receipt.options.end())
        words.insert(words.end(),
                     {"--sampling", publishedSampling});  // of images, or by a version that knew no other
    words.insert(words.end(), receipt.options.begin(), receipt.options.end());
    return words;
}

/// Through the command itself, so that both mean the same.
void evaluateAgain(const std::vector<std::string>& words, const std::string& receipt, std::stop_token stop)
try {
    EvaluateOptions options = evaluateOptionsOf(words);
    std::vector<int64_t> evaluations;
    evaluateWithoutTables(options, evaluations, std::move(stop));
} catch (const CLI::ParseError& error) {
    throw FileError(receipt,
                    fmt::format("its options are not those of this version ({})", printable(error.what())),
                    "repeat it with the version that wrote it");
}

Json toJson(const std::vector<ReceiptDifference>& found)
{
    return jsonList(found, [](const ReceiptDifference& one) {
        return Json{{"name", one.name}, {"receipt", one.before}, {"now", one.now}};
    });
}

std::string differencesTable(const std::vector<ReceiptDifference>& found)
{
    constexpr size_t maxShown = 48;
    const auto shortened = [](const std::string& text) {
        return printable(text.size() > maxShown ? text.substr(0, maxShown) + "…" : text);
    };
    Table table = tableOf({"differs", "receipt", "now"});
    for (const ReceiptDifference& one : found)
        table.addTexts({printable(one.name), shortened(one.before), shortened(one.now)});
    return terminalTable(table);
}

ExitCode run(RepeatArguments& arguments, std::stop_token stop)
{
    const JsonTarget target(arguments.output.json);
    const Receipt receipt = readReceipt(arguments.receipt, {});
    checkOptions(receipt.options, arguments.receipt);
    const Workplace workplace;
    const fs::path own = workplace.file("receipt.json");
    const fs::path store = arguments.store.empty() ? workplace.file("results.sqlite") : fs::path(arguments.store);
    evaluateAgain(wordsFor(arguments, receipt, store, own), arguments.receipt, std::move(stop));
    const Receipt now = readReceipt(own, {});
    const auto conditions = differences(receipt.conditions, now.conditions),
               results = differences(receipt.results, now.results);
    std::string text = results.empty() ? fmt::format("The results are the same: {} of {}, bit for bit.\n",
                                                     counted(int64_t(receipt.results.size()), "result"),
                                                     printable(arguments.receipt))
                                       : "The results differ:\n\n" + differencesTable(results);
    text += conditions.empty() ? "So is everything that they depend on.\n"
                               : "\nWhat they depend on differs:\n\n" + differencesTable(conditions);
    target.print(text,
                 {{"same", results.empty()}, {"results", toJson(results)}, {"conditions", toJson(conditions)}});
    return results.empty() ? ExitCode::Done : ExitCode::Failed;
}

}

void addRepeatCommand(CommandList& commands)
{
    commands.add<RepeatArguments>(
        "repeat", "Repeats an evaluation from its receipt and says what differs",
        {"repeat receipt.json imagenet/val --weights deit_tiny.safetensors",
         "repeat receipt.json imagenet/val --weights deit_tiny.safetensors --threads 1 --json -"},
        run);
}

}
