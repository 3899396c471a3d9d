#include "models/class_embeddings.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace attnscope {

namespace {

constexpr const char* embeddingsForm =
    "give a safetensors file with one tensor (classes, width) and their names under `classes` in its header "
    "(docs/features.md)";

/// The names in a header: a JSON list of texts.
std::vector<std::string> classesIn(const Json& metadata, const std::string& file)
{
    const auto text = metadata.find("classes");
    if (text == metadata.end())
        throw FileError(file, "its header does not name the classes", embeddingsForm);
    const Json list = text->is_string() ? jsonFromText(text->get_ref<const std::string&>()) : Json();
    if (!list.is_array() || !std::ranges::all_of(list, [](const Json& name) { return name.is_string(); }))
        throw FileError(file, "`classes` in its header is not a JSON list of names", embeddingsForm);
    std::vector<std::string> names;
    for (const Json& name : list)
        names.push_back(printable(name.get<std::string>()));
    return names;
}

double scaleIn(const Json& metadata, const std::string& file, double usual)
{
    const auto text = metadata.find("logit_scale");
    if (text == metadata.end())
        return usual;
    const auto scale = text->is_string() ? parseNumber<double>(text->get<std::string>()) : std::nullopt;
    if (!scale || !(*scale > 0) || !std::isfinite(*scale))
        throw FileError(file, "`logit_scale` in its header is not a positive number",
                        "give what cosines are multiplied by, usually 100");
    return *scale;
}

void checkRows(const ClassEmbeddings& embeddings)
{
    for (size_t row = 0; row < embeddings.classes.size(); ++row) {
        const std::span<const float> values(embeddings.values.data() + row * size_t(embeddings.width),
                                            size_t(embeddings.width));
        const std::string& name = embeddings.classes[row];
        if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
            throw FileError(embeddings.file, "the embedding of class `" + name + "` is not finite",
                            "write the file again");
        if (std::ranges::all_of(values, [](float value) { return value == 0; }))
            throw FileError(embeddings.file,
                            "the embedding of class `" + name + "` has length 0, and no direction",
                            "write the file again");
    }
}

}

ClassEmbeddings readClassEmbeddings(const std::filesystem::path& file, const Limits& limits)
{
    const StateDict state = readSafetensors(openFile(file), limits);
    ClassEmbeddings embeddings{.file = file.string()};
    if (state.tensors.size() != 1)
        throw FileError(embeddings.file,
                        "it has " + counted(std::ssize(state.tensors), "tensor") + " instead of one",
                        embeddingsForm);
    const StoredTensor& tensor = state.tensors.begin()->second;
    if (tensor.shape.size() != 2 || tensor.elements() == 0)
        throw FileError(embeddings.file, "its tensor is not a table of classes and numbers", embeddingsForm);
    embeddings.classes = classesIn(state.metadata, embeddings.file);
    if (std::ssize(embeddings.classes) != tensor.shape[0])
        throw FileError(embeddings.file,
                        "its header has " + counted(std::ssize(embeddings.classes), "name") + " for "
                            + counted(tensor.shape[0], "row") + " of embeddings",
                        "give one name for each row");
    embeddings.scale = scaleIn(state.metadata, embeddings.file, embeddings.scale);
    embeddings.width = tensor.shape[1];
    embeddings.values = tensor.readFloat();
    checkRows(embeddings);
    return embeddings;
}

}
