#include "core/lab/layers/logit_terms.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/version.h"
#include "core/checkpoint/safetensors.h"
#include "core/lab/layers/logit_term_tensors.h"
#include "core/lab/opened_subject.h"
#include "core/lab/reference_file.h"
#include "core/run/predictions.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attnscope {

namespace {

std::vector<double> doublesOf(const at::Tensor& x)
{
    const auto values = x.to(at::kCPU, at::kDouble).contiguous();
    return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()};
}

/// (H,N) → [head][key].
std::vector<std::vector<float>> rowsByHead(const at::Tensor& x)
{
    std::vector<std::vector<float>> rows;
    for (int64_t head = 0; head < x.size(0); ++head)
        rows.push_back(floatsOf(x[head]));
    return rows;
}

LogitTermReport reportOf(const LogitTerms& terms, const FirstLayer& layer, const LogitTermRequest& request,
                         const std::stop_token& stop)
{
    LogitTermReport report;
    report.tokens = terms.tokens(), report.heads = terms.heads();
    report.prefix = layer.tokens.prefix, report.frames = layer.tokens.frames;
    report.grid = {layer.tokens.rows, layer.tokens.columns};
    report.largestResidual = std::nan("");
    std::optional<int64_t> query;
    if (request.query)
        query = queriedToken(*request.query, layer.tokens, terms.tokens(), report.grid);
    const auto fractions = terms.fractions(stop);
    for (size_t t = 0; t < logitTermCount; ++t)
        report.fractions[t] = doublesOf(fractions[t]);
    if (!query)
        return report;
    const auto row = terms.rows(*query, *query + 1);
    LogitTermMaps maps{.query = *query, .terms = {}, .logits = rowsByHead(sumOf(row).squeeze(1))};
    for (size_t t = 0; t < logitTermCount; ++t)
        maps.terms[t] = rowsByHead(row[t].squeeze(1));
    report.maps = std::move(maps);
    return report;
}

/// q and k of the first attention alone, as the network computes them.
class FirstAttention : public ForwardObserver {
public:
    void afterAttention(int64_t layer, const AttentionInput& input, const at::Tensor&) override
    {
        if (layer == 0)
            q = input.q[0].to(at::kDouble) * input.scale, k = input.k[0].to(at::kDouble);
    }

    at::Tensor q, k;  // (H,N,D), q scaled
};

/// Rows of at most 64 MB at a time.
double largestResidual(const LogitTerms& terms, const FirstAttention& seen, const std::stop_token& stop)
{
    const int64_t tokens = terms.tokens(),
                  block = std::clamp<int64_t>((1 << 20) / (terms.heads() * tokens), 1, tokens);
    double largest = 0;
    for (int64_t begin = 0; begin < tokens; begin += block) {
        checkStop(stop);
        const int64_t end = std::min(begin + block, tokens);
        const auto logits = at::matmul(seen.q.slice(1, begin, end), seen.k.transpose(-1, -2));
        largest = std::max(largest, (sumOf(terms.rows(begin, end)) - logits).abs().max().item<double>());
    }
    return largest;
}

LogitTermReport ofNetwork(const OpenedSubject& subject, const LogitTermRequest& request,
                          const std::stop_token& stop)
{
    const InputSource& input = subject.onlyInput();
    const NetworkInput view = openMeasuredView(input, *subject.network);
    const auto* source = dynamic_cast<const FirstLayerSource*>(subject.network.get());
    const auto layer = source != nullptr ? source->firstLayer(view.values) : std::nullopt;
    if (!layer)
        throw UsageError(subject.source, "it adds no position embedding right before its first attention",
                         "DeiT, and Motionformer with joint or trajectory attention, do");
    const LogitTerms terms(*layer);
    LogitTermReport report = reportOf(terms, *layer, request, stop);
    subject.describe(report, request.seed);
    PreparedAttention exact = subject.network->prepare(subject.exact(request.seed), request.seed);
    exact.drawFor(view.samples);
    FirstAttention seen;
    subject.network->logits(view.values, exact, &seen);
    report.largestResidual = largestResidual(terms, seen, stop);
    report.model->inputs.push_back({.path = input.path, .kind = input.kind});
    return report;
}

