#pragma once

#include "ui/engine/workbench.h"

#include <QDateTime>

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace attnscope::ui {

/// The owner of all models in the window. It keeps the ones that were used last; any other is in memory only while somebody works with it. May
/// be used from any thread.
class ModelCache {
public:
    /// `load` is called by one thread at a time.
    explicit ModelCache(std::function<OpenedModel(const ModelRequest&)> load);
    /// How many it keeps at most, at least one.
    void setCapacity(size_t models);

    /// The model, loaded unless it is at hand and its checkpoint is still the same. To be held for as long as one works with it, no
    /// longer. Throws what `load` throws.
    std::shared_ptr<const OpenedModel> open(const ModelRequest& request);

private:
    std::function<OpenedModel(const ModelRequest&)> m_load;
    std::mutex m_mutex;
    struct Kept {
        ModelRequest request;
        QDateTime written;  ///< the checkpoint
        std::shared_ptr<const OpenedModel> model;
    };
    void keepNewest(size_t models);

    std::vector<Kept> m_kept;  ///< the one used last is the last
    size_t m_capacity = 1;
};

}
