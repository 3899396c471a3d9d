#pragma once

#include <cstdint>
#include <memory>

namespace attnscope {

/// What an inspection keeps for the next request about the same input: the opened input, and q, k and v of its exact passes, so that the
/// maps of another token need no pass. Independent of torch.
class InspectionMemory {
public:
    /// Beyond `mostBytes` nothing is kept.
    explicit InspectionMemory(std::int64_t mostBytes);
    ~InspectionMemory();
    InspectionMemory(const InspectionMemory&) = delete;
    InspectionMemory& operator=(const InspectionMemory&) = delete;

    void clear();
    /// Size of the stored tensors.
    std::int64_t bytes() const;

    struct Contents;
    Contents& contents() { return *m_contents; }
    /// Drops what later requests do not need, and everything beyond the limit.
    void settle();

private:
    std::int64_t m_mostBytes;
    std::unique_ptr<Contents> m_contents;
};

}
