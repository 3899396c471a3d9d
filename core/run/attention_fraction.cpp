#include "core/run/attention_fraction.h"

#include "core/base/format.h"
#include "core/run/classifier.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>

namespace attnscope {

namespace {

/// What remains without attention: zeros, at no cost.
class NoAttention : public AttentionBackend {
public:
    NoAttention()
        : AttentionBackend(AttentionSpec::reference())
    {}
    double countMultiplyAdds(const AttentionShape&) const override { return 0; }

protected:
    at::Tensor compute(const AttentionInput& input, NoiseSource&) const override
    {
        return at::zeros({input.q.size(0), input.q.size(1), input.q.size(2), input.v.size(3)}, input.v.options());
    }
};

}

std::string AttentionFraction::gainText() const
{
    return formatGain(highestGain());
}

std::optional<AttentionFraction> attentionFraction(const Classifier& classifier)
{
    const c10::InferenceMode guard;
    PreparedAttention prepared = classifier.prepare(AttentionSpec::native(), 0);
    AttentionFraction made{.macs = classifier.multiplyAdds(prepared)};
    std::ranges::fill(prepared.layers, std::make_shared<NoAttention>());
    made.attention = made.macs - classifier.multiplyAdds(prepared);
    if (!(made.attention > 0) || made.attention >= made.macs)
        return {};
    return made;
}

}
