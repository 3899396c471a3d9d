#include "ui/engine/model_cache.h"

#include "ui/style/qt_text.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace attnscope::ui {

ModelCache::ModelCache(std::function<OpenedModel(const ModelRequest&)> load)
    : m_load(std::move(load))
{}

void ModelCache::setCapacity(size_t models)
{
    const std::scoped_lock lock(m_mutex);
    m_capacity = models;
    keepNewest(models);
}

void ModelCache::keepNewest(size_t models)
{
    m_kept.erase(m_kept.begin(), m_kept.end() - std::ptrdiff_t(std::min(models, m_kept.size())));
}

std::shared_ptr<const OpenedModel> ModelCache::open(const ModelRequest& request)
{
    const std::scoped_lock lock(m_mutex);
    const QDateTime written =
        QFileInfo(toQt(request.weights)).lastModified();  // a training replaces its checkpoint after each epoch
    const auto known = std::ranges::find(m_kept, request, &Kept::request);
    Kept kept{request, written, {}};
    if (known != m_kept.end()) {
        if (known->written == written)
            kept.model = known->model;
        m_kept.erase(known);
    }
    if (!kept.model) {
        keepNewest(m_capacity - 1);  // before the next one is loaded, so that one more needs no memory
        OpenedModel model = m_load(request);
        model.metadata = std::make_shared<const ModelMetadata>(model);
        kept.model = std::make_shared<const OpenedModel>(std::move(model));
    }
    m_kept.push_back(std::move(kept));
    return m_kept.back().model;
}

}
