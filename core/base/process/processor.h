// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace attnscope {

/// The value of the first line `key SEPARATOR value` of a text file, without quotes; empty if there is none. Printable.
[[nodiscard]] std::string firstValue(const std::filesystem::path& file, const std::string& key, char separator);

/// "AMD EPYC 9R14 96-Core Processor"; empty where the system does not say.
[[nodiscard]] std::string processorName();

}  // namespace attnscope
