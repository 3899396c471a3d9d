#include "core/kernels/linear_timings.h"

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/kernels/cpu/cpu_kernels.h"

#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace attnscope::kernels {

namespace {

namespace fs = std::filesystem;

/// Of /proc/cpuinfo: a home folder may be shared by machines.
std::string processor()
{
    std::ifstream file("/proc/cpuinfo");
    std::string found;
    for (std::string line; std::getline(file, line) && !line.empty();)  // the first processor's lines
        for (const char* key : {"model name", "cpu family", "model\t", "stepping"})
            if (line.starts_with(key))
                found += line.substr(line.find(':') + 1);
    return found;
}

/// What timings are valid for.
std::string machineKey()
{
    return std::string(cpuKernels().name) + ", Attnscope " + version + ", LibTorch " + torchVersion + ","
           + processor();
}

Json toJson(const LinearTiming& timing)
{
    const LinearShape& shape = timing.shape;
    return {
        {"in", shape.in},           {"out", shape.out},     {"rows", shape.rows},        {"dtype", shape.dtype},
        {"threads", shape.threads}, {"own_ms", timing.own}, {"onednn_ms", timing.oneDnn}};
}

LinearTiming timingOf(const Json& json)
{
    return {{json.at("in"), json.at("out"), json.at("rows"), json.at("dtype"), json.at("threads")},
            json.at("own_ms"),
            json.at("onednn_ms")};
}

/// Read when the first one is asked for, and written once, at the end: a network has a dozen shapes, and a disk takes milliseconds to keep a
/// file.
class Timings {
public:
    Timings() = default;
    ~Timings() { write(); }
    Timings(const Timings&) = delete;
    Timings& operator=(const Timings&) = delete;

    void keepIn(const fs::path& file)
    {
        const std::scoped_lock lock(m_mutex);
        write();
        m_file = file;
        m_kept = true;
        m_known.reset();
    }

    bool areKept() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_kept;
    }

    std::optional<LinearTiming> find(const LinearShape& shape)
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = known().find(shape);
        return found == known().end() ? std::nullopt : std::optional(found->second);
    }

    void add(const LinearTiming& timing)
    {
        const std::scoped_lock lock(m_mutex);
        known().insert_or_assign(timing.shape, timing);
        m_changed = true;
    }

    std::vector<LinearTiming> all()
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<LinearTiming> timings;
        for (const auto& [shape, timing] : known())
            timings.push_back(timing);
        return timings;
    }

    void use(const LinearShape& shape)
    {
        const std::scoped_lock lock(m_mutex);
        m_byOneDnn.insert(std::to_string(shape.in) + "→" + std::to_string(shape.out) + " (" + shape.dtype + ")");
    }

    std::set<std::string> byOneDnn() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_byOneDnn;
    }

private:
    using Known = std::map<LinearShape, LinearTiming>;

    /// An object with an array of timings for each machine; an empty one if the file is not there or is damaged.
    Json contents() const
    {
        try {
            std::ifstream file(m_file, std::ios::binary);
            Json json = Json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
            for (const auto& [machine, timings] : json.items())
                for (const Json& timing : timings)
                    static_cast<void>(timingOf(timing));
            return json.is_object() ? json : Json::object();
        } catch (const std::exception&) {  // damaged, or the disk fails: layers are measured again
            return Json::object();
        }
    }

    /// Of this machine in the file; `known` keeps what it has.
    void addFrom(const Json& file, Known& known) const
    {
        const auto own = file.find(m_machine);
        for (const Json& entry : own == file.end() ? Json::array() : *own)
            known.emplace(timingOf(entry).shape, timingOf(entry));
    }

    Known& known()
    {
        if (!m_known)
            addFrom(contents(), m_known.emplace());
        return *m_known;
    }

    /// Together with what other machines and processes have written meanwhile.
    void write()
    {
        if (!std::exchange(m_changed, false) || !m_kept)
            return;
        try {
            Json json = contents();
            addFrom(json, *m_known);
            json[m_machine] = jsonList(*m_known, [](const auto& entry) { return toJson(entry.second); });
            fs::create_directories(m_file.parent_path());
            writeFileAtomically(m_file, json.dump(1) + "\n");
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the next process measures again
        }
    }

    std::string m_machine = machineKey();
    mutable std::mutex m_mutex;
    fs::path m_file;
    bool m_kept = false, m_changed = false;
    std::optional<Known> m_known;  ///< empty: not read yet
    std::set<std::string> m_byOneDnn;
};

Timings& timings()
{
    static Timings kept;
    return kept;
}

}

void keepLinearTimings(const fs::path& file)
{
    if (&cpuKernels() == supportedCpuKernels().front())
        timings().keepIn(file);
}

bool linearTimingsAreKept()
{
    return timings().areKept();
}

std::optional<LinearTiming> linearTiming(const LinearShape& shape)
{
    return timings().find(shape);
}

void remember(const LinearTiming& timing)
{
    timings().add(timing);
}

std::vector<LinearTiming> linearTimings()
{
    return timings().all();
}

void useOneDnnFor(const LinearShape& shape)
{
    timings().use(shape);
}

std::string kernelsInUse()
{
    std::string text = cpuKernels().name, separator = ", oneDNN for linear layers ";
    for (const std::string& layer : timings().byOneDnn()) {
        text += separator + layer;
        separator = ", ";
    }
    return text;
}

}
