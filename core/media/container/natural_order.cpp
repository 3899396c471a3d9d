#include "core/media/container/natural_order.h"

#include <algorithm>

namespace attnscope {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Removes the number of any length at the start of `text` and returns it without leading zeros.
std::string_view takeNumber(std::string_view& text)
{
    const auto end = std::ranges::find_if_not(text, isDigit);
    std::string_view number = text.substr(0, size_t(end - text.begin()));
    text.remove_prefix(number.size());
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

}

bool naturallyBefore(std::string_view a, std::string_view b)
{
    std::string_view restA = a, restB = b;
    while (!restA.empty() && !restB.empty()) {
        if (isDigit(restA.front()) && isDigit(restB.front())) {
            const std::string_view numberA = takeNumber(restA), numberB = takeNumber(restB);
            if (numberA != numberB)
                return numberA.size() != numberB.size() ? numberA.size() < numberB.size() : numberA < numberB;
            continue;
        }
        if (restA.front() != restB.front())
            return static_cast<unsigned char>(restA.front()) < static_cast<unsigned char>(restB.front());
        restA.remove_prefix(1);
        restB.remove_prefix(1);
    }
    if (restA.empty() != restB.empty())
        return restA.empty();
    return a < b;
}

std::string_view withoutNumber(std::string_view name)
{
    const size_t dot = name.rfind('.');
    std::string_view stem = dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
    const size_t whole = stem.size();
    while (!stem.empty() && isDigit(stem.back()))
        stem.remove_suffix(1);
    return stem.size() == whole ? name : stem;
}

double numberOf(std::string_view name)
{
    const std::string_view before = withoutNumber(name);
    double number = 0;
    for (size_t at = before.size(); before != name && at < name.size() && isDigit(name[at]); ++at)
        number = number * 10 + (name[at] - '0');
    return number;
}

}
