#include "models/compared_networks.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_parts.h"
#include "core/run/classifier.h"
#include "models/blocks/random_weights.h"
#include "models/labels/model_classes.h"
#include "models/weights/companion_files.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <map>
#include <numeric>
#include <set>

namespace attnscope {

namespace {

/// From 0 on.
size_t placeOf(const std::string& named, const AttentionSpec& spec, const std::vector<std::string>& checkpoints)
{
    if (const auto number = parseNumber<size_t>(named)) {
        if (*number <= checkpoints.size())
            return *number - 1;
        throw UsageError(spec.canonical(),
                         "there is no checkpoint " + std::to_string(*number) + ", only "
                             + std::to_string(checkpoints.size()),
                         "give --weights once more, or a smaller number");
    }
    const auto found = std::ranges::find(checkpoints, named);
    if (found == checkpoints.end())
        throw UsageError(spec.canonical(), "`" + printable(named) + "` is none of the files of --weights",
                         "give --weights " + printable(named) + " too, or the number of one of them");
    return size_t(found - checkpoints.begin());
}

std::vector<int64_t> numbersTo(int64_t count)
{
    std::vector<int64_t> numbers(size_t(std::max<int64_t>(count, 0)));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

/// The SHA-256 of files, each taken once, while networks are opened.
class FileHashes {
public:
    void begin(const std::string& weights)
    {
        if (!untrainedSeed(weights) && !m_hashes.contains(weights))
            m_hashes[weights] = std::async(std::launch::async,
                                           [file = checkpointFile(weights)] { return checkpointHash(file); });
    }
    /// Empty for a file that was not begun with.
    std::string of(const std::string& weights) const
    {
        const auto found = m_hashes.find(weights);
        return found == m_hashes.end() ? std::string() : found->second.get();
    }

private:
    std::map<std::string, std::shared_future<std::string>> m_hashes;
};

ComparedNetwork opened(const ModelRequest& request, FileHashes* hashes, const NetworkOpener& open)
{
    if (hashes != nullptr)
        hashes->begin(request.weights);
    const auto classifier = open(request);
    return {.classifier = classifier,
            .source = {classifier->describe().weightsSource,
                       hashes == nullptr ? std::string() : hashes->of(request.weights)}};
}

std::string kindOfInput(const Classifier& classifier)
{
    return classifier.describe().input.size() == 4 ? "clips" : "images";
}

}

void compareWith(const ComparedNetwork& first, ComparedNetwork& network)
{
    const Classifier &own = *network.classifier, &other = *first.classifier;
    if (own.describe().input.size() != other.describe().input.size()) {
        network.failure = own.describe().name + " takes " + kindOfInput(own) + ", but " + other.describe().name
                          + ", the first network, " + kindOfInput(other);
        network.classifier = nullptr;
        return;
    }
    network.sameClasses = network.checkpoint.empty() ? numbersTo(own.describe().classes)
                                                     : sameClasses(classesOf(other), classesOf(own));
}

std::vector<AttentionSpec> columnsOf(const std::vector<AttentionSpec>& attention,
                                     const std::vector<std::string>& checkpoints, const std::string& dtype)
{
    std::vector<AttentionSpec> columns;
    const auto add = [&](const AttentionSpec& column) {
        if (std::ranges::find(columns, column) == columns.end())
            columns.push_back(column);
    };
    for (const AttentionSpec& spec : attention) {
        const AttentionSpec own = spec.dtype() == dtype ? spec.withDtype("") : spec;
        const size_t named = own.checkpoint().empty() ? 0 : placeOf(own.checkpoint(), spec, checkpoints);
        for (size_t place = 0; place < checkpoints.size(); ++place)
            if (own.checkpoint().empty() || place == named)
                add(own.withCheckpoint(place == 0 ? "" : std::to_string(place + 1)));
    }
    return columns;
}

ModelRequest requestFor(const AttentionSpec& column, const std::vector<ModelRequest>& checkpoints)
{
    ModelRequest request = checkpoints.at(column.checkpoint().empty() ? 0 : std::stoul(column.checkpoint()) - 1);
    if (!column.dtype().empty())
        request.dtype = column.dtype();
    return request;
}

std::vector<ComparedNetwork> openNetworks(const std::vector<ModelRequest>& checkpoints,
                                          const std::vector<AttentionSpec>& columns, bool hashFiles,
                                          const NetworkOpener& open)
{
    FileHashes taken;
    FileHashes* hashes = hashFiles ? &taken : nullptr;
    std::vector<ComparedNetwork> networks{opened(checkpoints.front(), hashes, open)};
    std::set<std::pair<std::string, std::string>> known{{}};
    for (const AttentionSpec& column : columns) {
        if (!known.insert({column.checkpoint(), column.dtype()}).second)
            continue;
        const ModelRequest request = requestFor(column, checkpoints);
        ComparedNetwork network{.source = {.path = request.weights}};
        try {
            network = opened(request, hashes, open);
        } catch (const Error& error) {
            network.failure = error.what();
        }
        network.checkpoint = column.checkpoint();
        network.dtype = column.dtype();
        if (network.classifier != nullptr)
            compareWith(networks.front(), network);
        networks.push_back(std::move(network));
    }
    return networks;
}

std::vector<AttentionSpec> withoutEqualColumns(const std::vector<AttentionSpec>& columns,
                                               const std::vector<ComparedNetwork>& networks)
{
    std::vector<AttentionSpec> different;
    std::set<std::string> seen;
    for (const AttentionSpec& column : columns) {
        const ComparedNetwork* network = networkOf(column, networks);
        std::string meaning = column.canonical();
        if (network != nullptr && network->classifier != nullptr) {
            const ModelSummary& model = network->classifier->describe();
            try {
                meaning = column.inNetwork()
                              .resolved(AttentionSpec::parse(model.nativeAttention), model.layers)
                              .inNetworkOf(column)
                              .canonical();
            } catch (const UsageError&) {  // its own sentence follows where it is run
            }
        }
        if (seen.insert(meaning).second)
            different.push_back(column);
    }
    return different;
}

}
