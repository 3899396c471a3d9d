#include "core/distributed/processes.h"

#include "core/base/error.h"
#include "core/distributed/launch.h"
#include "core/distributed/mpi/plugin.h"

#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* library = "libattnscope_mpi.so";
/// How long another process waits for the first to report, upon which the launcher terminates all.
constexpr auto patience = std::chrono::seconds(3);

void check(int outcome)
{
    if (outcome != 0)
        throw Error("MPI", "the processes could not exchange data",
                    "see the launcher's messages about the other processes");
}

class MpiProcesses : public Collective {
public:
    MpiProcesses(const AttnscopeMpi& mpi, int rank, int size)
        : m_mpi(mpi)
        , m_rank(rank)
        , m_size(size)
    {}

    int64_t rank() const override { return m_rank; }
    int64_t size() const override { return m_size; }

    void sum(std::vector<at::Tensor>& tensors) override
    {
        throughOneBuffer(tensors, at::kCPU, [&](const at::Tensor& all) {
            check(all.scalar_type() == at::kDouble ? m_mpi.sumDoubles(all.data_ptr<double>(), all.numel())
                                                   : m_mpi.sumFloats(all.data_ptr<float>(), all.numel()));
        });
    }

    void broadcast(std::vector<at::Tensor>& tensors) override
    {
        throughOneBuffer(tensors, at::kCPU, [&](const at::Tensor& all) {
            check(m_mpi.broadcast(all.data_ptr(), int64_t(all.nbytes())));
        });
    }

    void send(int64_t to, const std::vector<double>& numbers) override
    {
        check(m_mpi.send(int(to), numbers.data(), std::ssize(numbers)));
    }

    std::optional<Message> receive() override
    {
        int from = -1;
        int64_t count = -1;
        check(m_mpi.probe(&from, &count));
        if (count < 0)
            return std::nullopt;
        Message message{from, std::vector<double>(size_t(count))};
        check(m_mpi.receive(from, message.numbers.data(), count));
        return message;
    }

    void abandon() override { m_mpi.abandon(); }

    /// The first process reports for all: an error of another process is reported if the first has not ended everything by then.
    void fail() override
    {
        if (!isFirst())
            std::this_thread::sleep_for(patience);
        m_mpi.fail();
    }

private:
    const AttnscopeMpi& m_mpi;
    int64_t m_rank, m_size;
};

/// Possible locations of the library, best first.
std::vector<fs::path> places()
{
    if (const char* given = std::getenv("ATTNSCOPE_MPI"))
        return {given};
    std::error_code error;
    // bin/ (the window) or libexec/attnscope/ (the command line), in the build folder as after installation.
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    return {program / library, program.parent_path() / "lib" / "attnscope" / library,
            program.parent_path().parent_path() / "lib" / "attnscope" / library};
}

[[noreturn]] void refuse(const Launch& started, const std::string& problem, const std::string& remedy)
{
    if (!started.isFirst())
        std::this_thread::sleep_for(patience);
    const std::string count = started.size == 0 ? "several" : std::to_string(started.size);
    throw Unsupported(started.launcher, "it started " + count + " processes, and " + problem, remedy);
}

const AttnscopeMpi& loaded(const Launch& started)
{
    std::string reason = "was not found in lib/attnscope";
    for (const fs::path& place : places()) {
        if (!fs::exists(place))
            continue;
        // Kept open with global symbols: Open MPI's own plug-ins need them.
        void* handle = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
        const auto table = handle == nullptr
                               ? nullptr
                               : reinterpret_cast<const AttnscopeMpi* (*)()>(::dlsym(handle, "attnscope_mpi"));
        if (table != nullptr && table()->version == attnscopeMpiVersion)
            return *table();
        const char* error = handle == nullptr ? ::dlerror() : nullptr;
        reason = error != nullptr ? std::string("cannot be loaded (") + error + ")"
                                  : "belongs to a different version of Attnscope";
    }
    refuse(started, std::string(library) + ", which is needed for distributed runs, " + reason,
           "install Open MPI with its headers (libopenmpi-dev) and build Attnscope again, or start one process");
}

}

std::shared_ptr<Collective> startProcesses()
{
    const Launch started = launch();
    if (!started.several())
        return std::make_shared<Collective>();
    const AttnscopeMpi& mpi = loaded(started);
    int rank = 0, size = 1;
    if (mpi.start(&rank, &size) != 0)
        refuse(started, "MPI does not start", "see its message above");
    // srun without --mpi starts processes that don't know of each other.
    if (started.size > 0 && size != started.size)
        refuse(started, "MPI reports " + std::to_string(size), "start them with mpirun or srun --mpi=pmix");
    return std::make_shared<MpiProcesses>(mpi, rank, size);
}

}
