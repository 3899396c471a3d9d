// SPDX-License-Identifier: Apache-2.0
#include "core/train/trainable_classifier.h"

namespace attnscope {

at::Tensor storedValue(const NamedWeight& weight)
{
    if (!weight.value.defined())
        return at::zeros(weight.shape);
    const at::Tensor value = weight.value.detach();
    if (value.numel() == c10::multiply_integers(weight.shape))
        return value.reshape(weight.shape).contiguous();
    at::Tensor stored = at::zeros(weight.shape, value.options());
    stored.slice(0, 0, value.size(0)).copy_(value);
    return stored;
}

}  // namespace attnscope
