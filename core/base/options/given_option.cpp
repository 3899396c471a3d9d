#include "core/base/options/given_option.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iterator>
#include <string_view>

namespace attnscope {

std::vector<std::string> optionWords(const std::vector<GivenOption>& given)
{
    std::vector<std::string> arguments, options;
    for (const auto& [name, values] : given) {
        if (!name.starts_with('-'))
            for (const std::string& value : values)
                arguments.push_back(value.starts_with('-') ? "./" + value : value);
        else if (values.empty())
            options.push_back(name);
        else
            for (const std::string& value : values)
                options.insert(options.end(), {name, value});
    }
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
}

std::string shortestNumber(double value)
{
    std::array<char, 32> buffer{};
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::string shellWord(const std::string& word)
{
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) != 0 || std::string_view("-_./:=,+@%").find(char(c)) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain))
        return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string shellLine(const std::vector<std::string>& words)
{
    std::vector<std::string> quoted{"attnscope-cli"};
    std::ranges::transform(words, std::back_inserter(quoted), shellWord);
    return joined(quoted, " ");
}

}
