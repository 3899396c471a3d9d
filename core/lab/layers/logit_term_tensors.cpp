#include "core/lab/layers/logit_term_tensors.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/run/observers.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

void require(const char* name, const at::Tensor& tensor, at::IntArrayRef sizes)
{
    if (tensor.sizes() != sizes)
        throw UsageError("", std::string("`") + name + "` is " + describeShape(tensor.sizes()),
                         describeShape(sizes) + " fits the tokens");
}

void checkSizes(const FirstLayer& layer)
{
    if (layer.content.dim() != 2 || layer.content.numel() == 0)
        throw UsageError("", "`content` is " + describeShape(layer.content.sizes()),
                         "it needs two dimensions: tokens and channels");
    const int64_t width = layer.content.size(1);
    require("position", layer.position, layer.content.sizes());
    require("norm.weight", layer.normWeight, {width});
    require("norm.bias", layer.normBias, {width});
    const int64_t out = layer.queryWeight.dim() == 2 ? layer.queryWeight.size(0) : 0;
    if (layer.heads < 1 || out < 1 || out % layer.heads != 0)
        throw UsageError("", "`q.weight` is " + describeShape(layer.queryWeight.sizes()),
                         "its rows must be a multiple of the " + std::to_string(layer.heads) + " heads");
    require("q.weight", layer.queryWeight, {out, width});
    require("k.weight", layer.keyWeight, {out, width});
    require("q.bias", layer.queryBias, {out});
    require("k.bias", layer.keyBias, {out});
    if (layer.keyGroups < 1 || layer.content.size(0) % layer.keyGroups != 0)
        throw UsageError("", std::to_string(layer.content.size(0)) + " tokens cannot be split into "
                                 + std::to_string(layer.keyGroups) + " frames");
}

}

LogitTerms::LogitTerms(const FirstLayer& layer)
    : m_keyGroups(layer.keyGroups)
{
    checkSizes(layer);
    const auto wide = [](const at::Tensor& x) { return x.to(at::kDouble); };
    const auto whole = wide(layer.content) + wide(layer.position);
    const auto stddev = (whole.var(-1, false, true) + layer.eps).sqrt();  // (N,1)
    const auto normed = [&](const at::Tensor& part) {
        return (wide(part) - wide(part).mean(-1, true)) / stddev * wide(layer.normWeight);
    };
    const auto content = normed(layer.content), position = normed(layer.position);  // (N,C)
    const auto projected = [&](const at::Tensor& weight, const at::Tensor& bias, double factor) {
        const auto matrix = wide(weight).transpose(0, 1);
        const auto constant = at::matmul(wide(layer.normBias), matrix) + wide(bias);  // (H·D)
        const auto byHead = [&](const at::Tensor& x) {
            return (x * factor).unflatten(-1, {layer.heads, -1}).transpose(0, 1);
        };
        return Parts{byHead(at::matmul(content, matrix)), byHead(at::matmul(position, matrix)),
                     byHead(constant.expand({whole.size(0), -1}))};
    };
    const int64_t headDim = layer.queryWeight.size(0) / layer.heads;
    const double scale = 1 / std::sqrt(double(headDim));
    m_queries = projected(layer.queryWeight, layer.queryBias, scale);
    m_keys = projected(layer.keyWeight, layer.keyBias, 1);
}

ByLogitTerm<at::Tensor> LogitTerms::rows(int64_t begin, int64_t end) const
{
    const auto product = [&](size_t query, size_t key) {
        return at::matmul(m_queries[query].slice(1, begin, end), m_keys[key].transpose(-1, -2));  // (H,n,N)
    };
    constexpr size_t content = 0, position = 1, constant = 2;
    return {product(content, content),
            product(content, position),
            product(position, content),
            product(position, position),
            product(constant, content),
            product(constant, position),
            product(content, constant) + product(position, constant) + product(constant, constant)};
}

ByLogitTerm<at::Tensor> LogitTerms::fractions(std::stop_token stop) const
{
    ByLogitTerm<at::Tensor> sums;
    for (at::Tensor& sum : sums)
        sum = at::zeros({heads()}, m_queries[0].options());
    auto norm = at::zeros({heads()}, m_queries[0].options());
    // Rows whose terms stay within 64 MB.
    const int64_t block = std::clamp<int64_t>((1 << 20) / (heads() * tokens()), 1, tokens());
    for (int64_t begin = 0; begin < tokens(); begin += block) {
        checkStop(stop);
        const auto terms = rows(begin, std::min(begin + block, tokens()));
        const auto centred = [&](const at::Tensor& x) {
            const auto groups = x.unflatten(-1, {m_keyGroups, -1});  // (H,n,G,N/G): a normaliser each
            return groups - groups.mean(-1, true);
        };
        const auto whole = centred(sumOf(terms));
        norm = norm + whole.square().sum({1, 2, 3});
        for (size_t t = 0; t < terms.size(); ++t)
            sums[t] = sums[t] + (centred(terms[t]) * whole).sum({1, 2, 3});
    }
    for (at::Tensor& sum : sums)
        sum = sum / norm;
    return sums;
}

at::Tensor sumOf(const ByLogitTerm<at::Tensor>& terms)
{
    auto sum = terms[0];
    for (size_t t = 1; t < terms.size(); ++t)
        sum = sum + terms[t];
    return sum;
}

}
