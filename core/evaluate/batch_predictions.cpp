#include "core/evaluate/batch_predictions.h"

#include "core/base/error.h"
#include "core/data/loading/packed_image.h"
#include "core/evaluate/sample_predictions.h"
#include "core/run/predictions.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

namespace attnscope {

std::span<const double> rowOf(const at::Tensor& rows, int64_t row)
{
    const auto classes = size_t(rows.size(1));
    return {rows.const_data_ptr<double>() + size_t(row) * classes, classes};
}

namespace {

using Clock = std::chrono::steady_clock;

SamplePrediction predicted(const BatchPlan& plan, int64_t sample, std::span<const double> scores,
                           std::span<const double> probabilities)
{
    const LabelledSet& data = *plan.reading.data;
    const LabelledFile& file = data.files[size_t(sample)];
    return predictionOf(scores, probabilities, file.label, file.otherLabels, data.choices);
}

/// Softmax over the classes among which predictions are made; the others get 0.
at::Tensor probabilitiesAmong(const at::Tensor& logits, const BatchPlan& plan)
{
    const auto& [choices, heads] = std::tie(plan.reading.data->choices, plan.reading.data->heads);
    if (choices.empty())
        return probabilitiesOf(logits, heads.empty() ? std::vector{plan.classes} : heads);
    const at::Tensor places = at::tensor(choices, at::kLong);
    const at::Tensor among = probabilitiesOf(logits.index_select(-1, places), {std::ssize(choices)});
    return at::zeros(logits.sizes(), among.options()).index_copy(-1, places, among);
}

/// The mean of views; of two heads the products of their probabilities, for each pair of classes.
at::Tensor meanOf(const ViewMean& views, const std::vector<int64_t>& heads)
{
    const at::Tensor mean = views.mean();
    return (heads.empty() ? mean : at::outer(mean.slice(0, 0, heads[0]), mean.slice(0, heads[0])).flatten())
        .contiguous();
}

class ImagePredictions : public BatchPredictions {
public:
    ImagePredictions(const std::vector<BatchPlan>& plans, NetworkRuns& runs, const ImageResizer& resize,
                     std::shared_ptr<DeviceQueue> queue)
        : BatchPredictions(plans, runs)
        , m_crops(differentCrops(plans))
        , m_resize(m_crops.size() == 1 && !plans.front().reading.cache ? resize : ImageResizer())
        , m_queue(std::move(queue))
        , m_loader(loaderPlan())
    {}

    ReaderLoad load() const override { return m_loader.load(); }

    void append(const std::vector<int64_t>& batches) override
    {
        for (const int64_t number : batches)
            m_loader.append(addToPlan(number));
    }

    FinishedBatch next(const std::stop_token& stop) override
    {
        Flight flight = m_flight ? std::move(*m_flight) : start(stop);
        m_flight.reset();
        if (m_queue->isAsynchronous() && m_index < m_plans.front().batches.size())
            m_flight = start(stop);
        predict(flight);
        m_loader.reuse(std::move(flight.loaded.input));
        takeSeconds(flight.batch);
        return std::move(flight.batch);
    }

private:
    using Loader = BatchLoaderOf<uint8_t>;

    /// A batch whose passes have been started.
    struct Flight {
        LoadedBatchOf<uint8_t> loaded;
        FinishedBatch batch;
        std::vector<std::function<std::optional<at::Tensor>()>> logits;  // of each run; none without samples
    };

    Flight start(const std::stop_token& stop)
    {
        const auto waiting = Clock::now();
        LoadedBatchOf<uint8_t> loaded = *m_loader.next(stop);
        m_waited += secondsSince(waiting);
        Flight flight{std::move(loaded), begin(), {}};
        flight.batch.samples = flight.loaded.samples;
        for (auto& sample : flight.loaded.unreadable)
            flight.batch.unreadable.push_back({sample.sample, std::move(sample.reason)});
        if (!flight.batch.samples.empty())
            startPasses(flight, stop);
        return flight;
    }

