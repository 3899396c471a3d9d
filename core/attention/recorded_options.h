#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace attnscope {

/// How the header of a file with recorded tensors describes one attention. Free of torch.
struct RecordedOptions {
    const Json& header;  ///< options by the names that the file gives them
    const std::string& file;
    int64_t landmarks = 0;  ///< that the file holds; 0: none
    int64_t epsRows = 0;    ///< rows of its noise `eps`, as (B,H,rows,D); 0: it has none
    /// Of the header; throws FileError for one that is not positive.
    std::function<int64_t(const std::string& key)> wholeNumber;
    std::map<std::string, std::string> values = {};  ///< our options as read so far, which the method changes
};

}
