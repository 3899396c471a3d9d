#include "models/export/exportable.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Noise for every image, where an option asks for it.
RefusedOptions noise(const AttentionSpec& spec)
{
    const std::string& choice = spec.choice("noise");
    if (choice == "auto" || choice == "none")
        return {"", spec};
    return {"it draws noise for every image", spec.with("noise", std::string("none"))};
}

RefusedOptions samplesOfLara(const AttentionSpec& spec)
{
    if (spec.choice("proposal") == "mixture")
        return {"it draws a key for every image", noise(spec).nearest.with("proposal", std::string("attended"))};
    return noise(spec);
}

RefusedOptions samplesOfRandomized(const AttentionSpec& spec)
{
    if (spec.choice("mode") != "biased")
        return {"it draws samples for every image", noise(spec).nearest.with("mode", std::string("biased"))};
    return noise(spec);
}

RefusedOptions inverseOfNystrom(const AttentionSpec& spec)
{
    if (spec.flag("exact_pinv"))
        return {"ONNX has no operator that decomposes matrices", spec.with("exact_pinv", false)};
    return {"", spec};
}

RefusedOptions mapOfPerformer(const AttentionSpec& spec)
{
    if (spec.choice("balance") == "full")
        return {"ONNX has no operator that decomposes matrices", spec.with("balance", std::string("diagonal"))};
    return {"", spec};
}

RefusedOptions roundsOfThin(const AttentionSpec& spec)
{
    if (spec.integer("rounds") > 0)
        return {"it draws numbers for every image", spec.with("rounds", int64_t{0})};
    return {"", spec};
}

}

const char* toText(ExportForm form)
{
    switch (form) {
    case ExportForm::Exact:
        return "exact";
    case ExportForm::Frozen:
        return "frozen";
    case ExportForm::Masked:
        return "masked";
    case ExportForm::Refused:
        break;
    }
    return "refused";
}

const std::vector<ExportRule>& exportRules()
{
    using enum ExportForm;
    static const std::vector<ExportRule> rules{
        {"softmax"},
        {"performer", Frozen, "", "", mapOfPerformer},
        {"rfa", Frozen},
        {"ra", Exact, "", "", samplesOfRandomized},
        {"lara", Exact, "", "", samplesOfLara},
        {"nystrom", Exact, "", "", inverseOfNystrom},
        {"orthoformer", Refused, "it draws its first landmark for every image", "nystrom"},
        {"linformer"},
        {"elu"},
        {"pooled-sra"},
        {"local"},
        {"eva", Exact, "", "", noise},
        {"topk"},
        {"strided", Masked},
        {"blockwise", Masked},
        {"longformer", Masked},
        {"etc", Masked},
        {"bigbird", Masked},
        {"lsh", Refused, "its buckets are made by code of its own, which is no graph of operators",
         "blocks:order=lsh"},
        {"clustered", Refused, "its clusters are made by code of its own, which is no graph of operators",
         "blocks"},
        {"span", Masked},
        {"alibi"},
        {"distance"},
        {"tangent"},
        {"wildcat", Refused,
         "it chooses keys until what is left of them is small, so that its steps depend on the image", "tangent"},
        {"monarch"},
        {"blocks", Frozen},
        {"merge"},
        {"thin", Exact, "", "", roundsOfThin},
        {"hyper", Refused, "it draws keys for every image", "blocks:order=lsh"},
        {"scatterbrain", Frozen},
        {"sample", Refused, "it draws keys for every image", "merge"},
        {"sra"},
    };
    return rules;
}

namespace {

const ExportRule& ruleOf(const AttentionSpec& spec)
{
    return *std::ranges::find(exportRules(), spec.backend(), &ExportRule::method);
}

}

std::string nearestExportable(const AttentionSpec& spec)
{
    const ExportRule& rule = ruleOf(spec);
    if (rule.form == ExportForm::Refused)
        return rule.nearest;
    const RefusedOptions refused = rule.refused == nullptr ? RefusedOptions{"", spec} : rule.refused(spec);
    return refused.reason.empty() ? std::string(referenceBackend) : refused.nearest.canonical();
}

void requireExportable(const AttentionSpec& spec, int64_t layers)
{
    for (int64_t layer = 0; layer < layers; ++layer) {
        const AttentionSpec own = spec.layer(layer);
        const ExportRule& rule = ruleOf(own);
        const std::string reason = rule.form == ExportForm::Refused ? rule.reason
                                   : rule.refused != nullptr        ? rule.refused(own).reason
                                                                    : std::string();
        if (!reason.empty())
            throw UsageError(own.canonical(), "it cannot be exported, because " + reason,
                             "the nearest that can is " + nearestExportable(own));
    }
}

}
