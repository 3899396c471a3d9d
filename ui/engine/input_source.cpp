#include "ui/engine/input_source.h"

#include "ui/style/qt_text.h"

namespace attnscope::ui {

InputSource inputSource(const std::shared_ptr<Workbench>& workbench,
                        const std::shared_ptr<const OpenedModel>& model, const InputEntry& input,
                        const Limits& limits, const std::stop_token& stop, const ViewGrid& grid)
{
    const std::string path = fromQt(input.path);
    if (!input.pasted() && workbench->isVideo(path))
        return {path, "video", [=] { return LoadedInput(workbench->views(*model, path, grid, limits, stop)); },
                [=](const Classifier& network) {
                    OpenedModel other;
                    other.summary = summary(network);
                    other.transform = evaluationTransform(network);
                    return workbench->views(other, path, grid, limits, stop);
                }};
    return {path, "image", [=] {
                return LoadedInput(workbench->read(path, {input.bytes.cbegin(), input.bytes.cend()},
                                                   {Orientation::Ignore, limits}));
            }};
}

}
