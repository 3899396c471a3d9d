#include "core/attention/sparse/sparse_softmax.h"

#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_sparse_softmax.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/kept_copies.h"

#include <ATen/TracerMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include <algorithm>
#include <limits>
#include <map>

namespace attnscope {

namespace {

constexpr int64_t gatheredNumbers = 1 << 19;  // of k and v in a block, 2 MB in float32

/// Queries computed together: they see every key, or all the same keys, or keys of their own, padded to the longest set.
struct RowBlock {
    at::Tensor queries;  // (n)
    at::Tensor keys;     // (n,L), or (L) of all; undefined: all keys
    at::Tensor bias;     // the same, −∞ for padding; undefined: 0

    bool gathered() const { return keys.defined() && keys.dim() == 2; }
};

/// The blocks of one set of keys, for `elements` pairs of batch element and head.
class RowBlocks {
public:
    RowBlocks(const KeyPattern& pattern, int64_t set, int64_t numbersPerKey, at::TensorOptions options)
        : m_pattern(pattern)
        , m_set(set)
        , m_capacity(std::max<int64_t>(1, gatheredNumbers / numbersPerKey))
        , m_options(options)
    {}

    template <typename Take>
    void forEach(const Take& take)
    {
        KeyRow row(m_pattern.keys());
        for (int64_t query = 0; query < m_pattern.queries(); ++query) {
            row.clear();
            m_pattern.list(m_set, query, row);
            if (row.all() || row.empty())
                addFull(query, take);
            else
                add(query, row, take);
        }
        flushShared(take);
        flush(take);
        flushFull(take);
    }

private:
    template <typename Take>
    void addFull(int64_t query, const Take& take)
    {
        m_full.push_back(query);
        if (int64_t(m_full.size()) * m_pattern.keys() >= m_capacity)
            flushFull(take);
    }

    /// Queries in a row with equal sets (blocks) wait for each other.
    template <typename Take>
    void add(int64_t query, const KeyRow& row, const Take& take)
    {
        if (row.keys() != m_sharedKeys || row.weights() != m_sharedWeights || fullShared()) {
            flushShared(take);
            m_sharedKeys = row.keys(), m_sharedWeights = row.weights();
            m_sharedWeighted = row.weighted();
        }
        m_sharing.push_back(query);
    }

    bool fullShared() const
    {
        const auto sharing = int64_t(m_sharing.size());
        return sharing >= enoughSharing && (sharing + 1) * int64_t(m_sharedKeys.size()) > m_capacity;
    }

    template <typename Take>
    void flushShared(const Take& take)
    {
        if (int64_t(m_sharing.size()) >= enoughSharing) {
            take(RowBlock{indicesOn(m_sharing, m_options), indexOf(at::tensor(m_sharedKeys, at::kInt)),
                          m_sharedWeighted ? copiedTo(at::tensor(m_sharedWeights, at::kDouble), m_options)
                                           : at::Tensor()});
        } else {
            for (const int64_t query : m_sharing)
                addPadded(query, take);
        }
        m_sharing.clear();
    }

    template <typename Take>
    void addPadded(int64_t query, const Take& take)
    {
        const auto length = int64_t(m_sharedKeys.size());
        const int64_t next = (int64_t(m_queries.size()) + 1) * std::max(m_longest, length);
        const auto seen = int64_t(m_keys.size()) + length;
        if (!m_queries.empty() && (next > m_capacity || next > 2 * seen))
            flush(take);
        m_longest = std::max(m_longest, length);
        m_weighted = m_weighted || m_sharedWeighted;
        m_queries.push_back(query);
        m_lengths.push_back(length);
        m_keys.insert(m_keys.end(), m_sharedKeys.begin(), m_sharedKeys.end());
        m_weights.insert(m_weights.end(), m_sharedWeights.begin(), m_sharedWeights.end());
    }

    template <typename Take>
    void flush(const Take& take)
    {
        if (m_queries.empty())
            return;
        take(gathered());
        m_queries.clear(), m_lengths.clear(), m_keys.clear(), m_weights.clear();
        m_longest = 0;
        m_weighted = false;
    }

    template <typename Take>
    void flushFull(const Take& take)
    {
        if (m_full.empty())
            return;
        take(RowBlock{indicesOn(m_full, m_options), {}, {}});
        m_full.clear();
    }

