#include "ui/gallery/thumbnails.h"

#include "ui/engine/workbench.h"
#include "ui/style/qt_text.h"

#include <exception>
#include <memory>
#include <utility>

namespace attnscope::ui {

namespace {

/// More than fit on a screen: what was scrolled past is not read any more.
constexpr size_t maxWaiting = 96;

/// Fills `size` and is cut at its middle.
QImage filling(const QImage& image, QSize size)
{
    if (image.isNull())
        return {};
    const QImage scaled = image.scaled(size, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
    return scaled.copy((scaled.width() - size.width()) / 2, (scaled.height() - size.height()) / 2, size.width(),
                       size.height());
}

}

std::function<QImage(const std::string& path)> sampleImages()
{
    return [workbench = std::shared_ptr<Workbench>(coreWorkbench())](const std::string& path) {
        const Clip clip = workbench->isVideo(path) ? workbench->glance(path, {}).frame
                                                   : workbench->read(path, {}, {Orientation::Apply, {}});
        return QImage(clip.frame(0), int(clip.width), int(clip.height), static_cast<qsizetype>(clip.width) * 3,
                      QImage::Format_RGB888)
            .copy();
    };
}

Thumbnails::Thumbnails(Load load, QSize size, QObject* parent)
    : QObject(parent)
    , m_load(std::move(load))
    , m_size(size)
    , m_thread([this](std::stop_token stop) { onThread(std::move(stop)); })
{}

const QImage* Thumbnails::of(const QString& path)
{
    if (const QImage* known = m_known.object(path))
        return known;
    if (m_requested.contains(path))
        return nullptr;
    m_requested.insert(path);
    {
        const std::scoped_lock lock(m_mutex);
        m_waiting.push_back(path);
        if (m_waiting.size() > maxWaiting) {
            m_requested.remove(m_waiting.front());
            m_waiting.erase(m_waiting.begin());
        }
    }
    m_changed.notify_one();
    return nullptr;
}

void Thumbnails::onThread(std::stop_token stop)
{
    while (!stop.stop_requested()) {
        QString path;
        {
            std::unique_lock lock(m_mutex);
            if (!m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); }) || stop.stop_requested())
                return;
            path = m_waiting.back();
            m_waiting.pop_back();
        }
        QImage image;
        try {
            if (m_load)
                image = filling(m_load(fromQt(path)), m_size);
        } catch (const std::exception&) {  // an empty image says so
        }
        QMetaObject::invokeMethod(this, [this, path, image] { take(path, image); });
    }
}

void Thumbnails::take(const QString& path, const QImage& image)
{
    m_requested.remove(path);
    m_known.insert(path, new QImage(image));
    emit ready(path);
}

}
