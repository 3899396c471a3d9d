// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

namespace attnscope {

/// A results store cannot be opened, read or written, or refuses what it is asked to keep.
class StoreError : public FileError {
    using FileError::FileError;
};

/// The disk is full. Nothing is lost: what was stored stays stored, and the same call may be repeated after space is made.
class NoSpace : public StoreError {
    using StoreError::StoreError;
};

/// Another process evaluates what was to be continued, or took it over meanwhile.
class OwnedElsewhere : public StoreError {
    using StoreError::StoreError;
};

}  // namespace attnscope
