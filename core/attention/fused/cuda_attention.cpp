#include "core/attention/fused/cuda_attention.h"

#include "core/attention/fused/cuda_attention_tensors.h"
#include "core/attention/numerics/implementation.h"
#include "core/device/torch_problem.h"

#include <c10/core/DeviceGuard.h>

#include <cmath>
#include <string>

namespace attnscope {

using kernels::cuda::FusedAttention;
using kernels::cuda::Weights;

namespace {

void require(int error)
{
    if (error == 0) {
        ++launchedKernels();
        return;
    }
    const std::string text = kernels::cuda::errorText(error);
    throwIfGpuIsLost(text);
    throw KernelRefused(text);
}

bool fits(const at::Tensor& x, at::ScalarType type)
{
    return x.scalar_type() == type && x.stride(3) == 1 && x.size(3) <= kernels::cuda::widestHead
           && !(at::GradMode::is_enabled() && x.requires_grad());
}

/// √scale · rows, contiguous and in the input's type: their products with q and k are logits.
at::Tensor projectionsOf(const AttentionInput& in, const at::Tensor& rows)
{
    return (rows.to(at::kFloat) * std::sqrt(in.scale)).to(in.q.scalar_type()).contiguous();
}

/// Keys summed up for each feature: log of the sum of weights, and mean (Fourier features: sum) of values.
struct KeySums {
    at::Tensor logs;    ///< (B,H,G,rows)
    at::Tensor values;  ///< (B,H,G,rows,Dv)

