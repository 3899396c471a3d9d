#pragma once

#include "core/store/result_store.h"
#include "core/train/training_progress.h"

#include <optional>
#include <string>

namespace attnscope {

/// Keeps the epochs of a training in a results store. What the store refuses of an epoch is said; the training goes on.
class TrainingStore {
public:
    /// `store` empty: keeps nothing. Throws StoreError when the store cannot be written.
    TrainingStore(const std::string& store, const std::string& output, const std::string& command);

    void begin(const TrainingStart& start);
    /// Returns a sentence when the epoch could not be kept, else nothing.
    std::string add(const EpochRecord& epoch);

private:
    std::optional<ResultStore> m_store;
    StoredTraining m_training;
    int64_t m_id = 0;
};

}
