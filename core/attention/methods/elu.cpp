#include "core/attention/methods/elu.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/random_feature_kernel.h"

#include <cmath>

namespace attnscope {

namespace {

class EluAttention : public AttentionBackend {
public:
    EluAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_root(std::sqrt(spec.real("scale")))
        , m_epsilon(spec.real("eps"))
    {
        note("a different kernel than softmax, so its error is large by design on weights trained with softmax");
    }

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto queries = double(s.queries), keys = double(s.keys);
        const auto width = double(s.width), values = double(s.valueDim);
        const auto groups = double(s.keyGroups);
        return double(s.heads) * width * (keys * values + groups * queries * (values + 1));
    }

protected:
    bool takesGroups() const override { return true; }

    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        const auto queries = feature(in.q);  // (B,H,N,D)
        auto keys = feature(in.k);
        if (in.keyLogWeights.defined())
            keys = keys * (in.keyLogWeights - in.keyLogWeights.amax(-1, true)).exp().unsqueeze(-1);
        keys = keys.unflatten(2, {in.keyGroups, -1});  // (B,H,G,M/G,D)
        return featureRatio(queries, keys, in.v, featureDenominators(queries, keys) + m_epsilon);
    }

private:
    at::Tensor feature(const at::Tensor& x) const { return at::elu(m_root == 1 ? x : x * m_root) + 1; }

    double m_root, m_epsilon;
};

}

BackendInfo eluInfo()
{
    return {
        .name = "elu",
        .title = "φ_ELU",
        .help = "linear attention with the kernel elu(x) + 1; a different function than softmax",
        .citation = "Katharopoulos et al., Transformers are RNNs: Fast Autoregressive Transformers with Linear "
                    "Attention, ICML 2020",
        .complexity = "O((N+M)·D²)",
        .kind = AttentionKind::OtherKernel,
        .look = {Hue::Orthoformer, Mark::Cross, {10, 3, 3, 3}},
        .options = {realOption("scale", "multiplies q·k before the kernel; the original has none", 1, 1e-6, 1e6),
                    advanced(realOption("eps", "added to the normaliser", 1e-6, 0, 1)), keysOption()},
        .make = makeMethod<EluAttention>};
}

}
