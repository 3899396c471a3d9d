#include "core/attention/methods/window.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/key_sets.h"
#include "core/attention/landmarks.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/kept_copies.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attnscope {

namespace {

/// Which tokens belong to each window of a tensor; −1 if a window reaches beyond the image. Class tokens belong to none.
struct WindowIndex {
    at::Tensor queries;  ///< (W, n) tokens of q, each token once
    at::Tensor keys;     ///< (W, m) tokens of k, windows widened by the margin
};

/// One axis: the positions in each window, −1 beyond the end.
at::Tensor axisIndex(int64_t queries, int64_t keys, int64_t side, int64_t margin, const at::TensorOptions& options)
{
    const int64_t windows = (queries + side - 1) / side;
    std::vector<int64_t> first;
    int64_t longest = side;
    for (int64_t w = 0; w < windows; ++w) {
        const int64_t begin = w * side, end = begin + side;
        const int64_t from = queries == keys ? begin : begin * keys / queries;
        const int64_t to = queries == keys ? end : (std::min(end, queries) * keys + queries - 1) / queries;
        first.push_back(from - margin);
        longest = w == 0 ? to - from : std::max(longest, to - from);
    }
    const auto start = indicesOn(first, options).unsqueeze(1);
    const auto position = start + at::arange(longest + 2 * margin, options.dtype(at::kLong));  // (windows, length)
    return position.masked_fill((position < 0).logical_or(position >= keys), -1);
}

/// Row windows × column windows → tokens of one frame, (Wr·Wc, r·c).
at::Tensor crossed(const at::Tensor& rows, const at::Tensor& columns, int64_t width)
{
    const auto r = rows.unsqueeze(1).unsqueeze(-1),
               c = columns.unsqueeze(0).unsqueeze(2);  // (Wr,1,r,1), (1,Wc,1,c)
    return at::where((r < 0).logical_or(c < 0), at::full({}, -1, rows.options()), r * width + c)
        .flatten(2, 3)
        .flatten(0, 1);
}

/// One frame's tokens → those of all frames, one after the other, following the prefix.
at::Tensor ofFrames(const at::Tensor& index, const TokenPlaces& places, int64_t frames)
{
    const int64_t stride = places.frames == 1 ? 0 : places.rows * places.columns;
    std::vector<at::Tensor> all;
    for (int64_t frame = 0; frame < frames; ++frame)
        all.push_back(at::where(index < 0, index, index + places.prefix + frame * stride));
    return at::cat(all);
}

/// Windows of side × side queries, or of side² in a line. If the keys have another grid than the queries, a window's keys are those at its
/// queries' positions, in proportion. If q has frames, each frame has its own windows.
WindowIndex windowIndex(const TokenPlaces& queries, const TokenPlaces& keys, int64_t side, int64_t margin,
                        const at::TensorOptions& options)
{
    const bool line = queries.isLine();
    const int64_t rowSide = line ? 1 : side, columnSide = line ? side * side : side, rowMargin = line ? 0 : margin;
    const auto of = [&](const TokenPlaces& places, int64_t rows, int64_t columns) {
        const auto index = crossed(axisIndex(queries.rows, places.rows, rowSide, rows, options),
                                   axisIndex(queries.columns, places.columns, columnSide, columns, options),
                                   places.columns);
        return ofFrames(index, places, queries.frames);
    };
    return {of(queries, 0, 0), of(keys, rowMargin, margin)};
}

/// Entry (n, m) for query n and key m of a window: the row in the table of offsets as ordered by the LARA authors' library, (Δi + m + w −
/// 1)(2m + w) + Δj + m + w − 1, Δ = query − key. (w², (w + 2m)²); different offsets share rows, as there.
at::Tensor offsetIndex(int64_t side, int64_t margin, const at::TensorOptions& options)
{
    const auto query = at::arange(side, options.dtype(at::kLong));
    const auto key = at::arange(-margin, side + margin, options.dtype(at::kLong));
    const auto offset = query.unsqueeze(1) - key.unsqueeze(0) + (margin + side - 1);  // (w, w + 2m)
    const auto rows = offset.unsqueeze(1).unsqueeze(-1),
               columns = offset.unsqueeze(0).unsqueeze(2);  // (w,1,k,1), (1,w,1,k)
    return (rows * (2 * margin + side) + columns).flatten(2, 3).flatten(0, 1);
}

/// x (B,H,N,D) → (B,H,W,n,D), zeros if the index is −1.
at::Tensor gatherWindows(const at::Tensor& x, const at::Tensor& index)
{
    const auto taken = x.index_select(2, index.clamp_min(0).flatten()).unflatten(2, index.sizes());  // (B,H,W,n,D)
    return taken.masked_fill((index < 0).unsqueeze(-1), 0);
}

/// Bias that windows add to their logits, (H, n, m); undefined for none.
class WindowBias {
public:
    WindowBias(const BackendContext& context, int64_t side, int64_t margin)
    {
        const int64_t queries = side * side, keys = (side + 2 * margin) * (side + 2 * margin);
        m_bias = context.parameter("bias");
        if (const auto table = context.parameter("local_relative_position_bias_table");
            !m_bias.defined() && table.defined())
            m_bias = fromTable(table, side, margin);
        if (m_bias.defined() && m_bias.sizes() != at::IntArrayRef({context.heads, queries, keys}))
            throw UsageError("local", "the learned bias is " + describeShape(m_bias.sizes()),
                             describeShape({context.heads, queries, keys}) + " fits this window and margin");
    }

