#pragma once

#include <cstdint>

/// The interface of `libattnscope_mpi.so`: MPI behind a few plain functions, so that the program itself is not linked to MPI and a single
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
    /// Processes are lost: this one, when it ends, ends the others instead of waiting for all.
    void (*abandon)();
    /// Begins to send numbers, which are copied, to one process. Messages between two processes arrive in order.
    int (*send)(int to, const double* values, int64_t count);
    /// The sender and length of the next message that has arrived, from any process; length −1: none has.
    int (*probe)(int* from, int64_t* count);
    /// Receives the message that `probe` found.
    int (*receive)(int from, double* values, int64_t count);
};

constexpr int64_t attnscopeMpiVersion = 2;

const AttnscopeMpi* attnscope_mpi();
}
