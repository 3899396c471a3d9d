#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/input/inputs.h"
#include "app/cli/output/console.h"
#include "app/cli/output/progress_line.h"
#include "core/attention/backend_info.h"
#include "core/base/atomic_file.h"
#include "core/base/progress.h"
#include "core/figure/svg.h"
#include "core/lab/subject.h"
#include "models/compared_networks.h"
#include "models/lab_options.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// What the commands that show a model inputs share: classify, compare and the laboratory's (approximate, layers, plan, scale).
namespace attnscope::cli {

/// For commands that also take tensors alone (openSubject): --weights may be left out.
void allowTensorsAlone(CLI::App& command);

struct LabModel : NetworkInputs {
    ModelSummary summary;
};

/// The networks of columns.
struct OpenedColumns {
    std::vector<ModelRequest> checkpoints;
    std::vector<ComparedNetwork> networks;
    std::vector<AttentionSpec> columns;
};
/// Opens the networks of these checkpoints that these attentions are in, on a device that was chosen (chooseDevice). Throws what opening the
/// first throws.
OpenedColumns openNetworks(std::vector<ModelRequest> checkpoints, const DeviceOptions& options,
                           const std::string& device, const Limits& limits,
                           const std::vector<AttentionSpec>& attention, bool hashFiles);

/// The networks of columns and what they look at.
struct LabColumns : OpenedColumns {
    std::vector<InputSource> inputs;
    ModelSummary summary;  ///< of the first network
};
/// Opens the networks of these checkpoints that these attentions are in, and lists the inputs; files are hashed for JSON alone. Throws what
/// opening the first throws.
LabColumns openColumns(LabOptions& options, std::vector<ModelRequest> checkpoints,
                       const std::vector<AttentionSpec>& attention, std::stop_token stop);

/// What the inputs are, where the model must be known to tell.
using InputChoice = std::function<void(const Classifier& classifier, InputOptions& inputs)>;

/// Opens the model and lists the inputs.
LabModel openLab(LabOptions& options, std::stop_token stop, const InputChoice& choose = {});

/// What the arguments name: a model and its inputs, random numbers, or the one INPUT as a file of q, k and v. `others`: what else could be
/// given instead of that, in the words of a remedy. Throws UsageError.
LabSubject openSubject(LabOptions& options, std::stop_token stop, const std::string& others);

/// Draws what an instrument reports.
ProgressCallback shownBy(ProgressLine& line);

/// How a command shows its progress and what it found.
class LabConsole {
public:
    /// Throws FileError where the JSON could not be written.
    explicit LabConsole(const OutputOptions& output);

    ProgressLine& line() { return m_line; }
    ProgressCallback progress() { return shownBy(m_line); }
    /// Takes the progress away, names the first of the unreadable inputs on standard error, and prints tables and JSON. Done or
    /// SomeUnreadable; throws Cancelled for what was measured until a stop.
    ExitCode print(const std::string& tables, const Json& json, bool complete = true,
                   const std::vector<UnreadableInput>& unreadable = {});

private:
    JsonTarget m_target;
    ProgressLine m_line;
};

/// "time.svg" or "time.csv", by its name.
template <typename Figure>
void writeFigure(const std::filesystem::path& file, const Figure& figure)
{
    writeFileAtomically(file, file.extension() == ".csv" ? csv(figure) : svg(figure, {.styles = seriesStyle}));
}
/// Before any work: throws UsageError where `file`, the value of `option`, is neither, FileError where it could not be written.
void checkFigureName(const std::string& option, const std::string& file);

}