    bool defined() const { return m_bias.defined(); }
    at::Tensor operator()(const at::Tensor& logits) const
    {
        return m_bias.defined() ? logits + m_bias.to(logits.options()).unsqueeze(1) : logits;
    }

private:
    static at::Tensor fromTable(const at::Tensor& table, int64_t side, int64_t margin)
    {
        const auto index = offsetIndex(side, margin, table.options());
        if (table.dim() != 2 || table.size(0) <= index.max().item<int64_t>())
            throw UsageError("local", "the table of offsets is " + describeShape(table.sizes())
                                          + ", too small for this window and margin");
        return table.index_select(0, index.flatten()).t().unflatten(1, index.sizes());
    }

    at::Tensor m_bias;
};

/// A query sees the keys of its window and the class tokens, which see all keys.
class WindowSets : public KeySets {
public:
    /// `sizes`: numbers of queries and keys.
    WindowSets(WindowIndex index, std::pair<int64_t, int64_t> sizes, int64_t keyPrefix)
        : m_index(std::move(index))
        , m_windowOf(at::full({sizes.first}, -1, at::kLong))
        , m_keys(sizes.second)
        , m_keyPrefix(keyPrefix)
    {
        for (int64_t window = 0; window < m_index.queries.size(0); ++window) {
            const auto own = m_index.queries[window];
            m_windowOf.index_fill_(0, own.masked_select(own >= 0), window);
        }
    }

