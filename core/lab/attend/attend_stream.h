#pragma once

#include "core/base/progress.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/state_dict.h"
#include "core/lab/attend/attend.h"
#include "core/lab/attend/dumped_case.h"
#include "core/lab/decode/stream_spec.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

/// `attend` of a file whose header names the backend `decode`: a causal stream, token by token. Independent of torch.
namespace attnscope {

inline bool isStream(const DumpedCase& described)
{
    return described.backend == "decode";
}

struct DumpedStream {
    StreamSpec spec;
    std::vector<std::string> notes;  ///< options of the header that the mechanism does not have
};

/// The mechanism that the header's `options` describe: `mechanism`, and its options as in a specification. `omegaRows`: features in the
/// file, 0 if it has none. Throws FileError for an unknown mechanism, a value out of range, and `samples` other than the rows of omega.
DumpedStream dumpedStream(const DumpedCase& described, int64_t omegaRows, const std::string& file);

struct AttendedStream {
    AttendCase result;
    /// `out`, every tensor of the state after the last token as `state.NAME`, `state_bytes` and `multiply_adds` by token (of one head of
    /// one element, 4 bytes a number), and `losses` of a compressive memory.
    std::map<std::string, SafetensorsEntry> outputs;
};

/// Runs the recurrent form on the CPU. "Exact" is softmax over the tokens so far, in float64; `softmaxLatency` is that of the cache;
/// `peakBytes` is the largest state. Where the file has `out`, `state.…`, `losses`, `state_bytes` or `multiply_adds`, all of them are
/// compared: counts must be equal. Throws FileError, UsageError, Cancelled.
AttendedStream attendStream(const AttendRequest& request, const StateDict& file, const DumpedCase& described,
                            const ProgressCallback& progress, std::stop_token stop);

}
