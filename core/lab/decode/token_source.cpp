#include "core/lab/decode/token_source.h"

#include "core/attention/noise.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors.h"
#include "core/lab/attend/dumped_tensors.h"

#include <cmath>
#include <limits>
#include <utility>

namespace attnscope {

namespace {

constexpr int64_t recallPeriod = 256;
constexpr double smoothness = 0.95;

class MadeTokens : public TokenSource {
public:
    explicit MadeTokens(const DecodeRequest& request)
        : m_kind(request.tokens)
        , m_heads(request.heads)
        , m_width(request.width)
        , m_root(std::sqrt(request.temperature))
        , m_noise(request.seed, 0)
    {}

    int64_t heads() const override { return m_heads; }
    StreamShape widths() const override { return {m_width, m_width, 0}; }
    int64_t length() const override { return std::numeric_limits<int64_t>::max(); }

    TokenBlock tokens(int64_t first, int64_t count) override
    {
        TokenBlock block;
        if (m_kind == TokenKind::Smooth) {
            block = {smooth("q", first, count), smooth("k", first, count), smooth("v", first, count)};
        } else {
            const bool recall = m_kind == TokenKind::Recall;
            block.q = numbers(recall ? "k" : "q", first + (recall ? recallPeriod / 2 : 0), count);
            block.k = numbers("k", first, count);
            block.v = numbers("v", first, count);
        }
        block.q *= m_root;
        block.k *= m_root;
        return block;
    }

private:
    /// n(first) … of all heads, (H,n,D).
    at::Tensor numbers(const char* name, int64_t first, int64_t count)
    {
        const NoiseStream stream = m_noise.stream(name, m_heads).value();
        at::Tensor made = at::empty({m_heads, count, m_width}, at::kFloat);
        auto* out = made.data_ptr<float>();
        for (int64_t h = 0; h < m_heads; ++h)
            for (int64_t i = 0; i < count; ++i, out += m_width) {
                const int64_t place = m_kind == TokenKind::Recall ? (first + i) % recallPeriod : first + i;
                fillNormal(stream, h, uint64_t(place * m_width), {out, size_t(m_width)});
            }
        return made;
    }

    /// The numbers before `first` weigh ρ^n: those of 512 tokens ago are lost in float32.
    at::Tensor smooth(const char* name, int64_t first, int64_t count)
    {
        constexpr int64_t history = 512;
        const int64_t start = std::max<int64_t>(0, first - history);
        at::Tensor x = numbers(name, start, first + count - start);
        for (int64_t t = 1; t < x.size(1); ++t)
            x.select(1, t).mul_(std::sqrt(1 - smoothness * smoothness)).add_(x.select(1, t - 1), smoothness);
        return x.narrow(1, first - start, count).clone();
    }

    TokenKind m_kind;
    int64_t m_heads, m_width;
    double m_root;
    SeededNoise m_noise;
};

class DumpedTokens : public TokenSource {
public:
    explicit DumpedTokens(const DecodeRequest& request)
    {
        const std::string name = request.file.string();
        const StateDict file = readSafetensors(openFile(request.file), request.limits);
        const AttentionInput all =
            readDumpedTensors(file, name, {}, {at::kCPU, "float32", request.temperature, NoiseOrigin::Drawn})
                .input;
        if (request.layer >= all.q.size(0))
            throw UsageError("--layer", "`" + std::to_string(request.layer) + "` is not a layer of " + name,
                             "its layers are 0 to " + std::to_string(all.q.size(0) - 1));
        if (all.q.size(2) != all.k.size(2))
            throw FileError(name,
                            "it has " + counted(all.q.size(2), "query", "queries") + " and "
                                + counted(all.k.size(2), "key"),
                            "a stream needs as many keys as queries");
        m_q = all.q[request.layer].contiguous();
        m_k = all.k[request.layer].contiguous();
        m_v = all.v[request.layer].contiguous();
    }

    int64_t heads() const override { return m_q.size(0); }
    StreamShape widths() const override { return {m_q.size(2), m_v.size(2), 0}; }
    int64_t length() const override { return m_q.size(1); }

    TokenBlock tokens(int64_t first, int64_t count) override
    {
        const auto part = [&](const at::Tensor& x) { return x.narrow(1, first, count).contiguous(); };
        return {part(m_q), part(m_k), part(m_v)};
    }

private:
    at::Tensor m_q, m_k, m_v;  // (H,T,·)
};

}

std::unique_ptr<TokenSource> makeTokenSource(const DecodeRequest& request)
{
    if (request.file.empty())
        return std::make_unique<MadeTokens>(request);
    return std::make_unique<DumpedTokens>(request);
}

}
