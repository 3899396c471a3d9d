// SPDX-License-Identifier: Apache-2.0
#include "core/distributed/launch.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace attnscope {

namespace {

std::optional<std::int64_t> numberIn(const char* text)
{
    std::int64_t number = 0;
    if (text == nullptr)
        return std::nullopt;
    const char* end = text + std::strlen(text);
    const auto read = std::from_chars(text, end, number);
    return read.ec == std::errc() && read.ptr == end && number >= 0 ? std::optional(number) : std::nullopt;
}

struct Names {
    const char *launcher, *size, *rank, *localRank;
};

/// Open MPI's mpirun; launchers that speak PMI; a step of Slurm (of a job without srun these are not set).
constexpr Names known[] = {{"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
                           {"mpirun", "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID"},
                           {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID"}};

}  // namespace

Launch launchOf(const LaunchVariable& variable)
{
    for (const Names& names : known)
        if (const auto size = numberIn(variable(names.size)))
            return {numberIn(variable(names.rank)).value_or(0), numberIn(variable(names.localRank)).value_or(0), *size, names.launcher};
    if (const auto rank = numberIn(variable("PMIX_RANK")))
        return {.rank = *rank, .size = 0, .launcher = "a launcher"};
    return {};
}

Launch launch()
{
    return launchOf([](const char* name) { return std::getenv(name); });
}

}  // namespace attnscope
