#include "core/checkpoint/json_file.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/checkpoint/state_dict.h"

#include <span>
#include <string>

namespace attnscope {

Json readJson(const std::filesystem::path& path, int64_t maxBytes)
{
    const auto source = openFile(path);
    if (source->size() > maxBytes)
        throw FileError(path.string(), "it has " + formatBytes(source->size()).text(),
                        "the limit for such a file is " + formatBytes(maxBytes).text());
    std::string text(size_t(source->size()), '\0');
    source->read(0, std::as_writable_bytes(std::span(text)));
    return jsonFromText(text);
}

}
