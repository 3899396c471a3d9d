// SPDX-License-Identifier: Apache-2.0
#include "models/model_family.h"
#include "models/open_model.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace attnscope {

namespace {

CatalogueEntry entry(const NamedModel& model)
{
    const ModelDescription& d = *model.description;
    return {.name = d.name(),
            .family = d.family(),
            .title = model.title,
            .parameters = d.parameters(),
            .macs = d.multiplyAdds(),
            .input = d.input(),
            .nativeAttention = d.attention().canonical(),
            .note = model.note};
}

std::string familyNames()
{
    std::vector<std::string> names;
    for (const ModelFamily& family : modelFamilies())
        names.push_back(family.name);
    return joinWords(names);
}

}  // namespace

const std::vector<ModelFamily>& modelFamilies()
{
    static const std::vector<ModelFamily> families{
        deitFamily(),
        evitFamily(),
        pvtFamily(),
        pvtLaraFamily(),
        motionformerFamily(),
    };
    return families;
}

std::unique_ptr<ModelDescription> parseDescription(const Json& config, const std::string& subject)
{
    if (!config.is_object())
        throw UsageError(subject, "it does not hold a model description", "give an object with family, embed_dim, depth and so on");
    const Json name = config.value("family", Json());
    if (!name.is_string())
        throw UsageError(subject, "the model description has no `family`", "it should be " + familyNames());
    for (const ModelFamily& family : modelFamilies())
        if (family.name == name)
            return family.parse(config, subject);
    throw UsageError(subject, "`family` of the model description is not usable", "it should be " + familyNames());
}

const std::vector<NamedModel>& namedModels()
{
    static const std::vector<NamedModel> models = [] {
        std::vector<NamedModel> all;
        for (const ModelFamily& family : modelFamilies())
            for (NamedModel& model : family.models())
                all.push_back(std::move(model));
        return all;
    }();
    return models;
}

const NamedModel* findModel(const std::string& name)
{
    for (const NamedModel& model : namedModels())
        if (model.description->name() == name)
            return &model;
    return nullptr;
}

const std::vector<CatalogueEntry>& catalogue()
{
    static const std::vector<CatalogueEntry> entries = [] {
        std::vector<CatalogueEntry> list;
        for (const NamedModel& model : namedModels())
            list.push_back(entry(model));
        return list;
    }();
    return entries;
}

}  // namespace attnscope
