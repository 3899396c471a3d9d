#include "tests/ui/support/fake_layers.h"
#include "tests/support/timed_rounds.h"
#include "tests/ui/support/merged_grid.h"

#include "core/base/error.h"
#include "core/lab/leaderboard/leaderboard_ranking.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

namespace attnscope::ui::test {

namespace {

class FakeLayers : public LayersBackend {
public:
    explicit FakeLayers(std::shared_ptr<LayerScript> script)
        : m_script(std::move(script))
    {}

    LayerInspection inspect(uint64_t number, const LabSubject& subject, const InspectRequest& request,
                            const InspectionCalls& calls) override
    {
        ++(request.errors ? m_script->inspections : m_script->mapQuestions);
        m_script->remember(request);
        m_script->subject = number;
        if (const auto* file = std::get_if<TensorFile>(&subject))
            return inspection(file->file.string(), "tensors", request, calls);
        const InputSource& input = std::get<NetworkInputs>(subject).inputs.front();
        const LoadedInput loaded = input.load();
        if (const auto* views = std::get_if<VideoViews>(&loaded))
            views->view(0);
        return inspection(input.path, input.kind, request, calls);
    }

    LogitTermReport decompose(const LabSubject& subject, const LogitTermRequest& request, std::stop_token) override
    {
        ++m_script->termQuestions;
        if (m_script->placeless)
            throw UsageError("fake_tiny", "it adds no position embedding right before its first attention",
                             "DeiT does");
        LogitTermReport report;
        report.source = std::get<NetworkInputs>(subject).inputs.front().path;
        report.heads = m_script->heads, report.prefix = m_script->prefix, report.frames = m_script->frames;
        report.grid = {m_script->side, m_script->side};
        report.tokens = report.prefix + report.frames * m_script->side * m_script->side;
        LogitTermMaps maps;
        for (size_t t = 0; t < logitTermCount; ++t)
            for (int head = 0; head < m_script->heads; ++head) {
                report.fractions[t].push_back(t + 1 < logitTermCount ? 0.1 * double(t) - 0.01 * head : 0);
                maps.terms[t].push_back(hill(*request.query, double(t), 2));
            }
        maps.query = request.query->classToken
                         ? 0
                         : report.prefix + request.query->row * m_script->side + request.query->column;
        report.maps = std::move(maps);
        return report;
    }

    LeaderboardReport rank(const LabSubject& subject, const LeaderboardRequest& request,
                           const LeaderboardCalls& calls) override
    {
        if (const auto* file = std::get_if<TensorFile>(&subject))
            return ranking(board(file->file.string(), request), calls);
        LeaderboardReport report = board(std::get<NetworkInputs>(subject).inputs.front().path, request);
        report.model.emplace().model.name = "fake_tiny";
        report.hasClasses = true;
        return ranking(std::move(report), calls);
    }

private:
    static LeaderboardReport board(const std::string& source, const LeaderboardRequest& request)
    {
        LeaderboardReport report;
        report.source = source;
        report.layers = 12, report.heads = 6, report.tokens = 197, report.inputs = 1;
        report.seeds = request.seeds;
        report.candidates = int64_t(scriptedRanking().size());
        return report;
    }

