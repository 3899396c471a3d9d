#pragma once

#include "ui/engine/engine.h"
#include "ui/layers/layers_backend.h"

#include <QImage>
#include <QObject>
#include <QVector>

#include <functional>

namespace attnscope::ui {

struct LayerQuestion {
    ModelRequest model;
    std::int64_t threads = 0;
    InspectRequest request;
    InputEntry input;
    bool dump = false;     ///< the input is a file of q, k and v, which needs no model
    quint64 subject = 0;   ///< the same for all questions about the same input of the same model; never 0
    ViewGrid views{1, 1};  ///< of a video: the one in the middle is inspected
};

/// Inspections on the engine's worker. A newer question of its kind (errors, maps alone, or terms) stops the one under way and replaces the one
/// that waits. Every call returns at once; results come as signals under the ticket that the call returned. Lives as long as work of it waits.
class LayersWorker : public QObject, public std::enable_shared_from_this<LayersWorker> {
    Q_OBJECT
public:
    LayersWorker(Engine& engine, std::shared_ptr<LayersBackend> layersBackend);

    quint64 inspect(const LayerQuestion& question);
    /// The terms of the first layer's logits for the question's query.
    quint64 decompose(const LayerQuestion& question);
    /// The leaderboard on the question's input, with its seed and seeds; its attentions play no part. `earlier`: rows that are not measured
    /// again, of a run with the same settings; null: none.
    quint64 rank(const LayerQuestion& question, std::shared_ptr<const LeaderboardReport> earlier);
    /// Ends what is under way and drops what waits.
    void stop();
    /// The maps as a safetensors file. `written` tells.
    void writeTensors(std::shared_ptr<const LayerInspection> inspection, const QString& path);

signals:
    /// Before it begins: another job ends its step first.
    void waits(quint64 ticket);
    void progressed(quint64 ticket, attnscope::Progress progress);
    /// The frames of a video that are inspected.
    void framesDecoded(quint64 ticket, QVector<QImage> frames);
    /// Another attention was inspected: what is known so far.
    void advanced(quint64 ticket, std::shared_ptr<const attnscope::LayerInspection> sofar);
    void finished(quint64 ticket, std::shared_ptr<const attnscope::LayerInspection> inspection);
    void decomposed(quint64 ticket, std::shared_ptr<const attnscope::LogitTermReport> terms);
    /// Another row was measured, or the last: all rows so far.
    void ranked(quint64 ticket, std::shared_ptr<const attnscope::LeaderboardReport> report);
    void rankingFinished(quint64 ticket);
    void failed(quint64 ticket, QString sentence);
    void cancelled(quint64 ticket);
    /// Empty: without a problem.
    void written(QString path, QString problem);

private:
    /// Does `work` in a turn of its own at the gate, and reports how it failed.
    void onWorkerTurn(quint64 ticket, const std::stop_token& stop, const std::function<void()>& work);
    void onWorker(quint64 ticket, const LayerQuestion& question, const std::stop_token& stop);
    void onWorkerRank(quint64 ticket, const LayerQuestion& question, const LeaderboardReport* earlier,
                      const std::stop_token& stop);
    LabSubject onWorkerSubject(quint64 ticket, const LayerQuestion& question, const std::stop_token& stop);

    Engine& m_engine;
    std::shared_ptr<LayersBackend> m_backend;
    std::stop_source m_errors, m_maps, m_terms, m_ranking;
    quint64 m_nextTicket = 1;
};

}
