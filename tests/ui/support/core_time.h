#pragma once

#include <QtGlobal>

#include <vector>

namespace attnscope::ui::test {

/// How long a thread has had a core, and how long it has been without one although it could have run; in ms from some beginning.
class CoreTime {
public:
    static CoreTime ofThisThread();

    qint64 ranSince(const CoreTime& before) const { return qint64(ran - before.ran); }
    /// Behind other threads, or while the host of a virtual machine held its core back (the core it held back longest: a thread has one).
    qint64 withoutSince(const CoreTime& before) const;

private:
    double ran = 0;
    double waited = 0;
    std::vector<double> heldBack;  ///< one a core
};

}
