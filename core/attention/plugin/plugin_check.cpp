#include "core/attention/plugin/plugin_method.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <array>
#include <cmath>

namespace attnscope {

namespace {

/// Throws UsageError unless `holds`.
void require(const LoadedPlugin& plugin, bool holds, const std::string& problem, const std::string& remedy)
{
    if (!holds)
        throw UsageError(plugin.info.file.string(), problem, remedy);
}

/// ‖a − b‖ / ‖b‖.
double difference(const at::Tensor& a, const at::Tensor& b)
{
    return ((a - b).norm() / b.norm()).item<double>();
}

struct Trial {
    int64_t batch, heads, queries, keys, width;
};

void tryOn(const LoadedPlugin& plugin, const Trial& trial)
{
    constexpr double rounding = 1e-4;
    const auto seeded = at::make_generator<at::CPUGeneratorImpl>(1);
    const auto made = [&](int64_t tokens) {
        return at::randn({trial.batch, trial.heads, tokens, trial.width}, seeded);
    };
    const auto q = made(trial.queries), k = made(trial.keys), v = made(trial.keys), other = made(trial.keys);
    const double scale = 1 / std::sqrt(double(trial.width));
    const auto attend = [&](const at::Tensor& values) {
        return checkedOutput(plugin, q, k, values, scale).clone();
    };
    const std::string where = " on queries of " + describeShape(q.sizes().vec()) + " with "
                              + counted(trial.keys, "key");

    const auto out = attend(v);
    require(plugin, at::isfinite(out).all().item<bool>(), "its output is not finite" + where,
            "look for divisions by zero and overflow");
    require(plugin, at::equal(attend(v), out), "it returns other numbers for the same input" + where,
            "take no random numbers, and write all of the output");
    const int64_t last = trial.batch - 1;
    const auto alone = checkedOutput(plugin, q.narrow(0, last, 1).contiguous(), k.narrow(0, last, 1).contiguous(),
                                     v.narrow(0, last, 1).contiguous(), scale);
    require(plugin, difference(alone, out.narrow(0, last, 1)) < rounding,
            "an element of a batch has another output than alone" + where,
            "treat the elements of a batch one by one");
    const auto mixed = attend(2 * v - 3 * other);
    require(plugin, difference(mixed, 2 * out - 3 * attend(other)) < rounding, "it is not linear in v" + where,
            "an output is a weighted sum of values, with weights that don't depend on them");
}

}

at::Tensor checkedOutput(const LoadedPlugin& plugin, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                         double scale)
{
    const std::string subject = plugin.info.backend;
    at::Tensor out;
    try {
        out = plugin.method->attend(q, k, v, scale);
    } catch (const UsageError& error) {
        throw UsageError(subject, error.reason());
    }
    const std::vector<int64_t> expected{q.size(0), q.size(1), q.size(2), v.size(3)};
    if (out.sizes() != expected)
        throw UsageError(subject, "it returns a tensor of " + describeShape(out.sizes().vec()),
                         "return (B,H,N,Dv): " + describeShape(expected));
    if (out.scalar_type() != v.scalar_type())
        throw UsageError(subject, "it returns a tensor of another type than its inputs", "return float32");
    return out;
}

PluginInfo checkPlugin(const std::filesystem::path& file)
{
    const LoadedPlugin plugin = loadPluginFile(file);
    const at::NoGradGuard guard;
    for (const Trial& trial : {Trial{1, 2, 49, 49, 16}, Trial{2, 3, 197, 50, 64}})
        tryOn(plugin, trial);
    return plugin.info;
}

}
