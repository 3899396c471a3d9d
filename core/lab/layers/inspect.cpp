#include "core/lab/layers/inspect.h"

#include "core/attention/numerics/fallbacks.h"
#include "core/base/error.h"
#include "core/base/version.h"
#include "core/checkpoint/safetensors.h"
#include "core/lab/layers/exact_pass.h"
#include "core/lab/layers/seen_keys.h"
#include "core/lab/layers/token_maps.h"
#include "core/lab/seed_statistics.h"
#include "core/measure/approximation_error.h"
#include "core/measure/statistics.h"
#include "core/run/predictions.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <tuple>

namespace attnscope {

namespace {

/// (H,M) → [head][key].
std::vector<std::vector<float>> rowsOf(const at::Tensor& x)
{
    std::vector<std::vector<float>> rows;
    for (int64_t i = 0; i < x.size(0); ++i)
        rows.push_back(floatsOf(x[i]));
    return rows;
}

/// `prefix` and `patches` are rows of `all`; null if there are no class tokens.
InspectedLayer layerFrom(int64_t layer, const SeedStatistics& all, const SeedStatistics* prefix,
                         const SeedStatistics* patches)
{
    InspectedLayer result;
    result.layer = layer;
    const auto headErrors = [&](std::optional<size_t> head) {
        HeadErrors errors;
        errors.error = errorOverSeeds(all.seeds, head);
        errors.parts = head ? ErrorParts{all.biasSquared[*head], all.variance[*head]}
                            : ErrorParts{meanAndStddev(all.biasSquared).mean, meanAndStddev(all.variance).mean};
        if (prefix != nullptr)
            errors.classToken = errorOverSeeds(prefix->seeds, head);
        if (patches != nullptr)
            errors.patches = errorOverSeeds(patches->seeds, head);
        return errors;
    };
    for (size_t head = 0; head < all.variance.size(); ++head)
        result.heads.push_back(headErrors(head));
    result.mean = headErrors(std::nullopt);
    return result;
}

InspectedLayer compared(int64_t layer, const std::vector<at::Tensor>& outputs, const at::Tensor& exact,
                        int64_t prefixRows)
{
    const auto seeds = int64_t(outputs.size());
    const auto rows = [&](int64_t from, int64_t to) {
        return overSeeds(
            seeds, [&](int64_t s) { return outputs[size_t(s)].slice(2, from, to); }, exact.slice(2, from, to));
    };
    const int64_t count = exact.size(2);
    const auto all = rows(0, count);
    if (prefixRows == 0)
        return layerFrom(layer, all, nullptr, nullptr);
    const auto prefix = rows(0, prefixRows), patches = rows(prefixRows, count);
    return layerFrom(layer, all, &prefix, &patches);
}

class Inspector {
public:
    Inspector(InspectionMemory::Contents& contents, const InspectRequest& request,
              const ProgressCallback& progress, std::stop_token stop)
        : m_subject(*contents.subject)
        , m_input(contents.input)
        , m_passes(contents.passes)
        , m_request(request)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_heads(headsOf(m_subject.network->describe()))
    {
        m_request.endToEnd = m_request.endToEnd && m_subject.isNetwork;
        if (m_heads.empty())
            m_request.alone = false;
    }

    LayerInspection run(const InspectedCallback& inspected)
    {
        m_result.model = m_subject.begin(m_request.seed);
        const InputSource& input = m_subject.onlyInput();
        m_result.model.inputs.push_back({.path = input.path, .kind = input.kind});
        for (const AttentionSpec& spec : m_request.attention)
            std::ignore = prepare(
                spec);  // a request that does not fit is an error, not a failure of one attention
        try {
            for (const AttentionSpec& spec : m_request.attention) {
                m_result.attention.push_back(inspect(spec));
                if (inspected)
                    inspected(m_result);
            }
        } catch (const Cancelled&) {
            if (m_result.attention.empty())
                throw;
            m_result.complete = false;
        }
        return std::move(m_result);
    }

private:
    PreparedAttention prepare(const AttentionSpec& spec) const
    {
        PreparedAttention prepared = m_subject.network->prepare(spec, m_request.seed);
        prepared.drawFor(m_input.samples);
        return prepared;
    }

