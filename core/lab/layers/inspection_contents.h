// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/layers/inspected_subject.h"
#include "core/lab/layers/inspection_memory.h"

namespace attnscope {

struct InspectionMemory::Contents {
    std::unique_ptr<InspectedSubject> subject;
    ExactPasses passes;
};

}  // namespace attnscope
