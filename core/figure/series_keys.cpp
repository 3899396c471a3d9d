#include "core/figure/series_keys.h"

#include "core/figure/marks.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace attnscope {

namespace {

/// An attention with its logits written out has a look of its own; a specification by layers begins with a number.
std::string ownKey(const std::string& attention)
{
    const std::string name = attention.substr(0, attention.find_first_of(":;"));
    if (attention == name + ":form=explicit")
        return name + "-explicit";
    const bool mixed = !attention.empty() && std::isdigit(static_cast<unsigned char>(attention.front())) != 0;
    return mixed ? "mixed" : name;
}

}

std::vector<std::string> seriesKeys(const std::vector<std::string>& attentions)
{
    std::map<std::string, std::vector<std::string>> known;  // by backend, in order of appearance
    std::vector<std::string> keys;
    for (const std::string& attention : attentions) {
        std::vector<std::string>& same = known[ownKey(attention)];
        const auto found = std::ranges::find(same, attention);
        keys.push_back(variantKey(ownKey(attention), size_t(found - same.begin())));
        if (found == same.end())
            same.push_back(attention);
    }
    return keys;
}

}