    int64_t setOf(int64_t, int64_t) const override { return 0; }
    at::Tensor rows(int64_t, int64_t begin, int64_t end) const override
    {
        const auto window = m_windowOf.slice(0, begin, end);                 // (n)
        const auto own = m_index.keys.index_select(0, window.clamp_min(0));  // (n,m)
        auto seen = at::zeros({end - begin, m_keys + 1}, at::kFloat);        // the last: beyond the image
        seen.scatter_(1, at::where(own < 0, at::full({}, m_keys, own.options()), own), 1);
        seen.slice(1, 0, m_keyPrefix).fill_(1);
        return seen.slice(1, 0, m_keys).masked_fill((window < 0).unsqueeze(1), 1);
    }

private:
    WindowIndex m_index;
    at::Tensor m_windowOf;  // (N); −1: a class token
    int64_t m_keys, m_keyPrefix;
};

/// One summary per chunk, visible to all queries.
struct Summaries {
    at::Tensor keys, values;  // (B,H,C,D), (B,H,C,Dv)
};

class WindowAttention : public AttentionBackend {
public:
    WindowAttention(const AttentionSpec& spec, const BackendContext& context)
        : AttentionBackend(spec)
        , m_side(spec.integer("window"))
        , m_margin(spec.integer("margin"))
        , m_bias(context, m_side, m_margin)
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        return double(s.heads * s.keyGroups * s.queries) * seenKeys(s) * double(s.width + s.valueDim);
    }

protected:
    at::Tensor compute(const AttentionInput& input, NoiseSource& noise) const override
    {
        const AttentionInput in = withWeightChannel(input);
        const auto [queries, keys] = placesIn(in);
        if (queries.isLine() && m_bias.defined())
            throw UsageError("",
                             "the learned bias is for windows in an image, but the tokens are not on a known grid",
                             "specify the grid");
        const WindowIndex index = windowIndex(queries, keys, m_side, m_margin, in.q.options());
        auto out = scattered(attendWindows(in, index, keys, summaries(in, queries, keys, noise)), index.queries,
                             in.q.size(2));
        if (queries.prefix == 0)
            return out;
        const auto classRows = at::matmul(attentionMatrix(in.q.slice(2, 0, queries.prefix), in.k, in.scale), in.v);
        return at::cat({classRows, out.slice(2, queries.prefix)}, 2);
    }

    std::shared_ptr<const KeySets> groupSets(const AttentionInput& in, NoiseSource&) const override
    {
        const auto [queries, keys] = placesIn(in);
        return std::make_shared<WindowSets>(windowIndex(queries, keys, m_side, m_margin, at::kCPU),
                                            std::pair(in.q.size(2), in.k.size(2)), keys.prefix);
    }

    virtual Summaries summaries(const AttentionInput&, const TokenPlaces&, const TokenPlaces&, NoiseSource&) const
    {
        return {};
    }

    /// Number of keys in a query's window.
    double seenKeys(const AttentionShape& s) const
    {
        const int64_t wide = m_side + 2 * m_margin;
        return double(std::min(wide * wide, s.keys / s.keyGroups));
    }

    int64_t side() const { return m_side; }
    int64_t margin() const { return m_margin; }

private:
    /// Queries and keys on grids if these are proportional to each other; else both are lines.
    static std::pair<TokenPlaces, TokenPlaces> placesIn(const AttentionInput& in)
    {
        const TokenPlaces queries = placesOf(in.q.size(2), in.tokens),
                          keys = placesOf(in.k.size(2), in.keyLayout());
        const bool fit = !queries.isLine() && !keys.isLine()
                         && (keys.frames == queries.frames || keys.frames == 1);
        return fit ? std::pair(queries, keys)
                   : std::pair(TokenPlaces{0, 1, 1, in.q.size(2)}, TokenPlaces{0, 1, 1, in.k.size(2)});
    }