    /// Larger errors for less time, but for every third.
    LeaderboardReport ranking(LeaderboardReport report, const LeaderboardCalls& calls) const
    {
        ++m_script->rankings;
        if (calls.earlier != nullptr)
            report.rows = calls.earlier->rows;
        const std::vector<std::string> all = scriptedRanking();
        for (size_t i = 0; i < all.size(); ++i) {
            const bool known = std::ranges::any_of(
                report.rows, [&](const LeaderboardRow& row) { return row.attention == all[i]; });
            if (known)
                continue;
            rest(calls.stop);
            while (m_script->holdRankingAt == int(i) && !calls.stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            if (calls.stop.stop_requested())
                throw Cancelled();
            calls.progress({all[i], int64_t(report.rows.size()), report.candidates});
            report.rows.push_back(rowOf(all[i], i, report.model.has_value()));
            attnscope::rank(report);
            calls.measured(report);
        }
        return report;
    }

    static LeaderboardRow rowOf(const std::string& attention, size_t index, bool network)
    {
        const AttentionSpec spec = AttentionSpec::parse(attention);
        const auto place = double(index);
        LeaderboardRow row{.attention = spec.canonical(),
                           .backend = spec.backend(),
                           .samples = spec.samples().value_or(0),
                           .seeds = 3};
        row.relative = 0.6 / (1 + place) * (index % 3 == 2 ? 4 : 1);
        row.medianRelative = 0.9 * row.relative;
        if (network)
            row.effect = LeaderboardEffect{.kl = row.relative * row.relative / 2,
                                           .agreement = index % 3 == 2 ? 0.67 : 1};
        row.latency = attnscope::testing::inRounds({.medianMs = 0.4 + 0.2 * place}),
        row.exactLatency = attnscope::testing::inRounds({.medianMs = 1});
        row.peakBytes = 100'000 + 30'000 * ((int64_t(index) * 7) % 5), row.exactPeakBytes = 120'000;
        return row;
    }

    LayerInspection inspection(const std::string& path, const std::string& kind, const InspectRequest& request,
                               const InspectionCalls& calls)
    {
        LayerInspection result;
        result.model.model.name = "fake_tiny";
        result.model.inputs.push_back({});
        result.model.inputs.back().path = path, result.model.inputs.back().kind = kind;
        result.prefix = m_script->prefix, result.frames = m_script->frames;
        result.grid = {m_script->side, m_script->side};
        result.tokens = result.prefix + result.frames * m_script->side * m_script->side;
        for (const AttentionSpec& spec : request.attention) {
            result.attention.push_back(one(spec, request, calls.progress, calls.stop));
            if (kind == "tensors") {
                InspectedAttention& last = result.attention.back();
                last.endToEnd.clear(), last.drift.clear(), last.alone.clear(), last.weights.reset();
            }
            if (calls.inspected)
                calls.inspected(result);
        }
        return result;
    }

    int headsOf(int layer) const { return m_script->stages ? 1 + layer / 3 : m_script->heads.load(); }

    InspectedAttention one(const AttentionSpec& spec, const InspectRequest& request,
                           const ProgressCallback& progress, std::stop_token stop)
    {
        InspectedAttention result;
        result.attention = result.resolved = spec.canonical();
        result.backend = spec.backend();
        result.weights = WeightsKind::Swapped;
        if (spec.backend() == m_script->failing) {
            result.failure = spec.canonical() + ": there is not enough memory for this attention at this size.";
            return result;
        }
        result.deterministic = spec.backend() == "nystrom";
        result.seeds = result.deterministic ? 1 : request.seeds;
        result.top1Agrees = !m_script->flips;
        if (m_script->sparse)
            result.emptyRows = 1.0 / m_script->side;
        if (spec.tokens().merges() && request.errors)
            result.merged = mergedGrid(m_script->layers, m_script->side, m_script->prefix, m_script->frames);
        for (int layer = 0; layer < m_script->layers; ++layer) {
            rest(stop);
            progress({spec.canonical() + " · same q, k, v", layer + 1, m_script->layers});
            if (request.errors) {
                result.teacherForced.push_back(layerOf(spec.backend(), layer, 1));
                result.endToEnd.push_back(layerOf(spec.backend(), layer, 1.5));
                result.drift.push_back(0.02 * (layer + 1));
                result.alone.push_back({0.001 * (layer + 1), !(m_script->flips && layer == 7)});
            } else {
                result.maps.push_back(mapsOf(layer, *request.query));
            }
        }
        if (request.query && !m_script->stages) {
            result.rollout.exact = result.maps.front().exact.front();
            result.rollout.implied = result.maps.front().implied.front();
        }
        return result;
    }

    void rest(std::stop_token stop) const
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(m_script->stepMs));
        while (m_script->hold && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (stop.stop_requested())
            throw Cancelled();
    }

