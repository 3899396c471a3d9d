#include "core/attention/methods/key_source.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"

namespace attnscope {

KeySource keySource(const AttentionSpec& spec)
{
    return spec.backend() == "sra" || spec.value("keys") == OptionValue("reduced") ? KeySource::Reduced
                                                                                   : KeySource::All;
}

bool isExactOverItsKeys(const AttentionSpec& spec)
{
    return spec.backend() == referenceBackend || spec.backend() == "sra";
}

AttentionSpec exactOver(KeySource keys)
{
    const AttentionSpec exact = AttentionSpec::reference();
    return keys == KeySource::Reduced ? exact.with("keys", std::string("reduced")) : exact;
}

void refuseReducedKeys(const AttentionSpec& spec, const std::string& model)
{
    for (const LayerAttention& part : spec.parts())
        refuseReducedKeys(part.spec, model);
    if (keySource(spec) == KeySource::Reduced)
        throw UsageError(
            spec.canonical(), model + " has no spatial reduction to provide reduced keys",
            "choose an attention over all keys, such as softmax, or a network with one, such as pvt_v2_b1");
}

TokenLayout reducedGrid(const TokenLayout& tokens, int64_t ratio, bool pooled)
{
    if (pooled)
        return {.prefix = 0, .frames = 1, .rows = pooledSide, .columns = pooledSide};
    return {.prefix = 0, .frames = 1, .rows = tokens.rows / ratio, .columns = tokens.columns / ratio};
}

}
