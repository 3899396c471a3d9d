#include "core/device/dtype.h"

#include "core/checkpoint/element_type.h"

#include <utility>

namespace attnscope {

namespace {

constexpr std::pair<ElementType, at::ScalarType> computed[] = {{ElementType::Float32, at::kFloat},
                                                               {ElementType::Float64, at::kDouble},
                                                               {ElementType::BFloat16, at::kBFloat16},
                                                               {ElementType::Float16, at::kHalf}};

}

std::optional<at::ScalarType> scalarType(ElementType type)
{
    for (const auto& [element, scalar] : computed)
        if (element == type)
            return scalar;
    return std::nullopt;
}

std::optional<at::ScalarType> scalarType(std::string_view name)
{
    const auto type = elementTypeNamed(name);
    return type ? scalarType(*type) : std::nullopt;
}

const char* dtypeName(at::ScalarType type)
{
    for (const auto& [element, scalar] : computed)
        if (scalar == type)
            return toText(element);
    return "";
}

SafetensorsEntry safetensorsEntry(const at::Tensor& tensor)
{
    const bool wide = tensor.scalar_type() == at::kDouble;
    const at::Tensor stored = tensor.detach().to(at::kCPU, wide ? at::kDouble : at::kFloat).contiguous();
    const auto* begin = static_cast<const std::byte*>(stored.data_ptr());
    return {wide ? ElementType::Float64 : ElementType::Float32,
            stored.sizes().vec(),
            {begin, begin + stored.nbytes()}};
}

}
