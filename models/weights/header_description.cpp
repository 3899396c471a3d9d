#include "models/weights/header_description.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

#include <array>
#include <cmath>

namespace attnscope {

namespace {

/// The entry as JSON, null if it is invalid.
Json entry(const StateDict& state, const char* key)
{
    const Json text = state.metadata.is_object() ? state.metadata.value(key, Json()) : Json();
    if (!text.is_string())
        return nullptr;
    Json json = jsonFromText(text.get_ref<const std::string&>());
    if (json.is_discarded())
        json = nullptr;
    return json;
}

std::vector<std::string> texts(const Json& list)
{
    std::vector<std::string> all;
    for (const Json& item : list) {
        if (!item.is_string())
            return {};
        all.push_back(printable(item.get<std::string>()));
    }
    return all;
}

std::string dumped(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// As written in code: 0.485, not the double nearest to its float.
Json rounded(const std::array<float, 3>& values)
{
    return jsonList(values, [&](const float value) { return std::round(double(value) * 1e6) / 1e6; });
}

}

Json preprocessingJson(const Transform& transform)
{
    return {{"resize", transform.resize},
            {"crop", {transform.cropHeight, transform.cropWidth}},
            {"interpolation", toText(transform.filter)},
            {"squash", transform.fit == ResizeFit::Squash},
            {"mean", rounded(transform.mean)},
            {"std", rounded(transform.stddev)},
            {"text", transform.name()}};
}

std::optional<HeaderDescription> readHeaderDescription(const StateDict& state)
{
    HeaderDescription header;
    header.model = entry(state, "model");
    if (state.container != "safetensors" || !header.model.is_object())
        return std::nullopt;
    if (const Json labels = entry(state, "labels"); labels.is_array())
        header.labels = texts(labels);
    if (Json preprocessing = entry(state, "preprocessing"); preprocessing.is_object())
        header.preprocessing = std::move(preprocessing);
    if (Json provenance = entry(state, "provenance"); provenance.is_object())
        header.provenance = std::move(provenance);
    return header;
}

std::map<std::string, std::string> headerMetadata(const HeaderDescription& description)
{
    std::map<std::string, std::string> metadata{{"format", "pt"}, {"model", dumped(description.model)}};
    if (!description.labels.empty())
        metadata["labels"] = dumped(description.labels);
    if (!description.preprocessing.empty())
        metadata["preprocessing"] = dumped(description.preprocessing);
    if (!description.provenance.empty())
        metadata["provenance"] = dumped(description.provenance);
    return metadata;
}

}
