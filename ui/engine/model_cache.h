#pragma once

#include "ui/engine/workbench.h"

#include <QDateTime>

#include <functional>
#include <memory>
#include <mutex>

namespace attnscope::ui {

/// The owner of all models in the window. It keeps the one that was opened last; any other is in memory only while somebody works with it. May
/// be used from any thread.
class ModelCache {
public:
    /// `load` is called by one thread at a time.
    explicit ModelCache(std::function<OpenedModel(const ModelRequest&)> load);

    /// The model, loaded unless it is the one at hand and its checkpoint is still the same. To be held for as long as one works with it, no
    /// longer. Throws what `load` throws.
    std::shared_ptr<const OpenedModel> open(const ModelRequest& request);

private:
    std::function<OpenedModel(const ModelRequest&)> m_load;
    std::mutex m_mutex;
    std::shared_ptr<const OpenedModel> m_model;
    ModelRequest m_request;
    QDateTime m_written;  ///< the checkpoint
};

}
