// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_record.h"

namespace attnscope {

const char* toText(WeightsKind kind)
{
    switch (kind) {
    case WeightsKind::Trained:
        return "trained";
    case WeightsKind::Swapped:
        return "swapped";
    case WeightsKind::Untrained:
        break;
    }
    return "untrained";
}

}  // namespace attnscope
