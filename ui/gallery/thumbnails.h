#pragma once

#include <QCache>
#include <QImage>
#include <QObject>
#include <QSet>
#include <QSize>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace attnscope::ui {

/// An image, or a frame of a video, turned as a viewer turns it. To be called on one thread: its decoder starts with the first sample.
std::function<QImage(const std::string& path)> sampleImages();

/// Small images of samples, read on a thread of its own: what was asked for last comes first, and what nobody has looked at for long is
/// forgotten, so that memory does not grow with the number of mistakes.
class Thumbnails : public QObject {
    Q_OBJECT
public:
    using Load = std::function<QImage(const std::string& path)>;
    Thumbnails(Load load, QSize size, QObject* parent = nullptr);

    /// The image, filling the size; null while it is read: `ready` follows. A file that cannot be read has an empty one.
    const QImage* of(const QString& path);

signals:
    void ready(const QString& path);

private:
    void onThread(std::stop_token stop);
    void take(const QString& path, const QImage& image);

    Load m_load;
    QSize m_size;
    QCache<QString, QImage> m_known{400};
    QSet<QString> m_requested;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::vector<QString> m_waiting;  ///< the newest at the end
    std::jthread m_thread;           // last: it ends before what it uses
};

}
