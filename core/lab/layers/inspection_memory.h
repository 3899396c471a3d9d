#pragma once

#include <cstdint>
#include <memory>

namespace attnscope {

/// What an inspection keeps for the next request about the same input: the opened input, and q, k and v of its exact passes, so that the
/// maps of another token need no pass. Independent of torch.
class InspectionMemory {
public:
    /// Beyond `maxBytes` nothing is kept.
    explicit InspectionMemory(int64_t maxBytes);
    ~InspectionMemory();
    InspectionMemory(const InspectionMemory&) = delete;
    InspectionMemory& operator=(const InspectionMemory&) = delete;

    void clear();
    /// Size of the stored tensors.
    int64_t bytes() const;

    struct Contents;
    Contents& contents() { return *m_contents; }
    /// Drops what later requests do not need, and everything beyond the limit.
    void settle();

private:
    int64_t m_maxBytes;
    std::unique_ptr<Contents> m_contents;
};

}
