// The command line behind its launcher (app/cli/launcher): parses, runs one command, turns what it throws into one sentence and an exit
// code.
#include "app/brief_waiting.h"
#include "app/cli/commands/command.h"
#include "app/cli/help/completion_scripts.h"
#include "app/cli/help/fixed_texts_source.h"
#include "app/cli/help/man_pages.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "core/archive/open_archive.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/process/process_limit.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/device/cuda/cuda_libraries.h"
#include "core/device/freed_memory.h"
#include "core/device/torch_problem.h"
#include "core/distributed/launch.h"
#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/linear_timings.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <exception>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <new>
#include <sstream>
#include <stop_token>
#include <string_view>
#include <system_error>
#include <thread>
#include <typeinfo>

namespace attnscope::cli {

namespace {

// Where memory is limited (`ulimit -v`), libraries run out of it before `main`, and threads where nobody catches: a sentence and the
// exit code of a failure there too, instead of an abort.

/// One line on standard error, made of nothing that needs memory.
void reportOutOfMemory() noexcept
{
    constexpr char sentence[] = "attnscope-cli: there is not enough memory for this.\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence, sizeof sentence - 1);
}

std::terminate_handler usualEnd = nullptr;  // set once, before there is a second thread

[[noreturn]] void endOfProgram() noexcept
{
    const std::type_info* thrown = abi::__cxa_current_exception_type();
    if (thrown != nullptr && *thrown == typeid(std::bad_alloc)) {
        reportOutOfMemory();
        ::_exit(int(ExitCode::Failed));
    }
    usualEnd();
    ::_exit(int(ExitCode::Failed));
}

void beforeLibraries()
{
    usualEnd = std::set_terminate(endOfProgram);
}

/// The loader calls what stands here before it initialises any library.
[[gnu::used, gnu::section(".preinit_array")]] void (*const atTheVeryBeginning)() = beforeLibraries;

// Only what is safe in a signal handler: a counter and a pipe. A thread behind the pipe does the rest.
std::atomic<int> signalCount{0};
std::array<int, 2> signalPipe{-1, -1};

void onSignal(int)
{
    if (signalCount.fetch_add(1) > 0)
        ::_exit(int(ExitCode::Interrupted));
    const char byte = 's';
    const int kept = errno;
    [[maybe_unused]] const auto written = ::write(signalPipe[1], &byte, 1);
    errno = kept;
}

/// Turns the first Ctrl-C (or SIGTERM) into a stop request and lets a second one leave at once with exit code 130.
/// One object a process: signal handlers have no other home.
class Interrupt {
public:
    Interrupt()
    {
        if (::pipe2(signalPipe.data(), O_CLOEXEC) != 0)
            throw Unsupported("", "no pipe could be opened for signals");
        m_watcher = std::thread([this] { watch(); });
        struct sigaction action {};
        action.sa_handler = onSignal;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGINT, &action, nullptr);
        ::sigaction(SIGTERM, &action, nullptr);
        ::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of `write`
        ::signal(SIGXFSZ, SIG_IGN);  // so is a file that reaches the limit of its size: as good as a full disk
    }

    ~Interrupt()
    {
        ::signal(SIGINT, SIG_DFL);
        ::signal(SIGTERM, SIG_DFL);
        const char byte = 'q';
        [[maybe_unused]] const auto written = ::write(signalPipe[1], &byte, 1);
        m_watcher.join();
        ::close(signalPipe[0]);
        ::close(signalPipe[1]);
    }

    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    void watch()
    {
        char byte = 0;
        while (::read(signalPipe[0], &byte, 1) < 0 && errno == EINTR) {
        }
        if (byte != 's')
            return;
        if (launch().isFirst())  // of several that mpirun stops
            writeError("\nattnscope-cli: stopping after this step; press Ctrl-C again to quit immediately\n");
        m_source.request_stop();
    }

    std::stop_source m_source;
    std::thread m_watcher;
};

/// In the order in which help lists them.
constexpr std::initializer_list<AddCommand*> allCommands{
    addModelsCommand, addBackendsCommand,    addDevicesCommand,   addClassifyCommand, addCompareCommand,
    addAttendCommand, addApproximateCommand, addLayersCommand,    addPlanCommand,     addScaleCommand,
    addDecodeCommand, addNeighboursCommand,  addExitsCommand,     addInspectCommand,  addConvertCommand,
    addExportCommand, addGateCommand,        addTrainCommand,     addEvaluateCommand, addRepeatCommand,
    addReportCommand, addPredictionsCommand, addMergeCommand,     addDemoCommand,     addPluginCheckCommand,
    addDoctorCommand, addGpuCommand,         addCompletionCommand};

/// A word where a command is expected and none is: said with the alternatives, which CLI11 does not do.
void checkCommandName(int argc, char** argv, const CommandList& commands)
{
    const auto names = commands.names();
    const std::string known = "the commands are " + joinWords(names, "and");
    if (argc < 2)
        throw UsageError("", "no command was given", known + "; attnscope-cli --help explains them");
    const std::string word = argv[1];
    if (word.empty() || (word.front() != '-' && std::ranges::find(names, word) == names.end()))
        throw UsageError("", "unknown command `" + printable(word) + "`", known);
}

/// The options of the parsed command that are spelled most like an unknown one.
std::string alternatives(const CLI::App& command, const std::string& unknown)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return joinWords(nearestWords(unknown.substr(0, unknown.find('=')), names));
}

