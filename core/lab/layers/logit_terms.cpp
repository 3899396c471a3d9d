// SPDX-License-Identifier: Apache-2.0
#include "core/lab/layers/logit_terms.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/version.h"
#include "core/checkpoint/safetensors.h"
#include "core/device/torch_problem.h"
#include "core/lab/attend/dumped_case.h"
#include "core/lab/layers/logit_term_tensors.h"
#include "core/lab/layers/opened_input.h"
#include "core/run/predictions.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
    for (std::int64_t head = 0; head < x.size(0); ++head)
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
    std::optional<std::int64_t> query;
    if (request.query)
        query = queriedToken(*request.query, layer.tokens, terms.tokens(), report.grid);
    const auto fractions = terms.fractions(stop);
    for (std::size_t t = 0; t < logitTermCount; ++t)
        report.fractions[t] = doublesOf(fractions[t]);
    if (!query)
        return report;
    const auto row = terms.rows(*query, *query + 1);
    LogitTermMaps maps{.query = *query, .terms = {}, .logits = rowsByHead(sumOf(row).squeeze(1))};
    for (std::size_t t = 0; t < logitTermCount; ++t)
        maps.terms[t] = rowsByHead(row[t].squeeze(1));
    report.maps = std::move(maps);
    return report;
}

/// q and k of the first attention alone, as the network computes them.
class FirstAttention : public ForwardObserver {
public:
    void afterAttention(std::int64_t layer, const AttentionInput& input, const at::Tensor&) override
    {
        if (layer == 0)
            q = input.q[0].to(at::kDouble) * input.scale, k = input.k[0].to(at::kDouble);
    }

    at::Tensor q, k;  // (H,N,D), q scaled
};

/// Rows of at most 64 MB at a time.
double largestResidual(const LogitTerms& terms, const FirstAttention& seen, const std::stop_token& stop)
{
    const std::int64_t tokens = terms.tokens(),
                       block = std::clamp<std::int64_t>((1 << 20) / (terms.heads() * tokens), 1, tokens);
    double largest = 0;
    for (std::int64_t begin = 0; begin < tokens; begin += block) {
        checkStop(stop);
        const std::int64_t end = std::min(begin + block, tokens);
        const auto logits = at::matmul(seen.q.slice(1, begin, end), seen.k.transpose(-1, -2));
        largest = std::max(largest, (sumOf(terms.rows(begin, end)) - logits).abs().max().item<double>());
    }
    return largest;
}

LogitTermReport ofNetwork(const Classifier& classifier, const InputSource& input, const LogitTermRequest& request,
                          const std::stop_token& stop)
{
    RunReport model = beginReport(classifier, {.seed = request.seed});
    const NetworkInput view = openMeasuredView(input, classifier);
    const auto* source = dynamic_cast<const FirstLayerSource*>(&classifier);
    const auto layer = source != nullptr ? source->firstLayer(view.values) : std::nullopt;
    if (!layer)
        throw UsageError(classifier.describe().name,
                         "it adds no position embedding right before its first attention",
                         "DeiT, and Motionformer with joint or trajectory attention, do");
    const LogitTerms terms(*layer);
    LogitTermReport report = reportOf(terms, *layer, request, stop);
    PreparedAttention exact = classifier.prepare(classifier.prepare(AttentionSpec::native(), request.seed).exact,
                                                 request.seed);
    exact.drawFor(view.samples);
    FirstAttention seen;
    classifier.logits(view.values, exact, &seen);
    report.largestResidual = largestResidual(terms, seen, stop);
    report.source = classifier.describe().name;
    model.inputs.push_back({.path = input.path, .kind = input.kind});
    report.model = std::move(model);
    return report;
}

/// A file whose header describes the terms.
class TermFile {
public:
    explicit TermFile(const DumpedAttention& dump)
        : m_name(dump.file.string())
        , m_state(readSafetensors(openFile(dump.file), dump.limits))
    {
        const auto cases = dumpedCases(m_state.metadata, m_name);
        if (cases.size() == 1)
            m_case = cases.front();
    }

    [[nodiscard]] FirstLayer read() const
    {
        FirstLayer layer;
        layer.content = take("content"), layer.position = take("position");
        layer.normWeight = take("norm.weight"), layer.normBias = take("norm.bias");
        layer.queryWeight = take("q.weight"), layer.queryBias = take("q.bias");
        layer.keyWeight = take("k.weight"), layer.keyBias = take("k.bias");
        layer.heads = static_cast<std::int64_t>(number("heads", 1, 1 << 16));
        layer.eps = m_case.options.contains("eps") ? number("eps", 0, 1) : layer.eps;
        const DumpedLayout layout = dumpedLayout(m_case, m_name);
        layer.tokens.prefix = layout.prefix.value_or(0);
        if (!layout.grid)
            return layer;
        const std::int64_t tokens = layer.content.dim() > 0 ? layer.content.size(0) : 0;
        layer.tokens = {layer.tokens.prefix, layout.frames, layout.grid->rows, layout.grid->columns};
        if (layer.tokens.count() != tokens)
            throw FileError(m_name, "its " + std::to_string(tokens) + " tokens do not fill the grid in its header",
                            "prefix, and rows times columns times frames, must add up to the number of tokens");
        return layer;
    }

