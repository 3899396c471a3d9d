#pragma once

#include "core/measure/measurements.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace attnscope {

/// Mean squared difference and ‖out − exact‖_F / ‖exact‖_F of one head (LARA paper, appendix H.1), in float64.
struct HeadDifference {
    double mse = 0;
    double relative = 0;
    bool finite = true;
};

/// out, exact (B,H,N,Dv) or (B,H,N,G,Dv) → one entry per head, over batch, tokens, groups of keys and channels. Identical tensors give
/// exactly 0; a relative error against a zero output is 0 if out is zero too and infinite (not finite) otherwise.
std::vector<HeadDifference> headDifferences(const at::Tensor& out, const at::Tensor& exact);

/// Means over the finite heads of each seed, or of one head, then mean and standard deviation over seeds; NaN if there are none. seeds
/// [seed][head].
ErrorValue errorOverSeeds(const std::vector<std::vector<HeadDifference>>& seeds, std::optional<size_t> only = {});

/// What predicting the mean of the values gives, over all keys or over each of the G groups: v (B,H,M,Dv) → the shape of exact, (B,H,N,Dv)
/// or (B,H,N,G,Dv), float64.
at::Tensor meanOfValues(const at::Tensor& v, const at::Tensor& exact);

/// Collects the differences of one backend, layer by layer and seed by seed, and aggregates them as documented: mean over heads, then
/// layers; mean and standard deviation over seeds. Non-finite results are counted and left out.
class ErrorCollector {
public:
    ErrorCollector(int64_t layers, int64_t seeds, bool deterministic);

    /// The first `prefixRows` are those of class and distillation tokens and registers; v (B,H,M,Dv) is for the baselines: the mean over all keys, or
    /// over each of the G groups if exact is (B,H,N,G,Dv).
    void add(int64_t layer, int64_t seed, const at::Tensor& out, const at::Tensor& exact, int64_t prefixRows);
    void addBaselines(int64_t layer, const at::Tensor& v, const at::Tensor& exact);

    ApproximationError result() const;

private:
    struct Layer {
        std::vector<std::vector<HeadDifference>> seeds, prefix;  // [seed][head]
        std::vector<HeadDifference> meanOfValues;
        double zeroMse = 0;
    };

    LayerError layerResult(int64_t index) const;

    std::vector<Layer> m_layers;
    int64_t m_seeds;
    bool m_deterministic;
};

}