UsageError usageError(const CLI::App& app, const CLI::ParseError& error)
{
    const auto chosen = app.get_subcommands();
    const CLI::App& command = chosen.empty() ? app : *chosen.front();
    const std::string subject = chosen.empty() ? "" : command.get_name();
    const std::string help = "attnscope-cli " + subject + (chosen.empty() ? "" : " ")
                             + "--help explains the options";
    const auto remaining = app.remaining(true);
    const bool option = !remaining.empty() && remaining.front().size() > 1 && remaining.front().front() == '-';
    // A misspelt option is the cause, and the required one that is missing for it only the effect.
    if (option || (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !remaining.empty())) {
        const std::string& unknown = remaining.front();
        return UsageError(subject,
                          (option ? "unknown option `" : "unexpected argument `") + printable(unknown) + "`",
                          option ? "did you mean " + alternatives(command, unknown) + "?" : help);
    }
    std::string problem = printable(error.what());
    problem.erase(problem.find_last_not_of(" .\n") + 1);
    return UsageError(subject, problem, help);
}

/// True when everything was said already (help, version).
bool parse(CLI::App& app, int argc, char** argv)
{
    try {
        app.parse(argc, argv);
        return false;
    } catch (const CLI::Success& wanted) {
        std::ostringstream text, unused;
        app.exit(wanted, text, unused);
        writeData(text.str());
        return true;
    } catch (const CLI::ParseError& error) {
        throw usageError(app, error);
    }
}

/// An option that takes one value each time it is given is not shown as taking several ("SPEC ...").
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override
    {
        std::string text = CLI::Formatter::make_option_opts(option);
        const std::string several = " ...";
        const size_t at = text.find(several);
        if (at != std::string::npos && !option->get_positional() && !option->get_allow_extra_args())
            text.erase(at, several.size());
        return text;
    }
};

/// For the build: what the launcher prints, the manual pages and the completions. Nobody else asks for it, so that no help lists it.
void writeHelp(const CLI::App& app, const CommandList& commands, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder / "man");
    for (const auto& [name, page] : manPages(app, commands))
        writeFileAtomically(folder / "man" / name, page);
    for (const char* shell : completionShells)
        writeFileAtomically(folder / (std::string("completion.") + shell), completionScript(commands, shell));
    writeFileAtomically(folder / "fixed_text_table.cpp", fixedTextsSource(app, commands));
}

ExitCode runProgram(int argc, char** argv)
{
    Interrupt interrupt;
    CLI::App app(
        "Vision transformers with exact and efficient attention side by side: accuracy, latency, memory, error.",
        "attnscope-cli");
    app.set_version_flag("--version", std::string("attnscope-cli ") + version);
    app.require_subcommand(1);
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_formatter()->column_width(32);
    app.footer(
        "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some inputs were unreadable, 130 interrupted.");
    CommandList commands(app);
    for (AddCommand* add : allCommands)
        add(commands);
    if (argc == 3 && std::string_view(argv[1]) == "--write-help") {
        writeHelp(app, commands, argv[2]);
        return ExitCode::Done;
    }
    checkCommandName(argc, argv, commands);
    kernels::cpuKernels();  // throws where ATTNSCOPE_CPU asks for what this processor does not have
    if (parse(app, argc, argv))
        return ExitCode::Done;
    if (const auto cache = appFolder("XDG_CACHE_HOME", ".cache"); !cache.empty()) {
        kernels::keepLinearTimings(cache / "linear_layers.json");
        keepListings(cache / "listings");
    }
    for (const CommandList::Command& command : commands.all())
        if (command.app->parsed())
            return command.run(interrupt.token());
    return ExitCode::WrongUsage;
}

ExitCode guarded(int argc, char** argv)
{
    try {
        return runProgram(argc, argv);
    } catch (const Cancelled&) {
        if (launch().isFirst())
            writeMessage("stopped on request.");
        return ExitCode::Interrupted;
    } catch (const UsageError& error) {
        writeMessage(error.what());
        return ExitCode::WrongUsage;
    } catch (const std::bad_alloc&) {
        reportOutOfMemory();
        return ExitCode::Failed;
    } catch (const std::system_error& error) {
        const auto limit = reachedLimit(error.code().value());
        writeMessage(limit ? Error("", limit->problem, limit->remedy).what() : printable(error.what()));
        return ExitCode::Failed;
    } catch (const Error& error) {
        writeMessage(error.what());
        return ExitCode::Failed;
    } catch (const GpuLost& error) {
        writeMessage(error.what());
        return ExitCode::Failed;
    } catch (const c10::Error& error) {  // its what() asks for memory
        writeMessage(Error("", torchProblem(error, "do this", "there is not enough memory for this"),
                           "close other programs")
                         .what());
        return ExitCode::Failed;
    } catch (const std::exception& error) {
        writeMessage(
            Error("", "a library reports: " + printable(error.what()), "there may be too little memory").what());
        return ExitCode::Failed;
    }
}

}

}

int main(int argc, char** argv)
{
    attnscope::waitBriefly(argv);
    attnscope::restoreEnvironment();
    attnscope::keepFreedMemory();
    return int(attnscope::cli::guarded(argc, argv));
}
