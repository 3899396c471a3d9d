#include "tests/samples/method/softplus.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"

namespace attnscope {

namespace {

class SoftplusAttention : public AttentionBackend {
public:
    SoftplusAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_sharpness(spec.real("sharpness"))
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        return double(s.heads * s.queries * s.keys) * double(s.width + s.valueDim);
    }

    bool deterministic() const override { return true; }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        const auto weights = at::softplus(at::matmul(in.q, in.k.transpose(-1, -2))
                                          * (m_sharpness * in.scale));  // (B,H,N,M)
        return at::matmul(weights / weights.sum(-1, true), in.v);
    }

private:
    double m_sharpness;
};

}

BackendInfo softplusInfo()
{
    return {.name = "softplus",
            .title = "Softplus",
            .help = "softplus in the place of the exponential: another function than softmax",
            .citation = "a sample of how a method is added",
            .complexity = "O(N·M·D)",
            .kind = AttentionKind::OtherKernel,
            .tokenComplexity = {.time = 2, .memory = 2},
            .look = {Hue::Nystrom, Mark::TriangleRight, {7, 1, 3, 1}},
            .options = {realOption("sharpness", "multiplies the logits", 1, 1e-3, 1e3), keysOption()},
            .make = makeMethod<SoftplusAttention>,
            .planCandidates = {"softplus:sharpness=2"}};
}

}
