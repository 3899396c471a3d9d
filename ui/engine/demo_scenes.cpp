#include "ui/engine/demo_scenes.h"

#include "ui/style/qt_text.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/data/demo/demo_data.h"

#include <filesystem>
#include <utility>

namespace attnscope::ui {

std::string writeDemoScenes(const std::string& photos, const std::string& folder, const DemoAmount& amount,
                            const ProgressCallback& progress, std::stop_token stop)
{
    namespace fs = std::filesystem;
    const fs::path data = fs::path(folder) / "scenes", done = fs::path(folder) / "complete";
    if (fs::exists(done) && fs::is_directory(data))
        return data.string();
    createFolders(folder, "free some space, or make the folder writable");
    DemoRequest request;
    request.folder = folder;
    request.photos = photos;
    request.sets = {DemoSet::Scenes};
    request.training = amount.training;
    request.validation = amount.validation;
    request.overwrite = true;  // what an earlier try left
    writeDemoData(request, progress, std::move(stop));
    createFolders(done);
    return data.string();
}

DemoWriter::DemoWriter(Write write, QObject* parent)
    : QObject(parent)
    , m_write(std::move(write))
{
    connect(this, &DemoWriter::ready, this, [this] { m_writing = false; });
    connect(this, &DemoWriter::failed, this, [this] { m_writing = false; });
}

void DemoWriter::start(const QString& folder)
{
    if (m_writing || !m_write)
        return;
    m_writing = true;
    WorkerThread::Job job;
    job.work = [this, folder = fromQt(folder)](WorkerTurn& turn) -> WorkerThread::LastWord {
        ReportRate rate;
        const ProgressCallback progress = [&](const Progress& step) {
            if (rate.isDue())
                emit progressed(step.done, step.total);
        };
        return [this, data = toQt(m_write(folder, progress, turn.stop()))] { emit ready(data); };
    };
    job.cancelled = [this] { emit failed({}); };
    job.failed = [this](const QString& sentence) { emit failed(sentence); };
    m_thread.start(std::move(job));
}

}
