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
#include <utility>
#include <vector>

namespace attnscope {

/// A stream of counter-based numbers by its keys: numbers are drawn where and when they are needed.
struct NoiseStream {
    std::uint64_t key = 0;               ///< foldedKey() of uniform numbers; for normal ones, of their lengths
    std::uint64_t angleKey = 0;          ///< of their angles
    std::vector<std::uint64_t> samples;  ///< identity of each element of the batch
};

/// Normal numbers `first` … of batch element `element`. Safe from several threads.
void fillNormal(const NoiseStream& stream, std::int64_t element, std::uint64_t first, std::span<float> out);

/// Where a backend gets its random numbers. Backends hold no generator: the same call with the same source gives the same
/// numbers, whatever ran before, and tests and dumped tensors take the place of drawn ones. Everything is pure, so that a source
/// that stands before another can leave nothing out.
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
    /// The stream that normal(name, …) or uniform(name, …) take for `elements` samples, in the tensors' order and the same to the
    /// bit; empty where these numbers are given rather than drawn.
    virtual std::optional<NoiseStream> stream(std::string_view name, std::int64_t elements) = 0;
    /// Whether the numbers of that name are given rather than drawn.
    virtual bool holds(std::string_view name) const = 0;
    /// Whose draws the elements of the next batches get: identities of samples. Element b is sample b where the list is too short.
    virtual void setSamples(std::vector<std::uint64_t> samples) = 0;
};

/// Counter-based draws from (seed, layer, name, sample): independent of batch size, threads and order of calls.
class SeededNoise : public NoiseSource {
public:
    SeededNoise(std::uint64_t seed, std::int64_t layer, std::vector<std::uint64_t> samples = {});

    at::Tensor sharedNormal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    at::Tensor normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    at::Tensor uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    std::optional<NoiseStream> stream(std::string_view name, std::int64_t elements) override;
    bool holds(std::string_view) const override { return false; }
    void setSamples(std::vector<std::uint64_t> samples) override { m_samples = std::move(samples); }

private:
    StreamKey streamOf(std::string_view name) const;

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
    std::optional<NoiseStream> stream(std::string_view name, std::int64_t elements) override;
    bool holds(std::string_view name) const override;
    void setSamples(std::vector<std::uint64_t> samples) override { m_fallback.setSamples(std::move(samples)); }

    /// Whether something was asked for that the file lacks.
    bool drawn() const { return m_drawn; }

private:
    NoiseSource& fallback();
    at::Tensor recorded(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) const;

    std::map<std::string, at::Tensor> m_tensors;
    NoiseSource& m_fallback;
    bool m_drawn = false;
};

}  // namespace attnscope
