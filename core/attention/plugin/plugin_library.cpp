#include "core/attention/plugin/attnscope_plugin.h"
#include "core/attention/plugin/plugin_method.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

AttnscopeTensor viewOf(const at::Tensor& x)
{
    AttnscopeTensor view{x.const_data_ptr<float>(), {}, {}};
    std::ranges::copy(x.sizes(), view.size);
    std::ranges::copy(x.strides(), view.stride);
    return view;
}

class LibraryMethod : public PluginMethod {
public:
    /// The library stays loaded until the process ends: nothing says when the last of its threads has left it.
    explicit LibraryMethod(const std::filesystem::path& file)
    {
        void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr)
            throw FileError(file.string(),
                            "the system could not load this library (" + printable(::dlerror()) + ")",
                            "give one that was built for this system");
        m_describe = reinterpret_cast<decltype(m_describe)>(functionOf(library, "attnscope_describe_v1", file));
        m_attention = reinterpret_cast<decltype(m_attention)>(functionOf(library, "attnscope_attention_v1", file));
    }

    at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, double scale) const override
    {
        const std::array<AttnscopeTensor, 3> in{viewOf(q), viewOf(k), viewOf(v)};
        auto out = at::empty({q.size(0), q.size(1), q.size(2), v.size(3)}, q.options());
        std::array<char, 512> text{};
        const int failure = m_attention(&in[0], &in[1], &in[2], scale, out.mutable_data_ptr<float>(), text.data(),
                                        std::ssize(text));
        text.back() = '\0';
        if (failure != 0)
            throw UsageError("", "it says "
                                     + (text.front() == '\0' ? "that it failed (" + std::to_string(failure) + ")"
                                                             : "\"" + printable(text.data()) + "\""));
        return out;
    }

    bool hasGradient() const override { return false; }
    bool takesDouble() const override { return false; }

    std::string description() const override
    {
        const char* const json = m_describe();
        return json == nullptr ? std::string() : json;
    }

private:
    static void* functionOf(void* library, const char* name, const std::filesystem::path& file)
    {
        void* const function = ::dlsym(library, name);
        if (function == nullptr)
            throw FileError(file.string(), "this library has no function " + std::string(name),
                            "export it as attnscope_plugin.h declares it (docs/plugins.md)");
        return function;
    }

    decltype(&attnscope_describe_v1) m_describe = nullptr;
    decltype(&attnscope_attention_v1) m_attention = nullptr;
};

}

std::shared_ptr<const PluginMethod> loadPluginLibrary(const std::filesystem::path& file)
{
    return std::make_shared<LibraryMethod>(file);
}

}
