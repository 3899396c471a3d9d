#include "core/data/dataset/list_text.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace attnscope {

namespace {

constexpr size_t longestLine = 16'384;
constexpr int64_t maxClassesOfList = 1'000'000;

std::string_view unquoted(std::string_view field)
{
    field = trim(field);
    if (field.size() >= 2 && (field.front() == '"' || field.front() == '\'') && field.back() == field.front())
        field = field.substr(1, field.size() - 2);
    return field;
}

/// Kinetics' lists are separated by blanks although they are named .csv, and their paths may contain commas. A blank behind a comma or
/// semicolon ("a.jpg, 5") separates nothing.
char separatorOf(std::string_view line)
{
    if (line.find('\t') != std::string_view::npos)
        return '\t';
    const size_t blank = line.find_last_of(' ');
    if (blank != std::string_view::npos && isNumber(unquoted(line.substr(blank + 1)))) {
        const std::string_view before = trim(line.substr(0, blank));
        return before.ends_with(',') || before.ends_with(';') ? before.back() : ' ';
    }
    const size_t comma = line.find(','), semicolon = line.find(';');
    return comma == semicolon ? ' ' : comma == std::string_view::npos ? ';' : ',';
}

std::string lower(std::string text)
{
    for (char& c : text)
        if (c >= 'A' && c <= 'Z')
            c = char(c - 'A' + 'a');
    return text;
}

std::optional<size_t> columnNamed(const std::vector<std::string>& fields, const std::set<std::string>& names)
{
    for (size_t i = 0; i < fields.size(); ++i)
        if (names.count(lower(fields[i])) > 0)
            return i;
    return std::nullopt;
}

/// The indices of the columns.
struct Columns {
    size_t path = 0, label = 1;
    std::optional<size_t> split;
};

std::optional<Columns> headingOf(std::vector<std::string> fields)
{
    if (!fields.empty() && fields.front().starts_with('#'))
        fields.front().erase(0, 1);
    const auto path = columnNamed(fields, {"path", "file", "filename", "file_name", "filepath", "file_path",
                                           "image", "image_path", "img_path", "image_id", "imageid", "image_name",
                                           "img", "video", "video_path", "video_name", "video_id"});
    const auto label = columnNamed(fields, {"label", "labels", "class", "class_name", "classname", "class_id",
                                            "class_idx", "classid", "label_id", "label_idx", "category",
                                            "category_id", "target", "synset", "wnid", "y"});
    if (!path || !label)
        return std::nullopt;
    return Columns{*path, *label, columnNamed(fields, {"split", "subset", "partition"})};
}

/// That of a heading, or else the last line's, as the first may be an unknown heading.
char separatorOf(const std::vector<TextLine>& lines)
{
    if (lines.empty())
        return ' ';
    for (const char separator : {'\t', ',', ';'})
        if (headingOf(fieldsOf(lines.front().text, separator)))
            return separator;
    return separatorOf(lines.back().text);
}

std::vector<std::string> separated(std::string_view line, char separator)
{
    if (separator != ' ')
        return fieldsOf(line, separator);
    const size_t blank = line.find_last_of(' ');
    if (blank == std::string_view::npos)
        return {std::string(unquoted(line))};
    return {std::string(unquoted(line.substr(0, blank))), std::string(unquoted(line.substr(blank + 1)))};
}

/// The columns of a list, and whether its first line is their heading: by their names, or because it alone has no number for a label, and no
/// file name before it.
std::pair<Columns, bool> columnsOf(const std::vector<TextLine>& lines, char separator, const std::string& name)
{
    if (lines.empty())
        return {};
    const std::vector<std::string> first = separated(lines.front().text, separator);
    if (const auto heading = headingOf(first))
        return {*heading, true};
    const auto labelIsNumber = [&](const TextLine& line) {
        const std::vector<std::string> fields = separated(line.text, separator);
        return fields.size() > 1 && isNumber(fields[1]);
    };
    Columns columns;
    if (first.size() == 3 && isSplitName(lower(first[2])))
        columns.split = 2;
    const bool couldBeNames = !first.empty() && first.front().find_first_of("./\\") == std::string::npos;
    if (lines.size() < 2 || !couldBeNames || labelIsNumber(lines.front())
        || !std::all_of(lines.begin() + 1, lines.end(), labelIsNumber))
        return {columns, false};
    if (first.size() > 2)
        throw FileError(name,
                        "its first line does not name the columns of paths and labels: "
                            + printable(joined(first, ", ")),
                        "call them path and label");
    return {columns, true};
}

[[noreturn]] void refuseLine(const std::string& name, int64_t number, const std::string& problem,
                             const std::string& right)
{
    throw FileError(name, fmt::format("line {}: {}", number, problem), right);
}

int64_t wholeNumber(std::string_view text, const std::string& name, int64_t line, int64_t most)
{
    const auto number = parseNumber<int64_t>(text, 0, most);
    if (!number)
        refuseLine(name, line,
                   fmt::format("`{}` is not a number from 0 to {}", printable(text.substr(0, 40)), most), "");
    return *number;
}

/// Seconds, which some copies of the list write as 6.0.
int64_t seconds(std::string_view text, const std::string& name, int64_t line)
{
    return wholeNumber(text.substr(0, text.find('.')), name, line, 10'000'000);
}

/// Seconds of "00:12:03.45".
double timestamp(std::string_view text, const std::string& name, int64_t line)
{
    double seconds = 0;
    for (const std::string_view part : split(text, ':')) {
        const auto number = parseNumber<double>(part, 0, 1e5);
        if (!number)
            refuseLine(name, line, "`" + printable(text.substr(0, 40)) + "` is not a time",
                       "times are 00:12:03.45");
        seconds = 60 * seconds + *number;
    }
    return seconds;
}

Json parsedJson(std::string_view text, const std::string& name, const char* right)
{
    Json json = jsonFromText(text);
    if (json.is_discarded())
        throw FileError(name, "is not JSON of the expected form", right);
    return json;
}

std::string withoutBrackets(std::string text)
{
    std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
    return text;
}

/// Of a text or a whole number; empty for anything else.
std::string textOf(const Json& value)
{
    if (value.is_number_integer())
        return std::to_string(value.get<int64_t>());
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::string textAt(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found == object.end() ? std::string() : textOf(*found);
}

}

bool isNumber(std::string_view text)
{
    const size_t point = text.find('.');
    if (point != std::string_view::npos && text.find_first_not_of('0', point + 1) == std::string_view::npos)
        text = text.substr(0, point);
    return isDigits(text.starts_with('-') ? text.substr(1) : text);
}

bool isSplitName(std::string_view name)
{
    constexpr std::array names{"train", "training", "val", "validate", "validation", "valid", "test", "testing"};
    return std::ranges::find(names, name) != names.end();
}

bool isDigits(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool isSynset(std::string_view word)
{
    return word.size() == 9 && word.front() == 'n' && isDigits(word.substr(1));
}

std::vector<TextLine> linesOf(std::string_view text, const std::string& name)
{
    std::vector<TextLine> lines;
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    for (int64_t number = 1; !text.empty(); ++number) {
        const size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.size() > longestLine)
            refuseLine(name, number, "longer than 16384 bytes", "a list is a text file with short lines");
        if (line.find('\0') != std::string_view::npos)
            refuseLine(name, number, "contains a zero byte, so this is not a text file",
                       "a list is a text file with short lines");
        line = trim(line);
        if (!line.empty() && line != "#" && !line.starts_with("# ") && !line.starts_with("#\t"))
            lines.push_back({line, number});
    }
    return lines;
}

std::vector<std::string> fieldsOf(std::string_view line, char separator)
{
    std::vector<std::string> fields;
    size_t begin = 0;
    bool quoted = false;
    for (size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"')
            quoted = !quoted;
        if (i < line.size() && (line[i] != separator || quoted))
            continue;
        fields.emplace_back(unquoted(line.substr(begin, i - begin)));
        begin = i + 1;
    }
    return fields;
}

std::vector<ListedSample> parseLabelList(std::string_view text, const std::string& name)
{
    const char* right = "a line is `path label`";
    std::vector<ListedSample> samples;
    const std::vector<TextLine> lines = linesOf(text, name);
    const char separator = separatorOf(lines);
    const auto [columns, hasHeading] = columnsOf(lines, separator, name);
    for (size_t i = hasHeading ? 1 : 0; i < lines.size(); ++i) {
        const int64_t number = lines[i].number;
        const std::vector<std::string> fields = separated(lines[i].text, separator);
        if (fields.size() <= std::max(columns.path, columns.label))
            refuseLine(name, number, "has no label", right);
        ListedSample sample{fields[columns.path], fields[columns.label], number, {}};
        if (sample.path.empty() || sample.label.empty())
            refuseLine(name, number, sample.path.empty() ? "the path is empty" : "the label is empty", right);
        if (isNumber(sample.label)) {
            sample.label.resize(std::min(sample.label.find('.'), sample.label.size()));  // 121.0
            if (sample.label.starts_with('-'))
                refuseLine(name, number, "the label is " + sample.label,
                           "class numbers start at 0; leave out files without a label");
        }
        if (columns.split && *columns.split < fields.size())
            sample.split = lower(fields[*columns.split]);
        samples.push_back(std::move(sample));
    }
    return samples;
}

std::string KineticsClip::stem() const
{
    return fmt::format("{}_{:06}_{:06}", id, start, end);
}

std::optional<std::vector<KineticsClip>> parseKineticsAnnotation(std::string_view text, const std::string& name)
{
    const std::vector<TextLine> lines = linesOf(text, name);
    if (lines.empty())
        return std::nullopt;
    const auto heading = fieldsOf(lines.front().text, ',');
    const auto label = columnNamed(heading, {"label"}), id = columnNamed(heading, {"youtube_id"});
    const auto start = columnNamed(heading, {"time_start"}), end = columnNamed(heading, {"time_end"}),
               split = columnNamed(heading, {"split"});
    if (!id || !start || !end)
        return std::nullopt;
    if (!label)
        throw FileError(name, "has no column `label`, so there is nothing to compare predictions with",
                        "give the annotation of a split with labels, such as validation");
    std::vector<KineticsClip> clips;
    for (size_t i = 1; i < lines.size(); ++i) {
        const auto fields = fieldsOf(lines[i].text, ',');
        if (fields.size() <= std::max({*label, *id, *start, *end}))
            refuseLine(name, lines[i].number, "has too few columns",
                       "a line is `label,youtube_id,time_start,time_end,split`");
        const KineticsClip clip{fields[*label], fields[*id], seconds(fields[*start], name, lines[i].number),
                                seconds(fields[*end], name, lines[i].number),
                                split && *split < fields.size() ? lower(fields[*split]) : std::string()};
        if (clip.label.empty() || clip.id.empty() || clip.id.find('/') != std::string::npos)
            refuseLine(name, lines[i].number, "has no label or no video",
                       "a line is `label,youtube_id,time_start,time_end,split`");
        clips.push_back(clip);
    }
    return clips;
}

std::vector<KitchenAction> parseKitchenActions(std::string_view text, const std::string& name)
{
    const std::vector<TextLine> lines = linesOf(text, name);
    const auto heading = lines.empty() ? std::vector<std::string>() : fieldsOf(lines.front().text, ',');
    std::vector<size_t> columns;
    for (const char* column :
         {"narration_id", "video_id", "start_timestamp", "stop_timestamp", "verb_class", "noun_class"}) {
        const auto found = columnNamed(heading, {column});
        if (!found)
            throw FileError(
                name, fmt::format("has no column `{}`", column),
                "give an annotation of EPIC-KITCHENS-100 with labels, such as EPIC_100_validation.csv");
        columns.push_back(*found);
    }
    std::vector<KitchenAction> actions;
    for (size_t i = 1; i < lines.size(); ++i) {
        const int64_t line = lines[i].number;
        const auto fields = fieldsOf(lines[i].text, ',');
        if (fields.size() <= std::ranges::max(columns))
            refuseLine(name, line, "has too few columns", "it has as many as the heading");
        const auto field = [&](size_t column) -> const std::string& { return fields[columns[column]]; };
        const KitchenAction action{field(0),
                                   field(1),
                                   timestamp(field(2), name, line),
                                   timestamp(field(3), name, line),
                                   wholeNumber(field(4), name, line, kitchenVerbs - 1),
                                   wholeNumber(field(5), name, line, kitchenNouns - 1)};
        if (action.id.empty() || action.id.find_first_of("/&#") != std::string::npos || action.video.empty())
            refuseLine(name, line, "has no narration or no video", "they are named like P01_11_0 and P01_11");
        if (action.end <= action.start)
            refuseLine(name, line, "ends before it begins", "stop_timestamp is later than start_timestamp");
        actions.push_back(action);
    }
    return actions;
}

std::vector<int64_t> parseGroundTruth(std::string_view text, const std::string& name)
{
    std::vector<int64_t> numbers;
    for (const TextLine& line : linesOf(text, name))
        numbers.push_back(wholeNumber(line.text, name, line.number, maxClassesOfList));
    return numbers;
}

std::map<int64_t, std::string> parseSynsetNumbers(std::string_view text, const std::string& name)
{
    std::map<int64_t, std::string> synsets;
    for (const TextLine& line : linesOf(text, name)) {
        std::vector<std::string_view> words;
        for (const std::string_view tabbed : split(line.text, '\t'))
            for (const std::string_view word : split(tabbed, ' '))
                if (!trim(word).empty())
                    words.push_back(trim(word));
        if (words.size() < 2 || isSynset(words[0]) == isSynset(words[1]))
            refuseLine(name, line.number, "does not consist of a synset and a number",
                       "a line is `n02119789 1 kit_fox`");
        const size_t synset = isSynset(words[0]) ? 0 : 1;
        const int64_t number = wholeNumber(words[1 - synset], name, line.number, maxClassesOfList);
        if (!synsets.emplace(number, words[synset]).second)
            refuseLine(name, line.number, fmt::format("number {} is given twice", number),
                       "each class has one number");
    }
    return synsets;
}

std::map<std::string, std::string> parseKaggleSolution(std::string_view text, const std::string& name)
{
    std::map<std::string, std::string> synsets;
    for (const TextLine& line : linesOf(text, name)) {
        const auto fields = fieldsOf(line.text, ',');
        if (fields.size() >= 2 && fields[0] == "ImageId")
            continue;
        const std::string word = fields.size() < 2 ? std::string() : fields[1].substr(0, fields[1].find(' '));
        if (!isSynset(word))
            refuseLine(name, line.number, "has no synset in its second column",
                       "a line is `ILSVRC2012_val_00048981,n03995372 85 1 499 272`");
        synsets[fields[0]] = word;
    }
    return synsets;
}

std::vector<ListedSample> parseSomethingSplit(std::string_view text, const std::string& name)
{
    const char* right = "it must be a list of objects with `id` and `template`";
    const Json json = parsedJson(text, name, right);
    if (!json.is_array())
        throw FileError(name, "is not a list", right);
    std::vector<ListedSample> samples;
    for (const Json& entry : json) {
        const auto number = std::ssize(samples) + 1;
        if (!entry.is_object())
            throw FileError(name, fmt::format("entry {} is not an object", number), right);
        std::string label = textAt(entry, "template");
        if (label.empty())
            label = textAt(entry, "label");
        const std::string id = textAt(entry, "id");
        const ListedSample sample{id.empty() ? textAt(entry, "vid_name") : id, withoutBrackets(label), number};
        if (sample.path.empty() || sample.label.empty() || sample.path.find('/') != std::string::npos)
            throw FileError(name, fmt::format("entry {} has no `id` or no `template`", number), right);
        samples.push_back(sample);
    }
    return samples;
}

std::vector<std::string> parseSomethingLabels(std::string_view text, const std::string& name)
{
    const char* right =
        "it must be an object from template to number: {\"Approaching something with your camera\": \"0\"}";
    const Json json = parsedJson(text, name, right);
    if (!json.is_object())
        throw FileError(name, "is not an object", right);
    std::vector<std::string> labels(json.size());
    for (const auto& [label, value] : json.items()) {
        const int64_t index = wholeNumber(textOf(value), name, 1, maxClassesOfList);
        if (index >= std::ssize(labels) || !labels[size_t(index)].empty())
            throw FileError(
                name,
                fmt::format("its {} classes are not numbered from 0 to {}", labels.size(), labels.size() - 1),
                right);
        labels[size_t(index)] = label;
    }
    return labels;
}

}
