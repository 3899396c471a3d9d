#include "ui/scale/scale_command.h"

#include "core/lab/decode/decode_options.h"
#include "core/lab/scale/scale_options.h"
#include "models/lab_options.h"

namespace attnscope::ui {

namespace {

/// Where q and k come from: random numbers, a file, or a model on its inputs.
template <typename Options, typename Request>
Options optionsOf(const SubjectJob<Request>& job, int threads)
{
    Options options;
    const SubjectRequest& subject = job.subject;
    options.inputs.paths = subject.inputs;
    if (subject.random)
        options.random = *subject.random;
    else if (subject.isModel())
        options.model = subject.model;
    else
        options.inputs.paths = {subject.file};
    options.device = {subject.model.device, subject.model.dtype, threads, job.request.seed};
    return options;
}

}

CommandLine commandOf(const ScaleRequest& request, int threads)
{
    ScaleOptions options;
    options.request = request;
    options.attention = canonical(request.attention);
    options.device = {request.device, request.dtype, threads, request.seed};
    return {"scale", options, {"--layers", "--dim", "--heads"}};
}

CommandLine commandOf(const DecodeRequest& request, int)
{
    DecodeOptions options;
    options.request = request;
    options.mechanisms = canonical(request.mechanisms);
    options.device = {"cpu", request.dtype, 0, request.seed};
    if (request.file.empty())
        return {"decode", options, {"--tokens", "--heads", "--head-size"}};
    const DecodeRequest made;
    options.request.tokens = made.tokens, options.request.heads = made.heads, options.request.width = made.width;
    return {"decode", options, {"--layer"}};
}

CommandLine commandOf(const ApproximateJob& job, int threads)
{
    auto options = optionsOf<ApproximateOptions>(job, threads);
    options.request = job.request;
    options.attention = canonical(job.request.attention);
    options.flat = canonical(job.request.flat);
    return {"approximate", options, {"--samples", "--seeds"}};
}

CommandLine commandOf(const KernelJob& job, int threads)
{
    auto options = optionsOf<ApproximateOptions>(job, threads);
    options.kernel = true;
    options.request.samples = {job.request.samples};
    return {"approximate", options, {"--samples"}};
}

CommandLine commandOf(const PlanJob& job, int threads)
{
    auto options = optionsOf<PlanOptions>(job, threads);
    options.request = job.request;
    options.attention = canonical(job.request.candidates);
    options.budget = std::string(toText(job.request.kind)) + "=" + shortestNumber(job.request.budget);
    if (!job.subject.labelled.empty()) {
        options.inputs.paths.push_back(job.subject.labelled);
        options.labelled = job.subject.samples;
    }
    return {"plan", options, {"--seeds"}};
}

}