    const ExactPass& exactPassFor(const AttentionSpec& exact)
    {
        const auto found = m_passes.find(exact.canonical());
        if (found != m_passes.end())
            return found->second;
        ExactPass pass{.prepared = prepare(exact)};
        if (m_request.endToEnd || m_request.alone) {
            BlockObserver blocks(m_stop, nullptr);
            pass.logits = passOf(pass.prepared, blocks);
            pass.blocks = blocks.blocks();
        }
        LayerVisitor visitor(m_stop, [&](int64_t, const AttentionInput& in, const at::Tensor& out) {
            pass.layers.push_back({in, out});
        });
        passOf(pass.prepared, visitor);
        return m_passes.emplace(exact.canonical(), std::move(pass)).first->second;
    }

    at::Tensor passOf(const PreparedAttention& attention, ForwardObserver& observer) const
    {
        return m_subject.network->logits(m_input.values, attention, &observer);
    }

    InspectedAttention inspect(const AttentionSpec& spec)
    {
        InspectedAttention result;
        result.attention = result.resolved = spec.canonical();
        result.backend = spec.backend();
        std::exception_ptr query;  // a query that does not fit the input is nobody's failure but the request's
        result.failure = failureOf(result.attention, {}, [&] {
            try {
                fill(spec, result);
            } catch (const QueryError&) {
                query = std::current_exception();
            }
        });
        if (query)
            std::rethrow_exception(query);
        return result;
    }

    void fill(const AttentionSpec& spec, InspectedAttention& result)
    {
        const PreparedAttention prepared = prepare(spec);
        result.resolved = prepared.resolved.canonical();
        result.backend = prepared.resolved.backend();
        if (m_subject.isNetwork)
            result.weights = prepared.weights;
        result.notes = prepared.notes;
        result.exact = prepared.exactMeaning;
        result.deterministic = prepared.deterministic;
        result.hasClasses = !m_heads.empty();
        const std::vector<PreparedAttention> seeds = prepared.overSeeds(m_request.seeds);
        result.seeds = std::ssize(seeds);
        const ExactPass& exact = exactPassFor(prepared.exact);
        describeTokens(exact.layers.front().input);
        if (m_request.query)
            for (const ExactLayer& layer : exact.layers)
                std::ignore = tokenIn(layer.input);  // before anything is measured
        if (m_request.errors)
            teacherForced(seeds, exact, result);
        if (m_request.endToEnd)
            endToEnd(seeds, exact, result);
        if (m_request.alone)
            alone(prepared, exact, result);
        reportNotFinite(exact, result);
        if (m_request.query) {
            maps(prepared, exact, result);
            rollout(prepared, exact, result);
        }
    }

    void reportNotFinite(const ExactPass& exact, InspectedAttention& result) const
    {
        if (exact.logits.defined() && !isFinite(exact.logits))
            result.notes.emplace_back(
                "the logits of exact attention are not finite, so there is nothing to compare with");
        else if (m_request.endToEnd && result.hasClasses && !std::isfinite(result.kl))
            result.notes.emplace_back("the logits are not finite, so no class is predicted");
        size_t heads = 0;
        for (const auto* layers : {&result.teacherForced, &result.endToEnd})
            for (const InspectedLayer& layer : *layers)
                heads += size_t(std::count_if(layer.heads.begin(), layer.heads.end(), [](const HeadErrors& head) {
                    return !std::isfinite(head.parts.variance) || !std::isfinite(head.error.relative);
                }));
        if (heads > 0)
            result.notes.push_back("the errors of " + std::to_string(heads)
                                   + " heads are not finite and are excluded from the means of their layers");
    }

    void describeTokens(const AttentionInput& in)
    {
        m_result.tokens = in.q.size(2);
        m_result.prefix = in.tokens.prefix, m_result.frames = in.tokens.frames;
        m_result.grid = {in.tokens.rows, in.tokens.columns};
    }

