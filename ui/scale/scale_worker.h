#pragma once

#include "core/lab/decode/decode.h"
#include "core/lab/scale/scale.h"
#include "ui/engine/worker_thread.h"
#include "ui/scale/scale_jobs.h"

#include <QObject>

#include <functional>
#include <memory>
#include <variant>

namespace attnscope::ui {

/// What can be measured, in the order of the tabs, and what comes of it in the same order.
using ScaleQuestion = std::variant<ScaleRequest, DecodeRequest, ApproximateJob, KernelJob, PlanJob>;
using ScaleResult = std::variant<std::shared_ptr<const ScaleReport>, std::shared_ptr<const DecodeReport>,
                                 std::shared_ptr<const ApproximateReport>, std::shared_ptr<const KernelReport>,
                                 std::shared_ptr<const PlanReport>>;

/// The calls into the laboratory of core. They are made on a thread of their own, never on the window's, and throw what core throws.
/// Tests bring their own.
struct ScaleBackend {
    std::function<ScaleReport(const ScaleRequest&, const ScaleObserver&, const ProgressCallback&, std::stop_token)>
        scale;  ///< empty: there is no Scale screen. Its `device` may still be "auto"
    std::function<DecodeReport(const DecodeRequest&, const DecodeObserver&, const ProgressCallback&,
                               std::stop_token)>
        decode;
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
    void measure(const ScaleQuestion& question, std::int64_t threads);
    /// Stops after the pass under way: `measured` with what is finished, or `stopped`.
    void stop() { m_thread.requestStop(); }
    bool isRunning() const { return m_thread.isRunning(); }

signals:
    void progressed(attnscope::Progress progress);
    void restingChanged(bool resting);
    /// Whenever an attention is done with a length, or all mechanisms with a position.
    void grew(attnscope::ui::ScaleResult result);
    /// The last word: what was asked for, stopped without a result, or an error.
    void measured(attnscope::ui::ScaleResult result);
    void stopped();
    void failed(QString sentence);

private:
    ScaleResult onWorkerMeasured(const ScaleQuestion& question, const ProgressCallback& progress,
                                 const std::stop_token& stop);

    ScaleBackend m_backend;
    WorkerThread m_thread;
};

}
