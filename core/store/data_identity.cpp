#include "core/store/data_identity.h"

#include "core/checkpoint/sha256.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Prefixes the length, so that different lists of texts never give the same bytes.
void appendText(std::string& all, std::string_view text)
{
    all += std::to_string(text.size());
    all += ':';
    all += text;
}

}

std::filesystem::path baseFolder(const std::string& root, FolderLayout layout)
{
    const std::filesystem::path path = std::filesystem::path(root).lexically_normal();
    return layout == FolderLayout::List ? path.parent_path() : path;
}

std::string storedPath(const std::string& path, const std::filesystem::path& base)
{
    const std::string normal = std::filesystem::path(path).lexically_normal().string();
    std::string prefix = base.lexically_normal().string();
    if (!prefix.empty() && prefix.back() != '/')
        prefix += '/';
    if (prefix == "./")
        prefix.clear();
    return normal.starts_with(prefix) ? normal.substr(prefix.size()) : normal;
}

std::string openedPath(const std::string& stored, const std::filesystem::path& base)
{
    return (base / stored).lexically_normal().string();  // an absolute `stored` is kept
}

std::string dataHash(const LabelledSet& data)
{
    const auto base = baseFolder(data.root, data.layout);
    std::string all;
    for (const LabelledFile& file : data.files) {
        appendText(all, storedPath(file.path, base));
        appendText(all, std::to_string(file.label));
        for (const int64_t other : file.otherLabels)
            appendText(all, std::to_string(other));
    }
    return sha256(all);
}

std::string classHash(const LabelledSet& data)
{
    std::string all;
    for (const std::string& name : data.classes)
        appendText(all, name);
    return sha256(all);
}

int64_t samplesOf(const EvaluationSettings& settings, int64_t files)
{
    const int64_t total = settings.limit > 0 ? std::min(settings.limit, files) : files;
    const int64_t batch = std::max<int64_t>(1, settings.batch), count = std::max<int64_t>(1, settings.shard.count);
    const int64_t batches = (total + batch - 1) / batch;
    const int64_t mine = std::max<int64_t>(0, (batches - (settings.shard.index - 1) + count - 1) / count);
    const bool hasLast = (batches - 1) % count == settings.shard.index - 1;
    return mine * batch - (hasLast ? batches * batch - total : 0);
}

}
