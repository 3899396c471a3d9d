#pragma once

#include <cstdint>

/// The interface of `libattnscope_mpi.so`: MPI behind five plain functions, so that the program itself is not linked to MPI and a single
/// process needs none. All but `fail` return 0 on success.
extern "C" {

struct AttnscopeMpi {
    int64_t version;  ///< of this interface
    /// Joins the processes that the launcher started. Once per process: MPI can't be restarted. When the program ends, it leaves them in an
    /// orderly way, or terminates all of them if `fail` was called.
    int (*start)(int* rank, int* size);
    /// Adds up over all processes, in place and in the order of ranks: every process gets bit-identical results, each time.
    int (*sumFloats)(float* values, int64_t count);
    int (*sumDoubles)(double* values, int64_t count);
    /// Copies the first process's values to all.
    int (*broadcast)(void* bytes, int64_t count);
    /// This process can't continue, and so the others can't either: all are terminated when this one exits.
    void (*fail)();
};

constexpr int64_t attnscopeMpiVersion = 1;

const AttnscopeMpi* attnscope_mpi();
}
