#include "core/nn/layers.h"

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/nn/int8.h"
#include "core/nn/linear_choice.h"

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

using onednn::Then;

bool canBePacked(const at::Tensor& weight)
{
    return weight.defined() && onednn::available(weight.device(), weight.scalar_type());
}

void give(LayerWeights& layer, at::Tensor packed)
{
    layer.packed = std::move(packed);
    layer.weight = at::Tensor();
}

void packWeights(LayerWeights& layer)
{
    const auto pack = layer.gated ? packedWeights::gatedLayer : packedWeights::linearLayer;
    layer.packedWeights = pack(layer.weight, layer.bias);
    layer.weight = at::Tensor();
}

/// 0 if there is no weight.
int64_t inputsOf(const LayerWeights& layer)
{
    return layer.packedWeights.defined() ? layer.packedWeights.in
           : layer.packed.defined()      ? layer.packed.size(1)
           : layer.weight.defined()      ? layer.weight.size(1)
                                         : 0;
}

at::Tensor plainLinear(const at::Tensor& x, const LayerWeights& layer)
{
    return at::linear(layer.roundsInputs ? roundedInputs(x) : x, layer.weight, layer.bias);
}

at::Tensor plainConvolution(const at::Tensor& x, const LayerWeights& layer, const onednn::ConvolutionForm& form)
{
    return at::conv2d(x, layer.weight, layer.bias, {form.stride, form.stride}, {form.padding, form.padding},
                      {1, 1}, form.groups);
}

}

int64_t LayerWeights::bytes() const
{
    size_t bytes = 0;
    for (const at::Tensor* part : {&weight, &packedWeights.packedInputs, &packedWeights.scales})
        bytes += part->defined() ? part->nbytes() : 0;
    if (packed.defined())
        bytes += size_t(packed.numel()) * packed.element_size();
    return int64_t(bytes);
}

std::string slownessOf(at::Device device, at::ScalarType dtype)
{
    if (!device.is_cpu() || dtype != at::kHalf)
        return {};
    return "float16 has no optimized CPU kernels and is many times slower; float32 and bfloat16 are fast";
}

void packLinear(LayerWeights& layer, int64_t rows)
{
    constexpr int64_t minWork = 4 << 20;  // multiply-adds: below this, oneDNN's overhead exceeds what it saves
    if (!layer.weight.defined())
        return;
    const int64_t unit = layer.gated ? 32 : 16;  // outputs come in these
    const bool fits = packedWeights::fits(layer.weight) && layer.weight.size(0) % unit == 0;
    const bool worthwhile = canBePacked(layer.weight) && rows * layer.weight.numel() >= minWork;
    if (fits && !(worthwhile && onednn::isFaster(layer.weight, rows)))
        packWeights(layer);
    else if (worthwhile)
        give(layer, onednn::packLinear(layer.weight, onednn::manyRows));
}

void packMlp(LayerWeights& fc1, LayerWeights& innerNorm, LayerWeights& fc2, int64_t rows)
{
    const int64_t hidden = fc2.weight.defined() ? fc2.weight.size(1) : 0,
                  missing = (hidden + 15) / 16 * 16 - hidden;
    if (missing > 0 && fc1.weight.defined() && packedWeights::fits(fc1.weight.narrow(0, 0, 0))
        && packedWeights::fitsChannels(fc2.weight)) {
        const auto padded = [&](const at::Tensor& x) {  // x: (parts·hidden,…)
            const auto parts = x.reshape({fc1.gated ? 2 : 1, hidden, -1});
            auto sizes = x.sizes().vec();
            sizes.front() += parts.size(0) * missing;
            return at::constant_pad_nd(parts, {0, 0, 0, missing}).view(sizes);
        };
        fc1.weight = padded(fc1.weight);
        if (fc1.bias.defined())
            fc1.bias = padded(fc1.bias);
        fc2.weight = at::constant_pad_nd(fc2.weight, {0, missing});
        if (innerNorm.weight.defined())
            innerNorm.packedWeights = packedWeights::normLayer(innerNorm.weight, innerNorm.bias, innerNorm.rms);
    }
    packLinear(fc1, rows);
    if (!innerNorm.packedWeights.defined())
        packNorm(innerNorm);
    packLinear(fc2, rows);
}

LayerWeights int8Layer(const LayerWeights& layer, Execution execution)
{
    LayerWeights small = layer;
    if (inputsOf(layer) < kernels::int8Group)
        return small;
    if (layer.packedWeights.defined()) {
        small.packedWeights = packedWeights::int8Layer(layer.packedWeights);
        return small;
    }
    if (layer.packed.defined())
        small.weight = denseWeight(layer, layer.packed.size(1),
                                   at::TensorOptions().dtype(layer.packed.scalar_type()));
    small.packed = at::Tensor();
    if (!small.weight.defined())
        return small;
    if (execution == Execution::Optimized && packedWeights::fits(small.weight)) {
        packWeights(small);
        small.packedWeights = packedWeights::int8Layer(small.packedWeights);
        return small;
    }
    small.weight = fromInt8(toInt8(small.weight), small.weight.scalar_type());
    small.roundsInputs = true;
    return small;
}

