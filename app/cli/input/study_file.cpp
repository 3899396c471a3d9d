#include "app/cli/input/study_file.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>

namespace attnscope::cli {

namespace {

/// Of one option; of a flag that is set none.
using Values = std::vector<std::string>;
using Options = std::map<std::string, Values>;

class StudyReader {
public:
    explicit StudyReader(const std::filesystem::path& file)
        : m_file(file.string())
    {}

    StudyFile read()
    try {
        const toml::table all = toml::parse_file(m_file);
        StudyFile study;
        study.report = all["report"].value_or(std::string());
        const Options common = optionsOf(all);
        const toml::array* const data = all["data"].as_array();
        if (data == nullptr || data->empty())
            refuse(all, "it has no data set", "begin each with a line [[data]], and name its folder");
        for (const toml::node& node : *data) {
            const toml::table* const table = node.as_table();
            if (table == nullptr)
                refuse(node, "`data` is no table", "begin each data set with a line [[data]]");
            Options options = optionsOf(*table);
            if (options["folder"].size() != 1)
                refuse(node, "this data set has no folder", "add a line folder = \"imagenet/val\"");
            options.insert(common.begin(), common.end());
            addEach(options, study);
        }
        return study;
    } catch (const toml::parse_error& error) {
        refuse(error.source(), std::string(error.description()), "it must be a TOML file");
    }

private:
    [[noreturn]] void refuse(const toml::source_region& where, const std::string& problem,
                             const std::string& right) const
    {
        throw FileError(m_file, fmt::format("line {}: {}", where.begin.line, printable(problem)), right);
    }
    [[noreturn]] void refuse(const toml::node& where, const std::string& problem, const std::string& right) const
    {
        refuse(where.source(), problem, right);
    }

    std::string textOf(const toml::node& node, std::string_view key) const
    {
        if (const auto text = node.value_exact<std::string>())
            return *text;
        if (const auto number = node.value_exact<int64_t>())
            return std::to_string(*number);
        if (const auto number = node.value_exact<double>())
            return fmt::format("{}", *number);
        refuse(node, fmt::format("`{}` is neither a text nor a number", key),
               "give the value that the option takes");
    }

    Options optionsOf(const toml::table& table) const
    {
        Options options;
        for (const auto& [name, node] : table) {
            const std::string key(name.str());
            if (key == "data" || key == "report" || node.value_exact<bool>() == false)
                continue;
            Values& values = options[key];
            if (const toml::array* const list = node.as_array())
                for (const toml::node& each : *list)
                    values.push_back(textOf(each, key));
            else if (!node.is_boolean())
                values.push_back(textOf(node, key));
        }
        return options;
    }

    /// One evaluation for each combination of the values of options that take one.
    static void addEach(Options options, StudyFile& study)
    {
        for (auto& [key, values] : options) {
            if (values.size() < 2 || key == "weights" || key == "attention")
                continue;
            const Values all = std::move(values);
            for (const std::string& one : all) {
                values = {one};
                addEach(options, study);
            }
            return;
        }
        std::vector<std::string> words;
        for (const auto& [key, values] : options) {
            if (values.empty())
                words.push_back("--" + key);
            for (const std::string& value : values)
                if (key != "folder")
                    words.insert(words.end(), {"--" + key, value});
        }
        words.insert(words.begin(), options.at("folder").front());
        study.evaluations.push_back(std::move(words));
    }

    std::string m_file;
};

}

StudyFile readStudy(const std::filesystem::path& file)
{
    if (!std::filesystem::is_regular_file(file))
        throw FileError(file.string(), "does not exist or is not a file",
                        "give a TOML file (docs/evaluate.md#studies)");
    return StudyReader(file).read();
}

}
