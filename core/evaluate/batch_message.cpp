// SPDX-License-Identifier: Apache-2.0
#include "core/evaluate/batch_message.h"

#include "core/base/error.h"

#include <cstdint>

namespace attnscope {

namespace {

class Writer {
public:
    void number(double value) { m_numbers.push_back(value); }
    void count(std::size_t value) { number(static_cast<double>(value)); }
    void whole(std::int64_t value) { number(static_cast<double>(value)); }
    void text(const std::string& text)
    {
        count(text.size());
        for (const char c : text)
            number(static_cast<double>(static_cast<unsigned char>(c)));
    }
    void prediction(const SamplePrediction& prediction)
    {
        for (const std::int32_t index : prediction.classes)
            whole(index);
        for (const float probability : prediction.probabilities)
            number(static_cast<double>(probability));
        number(static_cast<double>(prediction.labelProbability));
        whole(prediction.labelRank);
    }
    std::vector<double> take() { return std::move(m_numbers); }

private:
    std::vector<double> m_numbers;
};

class MessageReader {
public:
    explicit MessageReader(const std::vector<double>& numbers)
        : m_numbers(numbers)
    {}

    double number()
    {
        if (m_at >= m_numbers.size())
            throw Error("MPI", "a process sent an incomplete batch", "start all of them with the same program");
        return m_numbers[m_at++];
    }
    std::size_t count() { return static_cast<std::size_t>(number()); }
    std::int64_t whole() { return static_cast<std::int64_t>(number()); }
    std::string text()
    {
        std::string text(count(), '\0');
        for (char& c : text)
            c = static_cast<char>(static_cast<unsigned char>(number()));
        return text;
    }
    SamplePrediction prediction()
    {
        SamplePrediction prediction;
        for (std::int32_t& index : prediction.classes)
            index = static_cast<std::int32_t>(whole());
        for (float& probability : prediction.probabilities)
            probability = static_cast<float>(number());
        prediction.labelProbability = static_cast<float>(number());
        prediction.labelRank = static_cast<std::int32_t>(whole());
        return prediction;
    }

private:
    const std::vector<double>& m_numbers;
    std::size_t m_at = 0;
};

}  // namespace

std::vector<double> encode(const BatchMessage& message)
{
    const FinishedBatch& batch = message.batch;
    Writer out;
    out.whole(batch.number);
    out.count(batch.samples.size());
    for (const std::int64_t sample : batch.samples)
        out.whole(sample);
    out.count(batch.unreadable.size());
    for (const auto& sample : batch.unreadable) {
        out.whole(sample.sample);
        out.text(sample.reason);
    }
    out.count(batch.predictions.size());
    for (std::size_t run = 0; run < batch.predictions.size(); ++run) {
        out.count(batch.predictions[run].size());
        for (const SamplePrediction& prediction : batch.predictions[run])
            out.prediction(prediction);
        out.number(batch.seconds[run]);
        out.text(message.failures[run]);
        out.number(message.notFinite[run] ? 1 : 0);
    }
    return out.take();
}

BatchMessage decode(const std::vector<double>& numbers)
{
    MessageReader in(numbers);
    BatchMessage message;
    FinishedBatch& batch = message.batch;
    batch.number = in.whole();
    batch.samples.resize(in.count());
    for (std::int64_t& sample : batch.samples)
        sample = in.whole();
    batch.unreadable.resize(in.count());
    for (auto& sample : batch.unreadable) {
        sample.sample = in.whole();
        sample.reason = in.text();
    }
    const std::size_t runs = in.count();
    for (std::size_t run = 0; run < runs; ++run) {
        auto& predictions = batch.predictions.emplace_back(in.count());
        for (SamplePrediction& prediction : predictions)
            prediction = in.prediction();
        batch.seconds.push_back(in.number());
        message.failures.push_back(in.text());
        message.notFinite.push_back(in.number() > 0);
    }
    return message;
}

}  // namespace attnscope
