// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/inspect_layers.h"
#include "ui/engine/workbench.h"

#include <memory>

namespace attnscope::ui {

/// How the Layers screen gets at the laboratory. Called on the engine's worker alone; throws what core throws. Tests bring their own.
class LayerBench {
public:
    virtual ~LayerBench() = default;
    virtual LayerInspection inspect(const OpenedModel& model, const InputSource& input, const InspectRequest& request,
                                    const ProgressCallback& progress, std::stop_token stop,
                                    const InspectedCallback& inspected) = 0;
};

/// The real one.
std::shared_ptr<LayerBench> coreLayerBench();

}  // namespace attnscope::ui
