#include "core/lab/neighbours/neighbours.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/device/dtype.h"
#include "core/lab/layers/opened_input.h"
#include "core/lab/neighbours/neighbour_classes.h"
#include "core/run/observers.h"
#include "core/run/predictions.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace attnscope {

namespace {

constexpr size_t searchedTogether = 256;  // queries per pass through the datastore
constexpr int64_t shownClasses = 5;
constexpr int64_t defaultShownK = 20;
constexpr double defaultMix = 0.25;  // kNN-LM's command for WikiText-103

bool hasHead(const Classifier& classifier)
{
    return classifier.describe().classes > 0;
}

/// Keeps the tokens behind one block.
class TokensObserver : public StoppableObserver {
public:
    TokensObserver(std::stop_token stop, std::string block)
        : StoppableObserver(std::move(stop))
        , m_block(std::move(block))
    {}
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override
    {
        if (name == m_block)
            m_tokens = value;
    }
    const at::Tensor& tokens() const { return m_tokens; }

private:
    std::string m_block;
    at::Tensor m_tokens;
};

/// Features and logits of a batch, on the CPU; a network without a head puts features out, and has no logits.
Readout readBatch(const Classifier& classifier, PreparedAttention& prepared, const NetworkInput& input,
                  const std::stop_token& stop)
{
    const c10::InferenceMode guard;
    TokensObserver observer(stop, classifier.readableBlocks().back());
    prepared.drawFor(input.samples);
    const at::Tensor output = classifier.logits(input.values, prepared, &observer);
    const Readout readout = hasHead(classifier) ? classifier.readOut(observer.tokens())
                                                : Readout{output, output.slice(-1, 0, 0)};
    return {readout.features.to(at::kCPU, at::kFloat).contiguous(),
            readout.logits.to(at::kCPU, at::kDouble).contiguous()};
}

PreparedAttention prepareFor(const FeatureNetwork& network)
{
    const ModelSummary& model = network.classifier.describe();
    if (network.classifier.readableBlocks().empty())
        throw Unsupported(model.name, "it has no features in front of a head", "choose a model of another family");
    if (!model.classifierHeads.empty())
        throw Unsupported(model.name, "it has two heads, and a neighbour has one label",
                          "choose a model with one head");
    return network.classifier.prepare(network.attention, network.seed);
}

/// Calls `use(place in the batch, sample)` for every sample of the set whose features and logits are finite.
template <typename Use>
void forEachReadout(const FeatureNetwork& network, const LabelledSamples& samples,
                    std::vector<UnreadableInput>& unreadable, const ProgressCallback& progress,
                    const std::stop_token& stop, const Use& use)
{
    PreparedAttention prepared = prepareFor(network);
    int64_t done = 0;
    const int64_t total = std::ssize(samples.data.files);
    while (auto batch = samples.next(stop)) {
        for (const auto& sample : batch->unreadable)
            unreadable.push_back({samples.file(sample.sample).path, sample.reason});
        if (!batch->samples.empty()) {
            const Readout readout = readBatch(network.classifier, prepared, batch->input, stop);
            for (size_t i = 0; i < batch->samples.size(); ++i) {
                const LabelledFile& file = samples.file(batch->samples[i]);
                const Readout row{readout.features[int64_t(i)], readout.logits[int64_t(i)]};
                if (isFinite(row.features) && isFinite(row.logits))
                    use(file, row, batch->input.samples[i]);
                else
                    unreadable.push_back({file.path, "its features are not finite; choose another attention"});
            }
        }
        done += std::ssize(batch->samples) + std::ssize(batch->unreadable);
        progress({"features", done, total});
    }
}

std::vector<std::string> classNames(const LabelledSet& data, const Classifier& classifier)
{
    std::vector<std::string> names = data.classes;
    for (int64_t i = std::ssize(names); i < classifier.describe().classes; ++i)
        names.push_back(std::to_string(i));
    return names;
}

std::vector<double> rowOf(const at::Tensor& values)
{
    const at::Tensor row = values.to(at::kDouble).contiguous();
    return {row.const_data_ptr<double>(), row.const_data_ptr<double>() + row.numel()};
}

std::vector<double> modelProbabilities(const at::Tensor& logits)
{
    return rowOf(logits.to(at::kDouble).softmax(-1));
}

std::vector<Prediction> firstFive(const std::vector<double>& probabilities, const std::vector<std::string>& names)
{
    std::vector<double> values = probabilities;
    const at::Tensor row = at::from_blob(values.data(), {std::ssize(values)}, at::kDouble);
    return topClasses(row, std::min(shownClasses, std::ssize(values)), {std::ssize(values)}, names);
}

std::string textOf(double number)
{
    std::ostringstream text;
    text << number;
    return text.str();
}

/// The store, where it is of this network.
std::shared_ptr<const FeatureStore> required(std::shared_ptr<const FeatureStore> store,
                                             const FeatureNetwork& network)
{
    store->require(featureIdentity(network));
    return store;
}

/// The request, where it can be carried out with so many entries.
NeighbourRequest checked(NeighbourRequest request, int64_t entries, const Classifier& classifier)
{
    if (!hasHead(classifier)) {
        if (std::ranges::any_of(request.mix, [](double mix) { return mix != 1; }))
            throw UsageError("mix",
                             classifier.describe().name + " has no head that neighbours could be mixed with",
                             "give 1 (the neighbours alone), or class embeddings");
        request.mix = {1};
    }
    for (const int64_t k : request.k)
        if (k < 1 || k > entries)
            throw UsageError("k",
                             counted(k, "neighbour") + nounFor(k, " is", " are") + " beyond the datastore of "
                                 + counted(entries, "entry", "entries"),
                             "give 1 to " + std::to_string(entries));
    for (const double mix : request.mix)
        if (!(mix >= 0 && mix <= 1))
            throw UsageError("mix", textOf(mix) + " is not a fraction",
                             "give 0 (the model alone) to 1 (the neighbours alone)");
    if (request.temperature && !(*request.temperature > 0 && std::isfinite(*request.temperature)))
        throw UsageError("temperature", textOf(*request.temperature) + " is out of range",
                         "give a positive number");
    return request;
}

}

