#include "ui/engine/model_cache.h"

#include "ui/style/qt_text.h"

#include <QFileInfo>

#include <utility>

namespace attnscope::ui {

ModelCache::ModelCache(std::function<OpenedModel(const ModelRequest&)> load)
    : m_load(std::move(load))
{}

std::shared_ptr<const OpenedModel> ModelCache::open(const ModelRequest& request)
{
    const std::scoped_lock lock(m_mutex);
    const QDateTime written =
        QFileInfo(toQt(request.weights)).lastModified();  // a training replaces its checkpoint after each epoch
    if (!m_model || request != m_request || written != m_written) {
        m_model.reset();  // before the next one is loaded, so that both need no memory at once
        OpenedModel model = m_load(request);
        model.metadata = std::make_shared<const ModelMetadata>(model);
        m_model = std::make_shared<const OpenedModel>(std::move(model));
        m_request = request;
        m_written = written;
    }
    return m_model;
}

}
