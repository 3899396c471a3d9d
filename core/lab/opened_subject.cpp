#include "core/lab/opened_subject.h"

#include "core/attention/landmarks.h"
#include "core/device/device.h"
#include "core/lab/layers/dumped_layers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

class GivenLayers : public Classifier {
public:
    GivenLayers(const AttentionInput& all, TensorLayers layers, const std::string& name)
        : m_together(layers == TensorLayers::Together)
        , m_context{all.q.size(1), all.q.size(3), all.tokens, {}}
    {
        const int64_t count = all.q.size(0), each = m_together ? count : 1;
        for (int64_t first = 0; first < count; first += each) {
            AttentionInput& in = m_layers.emplace_back(all);
            for (at::Tensor* x : {&in.q, &in.k, &in.v})
                *x = x->narrow(0, first, each);
        }
        m_summary.name = name;
        m_summary.layers = count, m_summary.heads = all.q.size(1), m_summary.tokens = all.q.size(2);
    }

    const ModelSummary& describe() const override { return m_summary; }
    Transform transform() const override { return {}; }
    at::Device device() const override { return m_layers.front().q.device(); }
    at::ScalarType dtype() const override { return m_layers.front().q.scalar_type(); }
    int64_t weightBytes(const PreparedAttention&) const override { return 0; }
    double multiplyAdds(const PreparedAttention&) const override { return 0; }
    AttentionShape attentionShape(int64_t) const override { return {}; }
    void checkInput(const std::vector<int64_t>&) const override {}

    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override
    {
        if (spec.isNative())
            throw UsageError("native", "without a model, native attention is undefined for these tensors",
                             "specify the attention by name");
        if (spec != spec.alone())
            throw UsageError(spec.canonical(),
                             "q, k and v have no network whose tokens could merge or whose weights could be int8",
                             "leave out `;tokens=` and `;weights=`, or give --weights");
        PreparedAttention prepared{.requested = spec, .resolved = spec, .seed = seed};
        if (!m_together)
            prepared.resolved = spec.resolved(AttentionSpec::reference(), std::ssize(m_layers));
        for (int64_t layer = 0; layer < std::ssize(m_layers); ++layer) {
            const AttentionSpec own = m_together ? spec : prepared.resolved.layer(layer);
            const auto backend = makeBackend(own, m_context);
            if (m_together)
                refuseOtherKeys(own, {.queries = m_layers[0].q.size(2), .keys = m_layers[0].k.size(2)});
            for (const std::string& note : backend->notes())
                if (std::ranges::find(prepared.notes, note) == prepared.notes.end())
                    prepared.notes.push_back(note);
            prepared.deterministic = prepared.deterministic && backend->deterministic();
            prepared.layers.push_back(backend);
            prepared.noise.push_back(std::make_shared<SeededNoise>(own.seedOr(seed), layer));
        }
        return prepared;
    }

    at::Tensor logits(const at::Tensor&, const PreparedAttention& attention,
                      ForwardObserver* observer) const override
    {
        for (size_t i = 0; i < m_layers.size(); ++i) {
            observer->beforeAttention(int64_t(i));
            const auto out = attention.layers[i]->attend(m_layers[i], *attention.noise[i]);
            observer->afterAttention(int64_t(i), m_layers[i], out);
        }
        return {};
    }

private:
    bool m_together;
    std::vector<AttentionInput> m_layers;
    BackendContext m_context;
    ModelSummary m_summary;
};

/// q, k and v (1,heads,tokens,width), q and k multiplied by √temperature.
AttentionInput drawn(const RandomTensors& random)
{
    constexpr int64_t most = int64_t{1} << 26;  // maximum size of each of q, k and v
    if (random.tokens < 1 || random.width < 1 || random.heads < 1 || random.tokens > most / random.width
        || random.heads > most / (random.tokens * random.width))
        throw UsageError("random numbers",
                         std::to_string(random.heads) + " heads of " + std::to_string(random.tokens)
                             + " tokens and " + std::to_string(random.width) + " channels cannot be created",
                         "each must be at least 1, and their product at most " + std::to_string(most));
    SeededNoise noise(random.seed, 0);
    const auto draw = [&](const char* name) {
        return noise.normal(name, {1, random.heads, random.tokens, random.width},
                            at::TensorOptions(at::kFloat).device(at::Device(resolveDevice(random.device))));
    };
    AttentionInput in;
    const double scale = std::sqrt(
        random.temperature);  // applied to q and k alike, as random features depend on each
    in.q = draw("random q") * scale, in.k = draw("random k") * scale, in.v = draw("random v");
    in.scale = 1 / std::sqrt(double(random.width));
    if (const int64_t side = squareRoot(random.tokens); side > 0)
        in.tokens = {0, 1, side, side};
    return in;
}

}

AttentionSpec OpenedSubject::exact(uint64_t seed) const
{
    return isNetwork ? network->prepare(AttentionSpec::native(), seed).exact : AttentionSpec::reference();
}

RunReport OpenedSubject::begin(uint64_t seed) const
{
    RunReport report = beginReport(*network, {.seed = seed});
    if (!isNetwork)
        report.transform.clear();
    return report;
}

const InputSource& OpenedSubject::onlyInput() const
{
    if (inputs.size() != 1)
        throw UsageError("", std::to_string(inputs.size()) + " inputs were given", "give one image or video");
    return inputs.front();
}

std::string nameOf(const LabSubject& subject)
{
    if (const auto* network = std::get_if<NetworkInputs>(&subject))
        return network->classifier->describe().name;
    const auto* file = std::get_if<TensorFile>(&subject);
    return file != nullptr ? file->file.string() : "random numbers";
}

OpenedSubject openSubject(const LabSubject& subject, TensorLayers layers)
{
    const std::string source = nameOf(subject);
    if (const auto* network = std::get_if<NetworkInputs>(&subject))
        return {network->classifier, network->inputs, source};
    OpenedSubject opened{{}, {{.path = source, .kind = "tensors", .load = {}}}, source, 1, false};
    const auto take = [&](const AttentionInput& in, double temperature) {
        opened.network = std::make_shared<GivenLayers>(in, layers,
                                                       std::filesystem::path(source).filename().string());
        opened.temperature = temperature;
    };
    if (const auto* file = std::get_if<TensorFile>(&subject))
        take(readDumpedLayers(*file), file->temperature);
    else
        take(drawn(std::get<RandomTensors>(subject)), std::get<RandomTensors>(subject).temperature);
    return opened;
}

}
