#include "ui/engine/engine.h"

#include "ui/engine/view_frames.h"
#include "ui/engine/worker_thread.h"
#include "ui/style/qt_text.h"

#include "core/base/error.h"
#include "core/media/format/exif_orientation.h"

#include <QDateTime>
#include <QFileInfo>

#include <chrono>
#include <set>

namespace attnscope::ui {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::uint8_t> bytesOf(const InputEntry& input)
{
    return {input.bytes.cbegin(), input.bytes.cend()};
}

QImage lookingImage(const Clip& clip)
{
    constexpr int side = 1024;
    const QImage whole(clip.frame(0), int(clip.width), int(clip.height), static_cast<qsizetype>(clip.width) * 3,
                       QImage::Format_RGB888);
    if (clip.width <= side && clip.height <= side)
        return whole.copy();
    return whole.scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

/// Sends what the run tells, progress at most ten times a second.
class Forwarder : public RunObserver {
public:
    Forwarder(Engine& engine, quint64 ticket)
        : m_engine(engine)
        , m_ticket(ticket)
    {}

    void onInput(std::size_t input, const InputRecord& record) override
    {
        emit m_engine.inputOpened(m_ticket, input, std::make_shared<const InputRecord>(record));
    }
    void onRun(std::size_t input, std::size_t run, RunStage stage, const RunRecord& record) override
    {
        emit m_engine.runAdvanced(m_ticket, {input, run, stage}, std::make_shared<const RunRecord>(record));
    }
    void onView(std::size_t input, std::size_t run, std::size_t, const RunRecord& record) override
    {
        emit m_engine.viewPredicted(m_ticket, {input, run, RunStage::Predict},
                                    std::make_shared<const RunRecord>(record));
    }
    void onUnreadable(std::size_t, const UnreadableInput& input) override
    {
        emit m_engine.unreadable(m_ticket, toQt(input.path), toQt(input.reason));
    }
    void onProgress(std::size_t input, std::size_t run, RunStage stage, const Progress& progress) override
    {
        const auto now = Clock::now();
        const bool another = run != m_lastRun || stage != m_lastStage || input != m_lastInput;
        if (!another && now - m_last < std::chrono::milliseconds(100))
            return;
        m_last = now;
        m_lastRun = run, m_lastStage = stage, m_lastInput = input;
        // Interleaved repetitions change the backend at every step: hold those to a fair rate, too.
        if (another && stage == RunStage::Latency && now - m_lastAny < std::chrono::milliseconds(30))
            return;
        m_lastAny = now;
        emit m_engine.progressed(m_ticket, {input, run, stage}, progress);
    }

private:
    Engine& m_engine;
    quint64 m_ticket;
    Clock::time_point m_last{}, m_lastAny{};
    std::size_t m_lastInput = 0, m_lastRun = 0;
    RunStage m_lastStage = RunStage::Predict;
};

}

QRectF cropOnView(const Preview& preview, const Transform& transform)
{
    // A centred rectangle stays centred under turns and mirroring; only the sides may have to be exchanged.
    const CropRectangle crop = cropRectangle(preview.width, preview.height, transform);
    const auto width = double(preview.width), height = double(preview.height);
    QRectF part(crop.left / width, crop.top / height, crop.width / width, crop.height / height);
    const bool exchanged = (preview.width > preview.height) != (preview.image.width() > preview.image.height());
    return preview.turned && exchanged ? QRectF(part.y(), part.x(), part.height(), part.width()) : part;
}

Engine::Engine(std::unique_ptr<Workbench> workbench, QObject* parent)
    : QObject(parent)
    , m_workbench(std::move(workbench))
    , m_reader(m_workbench->reader())
    , m_worker([this](RequestQueue::Request request) { letGo(std::move(request)); })
    , m_files([this](RequestQueue::Request request) { letGo(std::move(request)); })
{}

Engine::~Engine()
{
    m_running.request_stop();
    m_worker.requestStop();
    m_files.requestStop();
}

/// What asked for it may be gone by now, and the request be the last to hold its objects: those of the window end on its thread.
void Engine::letGo(RequestQueue::Request request)
{
    {
        const std::scoped_lock lock(m_doneMutex);
        m_done.push_back(std::move(request));
    }
    QMetaObject::invokeMethod(this, &Engine::clearDone, Qt::QueuedConnection);
}

void Engine::clearDone()
{
    std::vector<RequestQueue::Request> done;
    const std::scoped_lock lock(m_doneMutex);
    done.swap(m_done);
}

void Engine::askSurroundings(std::int64_t threads)
{
    m_worker.post("surroundings", [this, threads] {
        const auto work = [&] {
            m_workbench->setThreads(threads);
            emit surroundingsKnown(std::make_shared<const Surroundings>(m_workbench->surroundings()));
        };
        guarded(work, [&](const QString& sentence) { emit surroundingsFailed(sentence); });
    });
}

const OpenedModel& Engine::onWorkerModel(const ModelRequest& request)
{
    const QDateTime written =
        QFileInfo(toQt(request.weights)).lastModified();  // a training replaces its checkpoint after each epoch
    if (!m_model || request != m_modelRequest || written != m_modelWritten) {
        m_model.reset();  // before the next one is loaded, so that both never need memory at once
        m_model = std::make_shared<const OpenedModel>(m_workbench->open(request));
        m_modelRequest = request;
        m_modelWritten = written;
    }
    return *m_model;
}

void Engine::post(const std::string& tag, std::function<void()> onWorker)
{
    m_worker.post(tag, std::move(onWorker));
}

void Engine::postFiles(const std::string& tag, std::function<void()> onFiles)
{
    m_files.post(tag, std::move(onFiles));
}

std::shared_ptr<const OpenedModel> Engine::onWorkerOpened(const ModelRequest& request, std::int64_t threads)
{
    m_workbench->setThreads(threads);
    onWorkerModel(request);
    return m_model;
}

quint64 Engine::open(const ModelRequest& request)
{
    const quint64 ticket = m_nextTicket++;
    m_worker.post("model", [this, ticket, request] {
        const auto work = [&] {
            onWorkerModel(request);
            emit modelOpened(ticket, m_model);
        };
        guarded(work, [&](const QString& sentence) { emit modelFailed(ticket, sentence); });
    });
    return ticket;
}

quint64 Engine::inspect(const ModelRequest& request)
{
    const quint64 ticket = m_nextTicket++;
    m_files.post("inspect", [this, ticket, request] {
        guarded(
            [&] {
                emit checkpointInspected(ticket, std::make_shared<const Inspection>(m_reader->inspect(request)));
            },
            [&](const QString& sentence) { emit checkpointRefused(ticket, sentence); });
    });
    return ticket;
}

quint64 Engine::preview(const InputEntry& input, const Limits& limits)
{
    const quint64 ticket = m_nextTicket++;
    m_files.post("preview", [this, ticket, input, limits] { onFilesPreview(ticket, input, limits); });
    return ticket;
}

void Engine::onFilesPreview(quint64 ticket, const InputEntry& input, const Limits& limits)
{
    try {
        auto preview = std::make_shared<Preview>();
        if (!input.pasted() && m_reader->isVideo(fromQt(input.path))) {
            const Glance glance = m_reader->glance(fromQt(input.path), limits);
            *preview = {lookingImage(glance.frame),
                        glance.width,
                        glance.height,
                        glance.turned,
                        true,
                        glance.seconds,
                        glance.rate};
            emit previewReady(ticket, preview);
            return;
        }
        Clip clip = m_reader->read(fromQt(input.path), bytesOf(input), {Orientation::Ignore, limits});
        preview->width = clip.width;
        preview->height = clip.height;
        preview->turned = clip.orientation != 1;
        if (preview->turned)
            applyOrientation(clip, clip.orientation);
        preview->image = lookingImage(clip);
        emit previewReady(ticket, preview);
    } catch (const Error& error) {
        emit previewFailed(ticket, input.path, toQt(error.reason()));
    } catch (const std::exception& error) {
        emit previewFailed(ticket, input.path, toQt(error.what()));
    }
}

quint64 Engine::compare(const CompareJob& job)
{
    cancel();
    m_running = std::stop_source();
    const quint64 ticket = m_nextTicket++;
    m_worker.post("compare",
                  [this, ticket, job, stop = m_running.get_token()] { onWorkerCompare(ticket, job, stop); });
    return ticket;
}

void Engine::cancel()
{
    m_running.request_stop();
}

InputSource Engine::onWorkerInput(const InputEntry& input, const Limits& limits, const ViewGrid& grid,
                                  std::stop_token stop)
{
    const std::string path = fromQt(input.path);
    if (input.pasted() || !m_workbench->isVideo(path))
        return {path, "image", [this, input, path, limits] {
                    return LoadedInput(m_workbench->read(path, bytesOf(input), {Orientation::Ignore, limits}));
                }};
    return {path, "video", [this, path, limits, grid, stop] {
                return LoadedInput(m_workbench->views(*m_model, path, grid, limits, stop));
            }};
}

InputSource Engine::onWorkerSource(quint64 ticket, quint64 number, const CompareJob& job, std::stop_token stop)
{
    return watchViews(onWorkerInput(job.inputs[number], job.model.limits, job.views, std::move(stop)),
                      [this, ticket, number, transform = m_model->transform,
                       seen = std::set<std::size_t>()](std::size_t view, const FloatArray& values) mutable {
                          if (seen.insert(view).second)
                              emit viewDecoded(ticket, number, static_cast<int>(view),
                                               smallFrames(values, transform));
                      });
}

void Engine::onWorkerCompare(quint64 ticket, const CompareJob& job, std::stop_token stop)
{
    const auto work = [&] {
        if (stop.stop_requested())
            throw Cancelled();
        m_workbench->setThreads(job.threads);
        const OpenedModel& model = onWorkerModel(job.model);
        emit modelOpened(ticket, m_model);
        std::vector<InputSource> sources;
        for (std::size_t i = 0; i < job.inputs.size(); ++i)
            sources.push_back(onWorkerSource(ticket, i, job, stop));
        Forwarder forwarder(*this, ticket);
        const MeasuringGate::Turn alone(*m_gate, MeasuringGate::Work::Measuring, stop);
        const auto report = std::make_shared<const RunReport>(
            m_workbench->run(model, sources, job.run, forwarder, stop));
        emit finished(ticket, report);
    };
    guarded(
        work, [&](const QString& sentence) { emit failed(ticket, sentence); }, [&] { emit cancelled(ticket); });
}

}
