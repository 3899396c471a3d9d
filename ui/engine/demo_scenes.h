#pragma once

#include "core/base/progress.h"
#include "ui/engine/worker_thread.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace attnscope::ui {

/// Samples of each of the twelve classes.
struct DemoAmount {
    std::int64_t training = 1, validation = 50;
};

/// Writes scenes below `folder`, unless they are there already; returns their folder, with `train` and `val`. `photos`: what they are
/// made of. Throws Unsupported in a build without what writes images, FileError, Cancelled.
std::string writeDemoScenes(const std::string& photos, const std::string& folder, const DemoAmount& amount,
                            const ProgressCallback& progress, std::stop_token stop);

/// Demo data on their way into a folder, on a thread of their own.
class DemoWriter : public QObject {
    Q_OBJECT
public:
    using Write = std::function<std::string(const std::string& folder, const ProgressCallback&, std::stop_token)>;
    explicit DemoWriter(Write write, QObject* parent = nullptr);

    bool canWrite() const { return bool(m_write); }
    /// Until `ready` or `failed` has arrived.
    bool isWriting() const { return m_writing; }
    void start(const QString& folder);
    /// After the image under way.
    void stop() { m_thread.requestStop(); }

signals:
    /// At most ten times a second.
    void progressed(qint64 done, qint64 total);
    void ready(const QString& folder);
    /// A sentence; empty: it was stopped.
    void failed(const QString& sentence);

private:
    Write m_write;
    bool m_writing = false;
    WorkerThread m_thread;
};

}
