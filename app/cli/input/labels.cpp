#include "app/cli/input/labels.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/checkpoint/state_dict.h"

#include <algorithm>

namespace attnscope::cli {

namespace {

std::string contentOf(const std::filesystem::path& path, const Limits& limits)
{
    const auto source = openFile(path);
    if (source->size() > limits.jsonBytes)
        throw FileError(path.string(), "it is too long for a list of class names",
                        "give a text file with one name per line, or a JSON list or object");
    std::string text(size_t(source->size()), '\0');
    source->read(0, std::as_writable_bytes(std::span(text)));
    const auto isBinary = [](char c) {
        return c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f';
    };
    if (std::ranges::any_of(text, isBinary))
        throw FileError(path.string(), "it contains binary data instead of a list of class names",
                        "give a text file with one name per line, or a JSON list or object");
    return text;
}

class LabelList {
public:
    LabelList(std::string path, int64_t classes, Synsets synsets)
        : m_path(std::move(path))
        , m_synsets(synsets)
        , m_labels(size_t(classes))
        , m_named(m_labels.size())
    {}

    void set(int64_t index, const Json& name)
    {
        // ["n01440764", "tench"]: the last is the one for people.
        const Json& last = name.is_array() && !name.empty() ? name.back() : name;
        const bool hasKey = m_synsets == Synsets::Kept && name.is_array() && name.size() == 2
                            && name[0].is_string() && last.is_string();
        const Json& text = hasKey ? Json(name[0].get<std::string>() + " " + last.get<std::string>()) : last;
        if (!text.is_string())
            throw FileError(m_path, "class " + std::to_string(index) + " has a name that is not text");
        if (index < 0 || index >= int64_t(m_labels.size()))
            throw FileError(m_path, "it names a class " + std::to_string(index),
                            "the model has " + counted(std::ssize(m_labels), "class", "classes"));
        const auto place = size_t(index);
        if (m_named[place])
            throw FileError(m_path, "it names class " + std::to_string(index) + " twice");
        m_named[place] = true;
        m_labels[place] = printable(text.get<std::string>());
        ++m_count;
    }

    std::vector<std::string> finished()
    {
        if (m_count != m_labels.size())
            throw FileError(m_path, "it has " + std::to_string(m_count) + " class names",
                            "the model has " + counted(std::ssize(m_labels), "class", "classes"));
        return std::move(m_labels);
    }

private:
    std::string m_path;
    Synsets m_synsets;
    std::vector<std::string> m_labels;
    std::vector<bool> m_named;
    size_t m_count = 0;
};

void readLines(const std::string& text, LabelList& list)
{
    int64_t index = 0;
    auto lines = split(text, '\n');
    while (!lines.empty() && trim(lines.back()).empty())
        lines.pop_back();
    for (const std::string_view line : lines)
        list.set(index++, Json(std::string(trim(line))));
}

void readObject(const Json& object, const std::string& path, LabelList& list)
{
    for (const auto& [key, value] : object.items()) {
        if (value.is_number_integer())  // {"tench": 0}
            list.set(value.get<int64_t>(), Json(key));
        else if (const auto index = parseNumber<int64_t>(key))
            list.set(*index, value);
        else
            throw FileError(path, "`" + printable(key) + "` is not a class number");
    }
}

}

std::vector<std::string> readLabels(const std::filesystem::path& path, int64_t classes, const Limits& limits,
                                    Synsets synsets)
{
    const std::string text = contentOf(path, limits);
    LabelList list(path.string(), classes, synsets);
    const std::string_view trimmed = trim(text);
    if (trimmed.empty() || (trimmed.front() != '[' && trimmed.front() != '{')) {
        readLines(text, list);
        return list.finished();
    }
    const Json json = jsonFromText(text);
    if (json.is_discarded())
        throw FileError(path.string(), "it starts like JSON but is not valid JSON",
                        "give one class name per line, or a JSON list or object");
    if (json.is_object()) {
        readObject(json, path.string(), list);
        return list.finished();
    }
    int64_t index = 0;
    for (const Json& name : json)
        list.set(index++, name);
    return list.finished();
}

void nameClasses(RunReport& report, const std::vector<std::string>& labels)
{
    const auto name = [&](std::vector<Prediction>& top) {
        for (Prediction& prediction : top)
            if (size_t(prediction.index) < labels.size())
                prediction.label = labels[size_t(prediction.index)];
    };
    for (InputRecord& input : report.inputs)
        for (RunRecord& run : input.runs) {
            if (run.weights == WeightsKind::Untrained || run.checkpoint.path != report.model.weightsSource)
                continue;
            name(run.top);
            for (ViewPrediction& view : run.views)
                name(view.top);
        }
}

}
