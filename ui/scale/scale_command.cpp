#include "ui/scale/scale_command.h"

#include "ui/style/qt_text.h"

namespace attnscope::ui {

namespace {

/// Where q and k come from: random numbers, a file, or a model on its inputs.
void addSubject(CommandLine& line, const SubjectRequest& subject)
{
    if (subject.random) {
        line.put("--random", subject.random->tokens);
        line.put("--head-size", subject.random->width);
    } else if (!subject.file.empty()) {
        line.input(subject.file);
    } else {
        for (const std::string& path : subject.inputs)
            line.input(path);
        if (!subject.labelled.empty()) {
            line.input(subject.labelled);
            line.put("--labelled", subject.samples);
        }
        line.model(subject.model);
    }
}

template <typename Request>
CommandLine finished(CommandLine line, const SubjectJob<Request>& job, int threads)
{
    line.device(job.subject.model.device, job.subject.model.dtype, job.request.seed);
    line.threads(threads);
    return line;
}

}

CommandLine commandOf(const ScaleRequest& request, int threads)
{
    CommandLine line("scale");
    line.attention(request.attention);
    line.put("--lengths", request.lengths);
    line.put("--layers", request.layers);
    line.put("--dim", request.width);
    line.put("--heads", request.heads);
    line.flag("--backward", request.backward);
    const ScaleRequest usual;  // of the command line, too
    line.put("--repetitions", request.minimumRepetitions, usual.minimumRepetitions);
    line.put("--seconds", request.minimumSeconds, usual.minimumSeconds);
    line.device(request.device, request.dtype, request.seed);
    line.threads(threads);
    return line;
}

CommandLine commandOf(const DecodeRequest& request, int)
{
    CommandLine line("decode");
    if (!request.file.empty())
        line.input(request.file.string());
    for (const StreamSpec& mechanism : request.mechanisms)
        line.put("--mechanism", mechanism.canonical());
    if (!request.positions.empty())
        line.put("--positions", request.positions);
    if (request.file.empty()) {
        line.put("--tokens", toQt(toText(request.tokens)));
        line.put("--heads", request.heads);
        line.put("--head-size", request.width);
    } else {
        line.put("--layer", request.layer);
    }
    const DecodeRequest usual;  // of the command line, too
    line.put("--tau", request.temperature, usual.temperature);
    line.put("--repetitions", request.minimumRepetitions, usual.minimumRepetitions);
    line.device("cpu", request.dtype, request.seed);
    return line;
}

CommandLine commandOf(const ApproximateJob& job, int threads)
{
    CommandLine line("approximate");
    addSubject(line, job.subject);
    line.attention(job.request.attention);
    for (const AttentionSpec& spec : job.request.flat)
        line.put("--flat", spec.canonical());
    line.put("--samples", job.request.samples);
    line.put("--seeds", job.request.seeds);
    return finished(line, job, threads);
}

CommandLine commandOf(const KernelJob& job, int threads)
{
    CommandLine line("approximate");
    addSubject(line, job.subject);
    line.flag("--kernel");
    line.put("--samples", job.request.samples);
    return finished(line, job, threads);
}

CommandLine commandOf(const PlanJob& job, int threads)
{
    CommandLine line("plan");
    addSubject(line, job.subject);
    line.attention(job.request.candidates);
    line.put("--budget", toQt(toText(job.request.kind)) + QLatin1Char('=') + QString::number(job.request.budget));
    line.put("--seeds", job.request.seeds);
    line.put("--rounds", job.request.rounds, PlanRequest().rounds);
    return finished(line, job, threads);
}

}
