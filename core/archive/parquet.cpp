#include "core/archive/parquet.h"

#include "core/archive/parquet_pages.h"
#include "core/archive/thrift_compact.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_set>

namespace attnscope {

namespace {

using namespace parquet;
using namespace std::string_view_literals;

constexpr std::array imageColumns{"image"sv, "img"sv, "jpg"sv, "jpeg"sv, "png"sv, "webp"sv, "bytes"sv};
constexpr std::array labelColumns{"label"sv, "labels"sv, "cls"sv, "class"sv, "fine_label"sv};
constexpr std::string_view mark = "PAR1";
constexpr int64_t endBytes = 8;  // the length of the metadata and the mark
constexpr int64_t largestMetadata = int64_t{64} << 20, maxRows = int64_t{1} << 24, keptBytes = int64_t{128} << 20;
constexpr size_t deepestColumn = 16, longestRowName = 255, maxColumns = 10'000;

/// A column of values, in the order of a group's chunks.
struct Column {
    std::string path;  // "image.bytes"
    int64_t type = -1;
    int64_t levels = 0;
    bool repeats = false;
};

std::string_view suffixOfImage(std::string_view image)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kinds{{{"\xff\xd8\xff", ".jpg"},
                                                                                  {"\x89PNG", ".png"},
                                                                                  {"GIF8", ".gif"},
                                                                                  {"RIFF", ".webp"},
                                                                                  {"BM", ".bmp"},
                                                                                  {"II*", ".tif"},
                                                                                  {"MM\0*"sv, ".tif"}}};
    const auto* const kind = std::ranges::find_if(kinds,
                                                  [&](const auto& each) { return image.starts_with(each.first); });
    return kind == kinds.end() ? ""sv : kind->second;
}

class ParquetFile : public Archive {
public:
    explicit ParquetFile(std::shared_ptr<const ByteSource> file)
        : m_file(std::move(file))
    {
        const int64_t end = m_file->size() - endBytes;
        if (end < std::ssize(mark) || !hasMark(0) || !hasMark(end + 4))
            refuse(*m_file, end >= 0 && hasMark(end + 4, "PARE")
                                ? "its metadata are encrypted"
                                : "it does not begin and end as a Parquet table does");
        const auto length = int64_t(
            integerOf(std::span<const uint8_t>(bytesAt(*m_file, end, 4)), std::endian::little));
        if (length > std::min(largestMetadata, end - std::ssize(mark)))
            refuse(*m_file, "its metadata do not fit into it");
        m_dataEnd = end - length;
        const std::vector<uint8_t> bytes = bytesAt(*m_file, m_dataEnd, length);
        std::span<const uint8_t> rest = bytes;
        const auto metadata = readThrift(rest);
        if (!metadata)
            refuse(*m_file, "its metadata are damaged");
        readColumns((*metadata)[2].members);
        readClassNames((*metadata)[5].members);
        for (const ThriftValue& group : (*metadata)[4].members)
            readGroup(group);
        nameEntries();
    }

    std::vector<uint8_t> read(size_t entry) const override
    {
        const int64_t bytes = m_entries[entry].bytes;
        if (bytes == 0)
            refuse(*m_file, "its row " + std::to_string(entry) + " has no image",
                   "give a table whose images are in it");
        if (m_places[entry] > 0)
            return bytesAt(*m_file, m_places[entry], bytes);
        const auto place = std::prev(std::ranges::upper_bound(m_pages, entry, {}, &Located::firstRow));
        const Chunk& chunk = m_chunks[place->chunk];
        std::shared_ptr<const Values> dictionary;
        const std::scoped_lock lock(m_mutex);  // threads that want the same page wait for it
        if (place->dictionary)
            dictionary = kept(chunk, *place->dictionary, nullptr);
        const std::string_view image = kept(chunk, place->page, dictionary)->values[entry - place->firstRow];
        return {image.begin(), image.end()};
    }

private:
    struct Located {
        size_t firstRow = 0;
        size_t chunk = 0;
        Page page;
        std::optional<Page> dictionary;
    };

    bool hasMark(int64_t at, std::string_view expected = mark) const
    {
        const auto bytes = bytesAt(*m_file, at, std::ssize(expected));
        return std::ranges::equal(bytes, expected, {}, {}, [](char letter) { return uint8_t(letter); });
    }

