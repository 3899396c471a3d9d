// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_record.h"

namespace attnscope {

const char* toText(WeightsKind kind)
{
    constexpr const char* names[] = {"trained", "swapped", "untrained"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace attnscope