FirstLayer layerOf(const ReferenceFile& file)
{
    const DumpedCase described = file.described();
    const auto number = [&](const char* key, double low, double high) {
        const auto found = described.options.find(key);
        if (found == described.options.end() || !found->is_number() || !(found->get<double>() >= low)
            || found->get<double>() > high)
            throw FileError(file.name(),
                            std::string("the option `") + key + "` in its header is not a number in range",
                            "write the number of heads, and for eps a number from 0 to 1");
        return found->get<double>();
    };
    const auto take = [&](const char* tensor) {
        return file.read(tensor,
                         "give content and position (tokens, channels), and weight and bias of norm, q and k");
    };
    FirstLayer layer;
    layer.content = take("content"), layer.position = take("position");
    layer.normWeight = take("norm.weight"), layer.normBias = take("norm.bias");
    layer.queryWeight = take("q.weight"), layer.queryBias = take("q.bias");
    layer.keyWeight = take("k.weight"), layer.keyBias = take("k.bias");
    layer.heads = int64_t(number("heads", 1, 1 << 16));
    layer.eps = described.options.contains("eps") ? number("eps", 0, 1) : layer.eps;
    const DumpedLayout layout = dumpedLayout(described, file.name());
    layer.tokens.prefix = layout.prefix.value_or(0);
    if (!layout.grid)
        return layer;
    const int64_t tokens = layer.content.dim() > 0 ? layer.content.size(0) : 0;
    layer.tokens = {layer.tokens.prefix, layout.frames, layout.grid->rows, layout.grid->columns};
    if (layer.tokens.count() != tokens)
        throw FileError(file.name(),
                        "its " + std::to_string(tokens) + " tokens do not fill the grid in its header",
                        "prefix, and rows times columns times frames, must add up to the number of tokens");
    return layer;
}

LogitTermReport ofFile(const ReferenceFile& file, const LogitTermRequest& request, const std::stop_token& stop)
{
    const FirstLayer layer = layerOf(file);
    const LogitTerms terms(layer);
    LogitTermReport report = reportOf(terms, layer, request, stop);
    report.source = file.name();
    const auto whole = terms.rows(0, terms.tokens()), fractions = terms.fractions();
    for (size_t t = 0; t < logitTermCount; ++t) {
        const std::string name = toText(static_cast<LogitTerm>(t));
        file.compare("term." + name, whole[t], report.expected);
        file.compare("share." + name, fractions[t], report.expected);
    }
    file.compare("logits", sumOf(whole), report.expected);
    return report;
}

}

const char* toText(LogitTerm term)
{
    constexpr ByLogitTerm<const char*> names{"content-content",   "content-position", "position-content",
                                             "position-position", "global-content",   "global-position",
                                             "row-constant"};
    return names[size_t(term)];
}

LogitTermReport decomposeLogits(const LabSubject& subject, const LogitTermRequest& request, std::stop_token stop)
{
    return onSubject(subject, [&] {
        const auto* file = std::get_if<TensorFile>(&subject);
        return file != nullptr ? ofFile(ReferenceFile(*file), request, stop)
                               : ofNetwork(openSubject(subject, TensorLayers::Apart), request, stop);
    });
}

void writeTerms(const LogitTermReport& report, const std::filesystem::path& file)
{
    if (!report.maps)
        throw UsageError("--out", "the terms' maps need a query",
                         "specify it with --query class, or --query ROW,COLUMN");
    std::map<std::string, SafetensorsEntry> tensors{{"logits", entryOf(report.maps->logits)}};
    for (size_t t = 0; t < logitTermCount; ++t)
        tensors[std::string("terms.") + toText(static_cast<LogitTerm>(t))] = entryOf(report.maps->terms[t]);
    writeSafetensors(file, tensors,
                     {{"producer", std::string("attnscope ") + version},
                      {"model", report.source},
                      {"query", std::to_string(report.maps->query)},
                      {"grid", std::to_string(report.grid.rows) + "x" + std::to_string(report.grid.columns)},
                      {"prefix", std::to_string(report.prefix)},
                      {"frames", std::to_string(report.frames)}});
}

}
