// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/training_progress.h"

#include <memory>
#include <string>

namespace attnscope::cli {

/// Keeps the epochs of a training in a results store, for `train --store`. What the store refuses is said once; the training goes on.
class TrainingStore {
public:
    /// `store` empty: keeps nothing. Throws StoreError when the store cannot be written, Unsupported in a build without stores.
    TrainingStore(const std::string& store, const std::string& output, const std::string& command);
    ~TrainingStore();

    void begin(const TrainingStart& start);
    /// Returns a sentence when the epoch could not be kept, else nothing.
    std::string add(const EpochRecord& epoch);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace attnscope::cli
