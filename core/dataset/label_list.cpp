// SPDX-License-Identifier: Apache-2.0
#include "core/dataset/label_list.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/dataset/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestLine = 16'384;
constexpr std::uintmax_t largestList = std::uintmax_t{1} << 30;
constexpr std::int64_t mostClasses = 1'000'000;

struct Line {
    std::string path, label;
    std::int64_t number = 0;  ///< of the line, from 1
};

enum class Separator { Blank, Comma, Tab };

std::string_view unquoted(std::string_view field)
{
    field = trim(field);
    if (field.size() >= 2 && (field.front() == '"' || field.front() == '\'') && field.back() == field.front())
        field = field.substr(1, field.size() - 2);
    return field;
}

bool isNumber(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Kinetics' lists are split at blanks although they are named .csv, and their paths may have commas.
Separator separatorOf(std::string_view line)
{
    if (line.find('\t') != std::string_view::npos)
        return Separator::Tab;
    const std::size_t blank = line.find_last_of(' ');
    const bool numberBehindBlank = blank != std::string_view::npos && isNumber(unquoted(line.substr(blank + 1)));
    return line.find(',') != std::string_view::npos && !numberBehindBlank ? Separator::Comma : Separator::Blank;
}

/// Fields of a line; a separator inside double quotes does not separate.
std::vector<std::string> separated(std::string_view line, char separator)
{
    std::vector<std::string> fields;
    std::size_t begin = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"')
            quoted = !quoted;
        if (i < line.size() && (line[i] != separator || quoted))
            continue;
        fields.emplace_back(unquoted(line.substr(begin, i - begin)));
        begin = i + 1;
    }
    return fields;
}

std::vector<std::string> fieldsOf(std::string_view line, Separator separator)
{
    if (separator != Separator::Blank)
        return separated(line, separator == Separator::Tab ? '\t' : ',');
    const std::size_t blank = line.find_last_of(' ');
    if (blank == std::string_view::npos)
        return {std::string(unquoted(line))};
    return {std::string(unquoted(line.substr(0, blank))), std::string(unquoted(line.substr(blank + 1)))};
}

/// Which columns are path and label.
struct Columns {
    std::size_t path = 0, label = 1;
};

std::optional<std::size_t> columnNamed(const std::vector<std::string>& fields, const std::set<std::string>& names)
{
    for (std::size_t i = 0; i < fields.size(); ++i) {
        std::string lower = fields[i];
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
        if (names.count(lower) > 0)
            return i;
    }
    return std::nullopt;
}

std::optional<Columns> headingOf(const std::vector<std::string>& fields)
{
    const auto path = columnNamed(fields, {"path", "file", "filename", "image", "video"});
    const auto label = columnNamed(fields, {"label", "labels", "class", "class_name", "classname"});
    if (!path || !label)
        return std::nullopt;
    return Columns{*path, *label};
}

class ListReader {
public:
    explicit ListReader(const std::string& file)
        : m_file(file)
    {
        std::error_code problem;
        if (!fs::is_regular_file(file, problem))
            throw FileError(file, "is no regular file", "give a text file of lines `path label`");
        if (fs::file_size(file, problem) > largestList)
            throw FileError(file, "is too large for a list", "a list has at most 1 GiB");
        std::ifstream stream(file, std::ios::binary);
        if (!stream)
            throw FileError(file, "cannot be opened for reading");
        for (std::string text; std::getline(stream, text);)
            addLine(text);
        if (stream.bad())
            throw FileError(file, "could not be read to its end");
    }

    const std::vector<Line>& lines() const { return m_lines; }

private:
    [[noreturn]] void refuse(const std::string& problem) const
    {
        throw FileError(m_file, fmt::format("line {}: {}", m_number, problem), "a line is `path label`");
    }

    void addLine(std::string_view text)
    {
        ++m_number;
        if (text.size() > longestLine)
            refuse("longer than 16384 bytes");
        if (text.find('\0') != std::string_view::npos)
            refuse("has a zero byte, so this is no text");
        if (m_number == 1 && text.substr(0, 3) == "\xef\xbb\xbf")
            text.remove_prefix(3);
        text = trim(text);
        if (text.empty() || text.front() == '#')
            return;
        const bool first = !m_separator;
        if (first)
            m_separator = separatorOf(text);
        addFields(fieldsOf(text, *m_separator), first);
    }

    void addFields(const std::vector<std::string>& fields, bool first)
    {
        if (first) {
            if (const auto heading = headingOf(fields)) {
                m_columns = *heading;
                return;
            }
        }
        if (fields.size() <= std::max(m_columns.path, m_columns.label))
            refuse("has no label");
        const Line line{fields[m_columns.path], fields[m_columns.label], m_number};
        if (line.path.empty() || line.label.empty())
            refuse(line.path.empty() ? "the path is empty" : "the label is empty");
        m_lines.push_back(line);
    }

