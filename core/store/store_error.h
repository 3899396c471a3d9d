// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

namespace attnscope {

/// A results store can't be opened, read or written, or rejects what it is asked to store.
class StoreError : public FileError {
    using FileError::FileError;
};

/// The disk is full. Nothing is lost: what was stored stays stored, and the same call may be retried after making space.
class NoSpace : public StoreError {
    using StoreError::StoreError;
};

/// Another process is running the evaluation that was to be resumed, or has taken it over.
class OwnedElsewhere : public StoreError {
    using StoreError::StoreError;
};

}  // namespace attnscope
