#pragma once

#include "core/distributed/collective.h"

#include <memory>

namespace attnscope {

/// The processes that mpirun or srun started together with this one, through MPI; otherwise only this one, for which MPI need not be
/// installed. MPI is in a separate library, `libattnscope_mpi.so`, searched at $ATTNSCOPE_MPI, next to the program and in ../lib/attnscope
/// from there. Throws Unsupported if several were started and the library or MPI is not available: they never work independently.
std::shared_ptr<Collective> startProcesses();

}
