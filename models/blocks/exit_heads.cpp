#include "models/blocks/exit_heads.h"

#include <string>

namespace attnscope {

void visitExits(const WeightVisitor& visit, std::vector<ReadoutWeights>& exits)
{
    for (size_t i = 0; i < exits.size(); ++i) {
        const std::string prefix = "exits." + std::to_string(i) + ".";
        const auto layer = [&](const std::string& name, LayerWeights& weights) {
            if (weights.defined())  // there may be no norm, or no head
                visitLayer(visit, prefix + name, weights.weight.sizes().vec(), weights, weights.bias.defined());
        };
        layer("norm", exits[i].norm);
        const bool one = exits[i].heads.size() == 1;
        for (size_t head = 0; head < exits[i].heads.size(); ++head)
            layer(one ? "head" : "head" + std::to_string(head), exits[i].heads[head]);
    }
}

std::vector<ReadoutWeights> takeExits(WeightLoader& loader, const ReadoutWeights& own, size_t count)
{
    const char* first = own.norm.defined()      ? "exits.0.norm.weight"
                        : own.heads.size() == 1 ? "exits.0.head.weight"
                                                : "exits.0.head0.weight";
    if (count == 0 || !loader.has(first))
        return {};
    std::vector<ReadoutWeights> exits(count, own);
    visitExits([&](const std::string& name, const std::vector<int64_t>& shape,
                   at::Tensor& value) { value = loader.take(name, shape); },
               exits);
    return exits;
}

ReadoutWeights copyOf(const ReadoutWeights& readout)
{
    ReadoutWeights copy = readout;
    const auto own = [](LayerWeights& layer) {
        for (at::Tensor* part : {&layer.weight, &layer.bias})
            if (part->defined())
                *part = part->detach().clone();
    };
    own(copy.norm);
    for (LayerWeights& head : copy.heads)
        own(head);
    return copy;
}

}