    std::string m_file;
    std::int64_t m_number = 0;
    std::optional<Separator> m_separator;
    Columns m_columns;
    std::vector<Line> m_lines;
};

std::int64_t labelNumber(const std::string& file, const Line& line)
{
    std::int64_t number = -1;
    const auto [end, problem] = std::from_chars(line.label.data(), line.label.data() + line.label.size(), number);
    if (problem != std::errc() || number >= mostClasses)
        throw FileError(file, fmt::format("line {}: label {} is too large", line.number, printable(line.label)),
                        "labels are numbers from 0 to 999999, or names");
    return number;
}

/// Labels of all lines, and the classes they index.
std::vector<std::int64_t> numberLabels(LabelledSet& set, const std::vector<Line>& lines)
{
    std::vector<std::int64_t> labels;
    std::int64_t largest = 0;
    for (const Line& line : lines) {
        labels.push_back(labelNumber(set.root, line));
        largest = std::max(largest, labels.back());
    }
    for (std::int64_t label = 0; label <= largest; ++label)
        set.classes.push_back(std::to_string(label));
    return labels;
}

std::vector<std::int64_t> nameLabels(LabelledSet& set, const std::vector<Line>& lines)
{
    std::map<std::string, std::int64_t> numbers;
    for (const Line& line : lines)
        numbers[line.label] = 0;
    for (auto& [name, number] : numbers) {
        number = std::ssize(set.classes);
        set.classes.push_back(name);
    }
    std::vector<std::int64_t> labels;
    for (const Line& line : lines)
        labels.push_back(numbers[line.label]);
    return labels;
}

std::vector<std::int64_t> labelsOf(LabelledSet& set, const std::vector<Line>& lines)
{
    const bool numbers = isNumber(lines.front().label);
    for (const Line& line : lines)
        if (isNumber(line.label) != numbers)
            throw FileError(set.root,
                            fmt::format("line {}: label {} is {} number, those before are", line.number,
                                        printable(line.label), numbers ? "no" : "a")
                                + (numbers ? "" : " names"),
                            "labels are all numbers or all names");
    return numbers ? numberLabels(set, lines) : nameLabels(set, lines);
}

/// Left-out files of one sort, as a note.
struct LeftOut {
    std::size_t count = 0;
    std::string first;

    void add(const std::string& path)
    {
        if (count++ == 0)
            first = path;
    }
    void noteIn(LabelledSet& set, const char* what) const
    {
        if (count > 0)
            set.notes.push_back(fmt::format("{} {}, the first is {}", count, what, printable(first)));
    }
};

bool leadsOut(const fs::path& folder, const fs::path& path)
{
    const fs::path relative = path.lexically_relative(folder);
    return relative.empty() || *relative.begin() == "..";
}

bool hasMoreVideos(const std::vector<Line>& lines)
{
    std::ptrdiff_t lead = 0;
    for (const Line& line : lines) {
        const FileKind kind = kindBySuffix(line.path);
        lead += kind == FileKind::Video ? 1 : kind == FileKind::Picture ? -1 : 0;
    }
    return lead > 0;
}

}  // namespace

LabelledSet readLabelList(const std::string& file)
{
    LabelledSet set;
    set.root = file;
    set.layout = FolderLayout::List;
    const std::vector<Line> lines = ListReader(file).lines();
    if (lines.empty())
        throw FileError(file, "has no lines", "a line is `path label`");
    const std::vector<std::int64_t> labels = labelsOf(set, lines);
    set.video = hasMoreVideos(lines);
    const FileKind other = set.video ? FileKind::Picture : FileKind::Video;
    const fs::path folder = fs::absolute(file).parent_path().lexically_normal();
    LeftOut missing, irregular, otherKind, outside;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const fs::path path = (folder / lines[i].path).lexically_normal();
        std::error_code problem;
        const fs::file_status status = fs::status(path, problem);
        if (!fs::exists(status)) {
            missing.add(lines[i].path);
        } else if (!fs::is_regular_file(status)) {
            irregular.add(lines[i].path);
        } else if (kindBySuffix(path) == other) {
            otherKind.add(lines[i].path);
        } else {
            if (leadsOut(folder, path))
                outside.add(lines[i].path);
            set.files.push_back({path.string(), labels[i]});
        }
    }
    if (set.files.empty())
        throw FileError(file,
                        fmt::format("none of its {} files is there; the first is {}", lines.size(),
                                    printable(lines.front().path)),
                        "paths are relative to the folder of the list");
    missing.noteIn(set, "files are not there and left out");
    irregular.noteIn(set, "entries are no regular files and left out");
    otherKind.noteIn(set, set.video ? "pictures in a list of videos are left out"
                                    : "videos in a list of pictures are left out");
    outside.noteIn(set, "files lie outside the list's folder");
    return set;
}

}  // namespace attnscope
