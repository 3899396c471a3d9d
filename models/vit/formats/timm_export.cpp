// SPDX-License-Identifier: Apache-2.0
#include "models/vit/formats/timm_export.h"

#include "models/vit/formats/timm_storage.h"

namespace attnscope {

ExportedModel exportedToTimm(const Json& description, const NamedTensors& tensors)
{
    if (description.value("family", "") != "vit")
        return {tensors, nullptr, {}};
    const PlainVit* vit = architectureOf(description);
    if (vit == nullptr)
        return {tensors, nullptr, "no architecture of timm has these switches: there is no config.json for it"};
    Json timms = description;
    std::string note;
    if (description.value("pool", "token") == "token_avg") {
        timms["pool"] = "token";
        timms["num_classes"] = 0;
        note = "timm has no head that reads class token and average together: the config.json describes the network without it";
    }
    return {timmStorage(*vit, tensors), timmConfig(*vit, timms), std::move(note)};
}

}  // namespace attnscope
