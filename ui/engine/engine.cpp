#include "ui/engine/engine.h"

#include "ui/engine/guarded.h"
#include "ui/style/qt_text.h"

#include "core/base/error.h"
#include "core/media/format/exif_orientation.h"

namespace attnscope::ui {

namespace {

std::vector<uint8_t> bytesOf(const InputEntry& input)
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
    , m_models([opener = m_workbench](const ModelRequest& request) { return opener->open(request); })
    , m_reader(m_workbench->reader())
    , m_worker([this](RequestQueue::Request request) { letGo(std::move(request)); })
    , m_files([this](RequestQueue::Request request) { letGo(std::move(request)); })
{}

Engine::~Engine()
{
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

void Engine::askSurroundings(int64_t threads)
{
    m_worker.post("surroundings", [this, threads] {
        const auto work = [&] {
            m_workbench->setThreads(threads);
            emit surroundingsKnown(std::make_shared<const Surroundings>(m_workbench->surroundings()));
        };
        guarded(work, [&](const QString& sentence) { emit surroundingsFailed(sentence); });
    });
}

void Engine::post(const std::string& tag, std::function<void()> onWorker)
{
    m_worker.post(tag, std::move(onWorker));
}

void Engine::postFiles(const std::string& tag, std::function<void()> onFiles)
{
    m_files.post(tag, std::move(onFiles));
}

quint64 Engine::open(const ModelRequest& request)
{
    const quint64 ticket = m_nextTicket++;
    m_worker.post("model", [this, ticket, request] {
        const auto work = [&] { emit modelOpened(ticket, m_models.open(request)->metadata); };
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

}
