#pragma once

#include <cstdint>

namespace attnscope::decoder {

/// What a decoder process may need.
struct Allowance {
    uint64_t sharedBytes = 0;   ///< of the client's memory
    uint64_t workingBytes = 0;  ///< of its own
    uint32_t secondsPerRequest = 0;
    bool threads = false;
};

/// Enough for the largest file and image that the client lets through.
Allowance allowanceForImages(uint64_t encodedBytes, uint64_t pixels, uint32_t seconds);
/// Enough for the largest frame that the client lets through. `seconds`: between two frames.
Allowance allowanceForVideos(uint64_t pixels, uint32_t seconds);

/// Gives up every right that decoding does not need, for good. To be called once everything is loaded and every
/// file is open. Returns which protections hold, as bits of decoder_protocol::Protection.
uint32_t lockDown(const Allowance& allowance);

/// From now on, this many seconds of processor time; then SIGXCPU. To be called for each request.
void allowProcessorTime(uint32_t seconds);

/// Lets only the system calls of computing, with `threads` those of starting threads, and of talking over open descriptors through; all
/// others fail with EPERM. False where the system has no such filter, or this processor is none that we know the numbers of.
bool filterSystemCalls(bool threads);

}