void packHead(LayerWeights& layer)
{
    if (layer.weight.defined() && packedWeights::fits(layer.weight.narrow(0, 0, 0)))
        packWeights(layer);
}

void packNorm(LayerWeights& norm)
{
    if (norm.weight.defined() && packedWeights::fitsChannels(norm.weight))
        norm.packedWeights = packedWeights::normLayer(norm.weight, norm.bias, norm.rms);
}

void packDepthwise(LayerWeights& layer)
{
    if (layer.weight.defined() && packedWeights::fitsChannels(layer.weight))
        layer.packedWeights = packedWeights::depthwiseLayer(layer.weight, layer.bias);
}

void packConvolution(LayerWeights& layer, const onednn::ConvolutionForm& form, at::IntArrayRef image)
{
    if (canBePacked(layer.weight))
        give(layer, onednn::packConvolution(layer.weight, form, image));
}

bool canPackNormed(const LayerWeights& layer, const LayerWeights& norm)
{
    return layer.weight.defined() && norm.packedWeights.defined() && packedWeights::fitsChannels(layer.weight);
}

void packNormedConvolution(LayerWeights& layer, const onednn::ConvolutionForm& form)
{
    layer.packedWeights = packedWeights::windowLayer(layer.weight, layer.bias,
                                                     {layer.weight.size(2), form.stride, form.padding});
    layer.weight = at::Tensor();
}

packedWeights::Layer pixelLayer(const LayerWeights& layer, const onednn::ConvolutionForm& form,
                                const packedWeights::PixelScale& scale)
{
    if (!packedWeights::fitsChannels(layer.weight) || layer.weight.size(1) != 3)
        return {};
    return packedWeights::pixelLayer(
        layer.weight, layer.bias, {.side = layer.weight.size(2), .stride = form.stride, .padding = form.padding},
        scale);
}

void packPatches(LayerWeights& layer, int64_t tokens)
{
    if (!packedWeights::fitsChannels(layer.weight)) {
        layer.weight = layer.weight.flatten(1);
        return packLinear(layer, tokens);
    }
    const int64_t side = layer.weight.size(2);
    layer.packedWeights = packedWeights::windowLayer(layer.weight, layer.bias,
                                                     {.side = side, .stride = side, .planes = true});
    layer.weight = at::Tensor();
}

at::Tensor patchTokens(const at::Tensor& image, int64_t side, const LayerWeights& layer)
{
    if (layer.packedWeights.window.side > 0)
        return packedWeights::convolution(image, layer.packedWeights);
    if (layer.weight.defined() && layer.weight.dim() == 4)
        return convolution(image, layer, {.stride = side}).flatten(2).transpose(1, 2);
    const auto cut = image.unflatten(3, {image.size(3) / side, side})
                         .unflatten(2, {image.size(2) / side, side});  // (B,C,rows,side,columns,side)
    return linear(cut.permute({0, 2, 4, 1, 3, 5}).flatten(3).flatten(1, 2), layer);
}

at::Tensor normedConvolution(const at::Tensor& x, int64_t rows, const LayerWeights& layer,
                             const LayerWeights& norm, double eps, const onednn::ConvolutionForm& form)
{
    const auto image = x.unflatten(1, {rows, x.size(1) / rows});  // (B,rows,columns,C)
    if (layer.packedWeights.defined())
        return packedWeights::normedConvolution(image, layer.packedWeights, norm.packedWeights, eps);
    return normed(convolution(image.permute({0, 3, 1, 2}), layer, form).permute({0, 2, 3, 1}).flatten(1, 2), norm,
                  eps);
}

at::Tensor denseWeight(const LayerWeights& layer, int64_t in, const at::TensorOptions& like)
{
    if (layer.weight.defined())
        return layer.weight;
    LayerWeights unbiased = layer;
    unbiased.bias = at::Tensor();
    if (unbiased.packedWeights.defined())
        unbiased.packedWeights.bias = at::zeros_like(layer.packedWeights.bias);
    return linear(at::eye(in, like), unbiased).transpose(0, 1);
}

at::Tensor activated(const at::Tensor& x, Activation activation)
{
    const bool own = !x.requires_grad();
    at::Tensor y = x;
    switch (activation) {
    case Activation::None:
        return x;
    case Activation::Gelu:
        return own ? at::gelu_(y) : at::gelu(x);
    case Activation::GeluTanh:
        return own ? at::gelu_(y, "tanh") : at::gelu(x, "tanh");
    case Activation::QuickGelu:
        return own ? y.mul_(at::sigmoid(1.702 * x)) : x * at::sigmoid(1.702 * x);
    case Activation::Silu:
        break;
    }
    return own ? at::silu_(y) : at::silu(x);
}

