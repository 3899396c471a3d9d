#pragma once

#include "core/lab/exits/exits.h"
#include "models/open_model.h"
#include "ui/engine/worker_thread.h"

#include <QObject>

#include <functional>
#include <memory>

namespace attnscope::ui {

/// The early exits of a model on a labelled folder.
struct ExitsJob {
    ModelRequest model;
    std::string folder;
    std::int64_t limit = 0;  ///< number of samples, spread evenly; 0: all
    ExitRequest request;
};

/// The calls into core. They are made on a thread of their own, never on the window's, and throw what core throws. Tests bring their own.
struct ExitsBackend {
    /// Empty: there is no such tab.
    std::function<ExitReport(const ExitsJob&, const ProgressCallback&, std::stop_token)> measure;
    std::function<void(std::int64_t threads)> setThreads;  ///< of the thread that calls it
};

/// The real ones; empty in a build without a store.
ExitsBackend coreExits();

/// Measures early exits on a thread of its own, in its turn at the measuring gate. What it tells comes as signals, queued to the
/// receiver's thread; progress at most ten times a second.
class ExitsWorker : public QObject {
    Q_OBJECT
public:
    ExitsWorker(ExitsBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent = nullptr);

    bool isBuilt() const { return bool(m_backend.measure); }
    /// Nothing may be under way.
    void start(const ExitsJob& job, std::int64_t threads);
    /// Stops after the batch under way: `stopped`.
    void stop() { m_thread.requestStop(); }

signals:
    void progressed(attnscope::Progress progress);
    void restingChanged(bool resting);
    /// The last word: what was asked for, stopped, or an error.
    void measured(std::shared_ptr<const attnscope::ExitReport> report);
    void stopped();
    void failed(QString sentence);

private:
    ExitsBackend m_backend;
    WorkerThread m_thread;
};

}
