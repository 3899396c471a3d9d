// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/safetensors.h"
#include "fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return attnscope::fuzz::check(data, size,
                                  [](const auto& source) { return attnscope::readSafetensors(source); });
}
