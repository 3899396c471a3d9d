#include "core/distributed/nccl_processes.h"

#include "core/base/error.h"

#include <c10/core/DeviceGuard.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace attnscope::nccl {

Loaded load()
{
    const char* given = std::getenv("ATTNSCOPE_NCCL");
    const std::string name = given != nullptr ? given : "libnccl.so.2";
    void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* error = ::dlerror();
        return {{}, "it cannot be loaded (" + std::string(error != nullptr ? error : name) + ")"};
    }
    Functions found{};
    const auto find = [library](const char* symbol, auto& function) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, symbol));
        return function != nullptr;
    };
    if (!find("ncclGetUniqueId", found.makeId) || !find("ncclCommInitRank", found.join)
        || !find("ncclCommAbort", found.abort) || !find("ncclGetErrorString", found.explain)
        || !find("ncclAllReduce", found.allReduce) || !find("ncclBroadcast", found.broadcast))
        return {{}, name + " is not NCCL 2"};
    return {found, {}};
}

}

namespace attnscope {

namespace {

/// Gradients and weights on GPUs by NCCL; numbers on the host by the underlying processes.
class NcclProcesses : public Collective {
public:
    NcclProcesses(std::shared_ptr<Collective> within, const nccl::Functions& functions, nccl::Group* group,
                  at::Device device)
        : m_within(std::move(within))
        , m_nccl(functions)
        , m_group(group)
        , m_device(device)
    {}
    ~NcclProcesses() override { m_nccl.abort(m_group); }  // even if another process has failed and won't respond
    NcclProcesses(const NcclProcesses&) = delete;
    NcclProcesses& operator=(const NcclProcesses&) = delete;

    int64_t rank() const override { return m_within->rank(); }
    int64_t size() const override { return m_within->size(); }
    void fail() override { m_within->fail(); }

    void sum(std::vector<at::Tensor>& tensors) override
    {
        if (!areHere(tensors))
            return m_within->sum(tensors);
        exchange(tensors, [this](const at::Tensor& all) {
            return m_nccl.allReduce(all.data_ptr(), all.data_ptr(), count(all), typeOf(all), nccl::Reduction::Sum,
                                    m_group, nullptr);
        });
    }

    void broadcast(std::vector<at::Tensor>& tensors) override
    {
        if (!areHere(tensors))
            return m_within->broadcast(tensors);
        exchange(tensors, [this](const at::Tensor& all) {
            return m_nccl.broadcast(all.data_ptr(), all.data_ptr(), count(all), typeOf(all), 0, m_group, nullptr);
        });
    }

private:
    /// The same result in every process: whether tensors are on its GPU does not depend on the process.
    bool areHere(const std::vector<at::Tensor>& tensors) const
    {
        return !tensors.empty()
               && std::ranges::all_of(tensors, [this](const at::Tensor& x) { return x.device() == m_device; });
    }

    static size_t count(const at::Tensor& all) { return size_t(all.numel()); }

    static nccl::Type typeOf(const at::Tensor& all)
    {
        return all.scalar_type() == at::kDouble ? nccl::Type::Double : nccl::Type::Float;
    }

    template <typename Exchange>
    void exchange(std::vector<at::Tensor>& tensors, const Exchange& work)
    {
        const c10::OptionalDeviceGuard guard(m_device);
        throughOneBuffer(tensors, m_device, [&](const at::Tensor& all) {
            if (const int code = work(all); code != 0)
                throw Error("NCCL", std::string("the GPUs could not exchange data: ") + m_nccl.explain(code),
                            "set NCCL_DEBUG=WARN for details, or ATTNSCOPE_NCCL=none to run without NCCL");
        });
    }

    std::shared_ptr<Collective> m_within;
    nccl::Functions m_nccl;
    nccl::Group* m_group;
    at::Device m_device;
};

/// The group of all processes, or why there is none. All processes call it, and none waits for one that can't join.
std::pair<nccl::Group*, std::string> joined(Collective& processes, const nccl::Functions& functions,
                                            at::Device device)
{
    nccl::GroupId id{};
    int code = processes.isFirst() ? functions.makeId(&id) : 0;
    if (processes.any(code != 0))
        return {nullptr, code != 0 ? functions.explain(code) : "the first process cannot start"};
    std::vector<double> bytes(std::begin(id.bytes), std::end(id.bytes));  // zero in all but the first process
    processes.sum(bytes);
    std::ranges::transform(bytes, std::begin(id.bytes), [](double byte) { return char(byte); });
    nccl::Group* group = nullptr;
    const c10::OptionalDeviceGuard guard(device);
    code = functions.join(&group, int(processes.size()), id, int(processes.rank()));
    if (!processes.any(code != 0))
        return {group, {}};
    if (code == 0)
        functions.abort(group);
    return {nullptr, code != 0 ? functions.explain(code) : "another process cannot join"};
}

}

GpuProcesses withNccl(std::shared_ptr<Collective> processes, at::Device device, const nccl::Loaded& library)
{
    if (processes->size() == 1)
        return {std::move(processes), {}};
    std::string reason = library.reason;
    if (!processes->any(!library.functions)) {
        auto [group, problem] = joined(*processes, *library.functions, device);
        if (group != nullptr)
            return {std::make_shared<NcclProcesses>(std::move(processes), *library.functions, group, device),
                    "gradients are summed by NCCL"};
        reason = problem;
    }
    return {std::move(processes), "gradients are summed through host memory, without NCCL: "
                                      + (reason.empty() ? "another process does not have it" : reason)};
}

}
