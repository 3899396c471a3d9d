// torch.ops.attnscope: the attention core as operators of PyTorch. Arguments are those of one layer; what they mean is in
// app/python/attnscope/__init__.py, which also gives them fake tensors and gradients.
#include "core/attention/attention_backend.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/library.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace attnscope {

namespace {

/// Options of a layer, as keyword arguments.
struct Layer {
    std::string spec;
    int64_t seed = 0, layer = 0;
    std::optional<std::vector<int64_t>> grid;
    int64_t prefix = 0;
    std::optional<double> scale;
};

/// Calls `work`; the program's sentences become ValueError and NotImplementedError.
template <typename Work>
auto translated(const Work& work)
{
    try {
        return work();
    } catch (const Unsupported& error) {
        C10_THROW_ERROR(NotImplementedError, error.what());
    } catch (const Error& error) {
        C10_THROW_ERROR(ValueError, error.what());
    }
}

TokenLayout layoutOf(const Layer& layer)
{
    TokenLayout layout{.prefix = layer.prefix};
    if (!layer.grid)
        return layout;
    const std::vector<int64_t>& grid = *layer.grid;
    if (grid.size() < 2 || grid.size() > 3
        || std::ranges::any_of(grid, [](int64_t side) { return side < 1 || side > 1 << 20; }))
        throw UsageError("grid", "a grid has rows and columns, or frames, rows and columns",
                         "give two or three positive numbers");
    layout.frames = grid.size() == 3 ? grid.front() : 1;
    layout.rows = grid[grid.size() - 2], layout.columns = grid.back();
    return layout;
}

void check(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Layer& layer)
{
    for (const auto& [name, x] : {std::pair{"q", &q}, {"k", &k}, {"v", &v}}) {
        if (x->dim() != 4)
            throw UsageError(name, "it has " + std::to_string(x->dim()) + " dimensions",
                             "give (batch, heads, tokens, channels)");
        if (!at::isFloatingType(x->scalar_type()) || x->scalar_type() != q.scalar_type())
            throw UsageError(name,
                             "it is " + std::string(c10::toString(x->scalar_type())) + " while q is "
                                 + c10::toString(q.scalar_type()),
                             "give three tensors of one floating type");
        if (x->device() != q.device())
            throw UsageError(name, "it is on " + x->device().str() + " while q is on " + q.device().str(),
                             "give tensors of one device");
    }
    if (layer.prefix < 0)
        throw UsageError("prefix", "it is negative", "give the number of tokens before the grid");
    if (layer.grid && layoutOf(layer).count() != q.size(2))
        throw UsageError("grid",
                         "with the prefix it has " + std::to_string(layoutOf(layer).count()) + " tokens, and q "
                             + std::to_string(q.size(2)),
                         "leave it out where tokens form no grid");
}

AttentionInput inputOf(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Layer& layer)
{
    check(q, k, v, layer);
    return {.q = q,
            .k = k,
            .v = v,
            .scale = layer.scale.value_or(1 / std::sqrt(double(q.size(3)))),
            .tokens = layoutOf(layer)};
}

/// One backend for each specification and shape, made once.
std::shared_ptr<AttentionBackend> backendFor(const AttentionInput& in, const Layer& layer)
{
    constexpr size_t maxKept = 256;
    using Key = std::tuple<std::string, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t>;
    static std::mutex mutex;
    static std::map<Key, std::shared_ptr<AttentionBackend>> made;
    const AttentionSpec given = AttentionSpec::parse(layer.spec);
    const AttentionSpec chosen = given.layer(layer.layer),
                        spec = chosen.isNative() ? AttentionSpec::reference() : chosen;
    if (given != given.alone())
        throw UsageError(given.canonical(),
                         "it says what a network does around its attention, and this is attention alone",
                         "leave out `;tokens=` and `;weights=`");
    const BackendContext context{.heads = in.q.size(1), .width = in.q.size(3), .tokens = in.tokens};
    const TokenLayout& t = in.tokens;
    const Key key{spec.canonical(), context.heads, context.width, t.prefix, t.frames, t.rows, t.columns};
    const std::scoped_lock lock(mutex);
    if (const auto found = made.find(key); found != made.end())
        return found->second;
    auto backend = makeBackend(spec, context);
    if (made.size() == maxKept)
        made.clear();
    made.emplace(key, backend);
    return backend;
}

/// (B,H,N,Dv), its tokens outermost in memory whatever the method returns: as the fake tensor says.
at::Tensor tokenMajor(const at::Tensor& out)
{
    return out.transpose(1, 2).contiguous().transpose(1, 2);
}

/// No element or no query, of tensors that fit each other: as PyTorch's attention, the operators then return an empty tensor.
bool isEmpty(const AttentionInput& in)
{
    return (in.q.size(0) == 0 || in.q.size(2) == 0) && in.k.sizes().slice(0, 2) == in.q.sizes().slice(0, 2)
           && in.v.sizes().slice(0, 3) == in.k.sizes().slice(0, 3) && in.k.size(3) == in.q.size(3);
}

at::Tensor attendBy(const AttentionInput& in, const Layer& layer)
{
    const auto backend = backendFor(in, layer);
    if (isEmpty(in))
        return at::matmul(at::matmul(in.q, in.k.transpose(-1, -2)), in.v);
    SeededNoise noise(backend->spec().seedOr(uint64_t(layer.seed)), layer.layer);
    return backend->attend(in, noise);
}

using Grid = std::optional<std::vector<int64_t>>;

at::Tensor attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::string spec, int64_t seed,
                     int64_t layer, Grid grid, int64_t prefix, std::optional<double> scale)
{
    return translated([&] {
        const Layer given{std::move(spec), seed, layer, std::move(grid), prefix, scale};
        const at::NoGradGuard guard;
        return tokenMajor(attendBy(inputOf(q, k, v, given), given));
    });
}

