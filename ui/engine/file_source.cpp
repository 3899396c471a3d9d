#include "ui/engine/file_source.h"

namespace attnscope::ui {

InputSource fileSource(const std::shared_ptr<Workbench>& workbench, const OpenedModel& model,
                       const std::string& path, const Limits& limits, const std::stop_token& stop)
{
    if (workbench->isVideo(path))
        return {path, "video", [workbench, model, path, limits, stop] {
                    return LoadedInput(workbench->views(model, path, {1, 1}, limits, stop));
                }};
    return {path, "image", [workbench, path, limits] {
                return LoadedInput(workbench->read(path, {}, {Orientation::Ignore, limits}));
            }};
}

}
