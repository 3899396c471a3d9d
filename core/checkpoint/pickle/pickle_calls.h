#pragma once

#include "core/checkpoint/pickle/pickle_values.h"

#include <map>

namespace attnscope {

/// The storages and tensors of a pickle: their form is checked here, their sizes against the container when they are used.
class PickleTensors {
public:
    explicit PickleTensors(PickleValues& values)
        : m_values(values)
    {}

    /// A persistent id: ("storage", type, key, device, elements[, view]).
    PickleRef storage(PickleRef id);
    /// storage, first element, sizes, strides[, requires gradient, hooks[, flags of a pending negation]].
    PickleRef tensor(const std::vector<PickleRef>& arguments);
    /// storage, first element, sizes, strides, requires gradient, hooks, type[, flags].
    PickleRef typedTensor(const std::vector<PickleRef>& arguments);
    /// A tensor that is not a plain view of a storage. It records why, and is refused only if it is needed.
    PickleRef unreadable(std::string_view global);
    /// The tensor in a parameter.
    PickleRef parameter(const std::vector<PickleRef>& arguments) const;

private:
    void readView(PickleRef view, PickleStorage& storage) const;
    PickleRef indexOf(PickleStorage storage);
    std::vector<int64_t> sizes(PickleRef ref) const;
    PickleTensor viewOf(const std::vector<PickleRef>& arguments) const;
    bool isPending(PickleRef marks) const;

    PickleValues& m_values;
    std::map<std::string, std::vector<uint32_t>> m_storageOf;
};

/// The results of the calls in a pickle, for the names on the list of pickle_globals.h: nothing is called.
class PickleCalls {
public:
    explicit PickleCalls(PickleValues& values)
        : m_values(values)
        , m_tensors(values)
    {}

    /// function(*arguments). `bytesRead`: of the pickle so far. Throws FileError for names that are not on the list.
    PickleRef result(PickleRef function, PickleRef arguments, int64_t bytesRead);
    /// class.__new__(class, *arguments): a record, whatever the class.
    PickleRef object(PickleRef type, PickleRef arguments);
    /// object.__setstate__(state): a record keeps the state.
    void build(PickleRef object, PickleRef state);
    PickleRef storage(PickleRef id) { return m_tensors.storage(id); }

private:
    PickleRef dictionary(const std::vector<PickleRef>& arguments, int64_t bytesRead);
    void appendEntries(PickleRef argument, std::vector<PickleRef>& entries, int64_t bytesRead);
    std::vector<PickleRef> sequence(const std::vector<PickleRef>& arguments, int64_t bytesRead);
    PickleRef reconstructed(const std::vector<PickleRef>& arguments);
    PickleRef tensorOfType(const std::vector<PickleRef>& arguments, int64_t bytesRead);

    PickleValues& m_values;
    PickleTensors m_tensors;
};

}
