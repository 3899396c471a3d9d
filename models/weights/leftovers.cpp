#include "models/weights/leftovers.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace attnscope {

namespace {

/// Parts of names that tell how weights were stored, and what to do about it.
struct StorageMark {
    std::vector<const char*> marks;
    const char* advice;
};

const std::vector<StorageMark>& storageMarks()
{
    static const std::vector<StorageMark> all{
        {{"lora_", ".base_layer."}, "is of a LoRA: merge it into the weights (merge_and_unload of PEFT)"},
        {{"weight_scale", "scale_weight", ".SCB", ".absmax", "quant_", "qweight", "zero_point"},
         "is of quantised weights: dequantise them"},
        {{"weight_orig", "bias_orig", "weight_mask"},
         "is of pruned weights: make the pruning permanent (torch.nn.utils.prune.remove)"},
        {{"weight_g", "weight_v", "parametrizations."},
         "is of weights computed from others: remove the weight norm or parametrisation"}};
    return all;
}

}

std::string adviceFor(const std::vector<std::string>& names, const std::string& file)
{
    for (const StorageMark& kind : storageMarks())
        for (const std::string& name : names)
            if (std::ranges::any_of(kind.marks,
                                    [&](const char* mark) { return name.find(mark) != std::string::npos; }))
                return "`" + printable(name) + "` " + kind.advice + " and save them again";
    const std::string own = std::filesystem::path(file).filename().string();
    const size_t at = own.find("-of-");  // model-00001-of-00002.safetensors
    const auto parts = at == std::string::npos ? std::nullopt : parseNumber<int64_t>(own.substr(at + 4, 5));
    return parts.value_or(1) > 1
               ? "it is one of " + std::to_string(*parts) + " files: give their folder, or the ….index.json in it"
               : "";
}

bool isCounter(const std::string& name)
{
    constexpr std::array ends{"num_batches_tracked", "total_ops", "total_params", "n_averaged"};
    return std::ranges::any_of(ends, [&](const char* end) { return name.ends_with(end); });
}

}
