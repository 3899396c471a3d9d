#include "app/cli/commands/command.h"
#include "app/cli/output/console.h"
#include "app/cli/output/progress_line.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/distributed/launch.h"
#include "core/train/training_json.h"
#include "models/training/train_options.h"
#include "models/training/training_store.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace attnscope::cli {

namespace {

struct TrainArguments {
    TrainOptions options;
    OutputOptions output;
    std::string store;  ///< a results store that keeps the epochs, too; empty: none
};

void visitOptions(TrainArguments& arguments, auto& visit)
{
    visitOptions(arguments.options, visit);
    visitOptions(arguments.output, visit);
    visit("--store", arguments.store, anyText(), "A results store that also records every epoch, for `report`");
}

std::string percentOf(double fraction)
{
    return fmt::format("{:.2f}", 100 * fraction);
}

std::string describe(const TrainingStart& start)
{
    std::string text = fmt::format("{}  {}  from {}\n", emphasised(printable(start.model)), start.attention,
                                   printable(start.weights));
    if (!start.teacher.empty())
        text += fmt::format("  teacher {}\n", printable(start.teacher));
    text += fmt::format("  {} of {} trained; {}, {} training and {}, {} of {} on {}\n", formatCount(start.trained),
                        formatCounted(start.parameters, "parameter"), counted(start.classes, "class", "classes"),
                        formatCount(start.trainingSamples),
                        formatCounted(start.validationSamples, "validation sample"),
                        counted(start.epochs, "epoch"), counted(start.stepsPerEpoch, "step"), start.device);
    if (start.resumedAt > 0)
        text += fmt::format("  resumes after epoch {}\n", start.resumedAt);
    for (const std::string& note : start.notes)
        text += "  " + printable(note) + "\n";
    return text;
}

/// Empty where there is nothing to say.
std::string notFiniteNote(const ValidationResult& result)
{
    return result.notFinite == 0
               ? ""
               : fmt::format(" ({} of {} {} non-finite logits and count as wrong)", result.notFinite,
                             counted(result.samples, "sample"), nounFor(result.notFinite, "has", "have"));
}

/// "12.50 34.17 … %", behind the first block, the second and so on.
std::string exitAccuracies(const ValidationResult& result)
{
    std::string text;
    for (const int64_t correct : result.exitsCorrect1)
        text += percentOf(double(correct) / double(std::max<int64_t>(result.samples, 1))) + " ";
    return text + "%";
}

std::string describe(const DistillationState& state)
{
    return fmt::format("top-1 {} %{}, relative attention error {}, KL to the teacher {}, same top-1 {} %",
                       percentOf(state.student.value()), notFiniteNote(state.student),
                       formatError(state.relativeError), formatError(state.divergence),
                       percentOf(state.agreement));
}

/// A line on standard output for each epoch, progress between them on standard error.
class TrainConsole : public TrainingObserver {
public:
    TrainConsole(const OutputOptions& output, bool tables, TrainingStore& store)
        : m_line(output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic)
        , m_tables(tables)
        , m_store(store)
    {}

    void onStart(const TrainingStart& start) override
    {
        print(describe(start));
        m_store.begin(start);
        m_line.start((start.epochs - start.resumedAt) * start.stepsPerEpoch, "steps");
    }

    void onStep(const TrainingStep& step) override
    {
        m_line.show(fmt::format("epoch {} · {}/{} · loss {:.3f} · {:.0f} samples/s", step.epoch, step.step,
                                step.steps, step.meanLoss, step.samplesPerSecond));
        m_line.advance();
    }

    void onValidation(const ValidationStep& step) override
    {
        m_line.show(fmt::format("validation · {}/{}", step.done, step.total));
    }

