// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_records.h"

namespace attnscope {

const char* toText(EvaluationState state)
{
    switch (state) {
    case EvaluationState::Running:
        return "running";
    case EvaluationState::Paused:
        return "paused";
    case EvaluationState::Interrupted:
        return "interrupted";
    case EvaluationState::Finished:
        break;
    }
    return "finished";
}

}  // namespace attnscope