    at::Tensor attendWindows(const AttentionInput& in, const WindowIndex& index, const TokenPlaces& keys,
                             const Summaries& chunks) const
    {
        const auto queries = gatherWindows(in.q, index.queries) * in.scale;  // (B,H,W,n,D)
        auto logits = m_bias(at::matmul(queries, gatherWindows(in.k, index.keys).transpose(-1, -2)));
        // A window at the border may contain only its own queries: it is never empty.
        logits = logits.masked_fill((index.keys < 0).unsqueeze(1), -std::numeric_limits<double>::infinity());
        std::vector<at::Tensor> all{logits};
        const auto seenByAll = [&](const at::Tensor& k) {
            all.push_back(at::matmul(queries, k.transpose(-1, -2).unsqueeze(2)));  // (B,H,W,n,C)
        };
        if (keys.prefix > 0)
            seenByAll(in.k.slice(2, 0, keys.prefix));
        if (chunks.keys.defined())
            seenByAll(chunks.keys);
        const auto weights = at::cat(all, -1).softmax(-1);
        const auto local = index.keys.size(1);
        auto out = at::matmul(weights.slice(-1, 0, local), gatherWindows(in.v, index.keys));  // (B,H,W,n,Dv)
        if (keys.prefix > 0)
            out = out
                  + at::matmul(weights.slice(-1, local, local + keys.prefix),
                               in.v.slice(2, 0, keys.prefix).unsqueeze(2));
        if (chunks.keys.defined())
            out = out + at::matmul(weights.slice(-1, local + keys.prefix), chunks.values.unsqueeze(2));
        return out;
    }

    /// Windows (B,H,W,n,Dv) back in token order; class tokens stay 0.
    static at::Tensor scattered(const at::Tensor& windows, const at::Tensor& index, int64_t count)
    {
        const auto flat = index.flatten();
        const auto place = at::where(flat < 0, count, flat);  // padding goes behind the tokens
        const auto order =
            at::zeros({count + 1}, flat.options()).scatter(0, place, at::arange(flat.size(0), flat.options()));
        return windows.flatten(2, 3).index_select(2, order.slice(0, 0, count));
    }

    int64_t m_side, m_margin;
    WindowBias m_bias;
};

/// Linear and LayerNorm, or Linear only (`no-ln`), of chunk means; the identity if the weights have no map.
class ChunkMap {
public:
    ChunkMap(const BackendContext& context, const std::string& name)
        : m_map(landmarkMap(context, name, 0))
    {
        if (m_map.defined() && m_map.weight.sizes() != at::IntArrayRef({context.width, context.width}))
            throw UsageError("eva", "the map of chunk means is " + describeShape(m_map.weight.sizes()),
                             describeShape({context.width, context.width}) + " fits one head");
    }

    bool defined() const { return m_map.defined(); }
    at::Tensor operator()(const at::Tensor& x) const
    {
        if (!m_map.defined())
            return x;
        return m_map.normWeight.defined() ? m_map.apply(x) : at::linear(x, m_map.weight.to(x), m_map.bias.to(x));
    }

private:
    LandmarkMap m_map;
};

class ControlVariateAttention : public WindowAttention {
public:
    ControlVariateAttention(const AttentionSpec& spec, const BackendContext& context)
        : WindowAttention(spec, context)
        , m_samples(spec.integer("samples"))
        , m_chunk(spec.integer("chunk"))
        , m_queryMap(context, "adaptive_mu_q")
        , m_keyMap(context, "adaptive_mu_k")
    {
        if (!m_keyMap.defined())
            note("plain chunk means, because these weights have no maps for them");
    }

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const int64_t keys = s.keys / s.keyGroups;
        const auto chunks = double(std::min(m_samples, keys)), width = double(s.width);
        const double maps = m_keyMap.defined() ? 2 * chunks * width * width : 0;
        const double summaries = double(keys) * double(s.width + s.valueDim);
        const double seen = double(s.queries) * chunks * double(s.width + s.valueDim);
        return WindowAttention::countMultiplyAdds(s) + double(s.heads * s.keyGroups) * (maps + summaries + seen);
    }

    bool deterministic() const override { return !stddev(1, false); }

