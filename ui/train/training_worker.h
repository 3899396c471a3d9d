#pragma once

#include "core/train/training_progress.h"
#include "models/training/train_model.h"
#include "ui/engine/demo_scenes.h"
#include "ui/engine/worker_thread.h"

#include <QObject>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace attnscope::ui {

/// What is in a folder of training data.
struct DataFolder {
    std::string layout;  ///< imagenet | kinetics | list
    bool video = false;
    std::int64_t classes = 0;
    std::int64_t training = 0, validation = 0;  ///< files; no validation: 0
    std::vector<std::string> notes;
    std::string sample = {};  ///< the first file for validation, or else for training
};

/// The calls into core and models. They are made on threads of their own, never on the window's, and throw what core throws.
/// Tests bring their own.
struct TrainingBackend {
    /// Empty: there is no Train screen.
    std::function<TrainingReport(const TrainRequest&, TrainingObserver&, std::stop_token)> train;
    std::function<DataFolder(const std::string& folder, const std::string& layout, const std::string& validation)>
        look;
    /// The training that the files next to an output go on with; empty: none.
    std::function<std::optional<TrainRequest>(const std::string& output)> interrupted;
    DemoWriter::Write writeDemo;  ///< data to try a training on; empty: this build has none
    /// Of the thread that calls it; 0: as many as there are.
    std::function<void(std::int64_t threads)> setThreads;
};

/// The real ones. `photos`: the folder of the photographs that demo data are made of.
TrainingBackend coreTraining(const std::string& photos);

/// One training at a time, on a thread of its own. What it tells comes as signals, queued to the receiver's thread, as plain
/// values; steps at most ten times a second.
class TrainingWorker : public QObject {
    Q_OBJECT
public:
    TrainingWorker(TrainingBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent = nullptr);
    /// Nothing may be under way.
    void start(const TrainRequest& request, std::int64_t threads);
    /// Waits after the step under way, or goes on; nothing is lost.
    void hold(bool held);
    /// Stops at the next step; the epoch under way is lost.
    void pause() { m_thread.requestStop(); }
    /// Stops when the epoch under way is finished and written; or not after all.
    void finishEpochAndStop(bool stop) { m_finishesEpoch = stop; }
    bool isRunning() const { return m_thread.isRunning(); }

signals:
    void started(attnscope::TrainingStart start);
    /// After a resume: the epochs that were done before.
    void historyKnown(std::vector<attnscope::EpochRecord> epochs);
    void teacherKnown(attnscope::ValidationResult teacher);
    void stepped(attnscope::TrainingStep step);
    void validated(attnscope::ValidationStep step);
    void epochDone(attnscope::EpochRecord epoch);
    void distillationKnown(attnscope::DistillationState before);
    void said(QString sentence);
    /// Waits between two steps while something is measured.
    void restingChanged(bool resting);
    /// The last word: finished or stopped (`report->finished`), or an error.
    void ended(std::shared_ptr<const attnscope::TrainingReport> report);
    void failed(QString sentence);

private:
    class Forwarder;

    TrainingBackend m_backend;
    std::atomic<bool> m_finishesEpoch{false};
    std::mutex m_holdMutex;
    std::condition_variable_any m_holdChanged;
    bool m_held = false;
    WorkerThread m_thread;
};

}