    void compare(const LogitTerms& terms, LogitTermReport& report) const
    {
        const double tolerance = std::max(1e-5, 20 * m_case.float32Difference);
        const auto whole = terms.rows(0, terms.tokens());
        const auto fractions = terms.fractions();
        const auto check = [&](const std::string& name, const at::Tensor& ours) {
            if (m_state.tensors.count(name) == 0)
                return;
            const auto stored = take(name);
            const double difference = stored.sizes() == ours.sizes() ? (stored - ours).abs().max().item<double>()
                                                                     : std::numeric_limits<double>::infinity();
            report.expected.push_back({name, difference, tolerance});
        };
        for (std::size_t t = 0; t < logitTermCount; ++t) {
            const std::string name = toText(static_cast<LogitTerm>(t));
            check("term." + name, whole[t]);
            check("share." + name, fractions[t]);
        }
        check("logits", sumOf(whole));
    }

private:
    [[nodiscard]] at::Tensor take(const std::string& name) const
    {
        const auto found = m_state.tensors.find(name);
        if (found == m_state.tensors.end())
            throw FileError(m_name, "it has no tensor `" + name + "`",
                            "give content and position (tokens, channels), and weight and bias of norm, q and k");
        auto values = found->second.readFloat();
        const auto tensor = at::from_blob(values.data(), found->second.shape, at::kFloat).to(at::kDouble);
        if (!tensor.isfinite().all().item<bool>())
            throw FileError(m_name, "`" + name + "` has values that are not finite", "terms need finite values");
        return tensor;
    }

    double number(const char* key, double low, double high) const
    {
        const auto found = m_case.options.find(key);
        if (found == m_case.options.end() || !found->is_number() || !(found->get<double>() >= low)
            || found->get<double>() > high)
            throw FileError(m_name, std::string("the option `") + key + "` in its header is not a number in range",
                            "write the number of heads, and for eps a number from 0 to 1");
        return found->get<double>();
    }

    std::string m_name;
    StateDict m_state;
    DumpedCase m_case;
};

LogitTermReport ofFile(const DumpedAttention& dump, const LogitTermRequest& request, const std::stop_token& stop)
{
    const TermFile file(dump);
    const FirstLayer layer = file.read();
    const LogitTerms terms(layer);
    LogitTermReport report = reportOf(terms, layer, request, stop);
    report.source = dump.file.string();
    file.compare(terms, report);
    return report;
}

}  // namespace

const char* toText(LogitTerm term)
{
    constexpr ByLogitTerm<const char*> names{"content-content",   "content-position", "position-content",
                                             "position-position", "global-content",   "global-position",
                                             "row-constant"};
    return names[static_cast<std::size_t>(term)];
}

LogitTermReport decomposeLogits(const Classifier& classifier, const InputSource& input,
                                const LogitTermRequest& request, std::stop_token stop)
{
    const c10::InferenceMode guard;
    return guardTorch(input.path, [&] { return ofNetwork(classifier, input, request, stop); });
}

LogitTermReport decomposeLogits(const DumpedAttention& dump, const LogitTermRequest& request, std::stop_token stop)
{
    const c10::InferenceMode guard;
    return guardTorch(dump.file.string(), [&] { return ofFile(dump, request, stop); });
}

void writeTerms(const LogitTermReport& report, const std::filesystem::path& file)
{
    if (!report.maps)
        throw UsageError("--out", "the terms' maps need a query",
                         "specify it with --query class, or --query ROW,COLUMN");
    std::map<std::string, SafetensorsEntry> tensors{{"logits", entryOf(report.maps->logits)}};
    for (std::size_t t = 0; t < logitTermCount; ++t)
        tensors[std::string("terms.") + toText(static_cast<LogitTerm>(t))] = entryOf(report.maps->terms[t]);
    writeSafetensors(file, tensors,
                     {{"producer", std::string("attnscope ") + version},
                      {"model", report.source},
                      {"query", std::to_string(report.maps->query)},
                      {"grid", std::to_string(report.grid.rows) + "x" + std::to_string(report.grid.columns)},
                      {"prefix", std::to_string(report.prefix)},
                      {"frames", std::to_string(report.frames)}});
}

}  // namespace attnscope