    /// The schema is a tree whose leaves are the columns; each element tells how many of the following are below it.
    void readColumns(const std::vector<ThriftValue>& schema)
    {
        std::vector<Column> columns;
        std::vector<std::pair<int64_t, Column>> open;
        for (const ThriftValue& element : schema) {
            Column column;
            if (!open.empty()) {
                column = open.back().second;
                --open.back().first;
                column.path += (column.path.empty() ? "" : ".")
                               + std::string(element[4].text.substr(0, longestRowName));
                column.levels += element[3].number == 1 ? 1 : 0;
                column.repeats |= element[3].number == 2;
            }
            if (const int64_t below = element[5].number; below > 0) {
                open.emplace_back(below, column);
            } else {
                column.type = element.has(1) ? element[1].number : -1;
                columns.push_back(column);
            }
            while (!open.empty() && open.back().first == 0)
                open.pop_back();
            if (open.empty() || open.size() > deepestColumn || columns.size() > maxColumns)
                break;
        }
        if (!open.empty() || columns.empty())
            refuse(*m_file, "its columns are not described in a way that can be read");
        m_columns = std::move(columns);
        chooseColumns();
    }

    void chooseColumns()
    {
        for (const std::string_view name : imageColumns)
            for (const std::string_view member : {".bytes", ""})
                if (!m_image)
                    m_image = columnOf(std::string(name).append(member));
        if (!m_image || m_columns[*m_image].type != ByteArray) {
            std::vector<std::string> names;
            for (const Column& column : m_columns)
                if (names.size() < 20)
                    names.push_back(printable(column.path));
            refuse(*m_file,
                   "none of its columns (" + joinWords(names, "and") + ") has the bytes of one image a row",
                   "give a table with a column `image`, as the Hub has them");
        }
        if (std::string path = m_columns[*m_image].path; path.ends_with(".bytes"))
            m_path = columnOf(path.replace(path.rfind('.'), std::string::npos, ".path"));
        if (m_path && m_columns[*m_path].type != ByteArray)
            m_path.reset();
        for (const std::string_view name : labelColumns)
            if (!m_label)
                m_label = columnOf(name);
        if (m_label)
            if (const Column& label = m_columns[*m_label];
                label.type != Int32 && label.type != Int64 && label.type != ByteArray)
                refuse(*m_file, "its column " + label.path + " is neither of whole numbers nor of texts",
                       "give a table with one class a row");
    }

    std::optional<size_t> columnOf(std::string_view path) const
    {
        for (const Column& column : m_columns) {
            if (column.repeats && (column.path == path || column.path.starts_with(std::string(path) + ".")))
                refuse(*m_file, "its column " + printable(column.path) + " has a list in every row",
                       "give a table with one image and one class a row");
            if (column.path == path)
                return size_t(&column - m_columns.data());
        }
        return std::nullopt;
    }

    /// The library `datasets` writes its description of the columns as JSON in the metadata.
    void readClassNames(const std::vector<ThriftValue>& pairs)
    {
        for (const ThriftValue& pair : pairs) {
            if (pair[1].text != "huggingface" || !m_label || m_columns[*m_label].type == ByteArray)
                continue;
            const Json json = jsonFromText(pair[2].text);
            const Json::json_pointer place("/info/features/" + m_columns[*m_label].path + "/names");
            if (!json.contains(place))
                continue;
            for (const Json& name : json[place])
                m_classNames.push_back(name.is_string() ? name.get<std::string>() : name.dump());
        }
    }

    Chunk chunkOf(const ThriftValue& group, size_t column) const
    {
        const ThriftValue& stored = group[1].members[column];
        const ThriftValue& described = stored[3];
        if (stored.has(1) || stored.has(8) || stored.has(9))
            refuse(*m_file, "its column " + printable(m_columns[column].path) + " is encrypted or in another file",
                   "save it as one table");
        Chunk chunk{m_columns[column].type, described[4].number, m_columns[column].levels, group[3].number,
                    described[9].number};
        if (const int64_t dictionary = described[11].number; dictionary > 0)
            chunk.begin = std::min(chunk.begin, dictionary);
        const int64_t length = described[7].number;
        if (described[1].number != chunk.type || described[5].number != chunk.rows
            || chunk.begin < std::ssize(mark) || chunk.begin > m_dataEnd || length < 0
            || length > m_dataEnd - chunk.begin)
            refuse(*m_file, "its column " + printable(m_columns[column].path) + " does not fit into it");
        chunk.end = chunk.begin + length;
        return chunk;
    }

    /// Calls `visit(page, dictionary's page, values)` for each page of data.
    template <typename Visit>
    void forEachPage(const Chunk& chunk, const Visit& visit) const
    {
        std::optional<Page> dictionary;
        std::shared_ptr<const Values> dictionaryValues;
        for (const Page& page : pagesOf(*m_file, chunk)) {
            const auto values = valuesOf(*m_file, chunk, page, dictionaryValues);
            if (page.kind == PageKind::Dictionary) {
                dictionary = page;
                dictionaryValues = values;
            } else {
                visit(page, dictionary, *values);
            }
        }
    }

