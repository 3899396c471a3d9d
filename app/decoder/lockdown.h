// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace attnscope::decoder {

/// What a decoder process may need, from the client's limits.
struct Allowance {
    std::uint64_t encodedBytes = 0;  ///< of the largest file
    std::uint64_t pixels = 0;        ///< of the largest image
    std::uint32_t secondsPerImage = 0;
};

/// Gives up every right that decoding does not need, for good. To be called once everything is loaded and every
/// file is open. Returns which protections hold, as bits of decoder_protocol::Protection.
std::uint32_t lockDown(const Allowance& allowance);

/// From now on, this many seconds of processor time; then SIGXCPU. To be called for each image.
void allowProcessorTime(std::uint32_t seconds);

/// Lets only the system calls of computing and of talking over open descriptors through; all others fail with
/// EPERM. False where the system has no such filter, or this processor is none that we know the numbers of.
bool filterSystemCalls();

}  // namespace attnscope::decoder
