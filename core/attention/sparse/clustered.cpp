#include "core/attention/sparse/clustered.h"

#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_clustered.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/kept_copies.h"
#include "core/attention/sparse/recorded_choice.h"
#include "core/attention/sparse/sparse_backend.h"
#include "core/attention/training_free/query_clusters.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Every query sees the chosen keys of its cluster.
class ClusterPattern : public KeyPattern {
public:
    /// assigned (B,H,n), chosen (B,H,C,k)
    ClusterPattern(const at::Tensor& assigned, const at::Tensor& chosen, int64_t keys)
        : m_assigned(assigned.to(at::kCPU).contiguous())
        , m_chosen(chosen.to(at::kCPU).contiguous())
        , m_keys(keys)
    {}

    int64_t queries() const override { return m_assigned.size(2); }
    int64_t keys() const override { return m_keys; }
    int64_t setOf(int64_t element, int64_t head) const override { return element * m_assigned.size(1) + head; }
    void list(int64_t set, int64_t query, KeyCollector& keys) const override
    {
        const int64_t cluster = clusterOf(set, query), each = m_chosen.size(3);
        const int64_t* chosen = m_chosen.const_data_ptr<int64_t>() + (set * m_chosen.size(2) + cluster) * each;
        for (int64_t t = 0; t < each; ++t)
            keys.add(chosen[t], chosen[t] + 1);
    }
    bool seeTheSame(int64_t set, int64_t query, int64_t other) const override
    {
        return clusterOf(set, query) == clusterOf(set, other);
    }
    QueryGroups groups(int64_t set, int64_t) const override
    {
        std::vector<int32_t> clusters;
        for (int64_t query = 0; query < queries(); ++query)
            clusters.push_back(int32_t(clusterOf(set, query)));
        QueryGroups groups;
        groups.addByClass(clusters, m_chosen.size(2), 0);
        return groups;
    }

private:
    int64_t clusterOf(int64_t set, int64_t query) const
    {
        return m_assigned.const_data_ptr<int64_t>()[set * queries() + query];
    }

    at::Tensor m_assigned, m_chosen;
    int64_t m_keys;
};

/// Queries before the first patch see all keys; those behind them what `patches` has for them.
class SetsBehindPrefix : public KeySets {
public:
    SetsBehindPrefix(std::shared_ptr<const KeySets> patches, int64_t prefix)
        : m_patches(std::move(patches))
        , m_prefix(prefix)
    {}

    int64_t setOf(int64_t element, int64_t head) const override { return m_patches->setOf(element, head); }
    at::Tensor rows(int64_t set, int64_t begin, int64_t end) const override
    {
        const auto own = m_patches->rows(set, std::max(begin - m_prefix, int64_t{0}),
                                         std::max(end - m_prefix, int64_t{0}));
        const int64_t full = end - begin - own.size(0);
        return at::cat({at::ones({full, own.size(1)}, own.options()), own});
    }

private:
    std::shared_ptr<const KeySets> m_patches;
    int64_t m_prefix;
};

class ClusteredAttention : public SparseAttention {
public:
    ClusteredAttention(const AttentionSpec& spec, const BackendContext& context)
        : SparseAttention(spec, context)
        , m_samples(spec.integer("samples"))
        , m_iterations(spec.integer("iterations"))
        , m_topKeys(spec.integer("topk"))
        , m_random(spec.choice("start") == "random")
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const SparsePlaces places(s.queries, s.keys / s.keyGroups, tokens(), {});
        const auto n = double(places.queryPatches()), m = double(places.keys());
        const double clusters = std::min(double(m_samples), n), width = double(s.width),
                     both = double(s.width + s.valueDim);
        const double finding = double(m_iterations + 1) * n * clusters * width;
        const double exact = n * std::min(double(m_topKeys), m) + double(places.queryPrefix()) * m;
        return double(s.heads * s.keyGroups) * (finding + (clusters * m + exact) * both);
    }

    bool deterministic() const override { return !m_random; }

protected:
    bool takesHalf(const AttentionInput&) const override { return false; }

    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        const SparsePlaces places = placesIn(in);
        if (places.queryPatches() == 0)
            return exactAttention(in);
        AttentionInput patches = in;
        patches.q = in.q.slice(2, places.queryPrefix());
        if (kernel() == SparseKernel::Auto && fitsCpuKernels(in))
            return clusteredOnCpu(in, {startsFor(patches, noise).to(at::kLong).contiguous(), places.queryPrefix(),
                                       m_iterations, m_topKeys});
        auto out = attendClusters(patches, clusters(patches, noise));
        if (places.queryPrefix() == 0)
            return out;
        AttentionInput prefix = in;
        prefix.q = in.q.slice(2, 0, places.queryPrefix());
        return at::cat({exactAttention(prefix), out}, 2);
    }

    /// Every key is seen, through the weights of the cluster.
    AllowedPairs countAllowed(const AttentionInput&, NoiseSource&) const override { return {}; }

    /// The keys of the largest weights, which queries weigh themselves.
    std::shared_ptr<const KeySets> groupSets(const AttentionInput& in, NoiseSource& noise) const override
    {
        const SparsePlaces places = placesIn(in);
        if (m_topKeys == 0 || places.queryPatches() == 0)
            return nullptr;
        AttentionInput patches = in;
        patches.q = in.q.slice(2, places.queryPrefix());
        return std::make_shared<SetsBehindPrefix>(keySetsOf(pattern(patches, places, noise), in.k.size(2)),
                                                  places.queryPrefix());
    }

    std::shared_ptr<const KeyPattern> pattern(const AttentionInput& in, SparsePlaces,
                                              NoiseSource& noise) const override
    {
        const Clusters found = clusters(in, noise);
        return topKeys(found, in);
    }

