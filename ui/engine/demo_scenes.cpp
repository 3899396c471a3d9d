// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/demo_scenes.h"

#include "ui/style/qt_text.h"

#include "core/base/error.h"

#ifdef ATTNSCOPE_STORE
#include "core/data/demo/demo_data.h"
#endif

#include <chrono>
#include <filesystem>
#include <utility>

namespace attnscope::ui {

std::string writeDemoScenes(const std::string& photos, const std::string& folder, const DemoAmount& amount,
                            const ProgressCallback& progress, std::stop_token stop)
{
#ifdef ATTNSCOPE_STORE
    namespace fs = std::filesystem;
    const fs::path data = fs::path(folder) / "scenes", done = fs::path(folder) / "complete";
    if (fs::exists(done) && fs::is_directory(data))
        return data.string();
    fs::create_directories(folder);
    DemoRequest request;
    request.folder = folder;
    request.photos = photos;
    request.sets = {DemoSet::Scenes};
    request.training = amount.training;
    request.validation = amount.validation;
    request.overwrite = true;  // what an earlier try left
    writeDemoData(request, progress, std::move(stop));
    fs::create_directory(done);
    return data.string();
#else
    (void)photos, (void)folder, (void)amount, (void)progress, (void)stop;
    throw Unsupported("the demo", "this build cannot write its images", "build with -DATTNSCOPE_STORE=ON");
#endif
}

DemoWriter::DemoWriter(Write write, QObject* parent)
    : QObject(parent)
    , m_write(std::move(write))
{
    connect(this, &DemoWriter::ready, this, [this] { m_writing = false; });
    connect(this, &DemoWriter::failed, this, [this] { m_writing = false; });
}

DemoWriter::~DemoWriter()
{
    stop();
}

void DemoWriter::stop()
{
    m_thread.request_stop();
}

void DemoWriter::start(const QString& folder)
{
    if (m_writing || !m_write)
        return;
    m_thread = {};  // joins the one before, which has said its last word
    m_writing = true;
    m_thread = std::jthread([this, folder = fromQt(folder)](std::stop_token stop) {
        using Clock = std::chrono::steady_clock;
        Clock::time_point last{};
        const ProgressCallback told = [&](const Progress& progress) {
            if (const auto now = Clock::now(); now - last >= std::chrono::milliseconds(100)) {
                last = now;
                emit progressed(progress.done, progress.total);
            }
        };
        try {
            emit ready(toQt(m_write(folder, told, stop)));
        } catch (const Cancelled&) {
            emit failed({});
        } catch (const std::exception& error) {
            emit failed(toQt(error.what()));
        }
    });
}

}  // namespace attnscope::ui
