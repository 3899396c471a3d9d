#include "ui/layers/layers_task.h"

#include "ui/engine/input_source.h"
#include "ui/engine/view_frames.h"

#include "core/lab/layers/inspection_memory.h"

#include <utility>

namespace attnscope::ui {

namespace {

/// q, k and v of a video of 1,569 tokens in twelve layers take 170 MB.
constexpr int64_t maxRemembered = int64_t{512} << 20;

class CoreLayersBackend : public LayersBackend {
public:
    LayerInspection inspect(uint64_t number, const LabSubject& subject, const InspectRequest& request,
                            const InspectionCalls& calls) override
    {
        LabSubject remembered = subject;
        if (auto* network = std::get_if<NetworkInputs>(&remembered)) {
            if (m_model.lock() != network->classifier)
                m_number = 0;  // what is kept belongs to a model that is there no more
            m_model = network->classifier;
            network->classifier = {std::shared_ptr<void>(),
                                   network->classifier.get()};  // the memory keeps no model
        }
        return inspectLayers(remembered, request, remembering(number, calls));
    }

    LogitTermReport decompose(const LabSubject& subject, const LogitTermRequest& request,
                              std::stop_token stop) override
    {
        return decomposeLogits(subject, request, std::move(stop));
    }

    LeaderboardReport rank(const LabSubject& subject, const LeaderboardRequest& request,
                           const LeaderboardCalls& calls) override
    {
        return measureLeaderboard(subject, request, calls);
    }

private:
    InspectionCalls remembering(uint64_t number, InspectionCalls calls)
    {
        if (std::exchange(m_number, number) != number)
            m_memory.clear();
        calls.memory = &m_memory;
        return calls;
    }

    uint64_t m_number = 0;
    std::weak_ptr<const Classifier> m_model;
    InspectionMemory m_memory{maxRemembered};
};

}

std::shared_ptr<LayersBackend> coreLayersBackend()
{
    return std::make_shared<CoreLayersBackend>();
}

TokenQuery startingQuery(const LayerInspection& known)
{
    if (known.prefix > 0)
        return {.classToken = true};
    return {known.frames / 2, known.grid.rows / 2, known.grid.columns / 2, false};
}

LabSubject layerSubject(const LayerQuestion& question, TaskTurn& turn,
                        const std::function<void(QVector<QImage>)>& seen)
{
    constexpr int frameSide = 224;  // maps lie over them
    if (question.dump)
        return TensorFile{
            .file = fromQt(question.input.path), .device = question.model.device, .limits = question.model.limits};
    const auto model = turn.models().open(question.model);
    InputSource source = inputSource(turn.engine().workbench(), model, question.input, question.model.limits,
                                     turn.stop(), question.views);
    if (seen)
        source = watchViews(source, [seen, transform = model->transform](size_t, const FloatArray& values) {
            seen(smallFrames(values, transform, frameSide));
        });
    return NetworkInputs{model->classifier, {source}};
}

}
