#pragma once

#include "core/figure/table.h"
#include "core/store/store_records.h"

#include <optional>
#include <string_view>
#include <vector>

namespace attnscope {

/// A top-1 accuracy that the LARA paper prints (Zheng, Wang, Kong, ICML 2022), on the whole ImageNet-1k validation set, of a network trained
/// with this attention.
struct PublishedAccuracy {
    std::string_view network;  ///< with its own attention: "pvt_v2_b1"
    std::string_view model;    ///< the name of the one that was trained: "pvt_v2_b1_lara"
    std::string_view backend, setting;
    double percent = 0;
    int table = 0;  ///< of the paper
};

constexpr std::string_view publishedSource = "Zheng et al., ICML 2022 (LARA)";

/// Of `network`, whatever it was trained with; empty where nothing is known.
std::vector<PublishedAccuracy> publishedAccuracies(std::string_view network);

/// What tables 1 and 2, the paper's main results, print of a model with its attention: RA with one sample, LARA and Performer with
/// the number of samples of those tables. Empty for other models.
std::optional<double> publishedPercent(std::string_view model, std::string_view backend);

/// timm's results (resources/accuracies), with a heading.
extern const std::string_view timmResults;
constexpr std::string_view timmSource = "timm, 8 August 2026";

/// The top-1 in percent that timm publishes of this network: if the path of the weights has its name and tag
/// ("vit_base_patch16_224.augreg2_in21k_ft_in1k"), its image size is the same, the attention is its own, and the whole of the data set was
/// evaluated that it is of: the one of the protocol, or without one 50,000 images of 1000 classes.
std::optional<double> timmPercent(const StoredEvaluation& evaluation, const StoredRun& run);

/// Either of the two, with its source; empty where neither is known.
Cell publishedCell(const StoredEvaluation& evaluation, const StoredRun& run);

}
