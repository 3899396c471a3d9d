#pragma once

#include <string>
#include <vector>

namespace attnscope {

/// The looks of attentions that stand side by side, as keys of `SeriesStyles`: a backend's first attention has the backend's own look,
/// further ones a variant of it; an attention that comes twice has one look.
std::vector<std::string> seriesKeys(const std::vector<std::string>& attentions);

}
