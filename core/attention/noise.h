// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/random.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// A stream of counter-based numbers by its keys, for devices that draw them where they need them.
struct NoiseStream {
    std::uint64_t key = 0;               ///< foldedKey() of uniform numbers; for normal ones, of their lengths
    std::uint64_t angleKey = 0;          ///< of their angles
    std::vector<std::uint64_t> samples;  ///< identity of each element of the batch
};

/// Where a backend gets its random numbers. Backends hold no generator: the same call with the same source gives the same
/// numbers, whatever ran before, and tests and dumped tensors take the place of drawn ones.
///
/// Names are those of the golden files: "omega" (H,S,D) and "first" shared by a batch; "eps" (B,H,…,D), "u" (B,H,N,S) per sample.
class NoiseSource {
public:
    virtual ~NoiseSource() = default;

    /// Standard normal numbers shared by all samples of the batch.
    virtual at::Tensor sharedNormal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) = 0;
    /// Standard normal numbers, sizes[0] samples, each with draws of its own.
    virtual at::Tensor normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) = 0;
    /// Uniform numbers in (0, 1), sizes[0] samples, each with draws of its own.
    virtual at::Tensor uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) = 0;
    /// Whether normal numbers of that name can be had some at a time, by fillNormal.
    virtual bool streams(std::string_view name) const { (void)name; return false; }
    /// Numbers `first` … of batch element `element` of normal(name, …), the same to the bit, in the tensor's order. Safe from several threads.
    virtual void fillNormal(std::string_view name, std::int64_t element, std::uint64_t first, std::span<float> out) const
    {
        (void)name, (void)element, (void)first, (void)out;
    }
    /// The stream of normal(name, …) or uniform(name, …) for `elements` samples; empty where numbers are not drawn by counter.
    virtual std::optional<NoiseStream> stream(std::string_view name, std::int64_t elements) const
    {
        (void)name, (void)elements;
        return {};
    }
    /// Whether the numbers of that name are given rather than drawn.
    virtual bool holds(std::string_view name) const { (void)name; return false; }
};

/// Counter-based draws from (seed, layer, name, sample): independent of batch size, threads and order of calls.
class SeededNoise : public NoiseSource {
public:
    /// `samples` are the identities of the batch's elements; element b is sample b where the list is too short.
    SeededNoise(std::uint64_t seed, std::int64_t layer, std::vector<std::uint64_t> samples = {});

    at::Tensor sharedNormal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    at::Tensor normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    at::Tensor uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    bool streams(std::string_view) const override { return true; }
    void fillNormal(std::string_view name, std::int64_t element, std::uint64_t first, std::span<float> out) const override;
    std::optional<NoiseStream> stream(std::string_view name, std::int64_t elements) const override;

private:
    std::uint64_t sampleOf(std::int64_t element) const;
    StreamKey streamOf(std::string_view name, std::uint64_t sample) const;
    void drawNormal(std::string_view name, std::uint64_t sample, std::uint64_t first, std::span<float> out) const;

    std::uint64_t m_seed;
    std::uint32_t m_layer;
    std::vector<std::uint64_t> m_samples;
    std::map<std::string, at::Tensor> m_shared;  // drawn once: evaluation keeps one ω (App. G.1)
};

/// Tensors from a file, by name; what the file lacks is drawn from `fallback`.
class RecordedNoise : public NoiseSource {
public:
    RecordedNoise(std::map<std::string, at::Tensor> tensors, NoiseSource& fallback);

    /// Throw UsageError when the recorded tensor does not have (or broadcast to) the sizes asked for.
    at::Tensor sharedNormal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    at::Tensor normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    at::Tensor uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    bool holds(std::string_view name) const override;

private:
    at::Tensor recorded(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) const;

    std::map<std::string, at::Tensor> m_tensors;
    NoiseSource& m_fallback;
};

}  // namespace attnscope
