#pragma once

#include "models/neighbour_searcher.h"
#include "ui/engine/demo_scenes.h"
#include "ui/engine/worker_thread.h"

#include <QImage>
#include <QObject>

#include <functional>
#include <memory>

namespace attnscope::ui {

/// What the Neighbours screen asks for: a datastore to build, an accuracy to measure, or the neighbours of an image.
struct NeighbourQuestion {
    ModelRequest model;
    AttentionSpec attention = AttentionSpec::native();
    std::uint64_t seed = 0;
    std::string datastore, build, evaluate;  ///< as in NeighbourJob
    std::int64_t limit = 0;                  ///< of the samples of these folders; 0: all
    std::string image;                       ///< an image or a video; empty: none
    NeighbourRequest request;
};

/// Samples of the folder that is evaluated, spread evenly, to look at.
struct EvaluatedSamples {
    std::vector<LabelledFile> files;
    std::vector<std::string> classes;
};

/// The calls into core and models. They are made on a thread of their own, never on the window's, and throw what core throws. Tests bring
/// their own.
struct NeighboursBackend {
    /// Empty: there is no such screen.
    std::function<NeighbourReport(const NeighbourQuestion&, const NeighbourCalls&)> search;
    /// Writes the demo data into a folder, unless they are there; returns the folder with `train` and `val`.
    DemoWriter::Write writeDemo;
    /// A sample to look at.
    std::function<QImage(const std::string& path)> image;
    std::function<void(std::int64_t threads)> setThreads;  ///< of the thread that calls it
};

/// The real ones. `photos`: the folder of the photographs that demo data are made of.
NeighboursBackend coreNeighbours(const std::string& photos);

/// One search at a time, on a thread of its own. What it tells comes as signals, queued to the receiver's thread; progress at most ten
/// times a second. It rests between two batches while a comparison measures.
class NeighboursWorker : public QObject {
    Q_OBJECT
public:
    NeighboursWorker(NeighboursBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent = nullptr);

    /// Nothing may be under way.
    void search(const NeighbourQuestion& question, std::int64_t threads);
    /// Stops after the batch under way: `stopped`.
    void stop() { m_thread.requestStop(); }
    bool isRunning() const { return m_thread.isRunning(); }

signals:
    void progressed(attnscope::Progress progress);
    void restingChanged(bool resting);
    void built(std::shared_ptr<const attnscope::BuiltDatastore> datastore);
    void evaluating(std::shared_ptr<const attnscope::ui::EvaluatedSamples> samples);
    /// The last word: what was asked for, stopped, or an error.
    void found(std::shared_ptr<const attnscope::NeighbourReport> report);
    void stopped();
    void failed(QString sentence);

private:
    NeighboursBackend m_backend;
    WorkerThread m_thread;
};

}
