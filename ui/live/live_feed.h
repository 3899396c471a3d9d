#pragma once

#include "core/live/clip_scheduler.h"
#include "core/live/live_export.h"
#include "core/live/live_predictor.h"
#include "core/live/live_window.h"
#include "ui/engine/engine.h"
#include "ui/live/live_backend.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace attnscope::ui {

/// What decoder, window and worker share while a source plays: frames for the models, moments that are due, predictions. Lives as long
/// as any of them needs it. Predictions are made on the engine's worker, one moment a request, so that a comparison or another model
/// gets its turn between two of them, and so that two models never share the processor.
class LiveFeed : public QObject, public std::enable_shared_from_this<LiveFeed> {
    Q_OBJECT
public:
    LiveFeed(Engine& engine, std::shared_ptr<LiveBackend> liveBackend);

    LiveWindow window;
    ClipScheduler schedule;

    /// Prepares the backends on the worker, each in its network; predictions of earlier ones are not sent any more.
    void ask(const std::vector<ModelRequest>& checkpoints, const LiveQuestion& question, int64_t threads);
    /// Lets go of the model. To be called before another one is opened.
    void forget();
    /// Predicts what is due on the worker, unless that is under way.
    void wake();
    /// Ends the prediction under way at its next layer.
    void interrupt();
    /// Between two predictions nobody else gets the machine, so that playing does not wait for a step of theirs each time.
    void keepMachine(bool keep);
    /// A prediction waits until another job ends its step.
    bool waitsForMachine() const { return m_waits; }
    /// Of the last `ask`: what came of an earlier one is of no use.
    bool isCurrent(quint64 requested) const { return requested == m_requested; }

    /// Writes each prediction to `path` from now on; an empty path ends it.
    void record(const std::string& path);
    /// Writes `text`; `saved` tells.
    void save(const std::string& path, std::string text);

signals:
    void predicted(quint64 requested, std::shared_ptr<const attnscope::LivePrediction> prediction);
    /// That was asked; 0: a file.
    void failed(quint64 requested, QString sentence);
    void recording(QString path);  ///< begun
    void recorded(QString path, qint64 predictions);
    void saved(QString path);

private:
    void onWorkerAsk(const std::vector<ModelRequest>& checkpoints, const LiveQuestion& question, int64_t threads,
                     quint64 number);
    void onWorkerPredict();
    void onWorkerRecord(const std::string& path);
    void writeDown(const LivePrediction& prediction);
    void onWorkerTakeMachine(std::stop_token stop);
    std::stop_token freshToken();

    Engine& m_engine;
    std::shared_ptr<LiveBackend> m_backend;
    std::atomic<quint64> m_requested{0};
    std::atomic<bool> m_queued{false}, m_keeps{false}, m_waits{false};
    std::mutex m_mutex;
    std::stop_source m_running;
    // Of the worker alone:
    std::unique_ptr<LivePredictor> m_predictor;
    quint64 m_predictorNumber = 0;
    std::unique_ptr<MeasuringGate::Turn> m_machine;
    std::unique_ptr<PredictionLog> m_log;
    std::string m_logPath;
};

}
