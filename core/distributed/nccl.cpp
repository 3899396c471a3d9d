// SPDX-License-Identifier: Apache-2.0
#include "core/distributed/nccl.h"

#include <dlfcn.h>

#include <cstdlib>

namespace attnscope::nccl {

namespace {

template <typename Function>
bool findSymbol(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

}  // namespace

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
    const bool whole = findSymbol(library, "ncclGetUniqueId", found.makeId) && findSymbol(library, "ncclCommInitRank", found.join)
                       && findSymbol(library, "ncclCommAbort", found.abort) && findSymbol(library, "ncclGetErrorString", found.explain)
                       && findSymbol(library, "ncclAllReduce", found.allReduce) && findSymbol(library, "ncclBroadcast", found.broadcast);
    if (!whole)
        return {{}, name + " is not NCCL 2"};
    return {found, {}};
}

}  // namespace attnscope::nccl
