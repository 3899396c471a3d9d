#include "ui/layers/layers_backend.h"

#include "core/lab/layers/inspection_memory.h"

#include <utility>

namespace attnscope::ui {

namespace {

/// q, k and v of a video of 1,569 tokens in twelve layers take 170 MB.
constexpr std::int64_t mostRemembered = std::int64_t{512} << 20;

class CoreLayersBackend : public LayersBackend {
public:
    LayerInspection inspect(std::uint64_t number, const LabSubject& subject, const InspectRequest& request,
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
    InspectionCalls remembering(std::uint64_t number, InspectionCalls calls)
    {
        if (std::exchange(m_number, number) != number)
            m_memory.clear();
        calls.memory = &m_memory;
        return calls;
    }

    std::uint64_t m_number = 0;
    std::weak_ptr<const Classifier> m_model;
    InspectionMemory m_memory{mostRemembered};
};

}

std::shared_ptr<LayersBackend> coreLayersBackend()
{
    return std::make_shared<CoreLayersBackend>();
}

}