private:
    struct Clusters {
        at::Tensor assigned;  // (B,H,n)
        at::Tensor weights;   // (B,H,C,M)
        at::Tensor order;     // (B,H,C,k): keys of the largest weights
    };

    Clusters clusters(const AttentionInput& in, NoiseSource& noise) const
    {
        const auto starts = copiedTo(startsFor(in, noise), in.q.options().dtype(at::kLong));
        const auto queries = in.q.detach();
        const auto assigned = kMeans(queries, ownRow(queries, starts), m_iterations).assigned;
        const auto means = clusterMeans(in.q, assigned, starts.size(2));  // (B,H,C,D)
        const auto weights = attentionMatrix(means, in.k, in.scale, {}, in.keyLogWeights);
        const auto kept = std::min(m_topKeys, in.k.size(2));
        const auto order =
            std::get<1>(weights.detach().sort(/*stable=*/true, -1, /*descending=*/true)).slice(-1, 0, kept);
        return {assigned, weights, order.contiguous()};
    }

    static std::shared_ptr<const KeyPattern> topKeys(const Clusters& found, const AttentionInput& in)
    {
        return std::make_shared<ClusterPattern>(found.assigned, found.order, in.k.size(2));
    }

    at::Tensor attendClusters(const AttentionInput& in, const Clusters& found) const
    {
        if (m_topKeys == 0)
            return ownRow(at::matmul(found.weights, in.v), found.assigned);
        const auto mass = found.weights.gather(-1, found.order).sum(-1, true);  // (B,H,C,1)
        const auto rest = at::matmul(found.weights.scatter(-1, found.order, 0), in.v);
        const auto exact = sparseSoftmax(in, topKeys(found, in), kernel());
        return ownRow(mass, found.assigned) * exact + ownRow(rest, found.assigned);
    }

    /// (B,H,C) patch numbers.
    at::Tensor startsFor(const AttentionInput& in, NoiseSource& noise) const
    {
        const int64_t batch = in.q.size(0), heads = in.q.size(1), patches = in.q.size(2);
        const int64_t count = std::min(m_samples, patches);
        if (noise.holds("starts")) {
            const RecordedChoice given = recordedChoice(noise, "starts", {batch, heads, -1}, {0, patches - 1});
            return at::tensor(given.values, at::kLong).view(given.sizes);
        }
        if (!m_random)
            return at::tensor(spreadEvenly(count, patches), at::kLong).expand({batch, heads, count});
        std::vector<int64_t> starts;
        const NoiseStream stream = noise.stream("starts", batch).value();
        std::vector<float> uniform(size_t(heads * count));
        for (int64_t b = 0; b < batch; ++b) {
            fillUniform(stream.key, stream.samples[size_t(b)], 0, uniform);
            for (int64_t h = 0; h < heads; ++h) {
                const auto own = partialShuffle(patches, count,
                                                {uniform.begin() + h * count, uniform.begin() + (h + 1) * count});
                starts.insert(starts.end(), own.begin(), own.end());
            }
        }
        return at::tensor(starts, at::kLong).view({batch, heads, count});
    }

    int64_t m_samples, m_iterations, m_topKeys;
    bool m_random;
};

}

BackendInfo clusteredInfo()
{
    return {.name = "clustered",
            .title = "Clustered",
            .help = "queries are clustered and share the weights of their mean, of which the largest are "
                    "computed exactly",
            .citation = "Vyas, Katharopoulos, Fleuret, Fast Transformers with Clustered Attention, NeurIPS 2020, "
                        "with k-means",
            .complexity = "O((C·M + N·k + i·N·C)·D)",
            .random = true,
            .landmarks = true,
            .prefixSeesAll = true,
            .look = {Hue::Softmax, Mark::Parallelogram, {4, 1.5, 8, 1.5}},
            .options = {integerOption("samples", "clusters C of queries", 49, 1, 4096),
                        integerOption("iterations", "steps of k-means, which take time of their own", 10, 0, 100),
                        integerOption("topk", "keys of each cluster that its queries weigh themselves; 0: none",
                                      32, 0, 16384),
                        choiceOption("start", "queries from which k-means starts",
                                     {{"even", "spread evenly over the image", {}}, {"random", "drawn", {}}}),
                        kernelOption(), keysOption(), seedOption()},
            .make = makeMethod<ClusteredAttention>,
            .planCandidates = {"clustered", "clustered:topk=0"}};
}

}