FeatureIdentity featureIdentity(const FeatureNetwork& network)
{
    const PreparedAttention prepared = prepareFor(network);
    const ModelSummary& model = network.classifier.describe();
    return {.model = model.name,
            .weightsHash = network.weightsHash,
            .description = network.description,
            .transform = network.classifier.transform().name(),
            .attention = prepared.resolved.canonical(),
            .seed = prepared.deterministic ? "" : std::to_string(prepared.seed),
            .width = model.width};
}

BuiltDatastore buildDatastore(const FeatureNetwork& network, const LabelledSamples& samples,
                              const std::filesystem::path& file, const ProgressCallback& progress,
                              std::stop_token stop)
{
    BuiltDatastore built{.file = file.string()};
    FeatureStoreWriter writer(
        file, {featureIdentity(network), samples.data.root, classNames(samples.data, network.classifier)},
        std::ssize(samples.data.files));
    const auto add = [&](const LabelledFile& sample, const Readout& readout, uint64_t identity) {
        writer.add({.features = {readout.features.const_data_ptr<float>(), size_t(readout.features.numel())},
                    .label = sample.label,
                    .sample = identity,
                    .path = sample.path});
    };
    forEachReadout(network, samples, built.unreadable, orSilent(progress), stop, add);
    writer.commit();
    built.entries = writer.entries();
    built.bytes = int64_t(std::filesystem::file_size(file));
    return built;
}

/// An image behind the network.
struct NeighbourClassifier::ReadImage {
    at::Tensor features;        // (1,C)
    std::vector<double> model;  // probabilities
    std::vector<int64_t> own;   // entries that are this image
};

/// Samples that are searched together.
struct NeighbourClassifier::Queries {
    std::vector<at::Tensor> features;
    std::vector<std::vector<double>> model;
    std::vector<int64_t> labels;
    std::vector<std::vector<int64_t>> own;
};

NeighbourClassifier::NeighbourClassifier(const FeatureNetwork& network, std::shared_ptr<const FeatureStore> store,
                                         NeighbourRequest request)
    : m_network(network)
    , m_store(required(std::move(store), network))
    , m_request(checked(std::move(request), m_store->rows().count, network.classifier))
    , m_temperature(m_request.temperature.value_or(defaultTemperature(m_request.distance)))
    , m_index(m_store->rows())
    , m_prepared(prepareFor(network))
{}

void NeighbourClassifier::count(Queries& queries, NeighbourAccuracy& accuracy, const std::stop_token& stop) const
{
    if (queries.labels.empty())
        return;
    const Queries taken = std::exchange(queries, {});
    const int64_t most = *std::ranges::max_element(accuracy.k);
    const Neighbours found = m_index.nearest(at::stack(taken.features), {most, m_request.distance, taken.own},
                                             stop);
    for (size_t q = 0; q < taken.labels.size(); ++q) {
        const size_t first = q * size_t(most);
        std::vector<int64_t> labels;
        for (size_t i = 0; i < size_t(most); ++i)
            labels.push_back(m_store->labels()[size_t(found.indices[first + i])]);
        auto point = accuracy.points.begin();
        for (const int64_t k : accuracy.k) {
            const auto retrieved = neighbourProbabilities({found.distances.data() + first, size_t(k)}, labels,
                                                          m_temperature, std::ssize(m_store->origin().classes));
            for (const double mix : accuracy.mix)
                (point++)->correct +=
                    firstClass(mixedProbabilities(retrieved, taken.model[q], mix)) == taken.labels[q] ? 1 : 0;
        }
        ++accuracy.samples;
        accuracy.leftOut += taken.own[q].empty() ? 0 : 1;
    }
}