    RowBlock gathered() const
    {
        const auto rows = int64_t(m_queries.size());
        const bool ragged = rows * m_longest != int64_t(m_keys.size());
        auto keys = at::zeros({rows, m_longest}, at::kLong);
        auto bias = ragged || m_weighted
                        ? at::full({rows, m_longest}, -std::numeric_limits<double>::infinity(), at::kDouble)
                        : at::Tensor();
        size_t from = 0;
        for (int64_t r = 0; r < rows; ++r) {
            std::copy_n(m_keys.data() + from, m_lengths[r], keys.mutable_data_ptr<int64_t>() + r * m_longest);
            if (bias.defined())
                std::copy_n(m_weights.data() + from, m_lengths[r],
                            bias.mutable_data_ptr<double>() + r * m_longest);
            from += size_t(m_lengths[r]);
        }
        return {indicesOn(m_queries, m_options), indexOf(keys), bias.defined() ? copiedTo(bias, m_options) : bias};
    }

    at::Tensor indexOf(const at::Tensor& host) const { return copiedTo(host, m_options.dtype(at::kLong)); }

    static constexpr int64_t enoughSharing = 4;  // queries, for a matrix product of their own

    const KeyPattern& m_pattern;
    int64_t m_set, m_capacity;
    at::TensorOptions m_options;
    std::vector<int64_t> m_sharing;  // queries that wait, and what they see
    std::vector<int32_t> m_sharedKeys;
    std::vector<double> m_sharedWeights;
    bool m_sharedWeighted = false;
    std::vector<int64_t> m_full, m_queries, m_lengths;
    std::vector<int32_t> m_keys;
    std::vector<double> m_weights;
    int64_t m_longest = 0;
    bool m_weighted = false;
};

/// How products become weights.
struct Softmax {
    double scale = 1;
    bool keysRemoved = false;  ///< some logits may be −∞, all those of a query as well: it gets 0

    at::Tensor operator()(const at::Tensor& logits) const
    {
        const auto weights = logits.softmax(-1);
        return keysRemoved ? weights.masked_fill(logits.detach().amax(-1, true).isneginf(), 0) : weights;
    }
};

/// q (G,n,D), keys (G,n,L,D), values (G,n,L,Dv) → (G,n,Dv).
at::Tensor attendGathered(const at::Tensor& q, const at::Tensor& keys, const at::Tensor& values,
                          const at::Tensor& bias, const Softmax& softmax)
{
    auto logits = at::matmul(keys, (q * softmax.scale).unsqueeze(-1)).squeeze(-1);  // (G,n,L)
    if (bias.defined())
        logits = logits + bias;
    return at::matmul(softmax(logits).unsqueeze(-2), values).squeeze(-2);
}

at::Tensor attendAll(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& bias,
                     const Softmax& softmax)
{
    auto logits = at::matmul(q * softmax.scale, k.transpose(-1, -2));  // (G,n,M)
    if (bias.defined())
        logits = logits + bias;
    return at::matmul(softmax(logits), v);
}

/// `keys` and `values` as `keysOf` reads them.
at::Tensor attendBlock(const RowBlock& block, const at::Tensor& q, const at::Tensor& keys,
                       const at::Tensor& values, const Softmax& softmax)
{
    return block.gathered() ? attendGathered(q, keys, values, block.bias, softmax)
                            : attendAll(q, keys, values, block.bias, softmax);
}

/// The rows of k or v that a block reads: (G,n,L,·), (G,L,·), or all.
at::Tensor keysOf(const RowBlock& block, const at::Tensor& x)
{
    if (!block.keys.defined())
        return x;
    const auto rows = x.index_select(1, block.keys.flatten());
    return block.gathered() ? rows.unflatten(1, block.keys.sizes()) : rows;
}

/// Tensors (G,·,·) of the elements with equal sets of keys.
struct Elements {
    at::Tensor index;  // into B·H; undefined: all