    static bool sameCrop(const ReadingRequest& a, const ReadingRequest& b)
    {
        return cropDescription(a) == cropDescription(b);
    }

    static std::vector<ReadingRequest> differentCrops(const std::vector<BatchPlan>& plans)
    {
        std::vector<ReadingRequest> crops;
        for (const BatchPlan& plan : plans)
            if (std::ranges::none_of(crops, [&](const auto& crop) { return sameCrop(crop, plan.reading); }))
                crops.push_back(plan.reading);
        return crops;
    }

    Loader::Plan loaderPlan() const
    {
        const BatchPlan& plan = m_plans.front();
        const at::Device device = m_runs.classifier(0).device();
        Loader::Plan loader;
        for (const int64_t number : plan.batches)
            loader.batches.push_back(plan.samplesOf(number));
        loader.isOpen = true;
        loader.workers = plan.workers;
        loader.makeWriter = m_resize ? packedWriters(m_crops.front()) : pixelWriters(m_crops);
        loader.room = m_resize ? packedRoom(m_crops.front().views.transform) : 0;
        if (m_resize || (device.is_cuda() && m_crops.size() == 1))
            loader.memory = pinnedMemory(device);
        loader.gaps = Gaps::Keep;
        return loader;
    }

    /// The crops (B,H,W,3) that `reading` gives; `input` itself if there are no others.
    ByteArray& cropsOf(ByteArray& input, const ReadingRequest& reading)
    {
        if (m_crops.size() == 1)
            return input;
        const int64_t samples = input.shape.front(), step = input.shape.back();
        int64_t begin = 0, bytes = 0;
        for (const ReadingRequest& crop : m_crops) {
            const Transform& transform = crop.views.transform;
            begin += bytes;
            bytes = 3 * transform.cropHeight * transform.cropWidth;
            m_own.shape = {samples, transform.cropHeight, transform.cropWidth, 3};
            if (sameCrop(crop, reading))
                break;
        }
        m_own.values.resize(size_t(samples * bytes));
        for (int64_t sample = 0; sample < samples; ++sample)
            std::copy_n(input.values.begin() + sample * step + begin, bytes,
                        m_own.values.begin() + sample * bytes);
        return m_own;
    }

    /// Of the next network. `crops`: those that the device has made for the network before.
    NetworkInput inputOf(LoadedBatchOf<uint8_t>& loaded, size_t run, at::Tensor& crops)
    {
        const Classifier& network = m_runs.classifier(run);
        if (m_resize) {
            if (!crops.defined())
                crops = m_queue->upload([&] {
                    return deviceCrops(loaded, m_crops.front().views.transform, network.device(), m_resize);
                });
            // Random attentions need a copy of them on the CPU.
            const bool isRandom = m_runs.isRandom(m_runs.networkOf(run));
            return pixelInput(network, crops, isRandom ? sampleIdentities(crops) : std::vector<uint64_t>());
        }
        ByteArray& own = cropsOf(loaded.input, planOf(run).reading);
        const at::Tensor pixels = at::from_blob(loaded.memory ? loaded.memory.get() : own.values.data(), own.shape,
                                                at::kByte);
        return pixelInput(network, m_queue->upload([&] { return onDevice(pixels, network.device()); }),
                          sampleIdentities(pixels));
    }

    void startPasses(Flight& flight, const std::stop_token& stop)
    {
        NetworkInput input;
        at::Tensor crops;
        for (size_t run = 0; run < m_runs.count(); ++run) {
            if (m_runs.isFirst(run))
                input = inputOf(flight.loaded, run, crops);
            flight.logits.push_back(m_runs.start(run, input, stop, *m_queue));
        }
    }

