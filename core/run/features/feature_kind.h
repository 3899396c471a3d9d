#pragma once

#include <string>
#include <vector>

/// Independent of torch.
namespace attnscope {

/// Which vector stands for an image (docs/features.md).
enum class FeatureKind {
    Pooled,    ///< what the network's own head reads; without a head, its output
    Token,     ///< the class token behind the final norm
    Avg,       ///< the mean of the patches behind the final norm, without prefix tokens
    TokenAvg,  ///< the class token followed by the mean of the patches
};

/// "pooled", "token", "avg", "token+avg".
const char* toText(FeatureKind kind);
const std::vector<std::string>& featureKindNames();
/// Throws UsageError naming the kinds.
FeatureKind parseFeatureKind(const std::string& name);
/// "class token", for people.
const char* describe(FeatureKind kind);

}
