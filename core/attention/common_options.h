#pragma once

#include "core/attention/option.h"

#include <string>
#include <utility>
#include <vector>

/// Options that several backends share.
namespace attnscope {

inline OptionInfo integerOption(std::string name, std::string help, int64_t value, int64_t minimum,
                                int64_t maximum)
{
    return {.name = std::move(name),
            .type = OptionType::Integer,
            .help = std::move(help),
            .defaultValue = value,
            .minimum = double(minimum),
            .maximum = double(maximum)};
}

inline OptionInfo realOption(std::string name, std::string help, double value, double minimum, double maximum)
{
    return {.name = std::move(name),
            .type = OptionType::Real,
            .help = std::move(help),
            .defaultValue = value,
            .minimum = minimum,
            .maximum = maximum};
}

inline OptionInfo flagOption(std::string name, std::string help, bool value = false)
{
    return {.name = std::move(name), .type = OptionType::Flag, .help = std::move(help), .defaultValue = value};
}

/// The first choice is the default.
inline OptionInfo choiceOption(std::string name, std::string help, std::vector<OptionChoice> choices)
{
    return {.name = std::move(name),
            .type = OptionType::Choice,
            .help = std::move(help),
            .defaultValue = choices.front().name,
            .choices = std::move(choices)};
}

inline OptionInfo advanced(OptionInfo option)
{
    option.advanced = true;
    return option;
}

/// An option that doesn't change what the attention is: weights trained with one value of it fit every other.
inline OptionInfo computational(OptionInfo option)
{
    option.definesAttention = false;
    return option;
}

inline OptionInfo seedOption()
{
    OptionInfo option{
        .name = "seed", .type = OptionType::Integer, .help = "seed of this backend only; default: same as run"};
    option.maximum = 9'007'199'254'740'992;  // 2^53: JSON readers represent integers exactly up to here
    return advanced(computational(option));
}

/// Which code computes the attention; the results are the same up to rounding.
inline OptionInfo kernelOption()
{
    return advanced(
        computational(choiceOption("kernel", "implementation",
                                   {{"auto",
                                     "fused Attnscope kernels on CPUs, and on GPUs if the build includes them, "
                                     "when no gradient is needed; otherwise LibTorch operators",
                                     {}},
                                    {"plain", "LibTorch operators, one after another", {}}})));
}

/// Which keys to use in networks that reduce them (PVTv2): docs/decisions/0005-sra-specs.md. Read by the network, not the backend.
inline OptionInfo keysOption()
{
    return advanced(choiceOption(
        "keys", "which keys to use in networks with spatial reduction (PVTv2)",
        {{"all", "keys of all tokens; SRA's reduction is skipped, for which the weights were not trained", {}},
         {"reduced", "keys of the network's own spatial reduction, replacing SRA's softmax", {}}}));
}

/// How class tokens and registers attend and are attended to (AttentionBackend::attend); `exact`: whether exactly unless told otherwise.
inline OptionInfo prefixOption(bool exact)
{
    OptionInfo option = choiceOption(
        "prefix_attention", "attention of class token and registers",
        {{"ordinary", "like any other token, as published", {}},
         {"rows",
          "exact softmax over all keys for them as queries; what a swap loses in a trained network is mostly the "
          "class token's row",
          {}},
         {"exact",
          "they are also exact as keys of every query, joined by the normaliser: as good as that is",
          {}}});
    if (exact)
        option.defaultValue = std::string("exact");
    return option;
}

/// Where the normaliser of softmax comes from by which exact keys are joined; `own`: whether the method estimates it.
inline OptionInfo normaliserOption(bool own)
{
    std::vector<OptionChoice> choices{
        {"tangent", "a lower bound from the exact attention of 16 landmark queries", {}}};
    if (own)
        choices.insert(choices.begin(), {"own", "the method's own estimate", {}});
    return advanced(choiceOption("logz", "the normaliser by which exact keys are joined", std::move(choices)));
}

/// How far apart two tokens are: `parseDistanceMetric`.
inline OptionInfo metricOption()
{
    return choiceOption("metric", "distance of two tokens on the grid",
                        {{"euclidean", "√(Δr² + Δc²)", {}},
                         {"chebyshev", "max(|Δr|, |Δc|)", {}},
                         {"manhattan", "|Δr| + |Δc|", {}}});
}

inline OptionInfo placesOption()
{
    return choiceOption("places", "where tokens are",
                        {{"grid", "at their rows and columns in the image; a line where no grid is known", {}},
                         {"line", "in row-major order, even where a grid is known", {}}});
}

inline OptionInfo featuresOption()
{
    return choiceOption("features", "map from tokens to features (LARA paper, appendix C)",
                        {{"positive", "exp(ω·x − ½‖x‖²)", {}}, {"hyperbolic", "the same with both ω and −ω", {}}});
}

inline OptionInfo noiseOption()
{
    return choiceOption("noise", "noise around the proposal mean (in the space of D^-¼·q)",
                        {{"auto", "as published: none for evaluation, unit for unbiased RA and for training", {}},
                         {"unit", "standard deviation 1, as in the equations", {}},
                         {"library", "standard deviation D^-¼, as the authors' code draws it", {}},
                         {"none", "no noise, the mean itself", {}}});
}

}
