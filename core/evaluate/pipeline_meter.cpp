#include "core/evaluate/pipeline_meter.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

constexpr double window = 10;  // seconds
constexpr size_t keptBatches = 30;

double between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end)
{
    return std::chrono::duration<double>(end - begin).count();
}

}

PipelineMeter::PipelineMeter(int64_t workers)
    : m_workers(std::max<int64_t>(workers, 1))
{}

void PipelineMeter::add(int64_t samples, double waited, double computed, double stored, const ReaderLoad& readers)
{
    const auto now = Clock::now();
    m_batches.push_back(between(m_now.time, now));
    if (m_batches.size() > keptBatches)
        m_batches.pop_front();
    m_now.time = now;
    m_now.samples += samples;
    m_now.waited += waited;
    m_now.computed += computed;
    m_now.stored += stored;
    m_now.decoded = readers.workedSeconds;
    m_readers = readers;
    m_marks.push_back(m_now);
    while (m_marks.size() > 2 && between(m_marks[1].time, now) >= window)
        m_marks.pop_front();
}

PipelineLoad PipelineMeter::load() const
{
    const Mark& then = m_marks.front();
    const double seconds = std::max(between(then.time, m_now.time), 1e-9);
    const auto fraction = [&](double part) { return std::clamp(part / seconds, 0.0, 1.0); };
    PipelineLoad load;
    load.samplesPerSecond = double(m_now.samples - then.samples) / seconds;
    load.decoding = fraction((m_now.decoded - then.decoded) / double(m_workers));
    load.computing = fraction(m_now.computed - then.computed);
    load.storing = fraction(m_now.stored - then.stored);
    load.queued = m_readers.ready;
    load.queueSize = m_readers.room;
    const double waiting = fraction(m_now.waited - then.waited);
    load.bottleneck = waiting >= std::max(load.computing, load.storing) ? "decoding"
                      : load.storing > load.computing                   ? "store"
                                                                        : "network";
    return load;
}

std::optional<double> PipelineMeter::secondsFor(int64_t batches) const
{
    if (m_batches.size() < 3)
        return std::nullopt;
    std::vector<double> sorted(m_batches.begin(), m_batches.end());
    const auto middle = sorted.begin() + ptrdiff_t(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle * double(batches);
}

}
