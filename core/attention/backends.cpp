// SPDX-License-Identifier: Apache-2.0
// The table of all backends: adding one is one include and one line here.
#include "core/attention/backend_info.h"

#include "core/attention/attention_backend.h"
#include "core/attention/lara.h"
#include "core/attention/nystrom.h"
#include "core/attention/orthoformer.h"
#include "core/attention/performer.h"
#include "core/attention/randomized.h"
#include "core/attention/rfa.h"
#include "core/attention/softmax.h"
#include "core/attention/spatial_reduction.h"

namespace attnscope {

const std::vector<BackendInfo>& backends()
{
    static const std::vector<BackendInfo> table{
        softmaxInfo(),
        performerInfo(),
        rfaInfo(),
        randomizedInfo(),
        laraInfo(),
        nystromInfo(),
        orthoformerInfo(),
        sraInfo(),
    };
    return table;
}

const BackendInfo* findBackend(std::string_view name)
{
    for (const BackendInfo& info : backends())
        if (info.name == name)
            return &info;
    return nullptr;
}

}  // namespace attnscope
