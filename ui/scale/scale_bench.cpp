// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_bench.h"

#include "ui/engine/compare_types.h"
#include "ui/style/qt_text.h"

#include "core/base/error.h"

#include <chrono>
#include <utility>

namespace attnscope::ui {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds fastestLap(100);

}  // namespace

ScaleBench::ScaleBench(ScaleTools tools, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_tools(std::move(tools))
    , m_gate(std::move(gate))
{
    qRegisterMetaType<Progress>();
    qRegisterMetaType<std::shared_ptr<const ScaleReport>>();
    qRegisterMetaType<std::shared_ptr<const ApproximateReport>>();
    qRegisterMetaType<std::shared_ptr<const PlanReport>>();
}

ScaleBench::~ScaleBench()
{
    stop();
}

void ScaleBench::scale(const ScaleRequest& request, std::int64_t threads)
{
    start(threads,
          [this, request](const ProgressCallback& progress, std::stop_token stop) -> std::function<void()> {
              const ScaleObserver grew = [this](const ScaleReport& report) {
                  emit scaleGrew(std::make_shared<const ScaleReport>(report));
              };
              auto report = std::make_shared<const ScaleReport>(m_tools.scale(request, grew, progress, stop));
              return [this, report] { emit scaled(report); };
          });
}

void ScaleBench::approximate(const ApproximateJob& job, std::int64_t threads)
{
    start(threads, [this, job](const ProgressCallback& progress, std::stop_token stop) -> std::function<void()> {
        auto report = std::make_shared<const ApproximateReport>(m_tools.approximate(job, progress, stop));
        return [this, report] { emit approximated(report); };
    });
}

void ScaleBench::plan(const PlanJob& job, std::int64_t threads)
{
    start(threads, [this, job](const ProgressCallback& progress, std::stop_token stop) -> std::function<void()> {
        auto report = std::make_shared<const PlanReport>(m_tools.plan(job, progress, stop));
        return [this, report] { emit planned(report); };
    });
}

void ScaleBench::start(std::int64_t threads, Work work)
{
    if (m_running)
        qFatal("a lab measurement was started while another one is running");
    m_thread = {};  // joins the one before, which has said its last word
    m_running = true;
    m_thread = std::jthread([this, threads, work = std::move(work)](std::stop_token stop) {
        onThread(threads, work, std::move(stop));
    });
}

void ScaleBench::stop()
{
    m_thread.request_stop();
}

void ScaleBench::onThread(std::int64_t threads, const Work& work, std::stop_token stop)
{
    std::function<void()> lastWord;
    try {
        const bool waits = m_gate->laboratoryWaits();
        if (waits)
            emit restingChanged(true);
        MeasuringGate::Laboratory turn(*m_gate, stop);
        if (waits)
            emit restingChanged(false);
        if (stop.stop_requested())
            throw Cancelled();
        if (m_tools.setThreads)
            m_tools.setThreads(threads);
        Clock::time_point last{};
        const ProgressCallback progress = [&](const Progress& step) {
            if (const auto now = Clock::now(); now - last >= fastestLap) {
                last = now;
                emit progressed(step);
            }
            if (!turn.wanted() || stop.stop_requested())
                return;
            emit restingChanged(true);
            turn.rest(stop);
            emit restingChanged(false);
        };
        lastWord = work(progress, stop);
    } catch (const Cancelled&) {
        lastWord = [this] { emit stopped(); };
    } catch (const std::exception& error) {
        lastWord = [this, sentence = toQt(error.what())] { emit failed(sentence); };
    }
    m_running = false;
    lastWord();
}

}  // namespace attnscope::ui
