#pragma once

#include "core/lab/subject.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// How well random features estimate the kernel exp(q̂·k̂) at all, before any normaliser: exact value, estimate and variance against the
/// norm. Independent of torch.
namespace attnscope {

/// Maps from vectors to features whose products estimate exp(x·y).
enum class KernelFeatures { Positive, Hyperbolic, Trigonometric, Cosine };
inline constexpr std::array kernelFeatures{KernelFeatures::Positive, KernelFeatures::Hyperbolic,
                                           KernelFeatures::Trigonometric, KernelFeatures::Cosine};

/// "positive", "hyperbolic", "trigonometric", "cosine", as in JSON and in files.
const char* toText(KernelFeatures features);

/// An estimate of exp(x·y) from S features.
struct KernelEstimate {
    double estimate = 0;        ///< mean of S features, for one draw
    double variance = 0;        ///< of one feature, exactly
    double relativeStddev = 0;  ///< √(variance / S) / exp(x·y)
};

/// One pair of vectors.
struct KernelPoint {
    double normX = 0, normY = 0, product = 0, exact = 0;
    std::array<KernelEstimate, kernelFeatures.size()> estimates;  ///< in the order of kernelFeatures
};

/// How y lies to x, of equal length.
enum class KernelAngle { Same, Orthogonal, Opposite };
inline constexpr std::array kernelAngles{KernelAngle::Same, KernelAngle::Orthogonal, KernelAngle::Opposite};

/// "y = x", "y ⊥ x", "y = −x"; and in JSON "same", "orthogonal", "opposite".
const char* describe(KernelAngle angle);
const char* toText(KernelAngle angle);

/// Points of growing norm, with y at one angle to x.
struct KernelCurve {
    KernelAngle angle = KernelAngle::Same;
    std::vector<KernelPoint> points;
};

/// The vectors of one head: every query with keys spread evenly over the sequence.
struct KernelHead {
    int64_t layer = 0, head = 0, pairs = 0;
    double normQuery = 0, normKey = 0;  ///< means of ‖q̂‖ and ‖k̂‖
    /// Medians over the pairs, by features.
    std::array<double, kernelFeatures.size()> relativeStddev{}, relativeError{};
    std::vector<KernelPoint> points;  ///< the first pairs
};

struct KernelRequest {
    int64_t samples = 64;  ///< S
    uint64_t seed = 0;
    int64_t norms = 25;  ///< points of each curve
    int64_t pairs = 16;  ///< stored of each head
};

struct KernelReport {
    std::optional<RunReport> model;  ///< empty for tensors alone
    std::string source;
    int64_t samples = 0, width = 0;
    uint64_t seed = 0;
    double temperature = 1;
    std::vector<KernelCurve> curves;
    std::vector<KernelHead> heads;         ///< empty for given pairs
    std::vector<KernelPoint> pairs;        ///< those of a file with x and y
    std::vector<ExpectedOutput> expected;  ///< the numbers that the file itself holds
};

/// For q and k of the subject; of a network on one input. A file may have pairs x and y (pairs, channels) instead, scaled as features see
/// them, and possibly `omega` (S,D) and `phase` (S), which replace random numbers. Throws FileError, UsageError, Cancelled.
KernelReport plotKernel(const LabSubject& subject, const KernelRequest& request, std::stop_token stop);

}
