#include "core/nn/onednn.h"

#include "core/kernels/cpu/cpu_kernels.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string_view>

namespace attnscope::onednn {

namespace {

using Scalars = c10::List<std::optional<at::Scalar>>;
using MaybeTensor = std::optional<at::Tensor>;
using MaybeText = std::optional<std::string_view>;

using ReorderLinear = at::Tensor(const at::Tensor& weight, std::optional<int64_t> rows);
using LinearThen = at::Tensor(const at::Tensor& x, const at::Tensor& weight, const MaybeTensor& bias,
                              std::string_view then, Scalars, MaybeText form);
using LinearWith = at::Tensor(const at::Tensor& x, const at::Tensor& other, const at::Tensor& weight,
                              const MaybeTensor& bias, std::string_view what);
using ReorderConvolution = at::Tensor(const at::Tensor& weight, at::IntArrayRef padding, at::IntArrayRef stride,
                                      at::IntArrayRef dilation, int64_t groups, at::OptionalIntArrayRef image);
using ConvolutionThen = at::Tensor(const at::Tensor& x, const at::Tensor& weight, const MaybeTensor& bias,
                                   at::IntArrayRef padding, at::IntArrayRef stride, at::IntArrayRef dilation,
                                   int64_t groups, std::string_view then, Scalars, MaybeText form);

template <typename Signature>
c10::TypedOperatorHandle<Signature> find(const char* name, const char* overload = "")
{
    return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload).typed<Signature>();
}

MaybeTensor maybe(const at::Tensor& x)
{
    return x.defined() ? MaybeTensor(x) : std::nullopt;
}

std::string_view nameOf(Then then)
{
    return then == Then::Gelu ? "gelu" : "none";
}

/// GELU by the error function, as in the networks.
MaybeText formOf(Then then)
{
    return then == Then::Gelu ? MaybeText("none") : std::nullopt;
}

}

bool available(at::Device device, at::ScalarType dtype)
{
    static const bool present = [] {
        for (const char* name : {"mkldnn::_linear_pointwise", "mkldnn::_reorder_linear_weight",
                                 "mkldnn::_convolution_pointwise", "mkldnn::_reorder_convolution_weight"})
            if (!c10::Dispatcher::singleton().findSchema({name, ""}))
                return false;
        return at::hasMKLDNN();
    }();
    // LibTorch passes bfloat16 to oneDNN if the processor has AVX-512, and throws otherwise.
    const bool type = dtype == at::kFloat || (dtype == at::kBFloat16 && kernels::cpuKernels().lanes == 16);
    return present && device.is_cpu() && type;
}

at::Tensor packLinear(const at::Tensor& weight, int64_t rows)
{
    static const auto call = find<ReorderLinear>("mkldnn::_reorder_linear_weight");
    return call.call(weight.contiguous(), rows);
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& packed, const at::Tensor& bias, Then then)
{
    static const auto call = find<LinearThen>("mkldnn::_linear_pointwise");
    return call.call(x, packed, maybe(bias), nameOf(then), Scalars(), formOf(then));
}

at::Tensor linearAdded(const at::Tensor& addend, const at::Tensor& x, const at::Tensor& packed,
                       const at::Tensor& bias)
{
    static const auto call = find<LinearWith>("mkldnn::_linear_pointwise", "binary");
    return call.call(x, addend, packed, maybe(bias), "add");
}

at::Tensor packConvolution(const at::Tensor& weight, const ConvolutionForm& form, at::IntArrayRef image)
{
    static const auto call = find<ReorderConvolution>("mkldnn::_reorder_convolution_weight");
    const std::array<int64_t, 2> padding{form.padding, form.padding}, stride{form.stride, form.stride},
        dilation{1, 1};
    return call.call(weight, padding, stride, dilation, form.groups, image);
}

at::Tensor convolution(const at::Tensor& x, const at::Tensor& packed, const at::Tensor& bias,
                       const ConvolutionForm& form, Then then)
{
    static const auto call = find<ConvolutionThen>("mkldnn::_convolution_pointwise");
    const std::array<int64_t, 2> padding{form.padding, form.padding}, stride{form.stride, form.stride},
        dilation{1, 1};
    return call.call(x, packed, maybe(bias), padding, stride, dilation, form.groups, nameOf(then), Scalars(),
                     formOf(then));
}

}
