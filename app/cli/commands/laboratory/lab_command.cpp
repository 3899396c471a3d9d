#include "app/cli/commands/laboratory/lab_command.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/text.h"

#include <algorithm>

namespace attnscope::cli {

namespace {

/// Its header is JSON behind a length of eight bytes. True where the file cannot be read: who reads it says why.
bool mayBeSafetensors(const std::string& path)
{
    const std::vector<uint8_t> start = firstBytes(path, 9);
    return start.size() < 9 || start.back() == '{';
}

}

void allowTensorsAlone(CLI::App& command)
{
    command.get_option("--weights")
        ->required(false)
        ->description("A checkpoint (safetensors or .pth), or untrained[:SEED]; without it, INPUT is one file "
                      "with q, k and v "
                      "(layers, heads, tokens, channels)");
}

LabModel openLab(LabOptions& options, std::stop_token stop, const InputChoice& choose)
{
    const std::string device = chooseDevice(options.device);
    const ImageReader read = imageReader(options.inputs);
    LabModel lab;
    lab.classifier = openModel(modelRequest(options.model, options.device, device, options.inputs.limits));
    lab.summary = summary(*lab.classifier);
    if (choose)
        choose(*lab.classifier, options.inputs);
    const ViewRequest views = viewRequest(options.inputs, options.defaultViews, lab.summary,
                                          evaluationTransform(*lab.classifier));
    const VideoOpener open = videoOpener(options.inputs, views, stop);
    lab.inputs = inputSources(options.inputs, {read, open}, lab.summary.input.size());
    return lab;
}

OpenedColumns openNetworks(std::vector<ModelRequest> checkpoints, const DeviceOptions& options,
                           const std::string& device, const Limits& limits,
                           const std::vector<AttentionSpec>& attention, bool hashFiles)
{
    std::vector<std::string> files;
    for (ModelRequest& request : checkpoints) {
        request = modelRequest(request, options, device, limits);
        files.push_back(request.weights);
    }
    OpenedColumns opened{.checkpoints = std::move(checkpoints)};
    opened.columns = columnsOf(attention, files, options.dtype);
    opened.networks = attnscope::openNetworks(opened.checkpoints, opened.columns, hashFiles);
    if (opened.networks.size() > 1)
        opened.columns = withoutEqualColumns(opened.columns, opened.networks);
    return opened;
}

LabColumns openColumns(LabOptions& options, std::vector<ModelRequest> checkpoints,
                       const std::vector<AttentionSpec>& attention, std::stop_token stop)
{
    const std::string device = chooseDevice(options.device);
    InputReaders readers{.image = imageReader(options.inputs)};
    LabColumns lab{openNetworks(std::move(checkpoints), options.device, device, options.inputs.limits, attention,
                                !options.output.json.empty())};
    const auto openerFor = [=](const Classifier& network) {
        return videoOpener(
            options.inputs,
            viewRequest(options.inputs, options.defaultViews, summary(network), evaluationTransform(network)),
            stop);
    };
    const std::shared_ptr<const Classifier> first = lab.networks.front().classifier;
    readers.video = openerFor(*first);
    if (lab.networks.size() > 1)
        readers.otherVideo = [=](const std::string& path, const Classifier& network) {
            return openerFor(network)(path);
        };
    lab.summary = summary(*first);
    lab.inputs = inputSources(options.inputs, readers, lab.summary.input.size());
    return lab;
}

LabSubject openSubject(LabOptions& options, std::stop_token stop, const std::string& others)
{
    const auto& paths = options.inputs.paths;
    const bool ofModel = !options.model.weights.empty(), isRandom = options.random.tokens > 0;
    if (isRandom && (ofModel || !paths.empty()))
        throw UsageError("--random", "random numbers need no INPUT and no --weights",
                         "leave out INPUT and --weights, or --random");
    if (ofModel && paths.empty())
        throw UsageError("", "INPUT is missing", "give an image or a video");
    if (ofModel)
        return openLab(options, std::move(stop));
    const std::string device = chooseDevice(options.device);
    if (isRandom) {
        const RandomTensors& sizes = options.random;
        return RandomTensors{sizes.tokens,        sizes.width,         sizes.heads,
                             options.device.seed, options.temperature, device};
    }
    if (paths.size() != 1 || !mayBeSafetensors(paths.front()))
        throw UsageError(paths.size() == 1 ? printable(paths.front()) : "INPUT",
                         "without --weights, INPUT is one safetensors file with q, k and v",
                         "give --weights, " + others);
    return TensorFile{paths.front(), {}, options.temperature, device, options.inputs.limits};
}

LabConsole::LabConsole(const OutputOptions& output)
    : m_target(output.json)
    , m_line(output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic)
{}

ProgressCallback shownBy(ProgressLine& line)
{
    line.start(0, "");
    return [&line](const Progress& progress) {
        const std::string count = std::to_string(progress.done) + " of " + std::to_string(progress.total);
        line.show(progress.what + (progress.total > 0 ? " " + count : ""));
    };
}

ExitCode LabConsole::print(const std::string& tables, const Json& json, bool complete,
                           const std::vector<UnreadableInput>& unreadable)
{
    constexpr size_t maxReportedLines = 20;
    m_line.finish();
    for (size_t i = 0; i < std::min(unreadable.size(), maxReportedLines); ++i)
        writeMessage(printable(unreadable[i].path) + ": " + unreadable[i].reason);
    if (unreadable.size() > maxReportedLines)
        writeMessage("more unreadable samples are listed in the JSON.");
    m_target.print(tables, json);
    if (!complete)
        throw Cancelled();
    return unreadable.empty() ? ExitCode::Done : ExitCode::SomeUnreadable;
}

void checkFigureName(const std::string& option, const std::string& file)
{
    const auto suffix = std::filesystem::path(file).extension();
    if (!file.empty() && suffix != ".svg" && suffix != ".csv")
        throw UsageError(option, "`" + printable(file) + "` is neither a figure nor its data",
                         "use the extension .svg or .csv");
    if (!file.empty())
        requireWritable(file);
}

}
