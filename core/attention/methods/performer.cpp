#include "core/attention/methods/performer.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cuda_attention.h"
#include "core/attention/random_feature_kernel.h"
#include "core/attention/reparametrisation.h"
#include "core/attention/training_free/directions.h"
#include "core/base/error.h"

#include <cmath>
#include <utility>

namespace attnscope {

namespace {

/// The constants that published code adds to features in the linear domain.
struct Floors {
    double feature = 0;
    bool insideRatio = false;
    double denominator = 0;
};

at::Tensor flooredFeatures(const at::Tensor& hat, const at::Tensor& omega, const Floors& floors,
                           at::IntArrayRef maximumOver)
{
    const double ratio = 1 / std::sqrt(double(omega.size(-2)));
    const auto dash = at::matmul(hat, omega.transpose(-1, -2));  // (B,H,N,S)
    const auto logFeature = dash - hat.square().sum(-1, true) * 0.5;
    // Subtracts the maximum of ω·x̂, not of log ξ, as both code bases do.
    const auto feature = (logFeature - dash.amax(maximumOver, true)).exp();
    return floors.insideRatio ? (feature + floors.feature) * ratio : feature * ratio + floors.feature;
}

/// Numerator and normaliser for each of `groups` groups of keys; the keys' maximum is taken over all groups, as in Motionformer.
at::Tensor flooredAttention(const FeatureAttention& in, const Floors& floors)
{
    const auto queries = flooredFeatures(in.queryHat, in.omega, floors, {-1});
    const auto keys =
        flooredFeatures(in.keyHat, in.omega, floors, {-1, -2}).unflatten(2, {in.keyGroups, -1});  // (B,H,G,M/G,S)
    auto denominators = featureDenominators(queries, keys);
    if (floors.denominator > 0)
        denominators = denominators.clamp_min(floors.denominator);
    return featureRatio(queries, keys, in.v, denominators);
}

class PerformerAttention : public AttentionBackend {
public:
    PerformerAttention(const AttentionSpec& spec, const BackendContext& context)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_hyperbolic(spec.choice("features") == "hyperbolic")
        , m_directions(spec.flag("orthogonal") ? Directions::Orthogonal : directionsOf(spec))
        , m_centerKeys(spec.flag("center_keys"))
        , m_ownKernels(spec.choice("kernel") == "auto")
        , m_reparametrisation(spec)
    {
        const std::string& floors = spec.choice("floors");
        if (floors == "library")
            m_floors = {1e-4, false, 1e-2};
        else if (floors == "motionformer")
            m_floors = {1e-6, true, 0};
        if (m_floors.feature > 0 && !m_reparametrisation.changesNothing())
            throw UsageError(spec.canonical(),
                             "constants that are added to features leave no room for center, balance and oprf",
                             "use floors=none");
        takeStoredProjection(context);
    }

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto samples = double(m_samples) * (m_hyperbolic ? 2 : 1);
        const auto queries = double(s.queries), keys = double(s.keys);
        const auto width = double(s.width);
        const auto values = double(s.valueDim), groups = double(s.keyGroups);
        return double(s.heads) * samples
                   * (queries * width + keys * (width + values) + groups * queries * (values + 1))
               + m_reparametrisation.multiplyAdds(s);
    }

    bool deterministic() const override { return m_projection.defined(); }

    bool estimatesNormaliser() const override { return m_floors.feature == 0; }

    std::string whyNoKeyWeights() const override
    {
        return m_floors.feature > 0 ? "constants that are added to features leave keys without weights"
                                    : AttentionBackend::whyNoKeyWeights();
    }

protected:
    bool takesHalf(const AttentionInput& in) const override { return onCuda(in) != nullptr; }

    bool takesGroups() const override { return true; }

    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        if (const CudaAttention* cuda = onCuda(in))
            return cuda->positiveFeatures(withCentredKeys(in), projection(in, noise), false).out;
        if (m_floors.feature > 0)
            return floored(in, noise);
        const Call call = prepared(in, noise);
        return fitsOwnKernels(call.in) ? positiveFeaturesOnCpu(call.in, call.samples())
                                       : selfNormalised(call.features());
    }

    AttentionPart computePart(const AttentionInput& in, NoiseSource& noise) const override
    {
        Call call = prepared(in, noise);
        const CudaAttention* const cuda = onCuda(call.in);
        const int64_t samples = call.changed.omega.size(-2);
        if (cuda == nullptr && !call.changed.logWeight.defined())
            call.changed.logWeight = at::full({in.q.size(0), in.q.size(1), samples}, -std::log(double(samples)),
                                              in.q.options());
        AttentionPart part;
        if (cuda != nullptr) {
            part = cuda->positiveFeatures(call.in, call.changed.omega, true);
            part.logNormaliser = part.logNormaliser - in.q.to(at::kFloat).square().sum(-1) * (in.scale / 2)
                                 - std::log(double(samples));
        } else if (fitsOwnKernels(call.in)) {
            part = positiveFeaturesPartOnCpu(call.in, call.samples());
            part.logNormaliser = part.logNormaliser - call.changed.queries(in.q).square().sum(-1) * (in.scale / 2);
        } else {
            part = selfNormalisedPart(call.features());
        }
        if (m_centerKeys) {
            part.centring = centringOffset(in, in.k.mean(2, true));
            part.logNormaliser = part.logNormaliser + part.centring;
        } else if (call.changed.keyMean.defined()) {
            part.centring = centringOffset(in, call.changed.keyMean);
        }
        return part;
    }

private:
    struct Call {
        AttentionInput in;  // with changed keys
        Reparametrisation::Result changed;

