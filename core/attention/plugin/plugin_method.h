#pragma once

#include "core/attention/plugin/plugin.h"

#include <ATen/ATen.h>

#include <memory>
#include <string>
#include <vector>

/// The two forms of plug-ins behind one interface.
namespace attnscope {

class PluginMethod {
public:
    virtual ~PluginMethod() = default;

    /// q (B,H,N,D), k (B,H,M,D), v (B,H,M,Dv) on the CPU → what the plug-in returns. Throws UsageError, naming no subject, with the plug-in's
    /// own words.
    virtual at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                              double scale) const = 0;
    virtual bool hasGradient() const = 0;
    /// What it takes besides float32.
    virtual bool takesDouble() const = 0;
    /// The JSON with which it describes itself.
    virtual std::string description() const = 0;
};

/// Throws FileError if the system can't load the library, or functions are missing.
std::shared_ptr<const PluginMethod> loadPluginLibrary(const std::filesystem::path& file);
/// Throws FileError if it is not TorchScript, or `forward` has other arguments than three tensors and a float.
std::shared_ptr<const PluginMethod> loadPluginScript(const std::filesystem::path& file);

struct LoadedPlugin {
    PluginInfo info;
    std::shared_ptr<const PluginMethod> method;
};

/// By content, not by suffix.
LoadedPlugin loadPluginFile(const std::filesystem::path& file);

/// What the method returns, if that is a finite or not finite tensor (B,H,N,Dv) of v's type. Throws UsageError otherwise.
at::Tensor checkedOutput(const LoadedPlugin& plugin, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                         double scale);

}
