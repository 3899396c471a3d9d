#include "core/attention/plugin/plugin.h"

#include "core/attention/attention_backend.h"
#include "core/attention/plugin/plugin_method.h"
#include "core/base/error.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <atomic>
#include <limits>

namespace attnscope {

namespace {

constexpr size_t maxPlugins = 32;

std::vector<LoadedPlugin>& methods()
{
    static std::vector<LoadedPlugin> all = [] {
        std::vector<LoadedPlugin> none;
        none.reserve(maxPlugins);  // backends refer to them
        return none;
    }();
    return all;
}

/// A library's output with the gradient of v, which needs none of its code: y = W v, so that the columns of W are the outputs for unit
/// values, and dv = Wᵀ dy. They are computed for 64 keys at a time, and W is never whole.
class LibraryOutput : public torch::autograd::Function<LibraryOutput> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& q, const at::Tensor& k,
                              const at::Tensor& v, double scale, int64_t plugin)
    {
        context->save_for_backward({q, k});
        context->saved_data["scale"] = scale;
        context->saved_data["plugin"] = plugin;
        return checkedOutput(methods()[size_t(plugin)], q, k, v, scale);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients)
    {
        constexpr int64_t width = 64;
        const auto saved = context->get_saved_variables();
        const at::Tensor &q = saved[0], &k = saved[1];
        const double scale = context->saved_data["scale"].toDouble();
        const LoadedPlugin& plugin = methods()[size_t(context->saved_data["plugin"].toInt())];
        const int64_t keys = k.size(2);
        std::vector<at::Tensor> parts;
        for (int64_t first = 0; first < keys; first += width) {
            const int64_t count = std::min(width, keys - first);
            auto units = at::zeros({k.size(0), k.size(1), keys, count}, k.options());
            units.narrow(2, first, count).diagonal(0, -2, -1).fill_(1);
            parts.push_back(at::matmul(checkedOutput(plugin, q, k, units, scale).transpose(-2, -1),
                                       gradients[0]));  // (B,H,count,Dv)
        }
        return {{}, {}, at::cat(parts, 2), {}, {}};
    }
};

class PluginAttention : public AttentionBackend {
public:
    PluginAttention(const AttentionSpec& spec, const LoadedPlugin& plugin)
        : AttentionBackend(spec)
        , m_plugin(plugin)
    {
        note(plugin.info.provenance());
    }

    /// Nobody knows what it computes.
    double countMultiplyAdds(const AttentionShape&) const override
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    bool deterministic() const override { return true; }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        const std::string& name = m_plugin.info.backend;
        if (!in.q.is_cpu())
            throw Unsupported(name, "a plug-in computes on the CPU", "run with --device cpu");
        const bool own = m_plugin.method->hasGradient(), recorded = at::GradMode::is_enabled();
        if (!own && recorded && (in.q.requires_grad() || in.k.requires_grad()))
            throw Unsupported(name, "a library has no gradient, which training needs",
                              "write it in TorchScript (docs/plugins.md)");
        const at::ScalarType type = in.q.scalar_type() == at::kDouble && m_plugin.method->takesDouble()
                                        ? at::kDouble
                                        : at::kFloat;
        const auto q = in.q.to(type), k = in.k.to(type), v = in.v.to(type);
        // TorchScript optimises in the first calls with tensors of new sizes: they are not to be measured.
        constexpr int unmeasured = 3;
        if (own && !m_warm.exchange(true))
            for (int call = 0; call < unmeasured; ++call)
                (void)checkedOutput(m_plugin, q, k, v, in.scale);
        if (!own && recorded && v.requires_grad())
            return LibraryOutput::apply(q, k, v, in.scale, int64_t(&m_plugin - methods().data()))
                .to(in.q.scalar_type());
        return checkedOutput(m_plugin, q, k, v, in.scale).to(in.q.scalar_type());
    }

private:
    const LoadedPlugin& m_plugin;
    mutable std::atomic<bool> m_warm{false};
};

std::shared_ptr<AttentionBackend> makePlugin(const AttentionSpec& spec, const BackendContext&)
{
    for (const LoadedPlugin& plugin : methods())
        if (plugin.info.backend == spec.backend())
            return std::make_shared<PluginAttention>(spec, plugin);
    throw UsageError(spec.canonical(), "this plug-in is not loaded", "name its file with --plugin");
}

BackendInfo backendOf(const PluginInfo& plugin)
{
    return {.name = plugin.backend,
            .title = plugin.title,
            .help = plugin.help,
            .citation = plugin.citation,
            .complexity = "unknown",
            .kind = plugin.kind,
            .tokenComplexity = {.time = 2, .memory = 2},
            .takesKeyWeights = false,
            .look = plainStyle("#" + std::to_string(methods().size())),
            .make = makePlugin,
            .proposed = Proposed::ToCompare};
}

}

std::vector<PluginInfo> loadedPlugins()
{
    std::vector<PluginInfo> infos;
    for (const LoadedPlugin& plugin : methods())
        infos.push_back(plugin.info);
    return infos;
}

PluginInfo loadPlugin(const std::filesystem::path& file, std::chrono::milliseconds deadline)
{
    const PluginInfo checked = checkPluginApart(file, deadline);
    for (const LoadedPlugin& plugin : methods())
        if (plugin.info.backend == checked.backend && plugin.info.sha256 == checked.sha256)
            return plugin.info;
        else if (plugin.info.backend == checked.backend)
            throw UsageError(file.string(),
                             "another plug-in, " + plugin.info.file.string() + ", has the name `" + checked.name
                                 + "` as well",
                             "give them different names");
    if (methods().size() == maxPlugins)
        throw UsageError(file.string(), std::to_string(maxPlugins) + " plug-ins are loaded already");
    LoadedPlugin plugin = loadPluginFile(file);
    if (plugin.info.sha256 != checked.sha256)
        throw FileError(file.string(), "the file changed while it was checked", "try again");
    addBackend(backendOf(plugin.info));
    methods().push_back(std::move(plugin));
    return methods().back().info;
}

}
