#include "core/train/trainable_classifier.h"

#include "core/base/error.h"

namespace attnscope {

void TrainableClassifier::addExitHeads()
{
    throw Unsupported(describe().name, "it has no block before the last whose tokens its head could read",
                      "choose another model");
}

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

}