at::Tensor linear(const at::Tensor& x, const LayerWeights& layer, Activation activation)
{
    if (layer.packedWeights.defined())
        return packedWeights::linear(x, layer.packedWeights, activation);
    if (layer.packed.defined() && activation == Activation::Gelu && !layer.gated)
        return onednn::linear(x, layer.packed, layer.bias, Then::Gelu);
    const auto y = layer.packed.defined() ? onednn::linear(x, layer.packed, layer.bias) : plainLinear(x, layer);
    if (!layer.gated)
        return activated(y, activation);
    const auto parts = y.chunk(2, -1);
    return activated(parts[0], activation) * parts[1];
}

at::Tensor linearAdded(const at::Tensor& addend, const at::Tensor& x, const LayerWeights& layer)
{
    if (layer.packedWeights.defined())
        return packedWeights::linear(x, layer.packedWeights, Activation::None, addend);
    return layer.packed.defined() ? onednn::linearAdded(addend, x, layer.packed, layer.bias)
                                  : addend + plainLinear(x, layer);
}

at::Tensor normed(const at::Tensor& x, const LayerWeights& norm, double eps)
{
    if (norm.packedWeights.defined())
        return packedWeights::norm(x, norm.packedWeights, eps);
    return norm.rms ? at::rms_norm(x, {x.size(-1)}, norm.weight, eps)
                    : at::layer_norm(x, {x.size(-1)}, norm.weight, norm.bias, eps);
}

at::Tensor normedLinear(const at::Tensor& x, const LayerWeights& norm, double eps, const LayerWeights& layer,
                        Activation activation)
{
    if (norm.packedWeights.defined() && layer.packedWeights.defined())
        return packedWeights::normedLinear(x, norm.packedWeights, eps, layer.packedWeights, activation);
    return linear(normed(x, norm, eps), layer, activation);
}

namespace {

bool isPacked(const BlockEnd& end)
{
    return end.norm.packedWeights.defined() && end.projection.packedWeights.defined()
           && end.fc1.packedWeights.defined() && end.fc2.packedWeights.defined()
           && (end.innerNorm == nullptr || end.innerNorm->packedWeights.defined());
}

packedWeights::BlockEnd packedOf(const BlockEnd& end)
{
    return {end.projection.packedWeights,
            end.norm.packedWeights,
            end.fc1.packedWeights,
            end.fc2.packedWeights,
            end.eps,
            end.activation,
            end.innerNorm == nullptr ? nullptr : &end.innerNorm->packedWeights};
}

}

at::Tensor finishBlock(const at::Tensor& x, const at::Tensor& y, const BlockEnd& end)
{
    return isPacked(end) ? packedWeights::finishBlock(x, y, packedOf(end))
                         : finishMlp(linearAdded(x, y, end.projection), end);
}

at::Tensor finishMlp(const at::Tensor& x, const BlockEnd& end)
{
    if (isPacked(end))
        return packedWeights::finishMlp(x, packedOf(end));
    const auto hidden = normedLinear(x, end.norm, end.eps, end.fc1, end.activation);
    return linearAdded(x, end.innerNorm == nullptr ? hidden : normed(hidden, *end.innerNorm, end.eps), end.fc2);
}

at::Tensor imageMlp(const at::Tensor& x, const ImageMlp& mlp)
{
    const auto together = {&mlp.norm, &mlp.fc1, &mlp.depthwise, &mlp.fc2};
    const bool packed = std::ranges::all_of(
        together, [](const LayerWeights* layer) { return layer->packedWeights.defined(); });
    if (packed)
        return packedWeights::imageMlp(x,
                                       {mlp.norm.packedWeights, mlp.fc1.packedWeights, mlp.depthwise.packedWeights,
                                        mlp.fc2.packedWeights, mlp.eps, mlp.rows, mlp.columns});
    const auto hidden = normedLinear(x, mlp.norm, mlp.eps, mlp.fc1);  // (B,N,hidden)
    const auto image = hidden.unflatten(1, {mlp.rows, mlp.columns}).permute({0, 3, 1, 2});
    const auto mixed = convolutionGelu(image, mlp.depthwise, {.stride = 1, .padding = 1, .groups = image.size(1)});
    return linearAdded(x, mixed.permute({0, 2, 3, 1}).flatten(1, 2), mlp.fc2);
}

at::Tensor convolution(const at::Tensor& x, const LayerWeights& layer, const onednn::ConvolutionForm& form)
{
    return layer.packed.defined() ? onednn::convolution(x, layer.packed, layer.bias, form)
                                  : plainConvolution(x, layer, form);
}

at::Tensor convolutionGelu(const at::Tensor& x, const LayerWeights& layer, const onednn::ConvolutionForm& form)
{
    if (layer.packed.defined())
        return onednn::convolution(x, layer.packed, layer.bias, form, Then::Gelu);
    auto y = plainConvolution(x, layer, form);
    if (y.requires_grad())
        return at::gelu(y);  // autograd needs the input
    return at::gelu_(y);     // in place: y is not used elsewhere
}

}
