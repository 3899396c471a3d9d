#pragma once

#include "core/lab/layers/inspect.h"
#include "core/lab/layers/logit_terms.h"
#include "core/lab/leaderboard/leaderboard.h"
#include "ui/engine/task.h"

#include <QImage>
#include <QVector>

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

namespace attnscope::ui {

/// How the Layers screen gets at the laboratory. Called on the engine's worker alone; throws what core throws. Tests bring their own.
class LayersBackend {
public:
    virtual ~LayersBackend() = default;
    /// `number`: the same for all questions about the same subject, so that what one has found out serves the next.
    virtual LayerInspection inspect(uint64_t number, const LabSubject& subject, const InspectRequest& request,
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

struct LayerQuestion {
    ModelRequest model;
    int64_t threads = 0;
    InspectRequest request;
    InputEntry input;
    bool dump = false;     ///< the input is a file of q, k and v, which needs no model
    quint64 subject = 0;   ///< the same for all questions about the same input of the same model; never 0
    ViewGrid views{1, 1};  ///< of a video: the one in the middle is inspected
};
/// What is looked at first: the class token, or the middle where there is none.
TokenQuery startingQuery(const LayerInspection& known);
using InspectionTask = Task<LayerQuestion, LayerInspection>;

/// What a question is about. On the engine's worker alone; `seen` gets the frames of a video there.
LabSubject layerSubject(const LayerQuestion& question, TaskTurn& turn,
                        const std::function<void(QVector<QImage>)>& seen = {});

}
