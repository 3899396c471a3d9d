// SPDX-License-Identifier: Apache-2.0
// Layers of a file of q, k and v, without their network.
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/device/device.h"
#include "core/device/torch_problem.h"
#include "core/lab/layers/dumped_layers.h"
#include "core/lab/layers/inspected_subject.h"
#include "core/run/observers.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <utility>

namespace attnscope {

namespace {

/// Every element of the file's batch is a layer.
class DumpedSubject : public InspectedSubject {
public:
    explicit DumpedSubject(const DumpedAttention& dump)
        : m_dump(dump)
        , m_all(readDumpedLayers(dump))
        , m_context{m_all.q.size(1), m_all.q.size(3), m_all.tokens, {}}
    {}

    RunReport begin(std::uint64_t seed) override
    {
        RunReport report;
        report.model.name = m_dump.file.filename().string();
        report.model.layers = m_all.q.size(0), report.model.heads = m_all.q.size(1);
        report.model.tokens = m_all.q.size(2);
        report.device = summarise(m_dump.device);
        report.environment = environment();
        report.dtype = m_all.q.scalar_type() == at::kDouble ? "float64" : "float32";
        report.seed = seed;
        report.inputs.push_back({.path = m_dump.file.string(), .kind = "tensors"});
        return report;
    }

    [[nodiscard]] PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const override
    {
        const std::int64_t layers = m_all.q.size(0);
        if (spec.isNative())
            throw UsageError("native", "without a model, native attention is undefined for a file with q, k and v",
                             "specify the attention by name");
        if (spec != spec.alone())
            throw UsageError(spec.canonical(), "a file with q, k and v has no network whose tokens could merge or whose weights could be int8",
                             "leave out `;tokens=` and `;weights=`, or give --weights");
        PreparedAttention prepared;
        prepared.requested = spec;
        prepared.resolved = spec.resolved(AttentionSpec::reference(), layers);
        prepared.seed = seed;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const AttentionSpec own = prepared.resolved.layer(layer);
            const auto backend = makeBackend(own, m_context);
            for (const std::string& note : backend->notes())
                if (std::ranges::find(prepared.notes, note) == prepared.notes.end())
                    prepared.notes.push_back(note);
            prepared.deterministic = prepared.deterministic && backend->deterministic();
            prepared.layers.push_back(backend);
            prepared.noise.push_back(std::make_shared<SeededNoise>(own.seedOr(seed), layer));
        }
        return prepared;
    }

    [[nodiscard]] ExactPass exactPass(PreparedAttention exact, bool, const std::stop_token& stop) const override
    {
        ExactPass pass;
        pass.prepared = std::move(exact);
        for (std::int64_t layer = 0; layer < m_all.q.size(0); ++layer) {
            checkStop(stop);
            const auto index = static_cast<std::size_t>(layer);
            AttentionInput in = m_all;
            in.q = m_all.q.narrow(0, layer, 1), in.k = m_all.k.narrow(0, layer, 1),
            in.v = m_all.v.narrow(0, layer, 1);
            const auto out = pass.prepared.layers[index]->attend(in, *pass.prepared.noise[index]);
            pass.layers.push_back({std::move(in), out});
        }
        return pass;
    }

    [[nodiscard]] const at::Tensor& input() const override { return m_all.q; }
    [[nodiscard]] std::string layerName(std::size_t) const override { return {}; }

private:
    DumpedAttention m_dump;
    AttentionInput m_all;
    BackendContext m_context;
};

}  // namespace

bool holdsDumpedAttention(const std::filesystem::path& file)
{
    try {
        const StateDict state = readSafetensors(openFile(file), {});
        constexpr std::array names{"q", "k", "v"};
        return std::ranges::all_of(names, [&](const char* name) {
            const auto found = state.tensors.find(name);
            return found != state.tensors.end() && found->second.shape.size() == 4;
        });
    } catch (const Error&) {
        return false;  // if it is opened as something else, that reports the problem
    }
}

LayerInspection inspectLayers(const DumpedAttention& dump, const InspectRequest& request,
                              const InspectionCalls& calls)
{
    return guardTorch(dump.file.string(), [&] {
        return inspectWith(calls.memory, request, calls, [&]() -> std::unique_ptr<InspectedSubject> {
            return std::make_unique<DumpedSubject>(dump);
        });
    });
}

}  // namespace attnscope
