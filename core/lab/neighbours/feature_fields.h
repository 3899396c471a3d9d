#pragma once

#include "core/base/json.h"
#include "core/lab/neighbours/feature_store.h"

namespace attnscope {

/// The members of an identity under their JSON keys, in datastores and in reports.
void visitFields(MaybeConst<FeatureIdentity> auto& identity, auto& visit)
{
    visit("model", identity.model);
    visit("weights_sha256", identity.weightsHash);
    visit("description_sha256", identity.description);
    visit("transform", identity.transform);
    visit("attention", identity.attention);
    visit("seed", identity.seed);
    visit("width", identity.width);
}

}
