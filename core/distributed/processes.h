// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/distributed/collective.h"

#include <memory>

namespace attnscope {

/// The processes that mpirun or srun started together with this one, through MPI; without them this one alone, for which no MPI need
/// be installed. MPI is in a library of its own, `libattnscope_mpi.so`, looked for at $ATTNSCOPE_MPI, beside the program and in
/// ../lib/attnscope from there.
/// Throws Unsupported when several were started and the library or MPI is not there: never do they work each for itself.
std::shared_ptr<Collective> startProcesses();

}  // namespace attnscope
