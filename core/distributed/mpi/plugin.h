// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What `libattnscope_mpi.so` offers: MPI behind five plain functions, so that the program itself is linked to no MPI and a single
/// process needs none. All but `fail` return 0 when they worked.
extern "C" {

struct AttnscopeMpi {
    std::int64_t version;  ///< of this interface
    /// Joins the processes that the launcher started. Once a process: MPI allows no second beginning. When the program ends, it leaves
    /// them in good order, or ends all of them if `fail` was called.
    int (*start)(int* rank, int* size);
    /// Adds up over all processes, in place and in the order of ranks: every process gets the same bits, each time.
    int (*sumFloats)(float* values, std::int64_t count);
    int (*sumDoubles)(double* values, std::int64_t count);
    /// Gives all what the first process has.
    int (*broadcast)(void* bytes, std::int64_t count);
    /// This process cannot go on, and so the others cannot either: all are ended when this one exits.
    void (*fail)();
};

constexpr std::int64_t attnscopeMpiVersion = 1;

const AttnscopeMpi* attnscope_mpi();
}
