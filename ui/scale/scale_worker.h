// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/decode/decode.h"
#include "core/lab/scale/scale.h"
#include "ui/engine/worker_thread.h"
#include "ui/scale/scale_jobs.h"

#include <QObject>

#include <functional>
#include <memory>

namespace attnscope::ui {

/// The calls into the laboratory of core. They are made on a thread of their own, never on the window's, and throw what core throws.
/// Tests bring their own.
struct ScaleBackend {
    std::function<ScaleReport(const ScaleRequest&, const ScaleObserver&, const ProgressCallback&, std::stop_token)>
        scale;  ///< empty: there is no Scale screen. Its `device` may still be "auto"
    std::function<DecodeReport(const DecodeRequest&, const DecodeObserver&, const ProgressCallback&, std::stop_token)> decode;
    std::function<ApproximateReport(const ApproximateJob&, const ProgressCallback&, std::stop_token)> approximate;
    std::function<KernelReport(const KernelJob&, std::stop_token)> kernel;
    std::function<PlanReport(const PlanJob&, const ProgressCallback&, std::stop_token)> plan;
    std::function<void(std::int64_t threads)> setThreads;  ///< of the thread that calls it
};

/// The real ones.
ScaleBackend coreScale();

/// One measurement of the laboratory at a time, on a thread of its own. What it tells comes as signals, queued to the receiver's thread,
/// as shared constant values; progress at most ten times a second. It rests between two passes while a comparison measures.
class ScaleWorker : public QObject {
    Q_OBJECT
public:
    ScaleWorker(ScaleBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent = nullptr);

    /// Nothing may be under way.
    void scale(const ScaleRequest& request, std::int64_t threads);
    void decode(const DecodeRequest& request, std::int64_t threads);
    void approximate(const ApproximateJob& job, std::int64_t threads);
    void kernel(const KernelJob& job, std::int64_t threads);
    void plan(const PlanJob& job, std::int64_t threads);
    /// Stops after the pass under way: `stopped`.
    void stop() { m_thread.requestStop(); }
    [[nodiscard]] bool isRunning() const { return m_thread.isRunning(); }

signals:
    void progressed(attnscope::Progress progress);
    void restingChanged(bool resting);
    /// Whenever an attention is done with a length.
    void scaleGrew(std::shared_ptr<const attnscope::ScaleReport> report);
    /// Whenever all mechanisms are done with a position.
    void decodeGrew(std::shared_ptr<const attnscope::DecodeReport> report);
    /// The last word: what was asked for, stopped, or an error.
    void scaled(std::shared_ptr<const attnscope::ScaleReport> report);
    void decoded(std::shared_ptr<const attnscope::DecodeReport> report);
    void approximated(std::shared_ptr<const attnscope::ApproximateReport> report);
    void kernelPlotted(std::shared_ptr<const attnscope::KernelReport> report);
    void planned(std::shared_ptr<const attnscope::PlanReport> report);
    void stopped();
    void failed(QString sentence);

private:
    using Work = std::function<WorkerThread::LastWord(const ProgressCallback&, std::stop_token)>;
    void start(std::int64_t threads, Work work);

    ScaleBackend m_backend;
    WorkerThread m_thread;
};

}  // namespace attnscope::ui
