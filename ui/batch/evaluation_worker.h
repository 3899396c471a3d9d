#pragma once

#include "ui/batch/evaluation_plan.h"
#include "ui/engine/demo_scenes.h"
#include "ui/engine/request_queue.h"
#include "ui/engine/workbench.h"
#include "ui/engine/worker_thread.h"

#include <QImage>
#include <QObject>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace attnscope::ui {

/// The calls into core and models. They are made on threads of their own, never on the window's, and throw what core throws. Tests bring
/// their own.
struct EvaluationBackend {
    /// What is in a folder or list, whatever the model.
    std::function<LabelledSet(const std::string& folder)> look;
    std::function<OpenedModel(const ModelRequest&)> open;
    /// Of a network without a head, what its features are worth is evaluated. Empty: there are none.
    std::function<bool(const OpenedModel&)> hasNoHead = {};
    /// The samples of a folder or list, their labels as classes of the model.
    std::function<LabelledSet(const EvaluationPlan&, const OpenedModel&)> scan;
    /// Fills in what the store keeps of where the model comes from.
    std::function<void(EvaluationRequest&, const ModelRequest&)> noteOrigin;
    std::function<EvaluationEstimate(const OpenedModel&, const EvaluationRequest&, std::stop_token)> estimate;
    std::function<std::int64_t(const OpenedModel&, const EvaluationRequest&, EvaluationObserver&, std::stop_token)>
        evaluate;  ///< empty: this build has no evaluation
    /// Writes the demo data into a folder, unless they are there; returns the folder with the samples to evaluate on.
    DemoWriter::Write writeDemo;
    /// A sample to look at: an image, or a frame of a video, turned as a viewer turns it.
    std::function<QImage(const std::string& path)> image;
    std::function<void(std::int64_t threads)> setThreads;  ///< of the thread that calls it
};

/// The real ones. `photos`: the folder of the photographs that demo data are made of.
EvaluationBackend coreEvaluation(const std::string& photos);

/// Looks into folders and evaluates, each on a thread of its own; one evaluation at a time. What it tells comes as signals, queued to the
/// receiver's thread, as plain values; progress at most ten times a second. A ticket tells which call a signal belongs to.
class EvaluationWorker : public QObject {
    Q_OBJECT
public:
    EvaluationWorker(EvaluationBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent = nullptr);
    /// Stops after the batch under way and waits for that.
    ~EvaluationWorker() override;

    /// Estimates: `checked` or `refused`, which repeat `number`. A newer call with the same ticket replaces one that still waits.
    void check(quint64 ticket, quint64 number, const EvaluationPlan& plan);
    /// Nothing may be under way. With `data` the folder is not scanned again.
    void start(quint64 ticket, const EvaluationPlan& plan, const std::string& command,
               std::shared_ptr<const LabelledSet> data);
    /// Stops after the batch under way; everything finished is stored.
    void pause() { m_thread.requestStop(); }
    /// After `noSpace`: room was made.
    void tryAgain();
    bool isRunning() const { return m_thread.isRunning(); }

signals:
    void checked(quint64 ticket, quint64 number, std::shared_ptr<const attnscope::ui::EvaluationCheck> check);
    void refused(quint64 ticket, quint64 number, QString sentence);
    /// It has its place in the store; what a resume found is in `progress`.
    void started(quint64 ticket, qint64 evaluation, attnscope::EvaluationProgress progress);
    void progressed(quint64 ticket, attnscope::EvaluationProgress progress);
    void said(quint64 ticket, QString sentence);
    void noSpace(quint64 ticket, QString sentence);
    /// Waits between two batches while something is measured.
    void restingChanged(quint64 ticket, bool resting);
    /// The last word: all samples were predicted, it was stopped, or an error.
    void finished(quint64 ticket, qint64 evaluation);
    void stopped(quint64 ticket);
    void failed(quint64 ticket, QString sentence);

private:
    class Forwarder;
    void onChecker(quint64 ticket, quint64 number, const EvaluationPlan& plan);
    WorkerThread::LastWord onWorker(quint64 ticket, const EvaluationPlan& plan, const std::string& command,
                                    std::shared_ptr<const LabelledSet> data, WorkerTurn& turn);
    std::shared_ptr<const OpenedModel> opened(const ModelRequest& request);
    EvaluationRequest requestOf(const EvaluationPlan& plan, const LabelledSet& data) const;

    EvaluationBackend m_backend;
    std::shared_ptr<MeasuringGate> m_gate;
    std::mutex m_modelMutex;
    std::shared_ptr<const OpenedModel> m_model;
    ModelRequest m_modelRequest;
    std::mutex m_spaceMutex;
    std::condition_variable_any m_spaceChanged;
    bool m_tryAgain = false;
    std::stop_source m_checking;
    WorkerThread m_thread;
    RequestThread m_checker;
};

}
