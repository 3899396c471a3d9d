#include "core/lab/neighbours/feature_store.h"

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/json_path.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors.h"
#include "core/data/preprocess/transform.h"
#include "core/lab/neighbours/feature_fields.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace attnscope {

namespace {

constexpr const char* formatVersion = "1";

template <typename Value>
std::vector<Value> valuesOf(const StateDict& state, const std::string& name, ElementType type)
{
    const StoredTensor& tensor = state.tensors.at(name);
    if (tensor.type != type || tensor.shape.size() != 1)
        throw FileError(tensor.source->name(),
                        "its tensor `" + name + "` is not a list of " + attnscope::toText(type),
                        "build the datastore again");
    const std::vector<std::byte> bytes = tensor.read();
    std::vector<Value> values(bytes.size() / sizeof(Value));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
    return values;
}

[[noreturn]] void refuse(const std::string& name, const std::string& problem)
{
    throw FileError(name, problem, "build the datastore again");
}

FeatureOrigin originOf(const StateDict& state, const std::string& name)
{
    const Json& metadata = state.metadata;
    if (!metadata.is_object() || !metadata.contains("attnscope_features"))
        throw FileError(name, "it is not a datastore of features", "build one from a labelled folder");
    if (metadata.at("attnscope_features") != formatVersion)
        refuse(name, "it is a datastore of another version of this program");
    FeatureOrigin origin;
    try {
        readFields(jsonFromText(metadata.at("identity").get_ref<const std::string&>()), origin.identity);
        origin.folder = pathFromJson(metadata.at("folder").get<std::string>());
        jsonFromText(metadata.at("classes").get_ref<const std::string&>()).get_to(origin.classes);
    } catch (const Json::exception&) {
        refuse(name, "its header is incomplete");
    }
    for (const char* tensor : {"features", "labels", "samples", "paths", "path_ends"})
        if (!state.tensors.contains(tensor))
            refuse(name, std::string("it has no tensor `") + tensor + "`");
    return origin;
}

template <typename Value>
std::span<const std::byte> bytesOf(const std::vector<Value>& values)
{
    return std::as_bytes(std::span(values));
}

}

FeatureStoreWriter::FeatureStoreWriter(const std::filesystem::path& file, FeatureOrigin origin, int64_t maxEntries)
    : m_path(file)
    , m_origin(std::move(origin))
    , m_file(file)
{
    // Any smaller count is no longer: the header is as long as for the largest, and the rows begin at a multiple of 64 bytes.
    const size_t most = header(maxEntries, int64_t{1} << 50).size();
    m_headerBytes = (8 + most + 63) / 64 * 64 - 8;
    const std::string room(8 + m_headerBytes, ' ');
    m_file.write(std::as_bytes(std::span(room)));
}

std::string FeatureStoreWriter::header(int64_t entries, int64_t pathBytes) const
{
    Json json = Json::object();
    json["__metadata__"] = {
        {"attnscope_features", formatVersion},
        {"identity", writeFields(m_origin.identity).dump()},
        {"folder", jsonPath(m_origin.folder)},
        {"classes", Json(m_origin.classes).dump(-1, ' ', false, Json::error_handler_t::replace)}};
    int64_t offset = 0;
    const auto add = [&](const char* name, const char* type, const std::vector<int64_t>& shape, int64_t bytes) {
        json[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {offset, offset + bytes}}};
        offset += bytes;
    };
    const int64_t width = m_origin.identity.width;
    add("features", "F32", {entries, width}, 4 * entries * width);
    add("labels", "I64", {entries}, 8 * entries);
    add("samples", "U64", {entries}, 8 * entries);
    add("path_ends", "I64", {entries}, 8 * entries);
    add("paths", "U8", {pathBytes}, pathBytes);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void FeatureStoreWriter::add(const FeatureEntry& entry)
{
    m_file.write(std::as_bytes(entry.features));
    m_labels.push_back(entry.label);
    m_samples.push_back(entry.sample);
    m_paths += entry.path;
    m_pathEnds.push_back(int64_t(m_paths.size()));
}

void FeatureStoreWriter::commit()
{
    if (m_labels.empty())
        throw FileError(m_origin.folder, "none of its samples could be read", "a datastore needs at least one");
    m_file.write(bytesOf(m_labels));
    m_file.write(bytesOf(m_samples));
    m_file.write(bytesOf(m_pathEnds));
    m_file.write(std::as_bytes(std::span(m_paths)));
    std::string text = header(entries(), int64_t(m_paths.size()));
    text.resize(m_headerBytes, ' ');
    const uint64_t length = m_headerBytes;
    m_file.rewrite(0, std::as_bytes(std::span(&length, 1)));
    m_file.rewrite(8, std::as_bytes(std::span(text)));
    m_file.commit();
}

