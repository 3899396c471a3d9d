#include "models/model_family.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>

namespace attnscope {

namespace {

std::string familyNames()
{
    std::vector<std::string> names;
    for (const ModelFamily& family : modelFamilies())
        names.insert(names.end(), family.names.begin(), family.names.end());
    return joinWords(names);
}

}

const ModelFamily* findFamily(const std::string& name)
{
    const auto& families = modelFamilies();
    const auto found = std::ranges::find_if(families, [&](const ModelFamily& family) {
        return std::ranges::find(family.names, name) != family.names.end();
    });
    return found == families.end() ? nullptr : &*found;
}

std::unique_ptr<ModelDescription> parseDescription(const Json& config, const std::string& subject)
{
    if (!config.is_object())
        throw UsageError(subject, "it does not contain a model description",
                         "give an object with family, embed_dim, depth and so on");
    const Json name = config.value("family", Json());
    if (!name.is_string())
        throw UsageError(subject, "the model description has no `family`", "it should be " + familyNames());
    if (const ModelFamily* family = findFamily(name.get<std::string>()))
        return family->parse(config, subject);
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

}
