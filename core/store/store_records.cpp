#include "core/store/store_records.h"

namespace attnscope {

const char* toText(EvaluationState state)
{
    constexpr const char* names[] = {"running", "paused", "interrupted", "finished"};
    return names[size_t(state)];
}

}