/// Inside an operator autograd's dispatch keys are excluded, and recording a graph needs them.
struct WithAutograd {
    c10::InferenceMode normal{false};
    c10::impl::ForceDispatchKeyGuard keys{c10::impl::tls_local_dispatch_key_set().included_,
                                          c10::impl::tls_local_dispatch_key_set().excluded_
                                              - c10::autograd_dispatch_keyset};
    at::AutoGradMode gradients{true};
};

std::tuple<at::Tensor, at::Tensor, at::Tensor> attentionBackward(const at::Tensor& gradient, const at::Tensor& q,
                                                                 const at::Tensor& k, const at::Tensor& v,
                                                                 std::string spec, int64_t seed, int64_t layer,
                                                                 Grid grid, int64_t prefix,
                                                                 std::optional<double> scale)
{
    return translated([&] {
        const Layer given{std::move(spec), seed, layer, std::move(grid), prefix, scale};
        const WithAutograd autograd;
        const at::ScalarType type = q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        const auto leaf = [&](const at::Tensor& x) { return x.detach().to(type).requires_grad_(); };
        const std::vector<at::Tensor> inputs{leaf(q), leaf(k), leaf(v)};
        const auto out = attendBy(inputOf(inputs[0], inputs[1], inputs[2], given), given);
        if (!out.requires_grad())
            throw Unsupported(given.spec, "this attention has no gradient", "use it without training");
        const auto gradients = torch::autograd::grad({out}, inputs, {gradient.to(type)}, std::nullopt, false,
                                                     /*allow_unused=*/true);
        const auto back = [&](size_t i, const at::Tensor& like) {
            return (gradients[i].defined() ? gradients[i] : at::zeros_like(inputs[i]))
                .to(like.scalar_type())
                .contiguous();
        };
        return std::tuple{back(0, q), back(1, k), back(2, v)};
    });
}

at::Tensor impliedWeights(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& rows,
                          std::string spec, int64_t seed, int64_t layer, Grid grid, int64_t prefix,
                          std::optional<double> scale)
{
    return translated([&] {
        const Layer given{std::move(spec), seed, layer, std::move(grid), prefix, scale};
        const AttentionInput in = inputOf(q, k, v, given);
        if (rows.sizes() != at::IntArrayRef{q.size(0), q.size(1), q.size(2)})
            throw UsageError("rows", "they are not (batch, heads, queries)", "give a weight for each query");
        const auto backend = backendFor(in, given);
        if (isEmpty(in))
            return at::zeros(k.sizes().slice(0, 3),
                             rows.options().dtype(q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat));
        SeededNoise noise(backend->spec().seedOr(uint64_t(seed)), layer);
        const WithAutograd autograd;
        return backend->impliedWeights(in, noise, rows).detach().contiguous();
    });
}

std::string canonical(const std::string& spec)
{
    return translated([&] { return AttentionSpec::parse(spec).canonical(); });
}

std::string specOfLayer(const std::string& spec, int64_t layer)
{
    return translated([&] { return AttentionSpec::parse(spec).layer(layer).canonical(); });
}

/// What `attnscope-cli backends` lists, as a JSON array of {"name", "title", "help", "kind", "random", "options"}.
std::string methods()
{
    return jsonList(backends(),
                    [](const BackendInfo& info) {
                        return Json{{"name", info.name},
                                    {"title", info.title},
                                    {"help", info.help},
                                    {"citation", info.citation},
                                    {"complexity", info.complexity},
                                    {"kind", toText(info.kind)},
                                    {"random", info.random},
                                    {"options", namesOf(info.options)}};
                    })
        .dump();
}

#define ATTNSCOPE_LAYER "str spec, *, int seed=0, int layer=0, int[]? grid=None, int prefix=0, float? scale=None"

}

TORCH_LIBRARY(attnscope, m)
{
    m.def("attention(Tensor q, Tensor k, Tensor v, " ATTNSCOPE_LAYER ") -> Tensor", {at::Tag::pt2_compliant_tag});
    m.def("attention_backward(Tensor grad, Tensor q, Tensor k, Tensor v, " ATTNSCOPE_LAYER
          ") -> (Tensor, Tensor, Tensor)",
          {at::Tag::pt2_compliant_tag});
    m.def("implied_weights(Tensor q, Tensor k, Tensor v, Tensor rows, " ATTNSCOPE_LAYER ") -> Tensor",
          {at::Tag::pt2_compliant_tag});
    m.def("canonical(str spec) -> str", &canonical);
    m.def("spec_of_layer(str spec, int layer) -> str", &specOfLayer);
    m.def("methods() -> str", &methods);
}

TORCH_LIBRARY_IMPL(attnscope, CPU, m)
{
    m.impl("attention", &attention);
    m.impl("attention_backward", &attentionBackward);
    m.impl("implied_weights", &impliedWeights);
}

TORCH_LIBRARY_IMPL(attnscope, CUDA, m)
{
    m.impl("attention", &attention);
    m.impl("attention_backward", &attentionBackward);
    m.impl("implied_weights", &impliedWeights);
}

}
