// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/json_output.h"

#include "app/cli/output/console.h"
#include "core/base/error.h"
#include "core/base/json_path.h"
#include "core/base/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace attnscope::cli {

namespace {

namespace fs = std::filesystem;

/// Devices and pipes are written as they are: they cannot be renamed onto.
bool isSpecial(const fs::path& path)
{
    std::error_code error;
    const auto status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status);
}

void writeSpecial(const fs::path& path, const std::string& text)
{
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream)
        throw FileError(path.string(), std::string("the JSON could not be written (") + std::strerror(errno) + ")");
}

}  // namespace

JsonTarget::JsonTarget(std::string destination)
    : m_destination(std::move(destination))
{
    if (m_destination.empty() || m_destination == "-")
        return;
    const fs::path path(m_destination);
    std::error_code error;
    if (fs::is_directory(path, error))
        throw FileError(m_destination, "this is a folder", "specify a file for --json, or - for standard output");
    if (!isSpecial(path))
        requireWritable(path);
}

void JsonTarget::print(const std::string& tables, const Json& json) const
{
    if (!replacesTables())
        writeData(tables);
    write(json);
}

void JsonTarget::write(const Json& json) const
{
    if (m_destination.empty())
        return;
    // Invalid UTF-8 (from a foreign header) becomes U+FFFD instead of an exception.
    const std::string text = printableJson(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
    if (m_destination == "-") {
        writeData(text);
        return;
    }
    const fs::path path(m_destination);
    if (isSpecial(path)) {
        writeSpecial(path, text);
        return;
    }
    writeFileAtomically(path, text);
}

}  // namespace attnscope::cli
