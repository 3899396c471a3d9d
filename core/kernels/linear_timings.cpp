// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/linear_timings.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/kernels/cpu/cpu_kernels.h"

#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <span>

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
    static const std::string key = std::string(cpuKernels().name) + ", LibTorch " + torchVersion + "," + processor();
    return key;
}

Json toJson(const LinearTiming& timing)
{
    const LinearShape& shape = timing.shape;
    return {{"in", shape.in},           {"out", shape.out},    {"rows", shape.rows},       {"dtype", shape.dtype},
            {"threads", shape.threads}, {"own_ms", timing.own}, {"onednn_ms", timing.oneDnn}};
}

LinearTiming timingOf(const Json& json)
{
    return {{json.at("in"), json.at("out"), json.at("rows"), json.at("dtype"), json.at("threads")}, json.at("own_ms"), json.at("onednn_ms")};
}

class Timings {
public:
    void keepIn(const fs::path& file)
    {
        const std::scoped_lock lock(m_mutex);
        m_file = file;
        m_kept = true;
        m_known.clear();
        Json json = contents();
        for (const Json& entry : json[machineKey()])
            m_known.emplace(timingOf(entry).shape, timingOf(entry));
    }

    [[nodiscard]] bool areKept() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_kept;
    }

    [[nodiscard]] std::optional<LinearTiming> find(const LinearShape& shape) const
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_known.find(shape);
        return found == m_known.end() ? std::nullopt : std::optional(found->second);
    }

    void add(const LinearTiming& timing)
    {
        const std::scoped_lock lock(m_mutex);
        m_known.insert_or_assign(timing.shape, timing);
        write();
    }

    [[nodiscard]] std::vector<LinearTiming> all() const
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<LinearTiming> timings;
        for (const auto& [shape, timing] : m_known)
            timings.push_back(timing);
        return timings;
    }

    void use(const LinearShape& shape)
    {
        const std::scoped_lock lock(m_mutex);
        m_byOneDnn.insert(std::to_string(shape.in) + "→" + std::to_string(shape.out) + " (" + shape.dtype + ")");
    }

    [[nodiscard]] std::set<std::string> byOneDnn() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_byOneDnn;
    }

private:
    /// An object with an array of timings for each machine; an empty one if the file is not there or is damaged.
    [[nodiscard]] Json contents() const
    {
        std::ifstream file(m_file, std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        try {
            Json json = Json::parse(text);
            for (const auto& [machine, timings] : json.items())
                for (const Json& timing : timings)
                    static_cast<void>(timingOf(timing));
            return json.is_object() ? json : Json::object();
        } catch (const Json::exception&) {
            return Json::object();
        }
    }

    /// Together with what other machines and processes have written meanwhile.
    void write() const
    {
        Json json = contents();
        std::map<LinearShape, LinearTiming> own = m_known;
        for (const Json& entry : json[machineKey()])
            own.emplace(timingOf(entry).shape, timingOf(entry));
        json[machineKey()] = jsonList(own, [](const auto& entry) { return toJson(entry.second); });
        const std::string text = json.dump(1) + "\n";
        std::error_code ignored;
        fs::create_directories(m_file.parent_path(), ignored);
        try {
            AtomicFile file(m_file);
            file.write(std::as_bytes(std::span(text)));
            file.commit();
        } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the next process measures again
        }
    }

    mutable std::mutex m_mutex;
    fs::path m_file;
    bool m_kept = false;
    std::map<LinearShape, LinearTiming> m_known;
    std::set<std::string> m_byOneDnn;
};

Timings& timings()
{
    static Timings kept;
    return kept;
}

}  // namespace

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

}  // namespace attnscope::kernels
