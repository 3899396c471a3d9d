// SPDX-License-Identifier: Apache-2.0
#include "models/export/exportable.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"

#include <algorithm>

namespace attnscope {

namespace {

std::string noiseOfLara(const AttentionSpec& spec)
{
    const std::string& noise = spec.choice("noise");
    if (noise != "auto" && noise != "none")
        return "it draws noise for every image";
    return spec.choice("proposal") == "mixture" ? "it draws a key for every image" : "";
}

std::string noiseOfRandomized(const AttentionSpec& spec)
{
    if (spec.choice("mode") == "unbiased")
        return "unbiased RA draws samples for every image";
    const std::string& noise = spec.choice("noise");
    return noise != "auto" && noise != "none" ? "it draws noise for every image" : "";
}

}  // namespace

const char* toText(ExportForm form)
{
    switch (form) {
    case ExportForm::Exact: return "exact";
    case ExportForm::Frozen: return "frozen";
    case ExportForm::Masked: return "masked";
    case ExportForm::Refused: break;
    }
    return "refused";
}

const std::vector<ExportRule>& exportRules()
{
    using enum ExportForm;
    static const std::vector<ExportRule> rules{
        {"softmax"},
        {"performer", Frozen},
        {"rfa", Frozen},
        {"ra", Exact, "", "ra:mode=biased", noiseOfRandomized},
        {"lara", Exact, "", "lara", noiseOfLara},
        {"nystrom"},
        {"orthoformer"},
        {"linformer"},
        {"elu"},
        {"pooled"},
        {"local"},
        {"eva"},
        {"topk"},
        {"strided", Masked},
        {"blockwise", Masked},
        {"longformer", Masked},
        {"etc", Masked},
        {"bigbird", Masked},
        {"lsh"},
        {"clustered"},
        {"span", Masked},
        {"alibi"},
        {"distance"},
        {"tangent"},
        {"wildcat"},
        {"monarch"},
        {"blocks"},
        {"merge"},
        {"thin"},
        {"hyper"},
        {"scatterbrain"},
        {"sampled"},
        {"sra"},
    };
    return rules;
}

namespace {

const ExportRule& ruleOf(const AttentionSpec& spec)
{
    return *std::ranges::find(exportRules(), spec.backend(), &ExportRule::method);
}

}  // namespace

std::string nearestExportable(const AttentionSpec& spec)
{
    const ExportRule& rule = ruleOf(spec);
    return rule.nearest.empty() ? std::string(referenceBackend) : rule.nearest;
}

void requireExportable(const AttentionSpec& spec, std::int64_t layers)
{
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const AttentionSpec own = spec.layer(layer);
        const ExportRule& rule = ruleOf(own);
        const std::string options = rule.refusedOptions == nullptr ? std::string() : rule.refusedOptions(own);
        const std::string& reason = rule.form == ExportForm::Refused ? rule.reason : options;
        if (!reason.empty())
            throw UsageError(own.canonical(), "it cannot be exported, because " + reason, "the nearest that can is " + nearestExportable(own));
    }
}

}  // namespace attnscope
