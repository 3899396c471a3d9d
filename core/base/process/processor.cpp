// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/processor.h"

#include "core/base/text.h"

#include <fstream>

namespace attnscope {

std::string firstValue(const std::filesystem::path& file, const std::string& key, char separator)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t at = line.find(separator);
        if (at == std::string::npos || trim(std::string_view(line).substr(0, at)) != key)
            continue;
        std::string value(trim(std::string_view(line).substr(at + 1)));
        std::erase(value, '"');
        return printable(value);
    }
    return {};
}

std::string processorName()
{
    return firstValue("/proc/cpuinfo", "model name", ':');
}

}  // namespace attnscope
