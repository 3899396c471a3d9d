#include "core/distributed/mpi/plugin.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <list>
#include <new>
#include <type_traits>
#include <vector>

namespace {

// MPI can be initialised and finalised once per process.
int processes = 1, self = 0;
bool failed = false, abandoned = false;

/// At the end of the program, after its message has been printed.
void finish(int status, void*)
{
    int over = 0;
    if (MPI_Finalized(&over); over != 0)
        return;
    if (failed || abandoned)
        MPI_Abort(MPI_COMM_WORLD, failed && status == 0 ? 1 : status);
    else
        MPI_Finalize();
}

int start(int* rank, int* size)
{
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS
        || provided < MPI_THREAD_SERIALIZED)
        return 1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    *rank = self;
    *size = processes;
    return on_exit(finish, nullptr);
}

/// The part of `count` numbers that each process adds up.
struct Parts {
    Parts(int count, int of)
        : lengths(size_t(of))
        , begins(size_t(of))
    {
        for (int i = 0, at = 0; i < of; ++i) {
            const auto place = size_t(i);
            begins[place] = at;
            lengths[place] = count / of + (i < count % of ? 1 : 0);
            at += lengths[place];
        }
    }
    std::vector<int> lengths, begins;
};

/// Each process adds up its part in the order of ranks, then all get all parts. MPI_Allreduce may use any order, depending on the algorithm
/// that it chooses by size; the traffic is the same, 2 (P − 1) / P of the numbers.
template <typename Number>
int sumChunk(Number* values, int count)
{
    const Parts parts(count, processes);
    const auto own = size_t(self);
    const int length = parts.lengths[own];
    std::vector<Number> gathered(static_cast<size_t>(length) * size_t(processes));
    std::vector<int> lengths(static_cast<size_t>(processes), length), begins(lengths.size());
    for (int i = 0; i < processes; ++i)
        begins[size_t(i)] = i * length;
    const MPI_Datatype type = std::is_same_v<Number, float> ? MPI_FLOAT : MPI_DOUBLE;
    if (MPI_Alltoallv(values, parts.lengths.data(), parts.begins.data(), type, gathered.data(), lengths.data(),
                      begins.data(), type, MPI_COMM_WORLD)
        != MPI_SUCCESS)
        return 1;
    for (int i = 1; i < processes; ++i)
        for (int j = 0; j < length; ++j)
            gathered.data()[j] += gathered.data()[ptrdiff_t{i} * length + j];
    return MPI_Allgatherv(gathered.data(), length, type, values, parts.lengths.data(), parts.begins.data(), type,
                          MPI_COMM_WORLD)
           != MPI_SUCCESS;
}

constexpr int64_t chunkLength = 1 << 24;  // MPI counts in int, and a chunk is stored a second time

template <typename Number>
int sum(Number* values, int64_t count)
{
    try {
        for (int64_t at = 0; at < count; at += chunkLength)
            if (sumChunk(values + at, int(std::min(chunkLength, count - at))) != 0)
                return 1;
        return 0;
    } catch (const std::bad_alloc&) {
        return 1;
    }
}

int broadcast(void* bytes, int64_t count)
{
    for (int64_t at = 0; at < count; at += chunkLength)
        if (MPI_Bcast(static_cast<char*>(bytes) + at, int(std::min(chunkLength, count - at)), MPI_BYTE, 0,
                      MPI_COMM_WORLD)
            != MPI_SUCCESS)
            return 1;
    return 0;
}

void fail()
{
    failed = true;
}

void abandon()
{
    abandoned = true;
}

constexpr int messageTag = 1;

struct Sent {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<double> values;
};
std::list<Sent> onTheirWay;

int send(int to, const double* values, int64_t count)
{
    try {
        onTheirWay.push_back({MPI_REQUEST_NULL, std::vector<double>(values, values + count)});
        Sent& message = onTheirWay.back();
        return MPI_Isend(message.values.data(), int(count), MPI_DOUBLE, to, messageTag, MPI_COMM_WORLD,
                         &message.request)
               != MPI_SUCCESS;
    } catch (const std::bad_alloc&) {
        return 1;
    }
}

int probe(int* from, int64_t* count)
{
    onTheirWay.remove_if([](Sent& message) {
        int arrived = 0;
        return MPI_Test(&message.request, &arrived, MPI_STATUS_IGNORE) != MPI_SUCCESS || arrived != 0;
    });
    int found = 0, length = -1;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, messageTag, MPI_COMM_WORLD, &found, &status) != MPI_SUCCESS)
        return 1;
    if (found != 0 && MPI_Get_count(&status, MPI_DOUBLE, &length) != MPI_SUCCESS)
        return 1;
    *from = found != 0 ? status.MPI_SOURCE : -1;
    *count = length;
    return 0;
}

int receive(int from, double* values, int64_t count)
{
    return MPI_Recv(values, int(count), MPI_DOUBLE, from, messageTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
           != MPI_SUCCESS;
}

}

extern "C" const AttnscopeMpi* attnscope_mpi()
{
    static const AttnscopeMpi table{
        attnscopeMpiVersion, start, sum<float>, sum<double>, broadcast, fail, abandon, send, probe, receive};
    return &table;
}
