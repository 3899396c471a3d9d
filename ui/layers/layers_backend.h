#pragma once

#include "core/lab/layers/inspect.h"
#include "core/lab/layers/logit_terms.h"
#include "core/lab/leaderboard/leaderboard.h"
#include "ui/engine/workbench.h"

#include <cstdint>
#include <memory>
#include <stop_token>

namespace attnscope::ui {

/// How the Layers screen gets at the laboratory. Called on the engine's worker alone; throws what core throws. Tests bring their own.
class LayersBackend {
public:
    virtual ~LayersBackend() = default;
    /// `number`: the same for all questions about the same subject, so that what one has found out serves the next.
    virtual LayerInspection inspect(std::uint64_t number, const LabSubject& subject, const InspectRequest& request,
                                    const InspectionCalls& calls) = 0;
    /// The first layer's logits as terms of content and position.
    virtual LogitTermReport decompose(const LabSubject& subject, const LogitTermRequest& request,
                                      std::stop_token stop) = 0;
    /// Every attention that needs no training, side by side.
    virtual LeaderboardReport rank(const LabSubject& subject, const LeaderboardRequest& request,
                                   const LeaderboardCalls& calls) = 0;
};

/// The real one.
std::shared_ptr<LayersBackend> coreLayersBackend();

}
