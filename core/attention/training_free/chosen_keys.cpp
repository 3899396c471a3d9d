#include "core/attention/training_free/chosen_keys.h"

#include <cmath>
#include <limits>
#include <utility>

namespace attnscope {

AttentionInput withChosenKeys(AttentionInput in, at::Tensor k, at::Tensor v, at::Tensor logWeights)
{
    in.k = std::move(k), in.v = std::move(v), in.keyLogWeights = std::move(logWeights);
    in.bias = at::Tensor();  // by the places of all keys
    in.keyTokens = {};
    return in;
}

AttentionInput withChosenKeys(const AttentionInput& in, const at::Tensor& index, at::Tensor logWeights)
{
    const auto taken = [&](const at::Tensor& x) {
        return x.gather(2, index.unsqueeze(-1).expand({-1, -1, -1, x.size(3)}));
    };
    return withChosenKeys(in, taken(in.k), taken(in.v), std::move(logWeights));
}

at::Tensor wideKeyWeights(const AttentionInput& in)
{
    return in.keyLogWeights.defined() ? in.keyLogWeights.to(at::kDouble)
                                      : at::zeros(in.k.sizes().slice(0, 3), in.k.options().dtype(at::kDouble));
}

DrawnKeys drawKeys(const at::Tensor& w, const at::Tensor& p, const at::Tensor& u)
{
    const auto index = drawnKeys(p.detach(), u);
    const auto drawn = p.gather(2, index);
    const auto none = drawn <= 0;  // a removed key is the last one, where the sum of p is rounded
    const auto logWeights = w.gather(2, index) - at::where(none, at::ones_like(drawn), drawn).log()
                            - std::log(double(u.size(2)));
    return {index, logWeights.masked_fill(none, -std::numeric_limits<double>::infinity())};
}

at::Tensor drawnKeys(const at::Tensor& p, const at::Tensor& u)
{
    const at::NoGradGuard constants;
    const auto sums = p.cumsum(-1).contiguous();
    return at::searchsorted(sums, (u * sums.slice(-1, p.size(-1) - 1)).contiguous(), false, /*right=*/true)
        .clamp_max(p.size(-1) - 1);
}

}
