#pragma once

#include "ui/engine/compare_types.h"
#include "ui/engine/measuring_gate.h"
#include "ui/engine/model_cache.h"
#include "ui/engine/request_queue.h"
#include "ui/engine/workbench.h"

#include <QImage>
#include <QObject>

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace attnscope::ui {

/// An image, or a frame from the middle of a video, to look at, with the crop that the model sees.
struct Preview {
    QImage image;                   ///< EXIF rotation applied, at most 1024 pixels on a side
    int64_t width = 0, height = 0;  ///< of the image as it is stored
    bool turned = false;            ///< looking and evaluating differ by rotation
    bool video = false;
    double seconds = 0;  ///< of a video; 0: not known
    double rate = 0;     ///< of a video, frames a second
};

/// Where the model's centre crop lies on the image as one looks at it, in fractions of its sides.
QRectF cropOnView(const Preview& preview, const Transform& transform);

/// One worker measures; a thread next to it looks into files, so that nobody waits for a comparison to see an image. Every
/// call returns at once; results come as signals, queued to the receiver's thread, as shared constant values. `ticket` is what the call
/// returned, so that late results are told apart. What a request holds is let go on the engine's own thread, never on the others.
class Engine : public QObject {
    Q_OBJECT
public:
    explicit Engine(std::unique_ptr<Workbench> workbench, QObject* parent = nullptr);
    ~Engine() override;

    void askSurroundings(int64_t threads);
    quint64 open(const ModelRequest& request);
    /// What a checkpoint is, without taking it into use.
    quint64 inspect(const ModelRequest& request);
    quint64 preview(const InputEntry& input, const Limits& limits);
    /// Runs `onWorker` on the worker, in its turn. A queued one of the same tag is replaced, unless the tag is empty.
    void post(const std::string& tag, std::function<void()> onWorker);
    /// The same next to the worker, for what needs files alone: neither model nor device, nor more than a moment of the processor.
    void postFiles(const std::string& tag, std::function<void()> onFiles);
    /// Within work of the worker alone.
    const std::shared_ptr<Workbench>& workbench() const { return m_workbench; }
    /// All models that the window works with, on whatever thread.
    ModelCache& models() { return m_models; }
    /// Whoever else wants the whole machine waits at this gate while the worker measures.
    std::shared_ptr<MeasuringGate> gate() const { return m_gate; }

signals:
    void surroundingsKnown(std::shared_ptr<const attnscope::ui::Surroundings> surroundings);
    void surroundingsFailed(QString sentence);
    void modelOpened(quint64 ticket, std::shared_ptr<const attnscope::ui::ModelMetadata> model);
    void modelFailed(quint64 ticket, QString sentence);
    void checkpointInspected(quint64 ticket, std::shared_ptr<const attnscope::Inspection> inspection);
    void checkpointRefused(quint64 ticket, QString sentence);
    void previewReady(quint64 ticket, std::shared_ptr<const attnscope::ui::Preview> preview);
    void previewFailed(quint64 ticket, QString path, QString reason);

private:
    void letGo(RequestQueue::Request request);
    void clearDone();
    void onFilesPreview(quint64 ticket, const InputEntry& input, const Limits& limits);

    std::shared_ptr<Workbench> m_workbench;
    ModelCache m_models;
    std::unique_ptr<FileReader> m_reader;
    std::shared_ptr<MeasuringGate> m_gate = std::make_shared<MeasuringGate>();
    std::mutex m_doneMutex;
    std::vector<RequestQueue::Request> m_done;  ///< with what they hold, until the engine's thread lets go of it
    quint64 m_nextTicket = 1;
    RequestThread m_worker, m_files;
};

}