    void readGroup(const ThriftValue& group)
    {
        const size_t first = m_entries.size();
        const int64_t rows = group[3].number;
        // Every image takes a byte, so that a small file cannot claim millions of rows.
        if (group[1].members.size() != m_columns.size() || rows < 0
            || rows > std::min(m_file->size(), maxRows) - int64_t(first))
            refuse(*m_file, "it has a group of " + std::to_string(rows) + " rows, which does not fit into it");
        if (rows == 0)
            return;
        m_chunks.push_back(chunkOf(group, *m_image));
        forEachPage(
            m_chunks.back(), [&](const Page& page, const std::optional<Page>& dictionary, const Values& images) {
                m_pages.push_back({m_entries.size(), m_chunks.size() - 1, page, dictionary});
                const bool isPlain = page.encoding == Plain || !dictionary;
                const Page& holder = isPlain ? page : *dictionary;
                const uint8_t* const begin = (isPlain ? images : *images.dictionary).bytes.data();
                for (const std::string_view image : images.values) {
                    m_entries.push_back({std::string(suffixOfImage(image)), std::ssize(image), {}});
                    const bool isDirect = !holder.isPacked && !image.empty();
                    m_places.push_back(isDirect ? holder.offset + holder.levelBytes
                                                      + (reinterpret_cast<const uint8_t*>(image.data()) - begin)
                                                : 0);
                }
            });
        if (m_label) {
            auto entry = m_entries.begin() + ptrdiff_t(first);
            forEachPage(chunkOf(group, *m_label), [&](const Page&, const auto&, const Values& labels) {
                for (const std::string_view label : labels.values)
                    (entry++)->label = labelText(label);
            });
        }
        if (m_path)
            forEachPage(chunkOf(group, *m_path), [&](const Page&, const auto&, const Values& paths) {
                for (const std::string_view path : paths.values)
                    m_names.emplace_back(path.substr(path.rfind('/') + 1).substr(0, longestRowName + 1));
            });
    }

    std::string labelText(std::string_view value) const
    {
        if (m_columns[*m_label].type == ByteArray) {
            if (value.size() > longestRowName)
                refuse(*m_file, "it has a label of " + std::to_string(value.size()) + " bytes",
                       "give a table with the names of classes");
            return std::string(value);
        }
        const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(value.data()), value.size());
        const uint64_t bits = integerOf(bytes, std::endian::little);
        const int64_t number = bytes.size() == 4 ? int64_t(int32_t(uint32_t(bits))) : int64_t(bits);
        return value.empty() || number < 0 ? "" : std::to_string(number);
    }

    /// The paths' last parts if all rows have different ones, else numbers.
    void nameEntries()
    {
        std::unordered_set<std::string_view> different;
        const bool named = m_path && std::ranges::all_of(m_names, [&](const std::string& name) {
                               return !name.empty() && name.size() <= longestRowName && name != "." && name != ".."
                                      && printable(name) == name && different.insert(name).second;
                           });
        for (size_t i = 0; i < m_entries.size(); ++i)
            m_entries[i].name = named ? std::move(m_names[i]) : fmt::format("{:06}", i) + m_entries[i].name;
        m_names = {};
    }

    /// A page's values, from the last ones that were read if they are among them. With the lock.
    std::shared_ptr<const Values> kept(const Chunk& chunk, const Page& page,
                                       std::shared_ptr<const Values> dictionary) const
    {
        auto found = std::ranges::find(m_kept, page.offset, &Kept::first);
        if (found == m_kept.end())
            found = m_kept.insert(found, {page.offset, valuesOf(*m_file, chunk, page, std::move(dictionary))});
        std::rotate(m_kept.begin(), found, found + 1);
        size_t bytes = 0;
        const auto end = std::ranges::find_if(
            m_kept, [&](const Kept& each) { return (bytes += each.second->bytes.size()) > size_t(keptBytes); });
        auto values = m_kept.front().second;
        m_kept.erase(std::max(end, m_kept.begin() + std::min<ptrdiff_t>(2, std::ssize(m_kept))), m_kept.end());
        return values;
    }

    using Kept = std::pair<int64_t, std::shared_ptr<const Values>>;

    std::shared_ptr<const ByteSource> m_file;
    int64_t m_dataEnd = 0;
    std::vector<Column> m_columns;
    std::optional<size_t> m_image, m_path, m_label;
    std::vector<Chunk> m_chunks;  // of images
    std::vector<Located> m_pages;
    std::vector<int64_t> m_places;  // of each image in the file; 0: in a packed page
    std::vector<std::string> m_names;
    mutable std::mutex m_mutex;
    mutable std::vector<Kept> m_kept;  // by the offset of a page, the last one first
};

}

bool isParquet(const std::filesystem::path& path)
{
    const std::vector<uint8_t> start = firstBytes(path, mark.size());
    return std::ranges::equal(start, mark);
}

std::shared_ptr<const Archive> openParquet(const std::filesystem::path& path)
{
    return openParquet(openFile(path));
}

std::shared_ptr<const Archive> openParquet(std::shared_ptr<const ByteSource> file)
{
    return std::make_shared<ParquetFile>(std::move(file));
}

}
