#pragma once

#include <cstdint>
#include <functional>
#include <string>

/// Independent of torch and MPI.
namespace attnscope {

/// How a launcher (mpirun, srun) started this process, according to environment variables.
struct Launch {
    int64_t rank = 0;
    int64_t localRank = 0;  ///< among the processes of its machine
    int64_t size = 1;       ///< 0: it started one or more, only MPI knows how many
    std::string launcher;   ///< "mpirun", "srun"; empty: none

    bool several() const { return size != 1; }
    bool isFirst() const { return rank == 0; }
};

/// The value of an environment variable, or null.
using LaunchVariable = std::function<const char*(const char* name)>;

Launch launchOf(const LaunchVariable& variable);
/// Of this process.
Launch launch();

}
