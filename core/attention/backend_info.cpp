// SPDX-License-Identifier: Apache-2.0
// The table of all backends: adding one takes one include and one line here.
#include "core/attention/backend_info.h"

#include "core/attention/attention_backend.h"
#include "core/attention/methods/elu.h"
#include "core/attention/methods/lara.h"
#include "core/attention/methods/linformer.h"
#include "core/attention/methods/nystrom.h"
#include "core/attention/methods/orthoformer.h"
#include "core/attention/methods/performer.h"
#include "core/attention/methods/pooled_keys.h"
#include "core/attention/methods/randomized.h"
#include "core/attention/methods/rfa.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/methods/spatial_reduction.h"
#include "core/attention/methods/top_keys.h"
#include "core/attention/methods/window.h"

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
        linformerInfo(),
        eluInfo(),
        pooledKeysInfo(),
        localInfo(),
        evaInfo(),
        topKeysInfo(),
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

const char* toText(AttentionKind kind)
{
    switch (kind) {
    case AttentionKind::Exact:
        return "exact";
    case AttentionKind::Approximation:
        return "approximation";
    case AttentionKind::OtherKernel:
        return "other-kernel";
    case AttentionKind::NeedsTraining:
        break;
    }
    return "needs-training";
}

const char* describe(AttentionKind kind)
{
    switch (kind) {
    case AttentionKind::Exact:
        return "exact softmax";
    case AttentionKind::Approximation:
        return "an approximation of softmax";
    case AttentionKind::OtherKernel:
        return "a different kernel, not an approximation of softmax";
    case AttentionKind::NeedsTraining:
        break;
    }
    return "needs weights trained with it";
}

}  // namespace attnscope
