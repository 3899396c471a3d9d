#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace attnscope::layering {

/// Path from the root of the tree ("core/base/error.h") → text.
using Tree = std::map<std::string, std::string>;

/// Who includes what. Conditional includes count: a wrong one behind an #if is wrong too.
class IncludeGraph {
public:
    explicit IncludeGraph(const Tree& tree);

    struct File {
        std::set<std::string> ours;     ///< files of the tree
        std::set<std::string> foreign;  ///< "ATen/ATen.h", "QWidget"
        std::set<std::string> unknown;  ///< in quotation marks, but neither in the tree nor generated
    };
    const std::map<std::string, File>& files() const { return m_files; }

    /// The shortest way from `start` to a foreign header that `wanted` accepts: start, …, header. Empty when there is none.
    template <typename Predicate>
    std::vector<std::string> wayTo(const std::string& start, Predicate wanted) const
    {
        std::map<std::string, std::string> from{{start, ""}};
        std::vector<std::string> queue{start};
        for (size_t next = 0; next < queue.size(); ++next) {
            const std::string path = queue[next];
            const File& file = m_files.at(path);
            for (const std::string& header : file.foreign)
                if (wanted(header))
                    return way(from, path, header);
            for (const std::string& other : file.ours)
                if (from.emplace(other, path).second)
                    queue.push_back(other);
        }
        return {};
    }

private:
    static std::vector<std::string> way(const std::map<std::string, std::string>& from, const std::string& last,
                                        const std::string& header);

    std::map<std::string, File> m_files;
};

}
