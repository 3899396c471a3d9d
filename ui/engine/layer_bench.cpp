// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/layer_bench.h"

namespace attnscope::ui {

namespace {

class CoreLayerBench : public LayerBench {
public:
    LayerInspection inspect(const OpenedModel& model, const InputSource& input, const InspectRequest& request,
                            const ProgressCallback& progress, std::stop_token stop,
                            const InspectedCallback& inspected) override
    {
        return inspectLayers(*model.classifier, input, request, progress, std::move(stop), inspected);
    }
};

}  // namespace

std::shared_ptr<LayerBench> coreLayerBench()
{
    return std::make_shared<CoreLayerBench>();
}

}  // namespace attnscope::ui