    InspectedLayer layerOf(const std::string& backend, int layer, double factor) const
    {
        InspectedLayer result;
        result.layer = layer;
        if (m_script->stages)
            result.name = "stage " + std::to_string(layer / 3 + 1) + " block " + std::to_string(layer % 3);
        const auto errors = [&](double relative) {
            HeadErrors head;
            head.error = {relative * relative * 0.01, 0, relative, 0.02 * relative};
            head.parts = {relative * relative * 0.007, relative * relative * 0.003};
            if (m_script->prefix > 0) {
                head.classToken = ErrorValue{0, 0, relative * 1.4, 0};
                head.patches = ErrorValue{0, 0, relative * 0.9, 0};
            }
            return head;
        };
        double sum = 0;
        for (int head = 0; head < headsOf(layer); ++head) {
            const double relative = factor * scriptedError(backend, layer, head);
            result.heads.push_back(errors(relative));
            sum += relative;
        }
        result.mean = errors(sum / headsOf(layer));
        if (m_script->sparse)
            result.keys = keysOf(headsOf(layer));
        if (m_script->chooses)
            result.tokenMaps = {
                tokenMap("cluster", "Clusters of queries", TokenMapInfo::Kind::Category, headsOf(layer),
                         [](int row, int column) { return (row / 4) * 4 + column / 5 + (row + column) % 9 / 8; }),
                tokenMap("coreset", "Keys of the coreset", TokenMapInfo::Kind::Value, headsOf(layer),
                         [](int row, int column) {
                             return (3 * row + 5 * column) % 7 == 0 ? 1 + 0.5 * row : std::nan("");
                         }),
                tokenMap(std::string(queryErrorMap), "Error of the queries", TokenMapInfo::Kind::Value,
                         headsOf(layer), [](int row, int column) { return 0.1 + 0.01 * row * column; })};
        if (m_script->errs)
            result.tokenMaps = {tokenMap(std::string(queryErrorMap), "Error of the queries",
                                         TokenMapInfo::Kind::Value, headsOf(layer),
                                         [](int row, int column) { return 0.1 + 0.01 * row * column; })};
        result.meanOfValues = {0.01, 0, 0.83, 0};
        result.zeroMse = 0.012;
        return result;
    }

    /// The class token has none.
    LayerTokenMap tokenMap(const std::string& name, const std::string& title, TokenMapInfo::Kind kind, int heads,
                           const std::function<double(int row, int column)>& valueOf) const
    {
        const int side = m_script->side;
        LayerTokenMap map{.info = {.name = name, .title = title, .help = "a number of every token", .kind = kind},
                          .grid = {side, side}};
        map.prefix = m_script->prefix, map.frames = m_script->frames;
        for (int head = 0; head < heads; ++head) {
            std::vector<float>& values = map.values.emplace_back(size_t(map.prefix), std::nanf(""));
            for (int i = 0; i < m_script->frames * side * side; ++i)
                values.push_back(float(valueOf(i / side % side, i % side)));
        }
        return map;
    }

    LayerKeys keysOf(int heads) const
    {
        const int side = m_script->side;
        LayerKeys keys;
        keys.mean = {0.13, 1.0 / side, 0.6};
        keys.grid = {side, side};
        keys.prefix = m_script->prefix, keys.frames = m_script->frames;
        for (int head = 0; head < heads; ++head) {
            keys.heads.push_back(keys.mean);
            std::vector<float>& mass = keys.massKept.emplace_back(size_t(keys.prefix), 1.0f);
            for (int i = 0; i < m_script->frames * side * side; ++i)
                mass.push_back(i / side % side == 0 ? std::nanf("") : 0.3f + 0.6f * float(i % side) / float(side));
        }
        return keys;
    }