    void predict(Flight& flight)
    {
        const LoadedBatchOf<uint8_t>& loaded = flight.loaded;
        FinishedBatch& batch = flight.batch;
        for (size_t run = 0; run < flight.logits.size(); ++run) {
            const BatchPlan& plan = planOf(run);
            const auto logits = flight.logits[run]();
            if (!logits)
                continue;
            const at::Tensor scores = logits->to(at::kDouble).contiguous();
            const at::Tensor probabilities = probabilitiesAmong(scores, plan).contiguous();
            for (size_t i = 0; i < loaded.samples.size(); ++i) {
                const int64_t row = loaded.places[i];
                const SamplePrediction prediction = predicted(plan, loaded.samples[i], rowOf(scores, row),
                                                              rowOf(probabilities, row));
                if (!isPrediction(prediction))
                    m_runs.noteNotFinite(run);
                batch.predictions[run].push_back(prediction);
                if (plan.keepsLogits) {
                    const std::span<const double> logitsOfRow = rowOf(scores, row);
                    batch.logits[run].emplace_back(logitsOfRow.begin(), logitsOfRow.end());
                }
            }
        }
    }

    std::vector<ReadingRequest> m_crops;
    ImageResizer m_resize;  // empty: the CPU makes the crops
    std::shared_ptr<DeviceQueue> m_queue;
    std::optional<Flight> m_flight;  // the next batch
    ByteArray m_own;                 // of a network
    Loader m_loader;
};

class VideoPredictions : public BatchPredictions {
public:
    VideoPredictions(const std::vector<BatchPlan>& plans, NetworkRuns& runs, int64_t viewsAtOnce)
        : BatchPredictions(plans, runs)
        , m_atOnce(size_t(viewsAtOnce))
        , m_loader(loaderPlan(plans.front(), viewsAtOnce))
    {}

    ReaderLoad load() const override { return m_loader.load(); }

    void append(const std::vector<int64_t>& batches) override
    {
        for (const int64_t number : batches)
            m_loader.append(addToPlan(number));
    }

    FinishedBatch next(const std::stop_token& stop) override
    {
        FinishedBatch batch = begin();
        for (size_t left = m_plans.front().samplesOf(batch.number).size(); left > 0; --left)
            predictSample(batch, stop);
        takeSeconds(batch);
        for (size_t run = 0; run < m_runs.count(); ++run)
            if (!m_runs.failure(run).empty())  // of samples before it failed
                batch.predictions[run].clear(), batch.logits[run].clear();
        return batch;
    }

private:
    static ViewLoader::Plan loaderPlan(const BatchPlan& plan, int64_t viewsAtOnce)
    {
        ViewLoader::Plan loader;
        for (const int64_t number : plan.batches) {
            const auto samples = plan.samplesOf(number);
            loader.samples.insert(loader.samples.end(), samples.begin(), samples.end());
        }
        loader.isOpen = true;
        loader.workers = plan.workers;
        loader.ahead = std::max<int64_t>(2 * viewsAtOnce, 3);
        loader.makeOpener = videoOpeners(plan.reading);
        return loader;
    }

    LoadedView take(const std::stop_token& stop)
    {
        const auto waiting = Clock::now();
        LoadedView view = *m_loader.next(stop);
        m_waited += secondsSince(waiting);
        return view;
    }

    /// All views of one sample, a few at a time.
    void predictSample(FinishedBatch& batch, const std::stop_token& stop)
    {
        std::vector<ViewMean> means(m_runs.count());
        for (;;) {
            std::vector<LoadedView> views;
            do
                views.push_back(take(stop));
            while (!views.back().last() && views.size() < m_atOnce);
            LoadedView& last = views.back();
            if (!last.reason.empty()) {
                batch.unreadable.push_back({last.sample, std::move(last.reason)});
                return;
            }
            addViews(views, means, stop);
            if (last.last()) {
                if (!last.partial.empty())
                    batch.partial.push_back({last.sample, std::move(last.partial)});
                addPredictions(last.sample, means, batch);
                return;
            }
        }
    }

