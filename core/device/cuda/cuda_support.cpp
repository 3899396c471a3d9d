#include "core/device/cuda/cuda_support.h"

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/device/cuda/cuda_libraries.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* ownLibrary = "libattnscope-cuda.so";

std::string lastProblem()
{
    const char* const text = ::dlerror();
    const std::string line = text == nullptr ? "the loader does not say why" : text;
    return printable(line.substr(0, line.find('\n')));
}

/// Next to the code that asks, which may be a Python module, or in lib/attnscope, as installed and as built.
fs::path ownLibraryFile()
{
    if (const char* given = std::getenv("ATTNSCOPE_CUDA_LIBRARY"); given != nullptr && *given != '\0')
        return given;
    Dl_info self{};
    std::error_code error;
    std::vector<fs::path> folders;
    if (::dladdr(reinterpret_cast<const void*>(&cudaSupport), &self) != 0)
        folders.push_back(fs::absolute(self.dli_fname, error).parent_path());
    folders.push_back(fs::read_symlink("/proc/self/exe", error).parent_path());
    for (const fs::path& folder : folders)
        for (const char* below : {".", "../lib/attnscope", "../../lib/attnscope"})
            if (fs::exists(folder / below / ownLibrary, error))
                return (folder / below / ownLibrary).lexically_normal();
    return {};
}

void loadOwn(CudaSupport& support)
{
    const fs::path file = ownLibraryFile();
    std::error_code error;
    if (!fs::exists(file, error)) {
        support.libraryProblem = std::string(ownLibrary) + " is not installed (package attnscope-cuda)";
        return;
    }
    void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const symbol = handle == nullptr ? nullptr : ::dlsym(handle, cudaLibrarySymbol);
    if (symbol == nullptr) {
        support.libraryProblem = printable(file.string()) + " cannot be loaded: " + lastProblem();
        return;
    }
    const CudaLibrary* const library = reinterpret_cast<CudaLibraryFunction>(symbol)();
    if (std::strcmp(library->version, version) != 0) {
        support.libraryProblem = printable(file.string()) + " belongs to Attnscope " + printable(library->version);
        return;
    }
    support.library = library;
    support.libraryFile = file.string();
}

bool torchKnowsCuda()
{
    return c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA);
}

/// LibTorch's: false, with the reason, when they cannot be loaded.
bool loadTorch(CudaSupport& support)
{
    if (torchKnowsCuda()) {  // in Python
        support.torch = "libtorch_cuda.so of this process";
        return true;
    }
    const CudaLibraries found = findCudaLibraries();
    support.problem = found.problem;
    support.remedy = found.remedy;
    if (found.torch.empty())
        return false;
    if (::dlopen(found.library().c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr || !torchKnowsCuda()) {
        support.problem = printable(found.library().string()) + " cannot be loaded: " + lastProblem();
        support.remedy = "attnscope-cli gpu install fetches libraries that fit";
        return false;
    }
    support.torch = found.library().string();
    return true;
}

/// Keeps what LibTorch would print while it looks for GPUs.
class KeptWarning : public c10::WarningHandler {
public:
    void process(const c10::Warning& warning) override { m_text = warning.msg(); }
    /// Its first sentence, in brackets; empty without a warning.
    std::string inBrackets() const
    {
        return m_text.empty() ? "" : " (" + printable(m_text.substr(0, m_text.find('\n'))) + ")";
    }

private:
    std::string m_text;
};

CudaSupport load()
{
    CudaSupport support{.driver = nvidiaDriver()};
    Dl_info runtime{};
    if (const void* known = ::dlsym(RTLD_DEFAULT, "cudaGetDeviceCount");
        known != nullptr && ::dladdr(known, &runtime) != 0)
        support.runtime = runtime.dli_fname;
    support.problem = support.driver.problem;
    support.remedy = support.driver.remedy;
    if (!support.works() || !loadTorch(support))
        return support;
    KeptWarning warning;
    {
        const c10::WarningUtils::WarningHandlerGuard guard(&warning);
        support.gpus = int(c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA)->deviceCount());
    }
    if (support.gpus == 0) {
        support.problem = "CUDA's runtime finds no GPU, although the driver does" + warning.inBrackets();
        support.remedy = "nvidia-smi should tell why";
        return support;
    }
    loadOwn(support);
    return support;
}

}

const CudaSupport& cudaSupport()
{
    static const CudaSupport support = load();
    return support;
}

}