    void nameLayer(InspectedLayer& layer, const ExactLayer& exact) const
    {
        const auto& names = m_subject.network->describe().layerNames;
        if (const auto index = size_t(layer.layer); index < names.size())
            layer.name = names[index];
        ErrorCollector baselines(1, 1, true);
        baselines.add(0, 0, exact.output, exact.output, 0);
        baselines.addBaselines(0, exact.input.v, exact.output);
        const ApproximationError sums = baselines.result();
        layer.meanOfValues = sums.meanOfValues;
        layer.zeroMse = sums.zeroMse;
    }

    void teacherForced(const std::vector<PreparedAttention>& seeds, const ExactPass& exact,
                       InspectedAttention& result)
    {
        AllowedPairs pairs;
        FallbackTally fallbacks;
        for (size_t i = 0; i < exact.layers.size(); ++i) {
            std::vector<at::Tensor> outputs;
            for (const PreparedAttention& prepared : seeds) {
                checkStop(m_stop);
                const CountFallbacks counting(fallbacks);
                outputs.push_back(prepared.layers[i]->attend(exact.layers[i].input, *prepared.noise[i]));
            }
            m_progress({result.attention + " · same q, k, v", int64_t(i + 1), int64_t(exact.layers.size())});
            const ExactLayer& layer = exact.layers[i];
            result.teacherForced.push_back(compared(int64_t(i), outputs, layer.output, layer.input.tokens.prefix));
            nameLayer(result.teacherForced.back(), layer);
            result.teacherForced.back().keys = seenKeys(*seeds.front().layers[i], layer.input,
                                                        *seeds.front().noise[i]);
            std::vector<LayerTokenMap>& tokenMaps = result.teacherForced.back().tokenMaps;
            tokenMaps = layerTokenMaps(*seeds.front().layers[i], layer.input, *seeds.front().noise[i]);
            tokenMaps.push_back(queryErrors(outputs.front(), layer.output, layer.input));
            pairs += seeds.front().layers[i]->allowedPairs(layer.input, *seeds.front().noise[i]);
        }
        result.emptyRows = pairs.emptyFraction();
        if (pairs.emptyRows > 0)
            result.notes.push_back(pairs.emptyRowsNote());
        fallbacks.addTo(result.notes);
    }

    void endToEnd(const std::vector<PreparedAttention>& seeds, const ExactPass& exact, InspectedAttention& result)
    {
        std::vector<std::vector<at::Tensor>> outputs(exact.layers.size());  // [layer][seed]
        FallbackTally fallbacks;
        result.drift.assign(exact.blocks.size(), 0);
        for (const PreparedAttention& prepared : seeds) {
            const TokenMerger* merger = nullptr;
            LayerVisitor visitor(m_stop, [&](int64_t layer, const AttentionInput&, const at::Tensor& out) {
                outputs[size_t(layer)].push_back(merger == nullptr ? out : merger->unmerged(out, 2));
            });
            const bool own = &prepared == &seeds.front();
            if (prepared.merging.merges() && own)
                result.merged.emplace();
            visitor.whenMerged([&](int64_t, const TokenMerger& one) {
                merger = &one;
                if (own)
                    take(one, *result.merged);
            });
            {
                const CountFallbacks counting(fallbacks);
                passOf(prepared, visitor);
            }
            BlockObserver blocks(m_stop, &exact.blocks);
            const auto logits = passOf(prepared, blocks);
            for (size_t i = 0; i < blocks.drift().size(); ++i)
                result.drift[i] += blocks.drift()[i] / double(seeds.size());
            result.kl += divergence(exact.logits, logits, m_heads) / double(seeds.size());
            if (own)
                result.top1Agrees = sameFirstClasses(logits, exact.logits, m_heads);
            m_progress({result.attention + " · end to end", &prepared - seeds.data() + 1, int64_t(seeds.size())});
        }
        fallbacks.addTo(result.notes);
        for (size_t i = 0; i < outputs.size(); ++i) {
            const ExactLayer& layer = exact.layers[i];
            result.endToEnd.push_back(compared(int64_t(i), outputs[i], layer.output, layer.input.tokens.prefix));
            nameLayer(result.endToEnd.back(), layer);
        }
    }