    static NetworkInput inputOf(const std::vector<LoadedView>& views, const Classifier& classifier)
    {
        NetworkInput input;
        std::vector<at::Tensor> values;
        for (const LoadedView& view : views) {
            const NetworkInput one = networkView(view.input, classifier);
            values.push_back(one.values);
            input.samples.insert(input.samples.end(), one.samples.begin(), one.samples.end());
        }
        input.values = at::cat(values);
        return input;
    }

    void addViews(const std::vector<LoadedView>& views, std::vector<ViewMean>& means, const std::stop_token& stop)
    {
        NetworkInput input;
        for (size_t run = 0; run < m_runs.count(); ++run) {
            if (m_runs.isFirst(run))
                input = inputOf(views, m_runs.classifier(run));
            const auto logits = m_runs.logits(run, input, stop);
            for (int64_t row = 0; logits && row < logits->size(0); ++row) {
                const at::Tensor one = (*logits)[row];
                if (isFinite(one))
                    means[run].add(probabilitiesAmong(one, planOf(run)));
                else
                    means[run].leaveOut();
            }
        }
    }

    /// Logarithms of the mean probabilities, which softmax gives back.
    static std::vector<float> logitsOf(std::span<const double> probabilities)
    {
        std::vector<float> logits(probabilities.size());
        std::ranges::transform(probabilities, logits.begin(), [](double p) { return float(std::log(p)); });
        return logits;
    }

    void addPredictions(int64_t sample, const std::vector<ViewMean>& means, FinishedBatch& batch)
    {
        batch.samples.push_back(sample);
        for (size_t run = 0; run < m_runs.count(); ++run) {
            if (!m_runs.failure(run).empty())
                continue;
            if (means[run].leftOut() > 0)
                m_runs.noteNotFinite(run);
            const BatchPlan& plan = planOf(run);
            const at::Tensor mean = means[run].counted() > 0
                                        ? meanOf(means[run], plan.reading.data->heads)
                                        : at::full({plan.classes}, std::numeric_limits<double>::quiet_NaN(),
                                                   at::kDouble);
            const std::span<const double> row{mean.const_data_ptr<double>(), size_t(plan.classes)};
            if (plan.keepsLogits)
                batch.logits[run].push_back(logitsOf(row));
            batch.predictions[run].push_back(predicted(plan, sample, row, row));
        }
    }

    size_t m_atOnce;
    ViewLoader m_loader;
};

}

std::vector<int64_t> BatchPlan::samplesOf(int64_t number) const
{
    std::vector<int64_t> samples;
    const int64_t end = std::min((number + 1) * batch, std::ssize(reading.data->files));
    for (int64_t sample = number * batch; sample < end; ++sample)
        samples.push_back(sample);
    return samples;
}

std::vector<int64_t> BatchPredictions::addToPlan(int64_t number)
{
    m_plans.front().batches.push_back(number);
    return m_plans.front().samplesOf(number);
}

FinishedBatch BatchPredictions::begin()
{
    FinishedBatch batch;
    batch.number = m_plans.front().batches[m_index++];
    m_before(batch.number);
    batch.predictions.resize(m_runs.count());
    batch.logits.resize(m_runs.count());
    return batch;
}

void BatchPredictions::takeSeconds(FinishedBatch& batch)
{
    for (size_t run = 0; run < m_runs.count(); ++run)
        batch.seconds.push_back(m_runs.takeSeconds(run));
}

std::unique_ptr<BatchPredictions> predictImages(const std::vector<BatchPlan>& plans, NetworkRuns& runs,
                                                const ImageResizer& resize, std::shared_ptr<DeviceQueue> queue)
{
    return std::make_unique<ImagePredictions>(plans, runs, resize, std::move(queue));
}

std::unique_ptr<BatchPredictions> predictVideos(const std::vector<BatchPlan>& plans, NetworkRuns& runs,
                                                int64_t viewsAtOnce)
{
    return std::make_unique<VideoPredictions>(plans, runs, viewsAtOnce);
}

}