FeatureStore::FeatureStore(const std::filesystem::path& file)
    : m_name(file.string())
{
    const StateDict state = readSafetensors(openFile(file));
    m_origin = originOf(state, m_name);
    const StoredTensor& features = state.tensors.at("features");
    if (features.type != ElementType::Float32 || features.shape.size() != 2 || features.shape[0] < 1
        || features.shape[1] != m_origin.identity.width || features.shape[1] < 1)
        refuse(m_name, "its features are not rows of " + counted(m_origin.identity.width, "float32 number"));
    m_rows = {nullptr, features.shape[0], features.shape[1], m_name};
    m_labels = valuesOf<int64_t>(state, "labels", ElementType::Int64);
    m_pathEnds = valuesOf<int64_t>(state, "path_ends", ElementType::Int64);
    const auto samples = valuesOf<uint64_t>(state, "samples", ElementType::UInt64);
    const auto paths = valuesOf<char>(state, "paths", ElementType::UInt8);
    m_paths.assign(paths.begin(), paths.end());
    const auto count = size_t(m_rows.count);
    if (m_labels.size() != count || m_pathEnds.size() != count || samples.size() != count)
        refuse(m_name, "its lists are not as long as its features");
    const auto classes = int64_t(m_origin.classes.size());
    if (std::ranges::any_of(m_labels, [&](int64_t label) { return label < 0 || label >= classes; }))
        refuse(m_name, "it has labels without a class");
    if (!std::ranges::is_sorted(m_pathEnds) || m_pathEnds.front() < 0
        || m_pathEnds.back() > int64_t(m_paths.size()))
        refuse(m_name, "its paths are damaged");
    for (size_t i = 0; i < count; ++i)
        m_samples.emplace_back(samples[i], int64_t(i));
    std::ranges::sort(m_samples);
    map(features.storageOffset + 4 * features.firstElement);
}

void FeatureStore::map(int64_t offset)
{
    const FileDescriptor file(::open(m_name.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status = {};
    const int64_t end = offset + 4 * m_rows.count * m_rows.width;  // in the file when its header was read
    if (!file.isOpen() || ::fstat(file.number(), &status) != 0 || status.st_size < end)
        throw FileError(m_name, "it changed while it was opened", "try again");
    if (offset % 4 != 0)
        refuse(m_name, "its features are not aligned");
    void* mapped = ::mmap(nullptr, size_t(end), PROT_READ, MAP_SHARED, file.number(), 0);
    if (mapped == MAP_FAILED)
        throw FileError(m_name, std::string("it cannot be mapped into memory (") + std::strerror(errno) + ")",
                        "raise the limit of virtual memory");
    m_mapped = mapped;
    m_mappedBytes = end;
    m_rows.values = reinterpret_cast<const float*>(static_cast<const char*>(mapped) + offset);
}

FeatureStore::~FeatureStore()
{
    if (m_mapped != nullptr)
        ::munmap(m_mapped, size_t(m_mappedBytes));
}

std::string FeatureStore::path(int64_t entry) const
{
    const auto index = size_t(entry);
    const auto begin = size_t(index == 0 ? 0 : m_pathEnds[index - 1]);
    return m_paths.substr(begin, size_t(m_pathEnds[index]) - begin);
}

std::vector<int64_t> FeatureStore::entriesOf(uint64_t sample) const
{
    std::vector<int64_t> entries;
    for (auto found = std::ranges::lower_bound(m_samples, std::pair(sample, int64_t{0}));
         found != m_samples.end() && found->first == sample; ++found)
        entries.push_back(found->second);
    return entries;
}

void FeatureStore::require(const FeatureIdentity& identity) const
{
    const FeatureIdentity& own = m_origin.identity;
    const auto compare = [&](const char* what, const std::string& stored, const std::string& wanted) {
        if (stored != wanted)
            throw FileError(m_name,
                            std::string("it is a datastore of another ") + what + ", " + printable(stored)
                                + " and not " + printable(wanted),
                            "build one with this model and attention, or give what it was built with");
    };
    compare("model", own.model, identity.model);
    compare("checkpoint", own.weightsHash.substr(0, 8), identity.weightsHash.substr(0, 8));
    compare("checkpoint", own.weightsHash, identity.weightsHash);
    compare("model description", own.description, identity.description);
    if (withoutMean(own.transform) != withoutMean(identity.transform))
        compare("transform", own.transform, identity.transform);
    compare("attention", own.attention, identity.attention);
    compare("seed", own.seed, identity.seed);
    compare("width", std::to_string(own.width), std::to_string(identity.width));
}

}
