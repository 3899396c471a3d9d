#include "core/lab/subject.h"

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <array>

namespace attnscope {

bool holdsTensors(const std::filesystem::path& file)
{
    try {
        const StateDict state = readSafetensors(openFile(file), {});
        constexpr std::array names{"q", "k", "v"};
        return std::ranges::all_of(names, [&](const char* name) {
            const auto found = state.tensors.find(name);
            return found != state.tensors.end() && found->second.shape.size() == 4;
        });
    } catch (const Error&) {
        return false;  // if it is opened as something else, that reports the problem
    }
}

}