    /// Three by three patches and the class token.
    std::vector<float> seenFrom(const TokenQuery& query) const
    {
        const int side = m_script->side;
        const bool none = !query.classToken && query.row == 0;
        std::vector<float> seen(size_t(m_script->prefix), none ? 0.0f : 1.0f);
        for (int i = 0; i < m_script->frames * side * side; ++i) {
            const bool near = std::abs(i / side % side - query.row) <= 1 && std::abs(i % side - query.column) <= 1;
            seen.push_back(!none && (query.classToken || near) ? 1.0f : 0.0f);
        }
        return seen;
    }

    /// A hill around the query, or in the middle; the implied one is wider and leans to the right.
    LayerMaps mapsOf(int layer, const TokenQuery& query) const
    {
        const int side = m_script->side;
        LayerMaps maps;
        maps.layer = layer;
        maps.grid = {side, side};
        maps.prefix = m_script->prefix, maps.frames = m_script->frames;
        maps.query = query.classToken ? 0 : maps.prefix + query.row * side + query.column;
        maps.landmarkSide = 7;
        if (m_script->chooses)
            maps.tokenMaps = {tokenMap("kept-blocks", "Blocks kept exactly", TokenMapInfo::Kind::Weight,
                                       headsOf(layer), [](int row, int column) {
                                           return row / 4 == 1 || column / 4 == 2 ? 0.05 * (1 + row / 4)
                                                                                  : std::nan("");
                                       })};
        for (int head = 0; head < headsOf(layer); ++head) {
            if (m_script->sparse)
                maps.seen.push_back(seenFrom(query));
            maps.exact.push_back(hill(query, 0, 2.2));
            maps.implied.push_back(hill(query, 1.5, 3.0));
            if (m_script->negative)
                maps.implied.back()[size_t(maps.prefix)] = -0.02f;
            maps.difference.push_back(maps.implied.back());
            for (size_t i = 0; i < maps.exact.back().size(); ++i)
                maps.difference.back()[i] -= maps.exact.back()[i];
            std::vector<float> landmarks;
            for (int i = 0; i < 49; ++i)
                landmarks.push_back(0.06f * std::exp(-0.2f * float(std::hypot(i % 7 - 4, i / 7 - 2)))
                                    * (i % 11 == 5 ? -1.0f : 1.0f));
            maps.landmarkWeights.push_back(std::move(landmarks));
        }
        return maps;
    }

    std::vector<float> hill(const TokenQuery& query, double lean, double wide) const
    {
        const int side = m_script->side;
        std::vector<float> weights(size_t(m_script->prefix), 0.05f);
        const double row = query.classToken ? side * 0.4 : double(query.row);
        const double column = (query.classToken ? side * 0.6 : double(query.column)) + lean;
        for (int frame = 0; frame < m_script->frames; ++frame)
            for (int y = 0; y < side; ++y)
                for (int x = 0; x < side; ++x) {
                    const double away = std::hypot(y - row, x - column) / wide;
                    const double later = std::abs(frame - double(query.frame));
                    weights.push_back(float(0.03 * std::exp(-away * away - 0.5 * later) + 0.001));
                }
        return weights;
    }

    std::shared_ptr<LayerScript> m_script;
};

}

std::shared_ptr<LayersBackend> scriptedLayers(std::shared_ptr<LayerScript> script)
{
    return std::make_shared<FakeLayers>(std::move(script));
}

std::vector<std::string> scriptedRanking()
{
    return {"performer:samples=16",
            "lara:samples=16",
            "rfa:samples=16",
            "nystrom:samples=16",
            "performer",
            "lara",
            "nystrom:samples=49",
            "lara:samples=49,prefix_attention=rows"};
}

double scriptedError(const std::string& backend, int layer, int head)
{
    const double base = backend == "lara" ? 0.06 : 0.11;
    return base * (1 + 0.6 * layer) * (1 + 0.25 * ((layer * 3 + head * 5) % 7)) / 2;
}

}
