#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/lab/subject.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Error of attentions versus the number of samples, for the same q, k, v (LARA paper, figure 1 and appendix H.1). Independent of torch:
/// window and command line both call this function.
namespace attnscope {

struct ApproximateRequest {
    /// Measured for every value of `samples` if it has that option, else once.
    std::vector<AttentionSpec> attention;
    /// Measured once, unchanged: a line over all counts (the paper's RA with one sample).
    std::vector<AttentionSpec> flat;
    std::vector<int64_t> samples{1, 4, 9, 16, 25, 36, 49, 64, 100, 144, 196};
    uint64_t seed = 0;
    int64_t seeds = 5;  ///< seeds of each random point
};

/// An error as bias and variance over seeds. mse = bias² + variance: both are corrected for the small number of seeds, so that bias² may be
/// slightly negative if there is none.
struct ErrorParts {
    double biasSquared = 0, variance = 0;
};

struct CurvePoint {
    int64_t samples = 0;    ///< 0 on a flat line
    std::string attention;  ///< canonical, with this number of samples
    int64_t seeds = 1;      ///< number of seeds; 1 for a deterministic attention
    bool deterministic = false;
    ErrorValue error;  ///< mean over heads, layers and inputs; mean and standard deviation over seeds
    ErrorParts parts;
    double medianRelative = 0;     ///< over heads, layers, inputs and seeds: for heavy tails (rfa)
    std::vector<double> layerMse;  ///< by layer, mean over everything else
    int64_t notFinite = 0;         ///< head results excluded from the means
    /// Fraction of queries, over all of that, that saw no key and used all; empty: it is not sparse.
    std::optional<double> emptyRows;
    std::vector<std::string> notes;
    std::string unavailable;  ///< one sentence: the attention doesn't exist with this number of samples
};

struct Curve {
    std::string attention;  ///< as requested
    std::string backend;
    bool flat = false;
    std::vector<CurvePoint> points;
    /// P of mse ∝ samples^p, least squares over the points whose error is more than rounding; empty with fewer
    /// than two.
    std::optional<double> power;
    /// Constant of the line variance = constant / samples through the first random point.
    std::optional<double> varianceTimesSamples;
};

struct ApproximateReport {
    std::optional<RunReport> model;  ///< model, device, environment and inputs; empty for tensors
    std::string source;              ///< the model's name, the file, or "random numbers"
    std::string exact = "softmax over all keys";
    int64_t layers = 0, heads = 0, tokens = 0, width = 0, inputs = 0;
    double temperature = 1;  ///< of dumped and random tensors: factor applied to the logits
    std::vector<Curve> curves;
    double meanSquare = 0;    ///< of the exact outputs: the error of predicting zero
    ErrorValue meanOfValues;  ///< error of predicting the mean of the values
    std::vector<UnreadableInput> unreadable;
    bool complete = true;  ///< false: stopped before everything was measured
};

/// A stop returns what has been measured: every point's means are over the layers that it was measured in. Throws FileError, UsageError,
/// Cancelled if nothing was measured.
ApproximateReport approximate(const LabSubject& subject, const ApproximateRequest& request,
                              const ProgressCallback& progress, std::stop_token stop);

}
