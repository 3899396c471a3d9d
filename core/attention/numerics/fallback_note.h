#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Independent of torch.
namespace attnscope {

/// That a method fell back: a Fallback's clause, and in how many heads of how many.
struct FallbackCount {
    std::string clause;
    int64_t heads = 0, of = 0;  ///< of 0: the clause alone

    /// Whether one of the notes says so already, with whatever numbers.
    bool isIn(const std::vector<std::string>& notes) const;
    /// Unless it is: "in 3 of 72 heads …", or "in 3 of 72 `unit` …".
    void addTo(std::vector<std::string>& notes, std::string_view unit = "heads") const;
};

}