        CpuSamples samples() const
        {
            return {changed.omegaOfKeys.defined() ? changed.omegaOfKeys : changed.omega, changed.omegaOfQueries,
                    changed.logWeight, changed.keySquares};
        }
        FeatureAttention features() const
        {
            const at::Tensor& w = changed.logWeight;
            return {changed.omega,
                    scaledInput(changed.queries(in.q), in.scale),
                    scaledInput(in.k, in.scale),
                    in.v,
                    w.defined() ? w.unsqueeze(-2) : w,
                    {},
                    in.keyGroups,
                    in.keyLogWeights};
        }
    };

    Call prepared(const AttentionInput& in, NoiseSource& noise) const
    {
        Call call{withCentredKeys(in), {}};
        const KeysUnder diagonal = fitsOwnKernels(call.in) ? KeysUnder::Samples : KeysUnder::Map;
        call.changed = m_reparametrisation.apply(call.in, projection(in, noise), diagonal);
        call.in.k = call.changed.k;
        return call;
    }

    bool fitsOwnKernels(const AttentionInput& in) const
    {
        return m_ownKernels && fitsCpuKernels(in, KeyWeights::Taken);
    }

    at::Tensor floored(const AttentionInput& in, NoiseSource& noise) const
    {
        return flooredAttention({projection(in, noise),
                                 scaledInput(in.q, in.scale),
                                 scaledInput(withCentredKeys(in).k, in.scale),
                                 in.v,
                                 {},
                                 {},
                                 in.keyGroups},
                                m_floors);
    }

    AttentionInput withCentredKeys(AttentionInput in) const
    {
        if (m_centerKeys)
            in.k = centredKeys(in.k, in.keyGroups);
        return in;
    }

    const CudaAttention* onCuda(const AttentionInput& in) const
    {
        return m_ownKernels && m_floors.feature == 0 && m_reparametrisation.changesNothing() ? cudaAttention(in)
                                                                                             : nullptr;
    }

    void takeStoredProjection(const BackendContext& context)
    {
        for (const char* name : {"eval_proj", "random_proj"}) {
            const at::Tensor stored = context.parameter(name);
            if (!stored.defined() || m_projection.defined())
                continue;
            const bool fits = stored.dim() == 3 && stored.size(0) == context.heads && stored.size(1) == m_samples
                              && stored.size(2) == context.width;
            if (fits) {
                m_projection = stored;
                note(std::string("the checkpoint's own projection `") + name + "` is used");
            } else {
                note(std::string("the checkpoint's `") + name
                     + "` has a different size and is not used; ω is drawn instead");
            }
        }
    }

    at::Tensor projection(const AttentionInput& in, NoiseSource& noise) const
    {
        // ω is generated in float32 if q is narrower.
        const auto options = in.q.options().dtype(at::promote_types(in.q.scalar_type(), at::kFloat));
        if (m_projection.defined() && !noise.holds("omega"))
            return withMirror(m_projection.to(options));
        const int64_t heads = in.q.size(1), width = in.q.size(3);
        return withMirror(sharedSamples(noise, m_directions, {heads, m_samples, width}, options));
    }

    /// Hyperbolic features of ω are positive features of {ω, −ω}.
    at::Tensor withMirror(const at::Tensor& omega) const
    {
        return m_hyperbolic ? at::cat({omega, -omega}, -2) : omega;
    }

    int64_t m_samples;
    bool m_hyperbolic;
    Directions m_directions;
    bool m_centerKeys, m_ownKernels;
    Reparametrisation m_reparametrisation;
    Floors m_floors;
    at::Tensor m_projection;  // (H,S,D)
};

std::vector<OptionInfo> performerOptions()
{
    std::vector<OptionInfo> options{
        integerOption("samples", "random features S", 64, 1, 16384),
        featuresOption(),
        directionsOption(),
        advanced(flagOption("orthogonal", "the same as directions=orthogonal")),
        advanced(choiceOption("floors", "constants that published code adds to the features",
                              {{"none", "as in the equation", {}},
                               {"library", "1e-4 to features, denominator at least 1e-2 (LARA authors' code)", {}},
                               {"motionformer", "1e-6 inside the square root's factor (Motionformer)", {}}})),
        advanced(
            flagOption("center_keys", "subtract the mean key first; this changes the features but not softmax"))};
    for (OptionInfo& option : Reparametrisation::options())
        options.push_back(std::move(option));
    for (const OptionInfo& option : {kernelOption(), keysOption(), seedOption()})
        options.push_back(option);
    return options;
}

}

BackendInfo performerInfo()
{
    return {.name = "performer",
            .title = "Performer",
            .help = "positive random features (FAVOR+): linear in the number of tokens, biased ratio",
            .citation = "Choromanski et al., Rethinking Attention with Performers, ICLR 2021",
            .complexity = "O(S·(N+M)·D)",
            .random = true,
            .normaliser = true,
            .look = {Hue::Performer, Mark::TriangleUp, {6, 3}},
            .options = performerOptions(),
            .make = makeMethod<PerformerAttention>,
            .proposed = Proposed::ToCompare,
            .planCandidates = {"performer:samples=32"},
            .dropIn = "performer:center=both,prefix_attention=exact,logz=tangent",
            .paperSettings = {"performer:samples=49", "performer:samples=49"},
            .published = {{1024, 1.99, 0.44},
                          {2048, 0.94, 0.19},
                          {3072, 0.45, 0.11},
                          {4096, 0.27, 0.08},
                          {8192, 0.12, 0.03}},
            .parameters = {"eval_proj", "random_proj"}};
}

}
