#include "tests/layering/include_graph.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace attnscope::layering {

namespace {

struct Include {
    std::string name;
    bool quoted = false;
};

/// `line` → what it includes; an empty name for any other line.
Include includeOf(const std::string& line)
{
    const auto afterBlanks = [&](size_t at) { return std::min(line.find_first_not_of(" \t", at), line.size()); };
    size_t at = afterBlanks(0);
    if (at >= line.size() || line[at] != '#')
        return {};
    at = afterBlanks(at + 1);
    if (line.compare(at, 7, "include") != 0)
        return {};
    at = afterBlanks(at + 7);
    if (at >= line.size() || (line[at] != '"' && line[at] != '<'))
        return {};
    const bool quoted = line[at] == '"';
    const size_t end = line.find(quoted ? '"' : '>', at + 1);
    return {line.substr(at + 1, end == std::string::npos ? end : end - at - 1), quoted};
}

bool isGenerated(const std::string& name)
{
    return name == "core/base/version.h" || (name.size() > 4 && name.compare(name.size() - 4, 4, ".moc") == 0)
           || name.rfind("ui_", 0) == 0;
}

}

IncludeGraph::IncludeGraph(const Tree& tree)
{
    for (const auto& [path, text] : tree) {
        File& file = m_files[path];
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            const Include include = includeOf(line);
            if (include.name.empty() || isGenerated(include.name))
                continue;
            const auto sibling =
                (std::filesystem::path(path).parent_path() / include.name).lexically_normal().string();
            if (tree.count(include.name) > 0)
                file.ours.insert(include.name);
            else if (include.quoted && tree.count(sibling) > 0)
                file.ours.insert(sibling);
            else
                (include.quoted ? file.unknown : file.foreign).insert(include.name);
        }
    }
}

std::vector<std::string> IncludeGraph::way(const std::map<std::string, std::string>& from, const std::string& last,
                                           const std::string& header)
{
    std::vector<std::string> result{header};
    for (std::string path = last; !path.empty(); path = from.at(path))
        result.push_back(path);
    std::reverse(result.begin(), result.end());
    return result;
}

}
