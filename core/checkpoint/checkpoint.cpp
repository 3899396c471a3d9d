// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/state_dict.h"
#include "core/checkpoint/torch_zip.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace attnscope {

namespace {

using namespace std::string_view_literals;

std::string beginning(const ByteSource& source)
{
    std::array<std::byte, 16> bytes{};
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(source.size(), bytes.size()));
    source.read(0, std::span(bytes).first(count));
    return {reinterpret_cast<const char*>(bytes.data()), count};
}

bool startsWith(std::string_view text, std::string_view prefix)
{
    return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

StateDict readCheckpoint(const std::filesystem::path& path, const Limits& limits)
{
    const auto source = openFile(path);
    const std::string start = beginning(*source);
    const auto refuse = [&](const std::string& problem, const char* remedy) -> StateDict {
        throw FileError(source->name(), problem, remedy);
    };
    if (start.empty())
        return refuse("it is empty", "download it again");
    if (startsWith(start, "PK\x03\x04"sv))
        return readTorchZip(source, limits);
    if (start.size() > 8 && start[8] == '{')
        return readSafetensors(source, limits);
    if (startsWith(start, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e"sv))
        return refuse("it was written by torch before 1.6, or with its old format, which this version does not read",
                      "load it with torch and save it again, as safetensors or with torch.save");
    if (startsWith(start, "<"sv))
        return refuse("it is a web page and no checkpoint (it starts with \"" + printable(start) + "\")", "download the file itself");
    if (startsWith(start, "\x80"sv))
        return refuse("it is a plain pickle and no checkpoint of torch", "save the weights as safetensors or with torch.save");
    return refuse("it is neither a safetensors file nor a torch checkpoint", "give a .safetensors file or what torch.save wrote");
}

}  // namespace attnscope
