#include "models/weights/yaml_values.h"

#include "core/base/text.h"

#include <vector>

namespace attnscope {

namespace {

struct Line {
    size_t indent = 0;
    std::string key, value;
};

/// `  KEY: value`; the key is empty for any other line.
Line parseLine(std::string_view text)
{
    Line line;
    line.indent = text.find_first_not_of(' ');
    const size_t colon = text.find(':');
    if (line.indent == std::string_view::npos || colon == std::string_view::npos)
        return {};
    const std::string_view key = text.substr(line.indent, colon - line.indent);
    if (key.empty() || key.find_first_of(" #-\"'{[&*") != std::string_view::npos)
        return {};
    std::string_view value = trim(text.substr(colon + 1));
    if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front())
        value = value.substr(1, value.size() - 2);
    line.key = key;
    line.value = value;
    return line;
}

}

std::map<std::string, std::string> yamlValues(std::string_view text)
{
    constexpr size_t most = 4096, deepest = 8, longest = 256;
    std::map<std::string, std::string> values;
    std::vector<Line> open;  // the blocks enclosing a line
    for (const std::string_view raw : split(text, '\n')) {
        Line line = parseLine(raw);
        if (line.key.empty() || line.key.size() > longest || line.value.size() > longest || values.size() == most)
            continue;
        while (!open.empty() && open.back().indent >= line.indent)
            open.pop_back();
        if (line.value.empty()) {
            if (open.size() < deepest)
                open.push_back(std::move(line));
            continue;
        }
        std::string name;
        for (const Line& block : open)
            name += block.key + ".";
        values[name + line.key] = line.value;
    }
    return values;
}

}
