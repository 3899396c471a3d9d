#include "core/attention/plugin/plugin_method.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <torch/csrc/jit/serialization/import.h>

/// A library of its own, attnscope-torchscript.so: the programs that open files of others have no loader in them that runs code of a file.
namespace attnscope {

namespace {

constexpr const char* descriptionFile = "attnscope.json";

/// The last line of what TorchScript says, which has the reason.
std::string reasonIn(const std::exception& error)
{
    const std::string_view text = trim(std::string_view(error.what()));
    const size_t line = text.rfind('\n');
    return printable(line == std::string_view::npos ? text : trim(text.substr(line + 1)));
}

class ScriptMethod : public PluginMethod {
public:
    explicit ScriptMethod(const std::filesystem::path& file)
    try : m_module(torch::jit::load(file.string(), at::kCPU, m_extra, /*load_debug_files=*/false)) {
        m_module.eval();
        const auto forward = m_module.find_method("forward");
        const auto& arguments = forward ? forward->function().getSchema().arguments()
                                        : std::vector<c10::Argument>();
        const bool fits = arguments.size() == 5 && arguments[1].type()->kind() == c10::TypeKind::TensorType
                          && arguments[2].type()->kind() == c10::TypeKind::TensorType
                          && arguments[3].type()->kind() == c10::TypeKind::TensorType
                          && arguments[4].type()->kind() == c10::TypeKind::FloatType;
        if (!fits)
            throw FileError(file.string(), "its `forward` doesn't take three tensors and a float",
                            "write forward(self, q, k, v, scale: float) (docs/plugins.md)");
    } catch (const c10::Error& error) {
        throw FileError(file.string(),
                        "this is not a TorchScript module of this version (" + reasonIn(error) + ")",
                        "save it by torch.jit.save (docs/plugins.md)");
    }

    at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, double scale) const override
    {
        c10::IValue out;
        try {
            out = m_module.get_method("forward")({q, k, v, scale});
        } catch (const std::exception& error) {
            throw UsageError("", "it says \"" + reasonIn(error) + "\"");
        }
        if (!out.isTensor())
            throw UsageError("", "it returns " + std::string(out.tagKind()) + " instead of a tensor");
        return out.toTensor();
    }

    bool hasGradient() const override { return true; }
    bool takesDouble() const override { return true; }
    std::string description() const override { return m_extra.at(descriptionFile); }

private:
    torch::jit::ExtraFilesMap m_extra{{descriptionFile, ""}};  // filled while the module is loaded
    torch::jit::Module m_module;
};

}

}

extern "C" __attribute__((visibility("default"))) attnscope::PluginMethod* attnscope_open_torchscript(
    const char* file)
{
    return new attnscope::ScriptMethod(file);
}