NeighbourAccuracy NeighbourClassifier::accuracy(const LabelledSamples& samples, const ProgressCallback& progress,
                                                std::stop_token stop) const
{
    if (classNames(samples.data, m_network.classifier) != m_store->origin().classes)
        throw FileError(samples.data.root, "its classes are not those of the datastore",
                        "give a folder with the same classes");
    NeighbourAccuracy accuracy{.folder = samples.data.root, .k = m_request.k, .mix = m_request.mix};
    if (accuracy.k.empty())
        accuracy.k = defaultNeighbourCounts(m_store->rows().count);
    for (int i = 0; m_request.mix.empty() && i <= 10; ++i)
        accuracy.mix.push_back(i / 10.0);
    for (const int64_t k : accuracy.k)
        for (const double mix : accuracy.mix)
            accuracy.points.push_back({k, mix});
    Queries queries;
    const auto add = [&](const LabelledFile& sample, const Readout& readout, uint64_t identity) {
        queries.features.push_back(readout.features);
        queries.model.push_back(modelProbabilities(readout.logits));
        queries.labels.push_back(sample.label);
        queries.own.push_back(m_store->entriesOf(identity));
        if (queries.labels.size() == searchedTogether)
            count(queries, accuracy, stop);
    };
    try {
        forEachReadout(m_network, samples, accuracy.unreadable, orSilent(progress), stop, add);
        count(queries, accuracy, stop);
    } catch (const Cancelled&) {
        count(queries, accuracy, {});
        if (accuracy.samples == 0)
            throw;
        accuracy.complete = false;
    }
    return accuracy;
}

int64_t NeighbourClassifier::shownK() const
{
    return m_request.k.empty() ? std::max<int64_t>(std::min(defaultShownK, m_store->rows().count - 1), 1)
                               : m_request.k.front();
}

NeighbourClassifier::ReadImage NeighbourClassifier::readImage(const InputSource& image,
                                                              const std::stop_token& stop) const
{
    const NetworkInput input = openMeasuredView(image, m_network.classifier);
    PreparedAttention prepared = m_prepared;
    const Readout readout = readBatch(m_network.classifier, prepared, input, stop);
    if (!isFinite(readout.features) || !isFinite(readout.logits))
        throw FileError(image.path, "its features are not finite", "choose another attention");
    return {readout.features, modelProbabilities(readout.logits[0]), m_store->entriesOf(input.samples.front())};
}

ImageNeighbours NeighbourClassifier::neighboursOf(const std::string& path, const ReadImage& read,
                                                  const std::stop_token& stop) const
{
    ImageNeighbours shown{.path = path,
                          .k = shownK(),
                          .mix = m_request.mix.empty() ? defaultMix : m_request.mix.front(),
                          .leftOut = std::ssize(read.own)};
    const Neighbours found = m_index.nearest(read.features, {shown.k, m_request.distance, {read.own}}, stop);
    const auto weights = neighbourWeights(found.distances, m_temperature);
    const auto& names = m_store->origin().classes;
    std::vector<int64_t> labels;
    for (size_t i = 0; i < weights.size(); ++i) {
        const int64_t entry = found.indices[i];
        const int64_t label = labels.emplace_back(m_store->labels()[size_t(entry)]);
        shown.neighbours.push_back({.entry = entry,
                                    .path = m_store->path(entry),
                                    .className = names[size_t(label)],
                                    .label = label,
                                    .distance = found.distances[i],
                                    .weight = weights[i]});
    }
    const auto retrieved = neighbourProbabilities(found.distances, labels, m_temperature, std::ssize(names));
    shown.model = firstFive(read.model, names);
    shown.retrieved = firstFive(retrieved, names);
    shown.mixed = firstFive(mixedProbabilities(retrieved, read.model, shown.mix), names);
    return shown;
}

void NeighbourClassifier::neighbours(const std::vector<InputSource>& images, NeighbourReport& report,
                                     std::stop_token stop) const
{
    for (const InputSource& image : images) {
        std::optional<ReadImage> read;
        try {
            read = guardInput(image.path, [&] { return readImage(image, stop); });
        } catch (const Error& error) {
            report.unreadable.push_back({image.path, error.reason()});
        }
        if (read)
            report.images.push_back(neighboursOf(image.path, *read, stop));
    }
}

NeighbourReport NeighbourClassifier::report() const
{
    NeighbourReport report;
    const Classifier& classifier = m_network.classifier;
    report.model.model = classifier.describe();
    report.model.device = summarise(classifier.device().str());
    report.model.environment = environment();
    report.model.dtype = dtypeName(classifier.dtype());
    report.model.seed = m_network.seed;
    report.model.transform = classifier.transform().name();
    report.datastore = m_store->rows().name;
    report.origin = m_store->origin();
    report.entries = m_store->rows().count;
    report.bytes = m_store->bytes();
    report.distance = m_request.distance;
    report.temperature = m_temperature;
    return report;
}

}
