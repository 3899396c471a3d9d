#include "core/distributed/launch.h"

#include "core/base/number.h"

#include <cstdlib>
#include <limits>
#include <optional>

namespace attnscope {

namespace {

std::optional<int64_t> numberIn(const char* text)
{
    return text == nullptr ? std::nullopt : parseNumber(text, int64_t{0}, std::numeric_limits<int64_t>::max());
}

struct Names {
    const char *launcher, *size, *rank, *localRank;
};

/// Open MPI's mpirun; launchers that use PMI; a step of Slurm (not set for a job without srun).
constexpr Names known[] = {
    {"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"mpirun", "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID"},
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID"}};

}

Launch launchOf(const LaunchVariable& variable)
{
    for (const Names& names : known)
        if (const auto size = numberIn(variable(names.size)))
            return {numberIn(variable(names.rank)).value_or(0), numberIn(variable(names.localRank)).value_or(0),
                    *size, names.launcher};
    if (const auto rank = numberIn(variable("PMIX_RANK")))
        return {.rank = *rank, .size = 0, .launcher = "a launcher"};
    return {};
}

Launch launch()
{
    return launchOf([](const char* name) { return std::getenv(name); });
}

}
