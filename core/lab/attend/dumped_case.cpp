#include "core/lab/attend/dumped_case.h"

#include "core/attention/backend_info.h"
#include "core/attention/recorded_options.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace attnscope {

namespace {

/// Safetensors headers contain strings: a nested object is JSON in a string.
Json parsed(const Json& value, const std::string& key, const std::string& file)
{
    if (!value.is_string())
        return value;
    Json result = jsonFromText(value.get_ref<const std::string&>());
    if (result.is_discarded())
        throw FileError(file, "`" + key + "` in its header is not JSON",
                        "write an object there, as the golden files do");
    return result;
}

std::string textOf(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// A number, or its text as in safetensors headers.
double float32DifferenceOf(const Json& value, const std::string& file)
{
    const std::optional<double> number = value.is_number() ? value.get<double>()
                                         : value.is_string()
                                             ? parseNumber<double>(trim(value.get_ref<const std::string&>()))
                                             : std::nullopt;
    if (!number || !std::isfinite(*number))
        throw FileError(file, "`float32_max_abs_diff` in its header is not a finite number");
    return std::max(0.0, *number);
}

/// "eps_ra as eps": the name in the file, then ours.
std::map<std::string, std::string> inputsOf(const Json& list)
{
    std::map<std::string, std::string> inputs;
    for (const Json& entry : list) {
        if (!entry.is_string())
            continue;
        const std::string text = entry.get<std::string>();
        const size_t as = text.find(" as ");
        const std::string ours = as == std::string::npos ? text : text.substr(as + 4);
        inputs[ours] = text.substr(0, as);
    }
    return inputs;
}

DumpedCase caseOf(const Json& object, const std::string& file)
{
    DumpedCase result;
    result.backend = textOf(object, "backend");
    if (const auto options = object.find("options"); options != object.end())
        result.options = parsed(*options, "options", file);
    if (!result.options.is_object())
        throw FileError(file, "`options` in its header is not a JSON object", "write one, as the golden files do");
    if (const auto difference = object.find("float32_max_abs_diff");
        difference != object.end() && !difference->is_null())
        result.float32Difference = float32DifferenceOf(*difference, file);
    return result;
}

std::vector<DumpedCase> groupCases(const Json& metadata, const std::string& file)
{
    const Json list = parsed(metadata.at("cases"), "cases", file);
    if (!list.is_array() || list.empty())
        throw FileError(file, "`cases` in its header is not a list of cases");
    std::vector<DumpedCase> cases;
    for (const Json& entry : list) {
        if (!entry.is_object())
            throw FileError(file, "`cases` in its header contains something that is not an object");
        DumpedCase one = caseOf(entry, file);
        one.name = textOf(entry, "name");
        one.output = textOf(entry, "output");
        if (const auto inputs = entry.find("inputs"); inputs != entry.end() && inputs->is_array())
            one.inputs = inputsOf(*inputs);
        if (one.backend.empty() || one.output.empty())
            throw FileError(file, "a case in its header lacks `backend` or `output`");
        cases.push_back(std::move(one));
    }
    return cases;
}

int64_t wholeNumber(const Json& value, const std::string& key, const std::string& file)
{
    constexpr int64_t largest = 1 << 24;
    if (!value.is_number_integer() || value.get<int64_t>() < 1 || value.get<int64_t>() > largest)
        throw FileError(file, "`" + printable(key) + "` in its header is not a positive whole number");
    return value.get<int64_t>();
}

int64_t integerOr(const Json& options, const std::string& key, int64_t otherwise, const std::string& file)
{
    const auto found = options.find(key);
    return found == options.end() ? otherwise : wholeNumber(*found, key, file);
}

/// Keys about shapes and origin, which are not part of a specification.
bool isDescriptive(const std::string& key)
{
    constexpr std::array<const char*, 14> keys{"grid",
                                               "frames",
                                               "tokens_per_frame",
                                               "heads",
                                               "dense",
                                               "order",
                                               "prefix",
                                               "feature_eps",
                                               "eps_inside_ratio",
                                               "denominator_floor",
                                               "sr_ratio",
                                               "mask_value",
                                               "key_grid",
                                               "key_prefix"};
    return std::ranges::find(keys, key) != keys.end();
}

std::string noiseName(double stddev, int64_t width, const std::string& file)
{
    const double library = std::pow(double(width), -0.25);
    const auto near = [&](double value) { return std::abs(stddev - value) < 1e-4; };
    if (stddev == 0)
        return "none";
    if (near(1))
        return "unit";
    if (near(library))
        return "library";
    throw FileError(file, "`noise_std` in its header is " + toText(OptionValue(stddev)),
                    "0 (none), 1 (unit) and " + toText(OptionValue(library)) + " (library, D^-¼) can be run");
}

std::string valueText(const Json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>() ? "true" : "false";
    if (value.is_number_integer())
        return std::to_string(value.get<int64_t>());
    return value.is_number() ? toText(OptionValue(value.get<double>())) : value.dump();
}

class Translation {
public:
    Translation(const DumpedCase& described, const DumpedSizes& sizes, const std::string& file)
        : m_case(described)
        , m_sizes(sizes)
        , m_file(file)
        , m_info(*findBackend(described.backend))
    {}

    TranslatedOptions run()
    {
        for (const auto& [key, value] : m_case.options.items())
            take(key, value);
        if (m_info.readRecorded != nullptr)
            readRecorded();
        else if (m_sizes.features > 0 && hasOption("samples"))
            set("samples", std::to_string(m_sizes.features), Overwrite::No);
        return {parse(), m_notes};
    }

private:
    enum class Overwrite { Yes, No };

    bool hasOption(const std::string& name) const { return findOption(m_info, name) != nullptr; }

    void readRecorded()
    {
        const auto number = [this](const std::string& key) {
            return wholeNumber(m_case.options.at(key), key, m_file);
        };
        RecordedOptions recorded{m_case.options,  m_file, m_sizes.landmarks,
                                 m_sizes.epsRows, number, std::move(m_values)};
        m_info.readRecorded(recorded);
        m_values = std::move(recorded.values);
    }

    void set(const std::string& name, std::string value, Overwrite overwrite = Overwrite::Yes)
    {
        if (overwrite == Overwrite::No)
            m_values.emplace(name, std::move(value));
        else
            m_values[name] = std::move(value);
    }

    void take(const std::string& key, const Json& value)
    {
        if (isDescriptive(key) && !hasOption(key))
            return;
        if (key == "noise_std" && value.is_number())
            set("noise", noiseName(value.get<double>(), m_sizes.width, m_file));
        else if (key == "noise_std_unscaled" && value.is_number())
            set("noise",
                noiseName(value.get<double>() * std::pow(double(m_sizes.width), -0.25), m_sizes.width, m_file));
        else if (std::ranges::count(m_info.recordedOptions, key) > 0)
            return;  // see readRecorded
        else if (hasOption("samples") && (key == "projected" || (key == "landmarks" && value.is_number_integer())))
            set("samples", valueText(value));
        else if (hasOption(key))
            set(key, valueText(value));
        else
            m_notes.push_back(std::string("`")
                                  .append(printable(key))
                                  .append("` in the file's header has no meaning here and was ignored"));
    }

    AttentionSpec parse() const
    {
        std::string text = m_case.backend;
        char separator = ':';
        for (const auto& [name, value] : m_values) {
            text += separator + name + "=" + value;
            separator = ',';
        }
        try {
            return AttentionSpec::parse(text);
        } catch (const UsageError& error) {
            throw FileError(m_file, "its header requests an unknown attention: " + error.reason());
        }
    }

    const DumpedCase& m_case;
    const DumpedSizes& m_sizes;
    const std::string& m_file;
    const BackendInfo& m_info;
    std::map<std::string, std::string> m_values;
    std::vector<std::string> m_notes;
};

}

std::vector<DumpedCase> dumpedCases(const Json& metadata, const std::string& file)
{
    if (!metadata.is_object())
        return {};
    if (metadata.contains("cases"))
        return groupCases(metadata, file);
    DumpedCase one = caseOf(metadata, file);
    one.name = textOf(metadata, "case");
    if (one.name.empty())
        one.name = std::filesystem::path(file).stem().string();
    if (one.backend.empty() && one.options.empty())
        return {};
    return {one};
}

DumpedLayout dumpedLayout(const DumpedCase& described, const std::string& file)
{
    const Json& options = described.options;
    const auto gridOf = [&](const char* key) -> std::optional<TokenGrid> {
        const auto grid = options.find(key);
        if (grid == options.end())
            return {};
        if (!grid->is_array() || grid->size() != 2)
            throw FileError(file, std::string("`") + key + "` in its header is not [rows, columns]");
        return TokenGrid{wholeNumber((*grid)[0], key, file), wholeNumber((*grid)[1], key, file)};
    };
    const auto prefixOf = [&](const char* key) -> std::optional<int64_t> {
        const auto prefix = options.find(key);
        if (prefix == options.end())
            return {};
        return *prefix == 0 ? 0 : wholeNumber(*prefix, key, file);
    };
    return {.grid = gridOf("grid"),
            .frames = integerOr(options, "frames", 1, file),
            .prefix = prefixOf("prefix"),
            .keyGrid = gridOf("key_grid"),
            .keyPrefix = prefixOf("key_prefix").value_or(0)};
}

TranslatedOptions translateOptions(const DumpedCase& described, const DumpedSizes& sizes, const std::string& file)
{
    return Translation(described, sizes, file).run();
}

}