    kernels::cuda::Matrices matrices() const
    {
        return {values.const_data_ptr(), values.stride(0), values.stride(1), values.stride(2), values.stride(3)};
    }
};

KeySums sumKeys(const AttentionInput& in, const at::Tensor& projections, Weights weights,
                const at::Tensor& shift = {})
{
    const bool waves = weights == Weights::FourierKeys;
    const int64_t rows = projections.size(-2) * (waves ? 2 : 1);
    KeySums sums{at::empty({in.q.size(0), in.q.size(1), in.keyGroups, rows}, in.q.options().dtype(at::kFloat)),
                 at::empty({in.q.size(0), in.q.size(1), in.keyGroups, rows, in.v.size(3)}, in.q.options())};
    const at::Tensor keyWeights = keyWeightsOf(in);
    FusedAttention task = fusedAttentionOf(in, weights);
    task.bias = floatsOrNull(keyWeights);
    task.queries = matricesOf(projections);
    task.queryCount = rows;
    task.normWeight = float(in.scale / (waves ? -2 : 2));
    task.features = int(projections.size(-2));
    task.output = {sums.values.mutable_data_ptr(), sums.values.stride(0), sums.values.stride(1),
                   sums.values.stride(2), sums.values.stride(3)};
    task.logSums = floatsOf(sums.logs);
    task.shift = floatsOrNull(shift);
    launch(task, in.q.device());
    return sums;
}

/// Queries against features, which take the place of keys.
FusedAttention attending(const AttentionInput& in, const at::Tensor& projections, const KeySums& sums,
                         Weights weights)
{
    FusedAttention task = fusedAttentionOf(in, weights);
    task.keys = matricesOf(projections);
    task.keyCount = sums.logs.size(3);
    task.values = sums.matrices();
    task.bias = sums.logs.const_data_ptr<float>();
    return task;
}

/// Normalisers are for one group of keys.
AttentionPart attend(const AttentionInput& in, FusedAttention task, bool normalises)
{
    const auto out = emptyTokenMajor(in);
    AttentionPart part{byHead(out), {}, {}};
    task.output = outputIn(out);
    if (normalises) {
        part.logNormaliser = at::empty(in.q.sizes().slice(0, 3), in.q.options().dtype(at::kFloat));
        task.logSums = floatsOf(part.logNormaliser);
    }
    launch(task, in.q.device());
    return part;
}

AttentionPart positiveFeaturesOnCuda(const AttentionInput& in, const at::Tensor& omega, bool normalises)
{
    const c10::DeviceGuard guard(in.q.device());
    const auto projections = projectionsOf(in, omega);
    const KeySums sums = sumKeys(in, projections, Weights::Softmax);
    return attend(in, attending(in, projections, sums, Weights::Softmax), normalises);
}

at::Tensor fourierFeaturesOnCuda(const AttentionInput& in, const at::Tensor& omega, double floor)
{
    const c10::DeviceGuard guard(in.q.device());
    const auto projections = projectionsOf(in, omega);
    const KeySums sums = sumKeys(in, projections, Weights::FourierKeys);
    FusedAttention task = attending(in, projections, sums, Weights::FourierQueries);
    task.keySums = task.bias;
    task.bias = nullptr;
    task.features = int(projections.size(-2));
    // Features here lack the factor 1/√S, which both sums have in the reference implementation.
    task.minDenominator = float(floor * double(projections.size(-2)));
    return attend(in, task, false).out;
}

/// log Σ_n exp(q̂_n·q̂̃_c), (B,H,C): landmarks take the place of queries, queries that of keys, and there are no values.
at::Tensor queryNormalisers(const AttentionInput& in, const at::Tensor& landmarks)
{
    const auto logs = at::empty({in.q.size(0), in.q.size(1), landmarks.size(2)}, in.q.options().dtype(at::kFloat));
    FusedAttention task = fusedAttentionOf(in, Weights::Softmax);
    task.counts.groups = 1;
    task.queries = matricesOf(landmarks);
    task.queryCount = landmarks.size(2);
    task.keys = matricesOf(in.q);
    task.keyCount = in.q.size(2);
    task.values = {};
    task.valueDim = 0;
    task.logSums = floatsOf(logs);
    launch(task, in.q.device());
    return logs;
}

AttentionPart laraOnCuda(const AttentionInput& in, const CpuLara& lara, bool normalises)
{
    const c10::DeviceGuard guard(in.q.device());
    FusedAttention largest = fusedAttentionOf(in, Weights::Landmarks);
    largest.keyCount = lara.mean.size(2);
    if (lara.beta && !kernels::cuda::fits(largest))
        throw KernelRefused("its shared memory has no room for LARA's landmarks");  // before the other launches
    const auto projections = projectionsOf(in, lara.omega);
    // Densities are those of the samples as used, after rounding if any.
    const auto means = lara.mean.to(at::kFloat).contiguous();
    const auto samples = in.q.scalar_type() == at::kFloat ? lara.omega.contiguous()
                                                          : projections.to(at::kFloat) / std::sqrt(in.scale);
    const auto own = at::empty({in.q.size(0), in.q.size(1), means.size(2)}, means.options()),
               fraction = at::empty_like(own);
    launch(kernels::cuda::Balance{means.const_data_ptr<float>(), samples.const_data_ptr<float>(),
                                  in.q.size(0) * in.q.size(1), int(means.size(2)), int(means.size(3)),
                                  floatsOf(own), floatsOf(fraction)},
           in.q.device());
    // The features are weighted by α_c / q_c(ω_c); without a correction α_c is the balance heuristic itself.
    const KeySums sums = sumKeys(in, projections, Weights::Softmax,
                                 lara.beta ? own : own - fraction.clamp_min(1e-38).log());
    if (!lara.beta)
        return attend(in, attending(in, projections, sums, Weights::Softmax), normalises);
    const auto landmarks = projectionsOf(in, lara.queryLandmarks);
    const auto normalisers = queryNormalisers(in, landmarks);
    FusedAttention task = attending(in, projections, sums, Weights::Landmarks);
    task.landmarks = {matricesOf(landmarks), normalisers.const_data_ptr<float>(), fraction.const_data_ptr<float>(),
                      float(*lara.beta), float(lara.floor)};
    return attend(in, task, normalises);
}

}

bool fitsCudaKernels(const AttentionInput& in)
{
    const auto type = in.q.scalar_type();
    const bool trainsWeights = in.keyLogWeights.defined() && at::GradMode::is_enabled()
                               && in.keyLogWeights.requires_grad();
    return !OperatorsOnly::isOn() && (type == at::kFloat || type == at::kBFloat16) && !trainsWeights
           && fits(in.q, type) && fits(in.k, type) && fits(in.v, type);
}

const CudaAttention& cudaKernels()
{
    static const CudaAttention kernels{positiveFeaturesOnCuda, fourierFeaturesOnCuda, laraOnCuda,
                                       randomizedOnCuda};
    return kernels;
}

void launch(FusedAttention task, const at::Device& device)
{
    at::Tensor scratch;  // freed before the work is done, which is safe: the allocator reuses it in stream order
    if (const int64_t size = kernels::cuda::scratchSize(task); size > 0) {
        scratch = at::empty({size}, at::TensorOptions(device).dtype(at::kFloat));
        task.scratch = floatsOf(scratch);
    }
    require(kernels::cuda::run(task, currentStream(device)));
}

void launch(const kernels::cuda::DrawKeys& task, const at::Device& device)
{
    require(kernels::cuda::run(task, currentStream(device)));
}

void launch(const kernels::cuda::Balance& task, const at::Device& device)
{
    require(kernels::cuda::run(task, currentStream(device)));
}

}
