#include "ui/engine/demo_scenes.h"

#include "core/base/atomic_file.h"
#include "core/data/demo/demo_data.h"

#include <QStandardPaths>

#include <filesystem>

namespace attnscope::ui {

DemoTask::Measure demoScenes(const std::string& photos, const DemoAmount& amount)
{
    namespace fs = std::filesystem;
    if (photos.empty())
        return {};
    return [=](const std::string& folder, TaskTurn& turn, const DemoTask::Grew&) {
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
        writeDemoData(request, turn.progress(), turn.stop());
        createFolders(done);
        return data.string();
    };
}

std::string demoFolder(const QString& name)
{
    return fromQt(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + u"/attnscope/"_s
                  + name);
}

}
