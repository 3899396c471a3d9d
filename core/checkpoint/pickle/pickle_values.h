#pragma once

#include "core/checkpoint/pickle/pickle.h"

namespace attnscope {

/// Creates the values of a graph. Every value, text and copy is charged to a budget, so that a small program can't create a large graph.
/// Throws FileError with the name of the file.
class PickleValues {
public:
    using Kind = PickleKind;

    PickleValues(std::string file, const Limits& limits)
        : m_file(std::move(file))
        , m_limits(limits)
    {}

    const PickleGraph& graph() const { return m_graph; }
    const Limits& limits() const { return m_limits; }
    PickleGraph take(PickleRef root, int64_t end);

    [[noreturn]] void refuse(const std::string& problem,
                             const char* remedy = "it is damaged; copy or download it again") const;
    [[noreturn]] void refuseCall(std::string_view global) const;

    PickleRef add(Kind kind, int64_t payload, size_t length = 0);
    PickleRef addContainer(Kind kind, std::vector<PickleRef> items);
    PickleRef addText(Kind kind, std::string_view text);
    PickleRef addStorage(PickleStorage storage);
    PickleRef addTensor(PickleTensor tensor);
    /// An object: its class or function, its arguments, and no state yet.
    PickleRef addRecord(PickleRef type, PickleRef arguments);

    void insert(PickleRef target, const std::vector<PickleRef>& items);
    void setState(PickleRef record, PickleRef state);

    /// Reserves room for a text of this length, which the caller appends to text().
    void chargeText(size_t bytes) const;
    std::string& text() { return m_graph.m_text; }
    /// A call of four bytes copies whole lists: the total of copies is limited to four times the pickle read so far.
    void chargeCopy(size_t items, int64_t bytesRead);

private:
    void deepen(PickleRef parent, PickleRef child);
    std::vector<PickleRef>& itemsOf(PickleRef ref);

    const std::string m_file;
    const Limits m_limits;
    PickleGraph m_graph;
    int64_t m_copied = 0;
};

}
