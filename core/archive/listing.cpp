#include "core/archive/listing.h"

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

constexpr size_t longestName = 4096, longestLabel = 256;
constexpr int64_t largestLabelFile = 65'536;
/// For all names together: what a listing may take of the memory.
constexpr int64_t maximumNameBytes = int64_t{4} << 30;

/// The sample of a webdataset that a file belongs to: its name up to the first dot of the last part.
std::string sampleOf(const std::string& name)
{
    const size_t last = name.rfind('/') + 1;
    return name.substr(0, name.find('.', last));
}

/// "cls" of "00/17.cls"; with several dots all that is behind the first.
std::string_view suffixOf(std::string_view name)
{
    const size_t dot = name.find('.', name.rfind('/') + 1);
    return dot == name.npos ? std::string_view() : name.substr(dot + 1);
}

/// The label in a webdataset's file; empty if it has none.
std::string labelIn(std::string_view suffix, std::string_view text)
{
    if (suffix == "json") {
        const Json json = Json::parse(text, nullptr, false);
        for (const char* key : {"label", "cls", "class"})
            if (json.is_object() && json.contains(key)) {
                const Json& value = json[key];
                return value.is_string()           ? value.get<std::string>()
                       : value.is_number_integer() ? value.dump()
                                                   : "";
            }
        return {};
    }
    const std::string_view label = trim(text);
    // A text may also be a caption.
    const bool isLabel = suffix == "txt" ? parseNumber<int64_t>(label).has_value()
                                         : label.find('\n') == label.npos;
    return isLabel ? std::string(label) : std::string();
}

}

ListingBuilder::ListingBuilder(std::string archive)
    : m_archive(std::move(archive))
{}

void ListingBuilder::refuse(const std::string& problem, const char* remedy) const
{
    throw FileError(m_archive, problem, remedy);
}

std::string ListingBuilder::cleaned(std::string_view name)
{
    m_nameBytes += int64_t(name.size() + sizeof(PackedEntry));
    if (m_nameBytes > maximumNameBytes)
        refuse("the names of its entries take more than 4 GiB", "split it into several archives");
    const auto refuseName = [&](const char* problem) {
        refuse("its entry `" + printable(name.substr(0, 80)) + "` " + problem, "pack the folder again");
    };
    if (name.size() > longestName)
        refuseName("has a name of more than 4,096 bytes");
    if (name.starts_with('/') || name.find('\0') != name.npos)
        refuseName("leads out of the archive");
    std::string clean;
    for (const std::string_view part : split(name, '/')) {
        if (part == "..")
            refuseName("leads out of the archive");
        if (part.empty() || part == ".")
            continue;
        clean += clean.empty() ? "" : "/";
        clean += part;
    }
    return clean;
}

void ListingBuilder::add(const std::string& name, int64_t bytes, const PackedPlace& place)
{
    const auto [number, isNew] = m_numbers.emplace(name, m_listing.entries.size());
    if (!isNew) {  // what tar and unzip leave on the disk is the last one
        leaveOut("duplicate", name);
        m_listing.entries[number->second].bytes = bytes;
        m_listing.places[number->second] = place;
        return;
    }
    m_listing.entries.push_back({name, bytes, {}});
    m_listing.places.push_back(place);
}

void ListingBuilder::addLink(const std::string& name, const std::string& target)
{
    const auto found = m_numbers.find(target);
    if (found == m_numbers.end())
        return leaveOut("not_a_file", name);
    add(name, m_listing.entries[found->second].bytes, PackedPlace(m_listing.places[found->second]));
}

void ListingBuilder::leaveOut(const char* kind, const std::string& name)
{
    m_listing.issues.push_back({kind, name});
}

bool ListingBuilder::isLabel(const std::string& name, int64_t bytes)
{
    const std::string_view suffix = suffixOf(name);
    return bytes <= largestLabelFile && (suffix == "cls" || suffix == "json" || suffix == "txt");
}

void ListingBuilder::addLabel(const std::string& name, std::string_view text)
{
    const std::string label = labelIn(suffixOf(name), text);
    if (label.empty() || label.size() > longestLabel)
        return;
    const auto [known, isNew] = m_labels.emplace(sampleOf(name), label);
    if (!isNew && known->second != label)
        refuse("its sample `" + printable(known->first) + "` has two labels, " + printable(known->second) + " and "
                   + printable(label),
               "keep the right one");
}

ArchiveListing ListingBuilder::finish()
{
    m_numbers.clear();
    if (m_labels.empty())
        return std::move(m_listing);
    std::unordered_map<std::string_view, bool> isSample;
    std::vector<std::string> samples;
    for (const PackedEntry& entry : m_listing.entries)
        samples.push_back(sampleOf(entry.name));
    const auto isPlain = [&](size_t i) { return !isLabel(m_listing.entries[i].name, m_listing.entries[i].bytes); };
    for (size_t i = 0; i < samples.size(); ++i)
        if (isPlain(i))
            isSample[samples[i]] = true;
    // Labels, and the other texts of samples, have done their work.
    size_t kept = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
        if (!isPlain(i) && isSample.contains(samples[i]))
            continue;
        PackedEntry& entry = m_listing.entries[i];
        if (const auto label = m_labels.find(samples[i]); label != m_labels.end() && isPlain(i))
            entry.label = label->second;
        if (kept != i)
            m_listing.entries[kept] = std::move(entry);
        m_listing.places[kept++] = m_listing.places[i];
    }
    m_listing.entries.resize(kept);
    m_listing.places.resize(kept);
    return std::move(m_listing);
}

}
