#pragma once

#include "core/archive/listing.h"

#include <cstddef>
#include <span>
#include <string>

namespace attnscope {

/// The bytes of a tar archive from the beginning on.
class TarInput {
public:
    virtual ~TarInput() = default;
    /// The next bytes, valid until the next call; none at the end. Throws FileError.
    virtual std::span<const std::byte> next() = 0;
    /// Passes over up to `count` bytes without reading them, and returns how many.
    virtual int64_t skip(int64_t count) = 0;
};

/// Lists a tar archive (ustar, GNU, pax) by its headers; of a webdataset's also the labels. `size`: of all bytes, or -1 where that is not
/// known before. Throws FileError: damaged, cut off, names that lead out of it.
ArchiveListing listTar(TarInput& input, const std::string& name, int64_t size);

}