protected:
    Summaries summaries(const AttentionInput& in, const TokenPlaces& queries, const TokenPlaces& keys,
                        NoiseSource& noise) const override
    {
        const WindowIndex index = windowIndex(queries, keys, chunkSide(queries), margin(), in.q.options());
        // Outside the image there are zeros, and they count in the mean, as in the authors' library.
        const auto queryChunks = gatherWindows(
            in.q, windowIndex(queries, queries, chunkSide(queries), margin(), in.q.options()).keys);
        const auto keyChunks = gatherWindows(in.k, index.keys), valueChunks = gatherWindows(in.v, index.keys);
        const auto queryMean = m_queryMap(queryChunks.mean(-2)),
                   keyMean = m_keyMap(keyChunks.mean(-2));  // (B,H,C,D)
        auto omega = scaledInput((queryMean + keyMean) * 0.5, in.scale);
        if (const auto scale = stddev(omega.size(3), noise.holds("eps")))
            omega = omega + noise.normal("eps", omega.sizes(), omega.options()) * *scale;
        const auto keyHat = scaledInput(keyChunks, in.scale);
        auto logits = at::matmul(keyHat, omega.unsqueeze(-1)).squeeze(-1)
                      - keyHat.square().sum(-1) * 0.5;  // (B,H,C,m)
        logits = logits.masked_fill(index.keys < 0, -std::numeric_limits<double>::infinity());
        return {keyMean, at::matmul(logits.softmax(-1).unsqueeze(-2), valueChunks).squeeze(-2)};
    }

private:
    std::optional<double> stddev(int64_t width, bool recorded) const
    {
        return noiseStddev(spec(), is_training() || recorded, width);
    }

    /// ⌊√(tokens / C)⌋ of a frame, at least 1.
    int64_t chunkSide(const TokenPlaces& places) const
    {
        if (m_chunk > 0)
            return m_chunk;
        const auto tokens = double(places.rows * places.columns);
        return std::max<int64_t>(1, int64_t(std::sqrt(tokens / double(m_samples))));
    }

    int64_t m_samples, m_chunk;
    ChunkMap m_queryMap, m_keyMap;
};

OptionInfo windowOption()
{
    return integerOption("window", "side w of a window, in tokens", 7, 1, 256);
}

OptionInfo marginOption()
{
    return integerOption("margin", "number of tokens by which a window's keys extend beyond it on each side", 0, 0,
                         256);
}

}

BackendInfo localInfo()
{
    return {.name = "local",
            .title = "Local window",
            .help = "softmax inside windows of neighbouring tokens; the class token attends to all tokens",
            .citation = "Zheng, Wang, Kong, ICML 2022 (the authors' library, `local`); after Liu et al., Swin "
                        "Transformer, ICCV 2021",
            .complexity = "O(N·w²·D)",
            .kind = AttentionKind::NeedsTraining,
            .everyKey = false,
            .look = {Hue::Rfa, Mark::TriangleLeft, {5, 5}},
            .options = {windowOption(), marginOption(), keysOption()},
            .make = makeMethod<WindowAttention>,
            .planCandidates = {"local", "local:margin=3"},
            .parameters = {"local_relative_position_bias_table"},
            .recordedParameters = {"bias"}};
}

BackendInfo evaInfo()
{
    return {
        .name = "eva",
        .title = "EVA",
        .help = "softmax inside windows, with a randomised summary of every chunk in the same normaliser",
        .citation = "Zheng, Yuan, Wang, Kong, Efficient Attention via Control Variates, ICLR 2023",
        .complexity = "O(N·(w²+C)·D)",
        .random = true,
        .landmarks = true,
        .everyKey = false,
        .takesKeyWeights = false,
        .look = {Hue::Lara, Mark::Star, {12, 2, 2, 2, 2, 2}},
        .options = {integerOption("samples",
                                  "approximate number of chunks C of the image; the side of a chunk is ⌊√(N/C)⌋",
                                  49, 1, 4096),
                    windowOption(), marginOption(), noiseOption(),
                    advanced(
                        integerOption("chunk", "side of a chunk in tokens; 0: derived from `samples`", 0, 0, 256)),
                    keysOption(), seedOption()},
        .make = makeMethod<ControlVariateAttention>,
        .parameters = {"adaptive_mu_q.", "adaptive_mu_k.", "local_relative_position_bias_table"}};
}

}
