// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/pickle/pickle_tensors.h"

namespace attnscope {

/// The results of the calls in a pickle, for the names on the list of pickle_globals.h: nothing is called.
class PickleCalls {
public:
    explicit PickleCalls(PickleValues& values)
        : m_values(values)
        , m_tensors(values)
    {}

    /// function(*arguments). `bytesRead`: of the pickle so far. Throws FileError for names that are not on the list.
    PickleRef result(PickleRef function, PickleRef arguments, std::int64_t bytesRead);
    /// class.__new__(class, *arguments): a record, whatever the class.
    PickleRef object(PickleRef type, PickleRef arguments);
    /// object.__setstate__(state): a record keeps the state.
    void build(PickleRef object, PickleRef state);
    PickleRef storage(PickleRef id) { return m_tensors.storage(id); }

private:
    PickleRef dictionary(const std::vector<PickleRef>& arguments, std::int64_t bytesRead);
    void appendEntries(PickleRef argument, std::vector<PickleRef>& entries, std::int64_t bytesRead);
    std::vector<PickleRef> sequence(const std::vector<PickleRef>& arguments, std::int64_t bytesRead);
    PickleRef reconstructed(const std::vector<PickleRef>& arguments);
    PickleRef tensorOfType(const std::vector<PickleRef>& arguments, std::int64_t bytesRead);

    PickleValues& m_values;
    PickleTensors m_tensors;
};

}  // namespace attnscope
