#include "core/lab/layers/inspection_memory.h"

#include "core/lab/layers/exact_pass.h"

#include <set>

namespace attnscope {

InspectionMemory::InspectionMemory(int64_t maxBytes)
    : m_maxBytes(maxBytes)
    , m_contents(std::make_unique<Contents>())
{}

InspectionMemory::~InspectionMemory() = default;

void InspectionMemory::clear()
{
    *m_contents = {};
}

int64_t InspectionMemory::bytes() const
{
    int64_t sum = 0;
    std::set<const void*> counted;  // q, k and v are often parts of one tensor
    const auto add = [&](const at::Tensor& tensor) {
        if (tensor.defined() && counted.insert(tensor.storage().unsafeGetStorageImpl()).second)
            sum += int64_t(tensor.storage().nbytes());
    };
    for (const auto& [exact, pass] : m_contents->passes) {
        for (const ExactLayer& layer : pass.layers)
            for (const at::Tensor& tensor : {layer.input.q, layer.input.k, layer.input.v, layer.output})
                add(tensor);
        for (const at::Tensor& block : pass.blocks)
            add(block);
    }
    add(m_contents->input.values);
    return sum;
}

void InspectionMemory::settle()
{
    for (auto& [exact, pass] : m_contents->passes) {
        for (ExactLayer& layer : pass.layers)
            layer.output = at::Tensor();
        pass.blocks.clear();
        pass.logits = at::Tensor();
    }
    if (bytes() > m_maxBytes)
        clear();
}

}
