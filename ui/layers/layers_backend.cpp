// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/layers_backend.h"

#include "core/device/device.h"
#include "core/lab/layers/inspection_memory.h"

#include <utility>

namespace attnscope::ui {

namespace {

/// q, k and v of a video of 1,569 tokens in twelve layers take 170 MB.
constexpr std::int64_t mostRemembered = std::int64_t{512} << 20;

class CoreLayersBackend : public LayersBackend {
public:
    LayerInspection inspect(const Subject& subject, const InspectRequest& request, const InspectionCalls& calls) override
    {
        if (m_model.lock() != subject.model)
            m_number = 0;  // what is kept belongs to a model that is there no more
        m_model = subject.model;
        return inspectLayers(*subject.model->classifier, subject.input, request, remembering(subject.number, calls));
    }

    LayerInspection inspectDump(std::uint64_t number, const DumpedAttention& dump, const InspectRequest& request,
                                const InspectionCalls& calls) override
    {
        DumpedAttention placed = dump;
        placed.device = resolveDevice(dump.device);
        return inspectLayers(placed, request, remembering(number, calls));
    }

    LogitTermReport decompose(const Subject& subject, const LogitTermRequest& request, std::stop_token stop) override
    {
        return decomposeLogits(*subject.model->classifier, subject.input, request, std::move(stop));
    }

    LeaderboardReport rank(const Subject& subject, const LeaderboardRequest& request, const LeaderboardCalls& calls) override
    {
        return measureLeaderboard(*subject.model->classifier, {subject.input}, request, calls);
    }

    LeaderboardReport rankDump(const DumpedAttention& dump, const LeaderboardRequest& request, const LeaderboardCalls& calls) override
    {
        DumpedAttention placed = dump;
        placed.device = resolveDevice(dump.device);
        return measureLeaderboard(placed, request, calls);
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
    std::weak_ptr<const OpenedModel> m_model;
    InspectionMemory m_memory{mostRemembered};
};

}  // namespace

std::shared_ptr<LayersBackend> coreLayersBackend()
{
    return std::make_shared<CoreLayersBackend>();
}

}  // namespace attnscope::ui
