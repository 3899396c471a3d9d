#pragma once

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

}
