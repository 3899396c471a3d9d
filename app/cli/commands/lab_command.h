// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/input/arguments.h"
#include "app/cli/input/inputs.h"
#include "core/attention/backend_info.h"
#include "core/base/atomic_file.h"
#include "core/base/progress.h"
#include "core/figure/svg.h"
#include "core/lab/approximate.h"
#include "core/run/compare.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// What the commands that show a model inputs share: classify, compare and the laboratory's (approximate, layers, plan, scale).
namespace attnscope::cli {

class ProgressLine;

/// Options that name a model and what it looks at.
struct LabArguments {
    InputArguments inputs;
    ModelRequest model;
    DeviceArguments device;
    OutputArguments output;
    std::vector<std::string> attention;
    AroundAttention around;
    std::string out;          ///< a figure or tensors; empty: none
    ViewGrid usualViews{1, 1};  ///< of videos, where --views does not say
};

void addModelAndInputs(CLI::App& command, LabArguments& arguments);
/// And what all commands that compute end with.
void addLabArguments(CLI::App& command, LabArguments& arguments);
/// For commands that also take tensors alone (dumpedInput): --weights may be left out.
void allowTensorsAlone(CLI::App& command);

struct LabModel {
    std::shared_ptr<const Classifier> classifier;
    ModelSummary summary;
    std::vector<InputSource> sources;
};

/// What the inputs are, where the model must be known to tell.
using InputChoice = std::function<void(const Classifier& classifier, InputArguments& inputs)>;

/// Opens the model and lists the inputs.
LabModel openLab(LabArguments& arguments, std::stop_token stop, const InputChoice& choose = {});

/// Without a model: the one INPUT as a file of q, k and v. `others`: what else could be given instead, in the words of a remedy. Throws UsageError.
DumpedAttention dumpedInput(const LabArguments& arguments, const std::string& others);

/// The first of them, on standard error.
void listUnreadable(const std::vector<UnreadableInput>& unreadable);

/// Draws what an instrument reports.
ProgressCallback shownBy(ProgressLine& line);

/// "time.svg" or "time.csv", by its name.
template <typename Figure>
void writeFigure(const std::filesystem::path& file, const Figure& figure)
{
    writeFileAtomically(file, file.extension() == ".csv" ? csv(figure) : svg(figure, {.styles = seriesStyle}));
}
/// Before any work: throws UsageError where `file`, the value of `option`, is neither, FileError where it could not be written.
void checkFigureName(const std::string& option, const std::string& file);

}  // namespace attnscope::cli
