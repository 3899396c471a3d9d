// The table of all methods: adding one is a pair of files in methods/, sparse/ or training_free/, and its function here.
#include "core/attention/backend_info.h"

#include "core/attention/common_options.h"
#include "core/attention/methods/elu.h"
#include "core/attention/methods/lara.h"
#include "core/attention/methods/linformer.h"
#include "core/attention/methods/nystrom.h"
#include "core/attention/methods/orthoformer.h"
#include "core/attention/methods/performer.h"
#include "core/attention/methods/pooled_keys.h"
#include "core/attention/methods/positional.h"
#include "core/attention/methods/randomized.h"
#include "core/attention/methods/rfa.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/methods/spatial_reduction.h"
#include "core/attention/methods/top_keys.h"
#include "core/attention/methods/window.h"
#include "core/attention/sparse/bigbird.h"
#include "core/attention/sparse/blockwise.h"
#include "core/attention/sparse/clustered.h"
#include "core/attention/sparse/etc.h"
#include "core/attention/sparse/longformer.h"
#include "core/attention/sparse/lsh.h"
#include "core/attention/sparse/span.h"
#include "core/attention/sparse/strided.h"
#include "core/attention/training_free/blocks.h"
#include "core/attention/training_free/hyper.h"
#include "core/attention/training_free/merge.h"
#include "core/attention/training_free/monarch.h"
#include "core/attention/training_free/sampled_keys.h"
#include "core/attention/training_free/scatterbrain.h"
#include "core/attention/training_free/tangent.h"
#include "core/attention/training_free/thin.h"
#include "core/attention/training_free/wildcat.h"
#include "core/base/error.h"

namespace attnscope {

namespace {

std::vector<BackendInfo> methods()
{
    std::vector<BackendInfo> table{
        softmaxInfo(),      performerInfo(),   rfaInfo(),       randomizedInfo(), laraInfo(),     nystromInfo(),
        orthoformerInfo(),  linformerInfo(),   eluInfo(),       pooledKeysInfo(), localInfo(),    evaInfo(),
        topKeysInfo(),      stridedInfo(),     blockwiseInfo(), longformerInfo(), etcInfo(),      bigbirdInfo(),
        lshInfo(),          clusteredInfo(),   spanInfo(),      alibiInfo(),      distanceInfo(), tangentInfo(),
        wildcatInfo(),      monarchInfo(),     blocksInfo(),    mergeInfo(),      thinInfo(),     hyperInfo(),
        scatterbrainInfo(), sampledKeysInfo(), sraInfo(),
    };
    return table;
}

std::vector<BackendInfo> withPrefixOption(std::vector<BackendInfo> table)
{
    for (BackendInfo& info : table)
        if (!info.prefixSeesAll) {
            info.options.push_back(prefixOption(info.exactPrefix));
            info.options.push_back(normaliserOption(info.normaliser));
        }
    return table;
}

std::vector<BackendInfo>& table()
{
    constexpr size_t maxAdded = 32;
    static std::vector<BackendInfo> all = [] {
        std::vector<BackendInfo> known = withPrefixOption(methods());
        known.reserve(known.size() + maxAdded);
        return known;
    }();
    return all;
}

}

const std::vector<BackendInfo>& backends()
{
    return table();
}

void addBackend(BackendInfo info)
{
    if (findBackend(info.name) != nullptr || table().size() == table().capacity())
        throw UsageError(info.name, "there is an attention of this name, or no room for another");
    table().push_back(withPrefixOption({std::move(info)}).front());
}

}
