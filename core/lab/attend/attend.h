#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/limits.h"
#include "core/base/progress.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// One attention on dumped q, k, v: the elements of a whole model's measurements, and the check of backends against reference files.
/// Independent of torch.
namespace attnscope {

/// The positions of tokens: row-major cells of one image.
struct TokenGrid {
    int64_t rows = 0, columns = 0;
};

/// Whether noise tensors of the file replace generated ones.
enum class NoiseOrigin { File, Drawn };

struct AttendRequest {
    std::filesystem::path file;            ///< safetensors with q, k, v (B,H,N,D), or x with qkv and proj weights
    std::vector<AttentionSpec> attention;  ///< empty: `backend` and `options` of the file's header
    std::optional<TokenGrid> grid;         ///< empty: the header's, else a guess mentioned in the notes
    int64_t frames = 0;      ///< attention per frame (trajectory attention's spatial step); 0: the header's
    double temperature = 1;  ///< factor of the logits: q and k are multiplied by its square root
    NoiseOrigin noise = NoiseOrigin::File;
    uint64_t seed = 0;
    int64_t seeds = 3;           ///< seeds over which the error of a random attention is averaged
    std::string device = "cpu";  ///< resolved
    std::string dtype = "auto";  ///< float64 is kept, everything else becomes float32; or a name
    bool latency = true;
    int64_t minimumRepetitions = 20;
    double minimumSeconds = 1;  ///< per alternative
    std::filesystem::path out;  ///< empty: nothing is written
    Limits limits;
};

/// The difference to an output stored in the file, and to the normalisers `logz` stored with it.
struct ExpectedOutput {
    std::string tensor;        ///< "out", "out.performer"
    double maximumDifference;  ///< largest |ours − theirs| of either; not finite if ours is not
    double tolerance;          ///< max(1e-5, 20 × the float32 error stated in the file)
    bool within() const { return maximumDifference <= tolerance; }
};

struct AttendCase {
    std::string name;
    std::string attention;    ///< canonical; as named in the file if not available
    std::string unavailable;  ///< one sentence: this build has no such attention
    int64_t batch = 0, heads = 0, queries = 0, keys = 0, width = 0, valueDim = 0, frames = 1;
    std::optional<TokenGrid> grid;
    ApproximationError error;  ///< relative to exact softmax; `layers` are the elements of the batch
    bool hasBaselines = true;
    std::optional<ExpectedOutput> expected;
    std::optional<Latency> latency, softmaxLatency;  ///< of only the attention, interleaved
    int64_t peakBytes = 0, softmaxPeakBytes = 0;     ///< tensors above the level at entry
    double macs = 0, softmaxMacs = 0;                ///< of the whole batch
    /// Of a sparse attention, in the whole batch: queries of all heads, the pairs of query and key that it allows, and the queries that saw
    /// no key and therefore see all. No rows: it is not sparse.
    int64_t sparseRows = 0, allowedPairs = 0, emptyRows = 0;
    std::vector<std::string> notes;
};

struct AttendReport {
    std::string file;
    std::string device;
    std::string dtype;
    uint64_t seed = 0;
    std::vector<AttendCase> cases;
};

/// Runs the request. "Exact" is softmax over all keys, or over the keys of each frame if there are frames. Throws FileError for an invalid
/// file, UsageError if an attention does not fit it, Cancelled.
AttendReport attend(const AttendRequest& request, const ProgressCallback& progress, std::stop_token stop);

}