    void onEpoch(const EpochRecord& epoch) override
    {
        std::string text = fmt::format("epoch {:>3}  loss {:.4f}", epoch.epoch, epoch.trainingLoss);
        const auto& result = epoch.averageValidation ? epoch.averageValidation : epoch.validation;
        if (result)
            text += fmt::format("  validation loss {:.4f}  top-1 {} %  top-5 {} %", result->loss,
                                percentOf(result->value()), percentOf(result->top5().value()));
        if (result && !result->exitsCorrect1.empty())
            text += "  exits " + exitAccuracies(*result);
        if (epoch.averageValidation)
            text += fmt::format("  (EMA; raw weights {} %)", percentOf(epoch.validation->value()));
        text += fmt::format("  lr {:.2e}  {:.0f} samples/s{}\n", epoch.learningRate,
                            epoch.seconds > 0 ? double(epoch.samples) / epoch.seconds : 0,
                            epoch.best ? "  best" : "");
        print(text);
        if (const std::string problem = m_store.add(epoch); !problem.empty())
            m_line.message(problem);
    }

    void onDistillation(const DistillationState& before) override { print("before: " + describe(before) + "\n"); }
    void onMessage(const std::string& sentence) override
    {
        ++m_unreadable;
        m_line.message(sentence);
    }

    int64_t unreadable() const { return m_unreadable; }
    void finish() { m_line.finish(); }

private:
    void print(const std::string& text)
    {
        if (m_tables)
            writeData(text);
    }

    ProgressLine m_line;
    bool m_tables;
    TrainingStore& m_store;
    int64_t m_unreadable = 0;
};

std::string summary(const TrainingReport& report)
{
    std::string text;
    if (report.teacher)
        text += fmt::format("teacher: top-1 {} % of {} validation samples{}\n", percentOf(report.teacher->value()),
                            report.teacher->samples, notFiniteNote(*report.teacher));
    if (report.before)
        text += "before:  " + describe(*report.before) + "\n";
    if (report.after)
        text += "after:   " + describe(*report.after) + "\n";
    text += "written: " + printable(report.output)
            + (report.best.empty() ? "" : ", best epoch " + printable(report.best)) + "\n";
    return text;
}

/// What repeats the training.
std::string commandOf(TrainOptions options)
{
    options.request.resume = options.request.overwrite = false;
    return commandLine("train", options);
}

ExitCode run(TrainArguments& arguments, std::stop_token stop)
{
    const JsonTarget target(arguments.output.json);
    const TrainRequest request = arguments.options.requestOn(chooseDevice(arguments.options.device));
    // Of several processes the first one writes.
    TrainingStore store(launch().isFirst() ? arguments.store : "", request.output, commandOf(arguments.options));
    TrainConsole console(arguments.output, !target.replacesTables(), store);
    TrainingReport report;
    try {
        report = train(request, console, stop);
    } catch (const Cancelled&) {
        console.finish();
        if (launch().isFirst())
            writeMessage("stopped; the same command with --resume continues after the last finished epoch.");
        throw;
    }
    console.finish();
    if (launch().isFirst())
        target.print(summary(report), toJson(report));
    return console.unreadable() > 0 ? ExitCode::SomeUnreadable : ExitCode::Done;
}

}

void addTrainCommand(CommandList& commands)
{
    commands.add<TrainArguments>(
        "train",
        "Trains from scratch, fine-tunes, or distils a softmax model into the same one with another attention",
        {"train imagenet --model deit_tiny_patch16_224 --out deit_tiny.safetensors",
         "train scenes --init softmax.safetensors --distil-from softmax.safetensors --attention "
         "lara:samples=49,proposal=mixed --out lara.safetensors",
         "train scenes --init softmax.safetensors --attention performer --out performer.safetensors --resume",
         "train scenes --init at_112.safetensors --image-size 224 --out at_224.safetensors --epochs 2 --lr 3e-4",
         "train scenes --init softmax.safetensors --exits --out exits.safetensors --epochs 5 --warmup 1 --augment "
         "light"},
        run);
}

}
