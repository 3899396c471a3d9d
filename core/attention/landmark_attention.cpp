// SPDX-License-Identifier: Apache-2.0
#include "core/attention/landmark_attention.h"

namespace attnscope {

at::Tensor landmarkValues(const AttentionInput& in, const at::Tensor& landmarks)
{
    const auto logits = at::matmul(landmarks * in.scale, in.k.transpose(-1, -2))
                            .unflatten(-1, {in.keyGroups, -1});  // (B,H,C,G,M/G)
    const auto values = in.v.unflatten(2, {in.keyGroups, -1});   // (B,H,G,M/G,Dv)
    return at::matmul(logits.softmax(-1).transpose(2, 3), values).transpose(2, 3).flatten(3);
}

at::Tensor spreadLandmarkValues(const AttentionInput& in, const at::Tensor& weights, const at::Tensor& values)
{
    const auto out = at::matmul(weights, values);  // (B,H,N,G·Dv)
    return in.keyGroups == 1 ? out : out.unflatten(-1, {in.keyGroups, -1});
}

double landmarkMultiplyAdds(const AttentionShape& s, double landmarks)
{
    const auto queries = static_cast<double>(s.queries), keys = static_cast<double>(s.keys),
               groups = static_cast<double>(s.keyGroups);
    const auto width = static_cast<double>(s.width), valueDim = static_cast<double>(s.valueDim);
    return static_cast<double>(s.heads) * landmarks
           * ((queries + keys) * width + (keys + groups * queries) * valueDim);
}

}  // namespace attnscope
