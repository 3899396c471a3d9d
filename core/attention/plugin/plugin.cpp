// SPDX-License-Identifier: Apache-2.0
#include "core/attention/plugin/plugin.h"

#include "core/attention/attention_backend.h"
#include "core/attention/plugin/plugin_method.h"
#include "core/base/error.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace attnscope {

namespace {

constexpr std::size_t mostPlugins = 32;

std::vector<LoadedPlugin>& methods()
{
    static std::vector<LoadedPlugin> all = [] {
        std::vector<LoadedPlugin> none;
        none.reserve(mostPlugins);  // backends refer to them
        return none;
    }();
    return all;
}

class PluginAttention : public AttentionBackend {
public:
    PluginAttention(const AttentionSpec& spec, const LoadedPlugin& plugin)
        : AttentionBackend(spec)
        , m_plugin(plugin)
    {
        note(plugin.info.provenance());
    }

    /// Nobody knows what it computes.
    double countMultiplyAdds(const AttentionShape&) const override { return std::numeric_limits<double>::quiet_NaN(); }
    bool deterministic() const override { return true; }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        const std::string& name = m_plugin.info.backend;
        if (!in.q.is_cpu())
            throw Unsupported(name, "a plug-in computes on the CPU", "run with --device cpu");
        const bool gradient = at::GradMode::is_enabled() && (in.q.requires_grad() || in.k.requires_grad() || in.v.requires_grad());
        if (gradient && !m_plugin.method->hasGradient())
            throw Unsupported(name, "a library has no gradient, which training and implied weights need", "write it in TorchScript (docs/plugins.md)");
        const at::ScalarType type = in.q.scalar_type() == at::kDouble && m_plugin.method->takesDouble() ? at::kDouble : at::kFloat;
        const auto q = in.q.to(type), k = in.k.to(type), v = in.v.to(type);
        // TorchScript optimises in the first calls with tensors of new sizes: they are not to be measured.
        constexpr int unmeasured = 3;
        if (m_plugin.method->hasGradient() && !m_warm.exchange(true))
            for (int call = 0; call < unmeasured; ++call)
                (void)checkedOutput(m_plugin, q, k, v, in.scale);
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

}  // namespace

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
            throw UsageError(file.string(), "another plug-in, " + plugin.info.file.string() + ", has the name `" + checked.name + "` as well",
                             "give them different names");
    if (methods().size() == mostPlugins)
        throw UsageError(file.string(), std::to_string(mostPlugins) + " plug-ins are loaded already");
    LoadedPlugin plugin = loadPluginFile(file);
    if (plugin.info.sha256 != checked.sha256)
        throw FileError(file.string(), "the file changed while it was checked", "try again");
    addBackend(backendOf(plugin.info));
    methods().push_back(std::move(plugin));
    return methods().back().info;
}

}  // namespace attnscope
