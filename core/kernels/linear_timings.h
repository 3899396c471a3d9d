#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Which implementation of a linear layer is the faster one on this processor: ours, which is fused with what surrounds it, or oneDNN's.
/// Measured once for each shape when a network is opened, and kept in a file.
namespace attnscope::kernels {

/// What the time of a linear layer depends on besides the processor, our kernels, LibTorch and the number of threads.
struct LinearShape {
    int64_t in = 0, out = 0;
    int64_t rows = 0;   ///< as measured
    std::string dtype;  ///< "float32" or "bfloat16"
    int64_t threads = 0;

    friend auto operator<=>(const LinearShape&, const LinearShape&) = default;
};

struct LinearTiming {
    LinearShape shape;
    double own = 0, oneDnn = 0;  ///< milliseconds

    /// oneDNN's layers are not fused with norms, activations and each other: it has to be a fifth faster to be the better choice.
    bool prefersOneDnn() const { return own > 1.25 * oneDnn; }
};

/// From now on linear layers are measured, and what was found is kept in `file` when the process ends (JSON; one that cannot be read or
/// written is as good as none: everything is measured again by the next process). Without this call, and where ATTNSCOPE_CPU asks for other kernels than the best,
/// our own kernels compute every layer that they can.
void keepLinearTimings(const std::filesystem::path& file);
bool linearTimingsAreKept();

/// What was measured of this shape on this processor with these versions, by this process or an earlier one.
std::optional<LinearTiming> linearTiming(const LinearShape& shape);
void remember(const LinearTiming& timing);
/// All that `linearTiming` knows, by shape.
std::vector<LinearTiming> linearTimings();

/// Notes that this process computes a layer of this shape by oneDNN.
void useOneDnnFor(const LinearShape& shape);
/// The kernels that this process uses, for records: "avx2", or "avx2, oneDNN for linear layers 384→1536 (float32)".
std::string kernelsInUse();

}