    void alone(const PreparedAttention& prepared, const ExactPass& exact, InspectedAttention& result)
    {
        for (size_t i = 0; i < exact.layers.size(); ++i) {
            PreparedAttention one = exact.prepared;
            one.layers[i] = prepared.layers[i];
            one.noise[i] = prepared.noise[i];
            one.merging = prepared.merging.only(int64_t(i));
            StoppableObserver observer(m_stop);
            const auto logits = passOf(one, observer);
            result.alone.push_back(
                {divergence(exact.logits, logits, m_heads), sameFirstClasses(logits, exact.logits, m_heads)});
            m_progress(
                {result.attention + " · one layer at a time", int64_t(i + 1), int64_t(exact.layers.size())});
        }
    }

    /// The token of a query in a layer: in a pyramid the same position in a coarser grid.
    int64_t tokenIn(const AttentionInput& in) const
    {
        return queriedToken(*m_request.query, in.tokens, in.q.size(2), m_result.grid);
    }

    static at::Tensor oneHot(const AttentionInput& in, int64_t token)
    {
        const auto rows = at::zeros({in.q.size(0), in.q.size(1), in.q.size(2)}, in.q.options());
        rows.select(2, token).fill_(1);
        return rows;
    }

    /// softmax of one query over each group of keys, (H,M).
    static at::Tensor exactRow(const AttentionInput& in, int64_t token)
    {
        const auto logits = at::matmul(in.q.narrow(2, token, 1).to(at::kFloat) * in.scale,
                                       in.k.to(at::kFloat).transpose(-1, -2));
        return logits.unflatten(-1, {in.keyGroups, -1}).softmax(-1).flatten(3)[0].squeeze(1);
    }

    void maps(const PreparedAttention& prepared, const ExactPass& exact, InspectedAttention& result)
    {
        for (size_t i = 0; i < exact.layers.size(); ++i) {
            checkStop(m_stop);
            const AttentionInput& in = exact.layers[i].input;
            LayerMaps maps;
            maps.layer = int64_t(i);
            maps.query = tokenIn(in);
            const TokenLayout& keys = in.keyLayout();
            maps.grid = {keys.rows, keys.columns};
            maps.prefix = keys.prefix, maps.frames = keys.frames;
            const auto exactWeights = exactRow(in, maps.query);
            const auto implied = prepared.layers[i]->impliedWeights(in, *prepared.noise[i],
                                                                    oneHot(in, maps.query))[0];
            maps.exact = rowsOf(exactWeights);
            maps.implied = rowsOf(implied);
            maps.difference = rowsOf(implied - exactWeights);
            maps.seen = seenByQuery(*prepared.layers[i], in, *prepared.noise[i], maps.query);
            maps.tokenMaps = layerTokenMaps(*prepared.layers[i], in, *prepared.noise[i], maps.query);
            if (const auto landmarks = prepared.layers[i]->landmarkWeights(in, *prepared.noise[i], maps.query))
                takeLandmarks(*landmarks, maps);
            result.maps.push_back(std::move(maps));
            m_progress({result.attention + " · maps", int64_t(i + 1), int64_t(exact.layers.size())});
        }
    }

    static void takeLandmarks(const LandmarkWeights& landmarks, LayerMaps& maps)
    {
        maps.landmarkSide = landmarks.side;
        maps.landmarkWeights = rowsOf(landmarks.weights[0]);
        if (!landmarks.tokens.defined())
            return;
        for (int64_t head = 0; head < landmarks.tokens.size(1); ++head) {
            const auto row = landmarks.tokens[0][head].to(at::kCPU, at::kLong).contiguous();
            maps.landmarkTokens.emplace_back(row.data_ptr<int64_t>(), row.data_ptr<int64_t>() + row.numel());
        }
    }

    /// From the last layer to the first: one row at a time, so that no N×N product is formed.
    void rollout(const PreparedAttention& prepared, const ExactPass& exact, InspectedAttention& result)
    {
        const auto tokens = exact.layers.front().input.q.size(2);
        for (const ExactLayer& layer : exact.layers)
            if (layer.input.q.size(2) != tokens || layer.input.k.size(2) != tokens || layer.input.keyGroups != 1)
                return;
        const auto through = [&](const PreparedAttention& attention) {
            auto row = oneHot(exact.layers.back().input, tokenIn(exact.layers.back().input))[0][0].to(
                at::kFloat);  // (N)
            for (size_t i = exact.layers.size(); i-- > 0;) {
                checkStop(m_stop);
                const AttentionInput& in = exact.layers[i].input;
                const auto rows = row.expand({1, in.q.size(1), tokens}).to(in.q.options());
                const auto mixed = attention.layers[i]->impliedWeights(in, *attention.noise[i], rows)[0].mean(0);
                row = 0.5 * mixed.to(at::kFloat) + 0.5 * row;
            }
            return floatsOf(row);
        };
        result.rollout = {through(exact.prepared), through(prepared)};
    }