    at::Tensor of(const at::Tensor& x) const { return index.defined() ? x.index_select(0, index) : x; }
    void write(at::Tensor& to, const at::Tensor& x) const
    {
        index.defined() ? to.index_copy_(0, index, x) : to.copy_(x);
    }
};

/// Calls work(set, elements) for every set.
template <typename Work>
void forEachSet(const at::Tensor& q, const KeyPattern& pattern, const Work& work)
{
    const auto sets = elementsOfSets(pattern, q.size(0), q.size(1));
    for (const auto& [set, elements] : sets)
        work(set, Elements{sets.size() == 1 ? at::Tensor() : indicesOn(elements, q.options())});
}

at::Tensor forwardPass(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Softmax& softmax,
                       const KeyPattern& pattern)
{
    auto out = at::empty({q.size(0) * q.size(1), q.size(2), v.size(3)}, q.options());
    const auto flatQ = q.flatten(0, 1), flatK = k.flatten(0, 1), flatV = v.flatten(0, 1);
    forEachSet(q, pattern, [&](int64_t set, const Elements& elements) {
        const auto ownQ = elements.of(flatQ), ownK = elements.of(flatK), ownV = elements.of(flatV);
        auto own = at::empty({ownQ.size(0), ownQ.size(1), ownV.size(2)}, q.options());
        RowBlocks blocks(pattern, set, ownQ.size(0) * (ownK.size(2) + ownV.size(2)), q.options());
        blocks.forEach([&](const RowBlock& block) {
            const auto rows = ownQ.index_select(1, block.queries);
            own.index_copy_(1, block.queries,
                            attendBlock(block, rows, keysOf(block, ownK), keysOf(block, ownV), softmax));
        });
        elements.write(out, own);
    });
    return out.unflatten(0, {q.size(0), q.size(1)});
}

struct Gradients {
    at::Tensor q, k, v;  // (B·H,·,·)
};

/// Adds the gradients of one block: computed again from its inputs, as nothing was kept.
void addGradients(const RowBlock& block, const Gradients& inputs, const at::Tensor& outGradient,
                  const Softmax& softmax, Gradients& sums)
{
    const at::AutoGradMode recording(true);
    const auto leaf = [](const at::Tensor& x) { return x.detach().requires_grad_(); };
    const auto q = leaf(inputs.q.index_select(1, block.queries));
    const auto k = leaf(keysOf(block, inputs.k)), v = leaf(keysOf(block, inputs.v));
    const auto out = attendBlock(block, q, k, v, softmax);
    const auto gradients = torch::autograd::grad({out}, {q, k, v}, {outGradient.index_select(1, block.queries)});
    const at::AutoGradMode still(false);
    sums.q.index_copy_(1, block.queries, gradients[0]);
    if (!block.keys.defined()) {
        sums.k += gradients[1];
        sums.v += gradients[2];
        return;
    }
    const auto rows = [&](const at::Tensor& x) { return block.gathered() ? x.flatten(1, 2) : x; };
    sums.k.index_add_(1, block.keys.flatten(), rows(gradients[1]));
    sums.v.index_add_(1, block.keys.flatten(), rows(gradients[2]));
}

/// A pattern among what autograd keeps for the backward pass.
struct HeldPattern : torch::CustomClassHolder {
    explicit HeldPattern(std::shared_ptr<const KeyPattern> held)
        : pattern(std::move(held))
    {}
    std::shared_ptr<const KeyPattern> pattern;
};

class SparseSoftmax : public torch::autograd::Function<SparseSoftmax> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& q, const at::Tensor& k,
                              const at::Tensor& v, const Softmax& softmax,
                              const std::shared_ptr<const KeyPattern>& pattern)
    {
        context->save_for_backward({q, k, v});
        context->saved_data["scale"] = softmax.scale;
        context->saved_data["removed"] = softmax.keysRemoved;
        context->saved_data["pattern"] = at::IValue::make_capsule(c10::make_intrusive<HeldPattern>(pattern));
        return forwardPass(q, k, v, softmax, *pattern);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients)
    {
        const auto saved = context->get_saved_variables();
        const at::Tensor &q = saved[0], &k = saved[1], &v = saved[2];
        const Softmax softmax{context->saved_data["scale"].toDouble(), context->saved_data["removed"].toBool()};
        const auto held = context->saved_data["pattern"].toCapsule();
        const KeyPattern& pattern = *static_cast<const HeldPattern&>(*held).pattern;
        const Gradients flat{q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)};
        const auto outGradient = gradients[0].flatten(0, 1);
        Gradients all{at::empty_like(flat.q), at::empty_like(flat.k), at::empty_like(flat.v)};
        forEachSet(q, pattern, [&](int64_t set, const Elements& elements) {
            const Gradients own{elements.of(flat.q), elements.of(flat.k), elements.of(flat.v)};
            Gradients sums{at::zeros_like(own.q), at::zeros_like(own.k), at::zeros_like(own.v)};
            const auto ownOut = elements.of(outGradient);
            RowBlocks blocks(pattern, set, 2 * own.q.size(0) * (own.k.size(2) + own.v.size(2)), q.options());
            blocks.forEach([&](const RowBlock& block) { addGradients(block, own, ownOut, softmax, sums); });
            elements.write(all.q, sums.q);
            elements.write(all.k, sums.k);
            elements.write(all.v, sums.v);
        });
        return {all.q.view(q.sizes()), all.k.view(k.sizes()), all.v.view(v.sizes()), {}, {}};
    }
};

/// What a pattern adds to the logits: the logarithm of each allowed key's weight, −∞ for all others; (1,1,N,M) if it is the same for all
/// heads and elements, (1,H,N,M) if it is for all elements, else (B,H,N,M).
at::Tensor logitBias(const KeyPattern& pattern, int64_t batch, int64_t heads)
{
    bool sameHeads = true, sameElements = true;
    for (int64_t element = 0; element < batch; ++element)
        for (int64_t head = 0; head < heads; ++head) {
            sameHeads = sameHeads && pattern.setOf(element, head) == pattern.setOf(element, 0);
            sameElements = sameElements && pattern.setOf(element, head) == pattern.setOf(0, head);
        }
    const int64_t elements = sameElements ? 1 : batch, kinds = sameHeads ? 1 : heads;
    auto bias = at::full({elements, kinds, pattern.queries(), pattern.keys()},
                         -std::numeric_limits<float>::infinity(), at::kFloat);
    auto* out = bias.mutable_data_ptr<float>();
    KeyRow row(pattern.keys());
    for (int64_t i = 0; i < elements * kinds; ++i)
        for (int64_t query = 0; query < pattern.queries(); ++query, out += pattern.keys()) {
            row.clear();
            pattern.list(pattern.setOf(i / kinds, i % kinds), query, row);
            if (row.all() || row.empty())
                std::fill_n(out, pattern.keys(), 0.0F);
            for (size_t j = 0; j < row.keys().size() && !row.all(); ++j)
                out[row.keys()[j]] = float(row.weights()[j]);
        }
    return bias;
}

/// Softmax over all keys with the others masked: three operators, for a graph of them that is being recorded.
at::Tensor maskedSoftmax(const AttentionInput& in, const KeyPattern& pattern)
{
    at::Tensor bias;
    {
        const at::tracer::impl::NoTracerDispatchMode constants;
        bias = logitBias(pattern, in.q.size(0), in.q.size(1));
    }
    return at::scaled_dot_product_attention(in.q, in.k, in.v, bias, 0.0, false, in.scale);
}

}

at::Tensor sparseSoftmax(const AttentionInput& input, const std::shared_ptr<const KeyPattern>& pattern,
                         SparseKernel kernel)
{
    const AttentionInput in = withWeightChannel(input);
    if (kernel == SparseKernel::Auto && (fitsCpuKernels(in) || fitsPairKernels(in)))
        return sparseSoftmaxOnCpu(in, *pattern);
    if (at::tracer::impl::is_dispatch_enabled())
        return maskedSoftmax(in, *pattern);
    const bool recorded = at::GradMode::is_enabled()
                          && (in.q.requires_grad() || in.k.requires_grad() || in.v.requires_grad());
    const Softmax softmax{in.scale, input.keyLogWeights.defined()};
    return recorded ? SparseSoftmax::apply(in.q, in.k, in.v, softmax, pattern)
                    : forwardPass(in.q, in.k, in.v, softmax, *pattern);
}

AllowedPairs countPairs(const KeyPattern& pattern, int64_t batch, int64_t heads)
{
    AllowedPairs count{.rows = batch * heads * pattern.queries()};
    KeyRow row(pattern.keys());
    for (const auto& [set, elements] : elementsOfSets(pattern, batch, heads)) {
        const auto times = int64_t(elements.size());
        for (int64_t query = 0; query < pattern.queries(); ++query) {
            row.clear();
            pattern.list(set, query, row);
            const bool full = row.all() || row.empty();
            count.pairs += times * (full ? pattern.keys() : int64_t(row.keys().size()));
            count.emptyRows += row.empty() ? times : 0;
        }
    }
    return count;
}

double estimatedPairs(const KeyPattern& pattern, int64_t heads)
{
    constexpr int64_t everyQuery = 4096, some = 1024;
    const int64_t listed = pattern.queries() <= everyQuery ? pattern.queries() : some;
    KeyRow row(pattern.keys());
    double pairs = 0;
    for (const auto& [set, elements] : elementsOfSets(pattern, 1, heads)) {
        int64_t seen = 0;
        for (int64_t i = 0; i < listed; ++i) {
            row.clear();
            pattern.list(set, (2 * i + 1) * pattern.queries() / (2 * listed), row);
            seen += row.all() || row.empty() ? pattern.keys() : int64_t(row.keys().size());
        }
        pairs += double(elements.size()) * double(seen) * double(pattern.queries()) / double(listed);
    }
    return pairs;
}

}