    const OpenedSubject& m_subject;
    const NetworkInput& m_input;
    ExactPasses& m_passes;
    InspectRequest m_request;
    const ProgressCallback m_progress;
    std::stop_token m_stop;
    std::vector<int64_t> m_heads;
    LayerInspection m_result;
};

}

LayerInspection inspectLayers(const LabSubject& subject, const InspectRequest& request,
                              const InspectionCalls& calls)
{
    if (request.attention.empty())
        throw UsageError("", "no attention was specified", "give at least one with --attention");
    InspectionMemory own(0);
    InspectionMemory& known = calls.memory != nullptr ? *calls.memory : own;
    if (request.errors || request.endToEnd || request.alone)
        known.clear();  // what is cached is only enough for maps
    InspectionMemory::Contents& contents = known.contents();
    return onSubject(subject, [&] {
        if (!contents.subject) {
            OpenedSubject opened = openSubject(subject, TensorLayers::Apart);
            contents.input = openMeasuredView(opened.onlyInput(), *opened.network);
            opened.inputs.front().load = {};  // it is opened
            contents.subject = std::move(opened);
        }
        try {
            LayerInspection result =
                Inspector(contents, request, orSilent(calls.progress), calls.stop).run(calls.inspected);
            known.settle();
            return result;
        } catch (...) {
            known.settle();  // finished passes remain valid
            throw;
        }
    });
}

void writeMaps(const LayerInspection& inspection, const std::filesystem::path& file)
{
    std::map<std::string, SafetensorsEntry> tensors;
    std::map<std::string, std::string> header{
        {"producer", std::string("attnscope ") + version},
        {"input", inspection.model.inputs.front().path},
        {"model", inspection.model.model.name},
        {"grid", std::to_string(inspection.grid.rows) + "x" + std::to_string(inspection.grid.columns)},
        {"prefix", std::to_string(inspection.prefix)},
        {"frames", std::to_string(inspection.frames)}};
    for (size_t i = 0; i < inspection.attention.size(); ++i) {
        const InspectedAttention& one = inspection.attention[i];
        const std::string before = inspection.attention.size() > 1 ? std::to_string(i) + "/" : "";
        header[before + "attention"] = one.attention;
        for (const LayerMaps& maps : one.maps) {
            const std::string layer = std::string(".").append(std::to_string(maps.layer));
            tensors[before + "exact" + layer] = entryOf(maps.exact);
            tensors[before + "implied" + layer] = entryOf(maps.implied);
            tensors[before + "difference" + layer] = entryOf(maps.difference);
            if (!maps.seen.empty())
                tensors[before + "seen" + layer] = entryOf(maps.seen);
            if (!maps.landmarkWeights.empty())
                tensors[before + "landmarks" + layer] = entryOf(maps.landmarkWeights);
            for (const LayerTokenMap& map : maps.tokenMaps)
                tensors[before + map.info.name + layer] = entryOf(map.values);
            header[before + "query" + layer] = std::to_string(maps.query);
        }
        for (const InspectedLayer& layer : one.teacherForced) {
            for (const LayerTokenMap& map : layer.tokenMaps)
                tensors[before + map.info.name + "." + std::to_string(layer.layer)] = entryOf(map.values);
            if (layer.keys)
                tensors[before + "mass_kept." + std::to_string(layer.layer)] = entryOf(layer.keys->massKept);
        }
        if (!one.rollout.exact.empty()) {
            tensors[before + "rollout.exact"] = entryOf({one.rollout.exact});
            tensors[before + "rollout.implied"] = entryOf({one.rollout.implied});
        }
    }
    writeSafetensors(file, tensors, header);
}

}
