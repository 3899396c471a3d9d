#include "core/evaluate/batch_message.h"

#include "core/base/error.h"

namespace attnscope {

namespace {

class Writer {
public:
    template <typename Number>
    void operator()(const Number& value)
    {
        m_numbers.push_back(double(value));
    }
    template <typename List, typename Each>
    void list(const List& values, const Each& each)
    {
        (*this)(values.size());
        for (const auto& value : values)
            each(value);
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

    template <typename Number>
    void operator()(Number& value)
    {
        if (m_at >= m_numbers.size())
            throw Error("MPI", "a process sent an incomplete batch", "start all of them with the same program");
        value = static_cast<Number>(m_numbers[m_at++]);
    }
    template <typename List, typename Each>
    void list(List& values, const Each& each)
    {
        size_t count = 0;
        (*this)(count);
        values.resize(count);
        for (auto& value : values)
            each(value);
    }

private:
    const std::vector<double>& m_numbers;
    size_t m_at = 0;
};

/// Every number of a message in order, to be written or read.
template <typename Stream, typename Message>
void visitMessage(Stream& stream, Message& message)
{
    const auto number = [&](auto& value) { stream(value); };
    const auto text = [&](auto& characters) { stream.list(characters, number); };
    auto& batch = message.batch;
    stream(batch.number);
    stream.list(batch.samples, number);
    const auto remark = [&](auto& sample) {
        stream(sample.sample);
        text(sample.reason);
    };
    stream.list(batch.unreadable, remark);
    stream.list(batch.partial, remark);
    const auto prediction = [&](auto& one) {
        for (auto& index : one.classes)
            stream(index);
        for (auto& probability : one.probabilities)
            stream(probability);
        stream(one.labelProbability);
        stream(one.squaredProbabilities);
        stream(one.labelRank);
    };
    stream.list(batch.predictions, [&](auto& run) { stream.list(run, prediction); });
    stream.list(batch.logits,
                [&](auto& run) { stream.list(run, [&](auto& sample) { stream.list(sample, number); }); });
    stream.list(batch.seconds, number);
    stream.list(message.failures, text);
    stream.list(message.notFinite, number);
    const auto fallback = [&](auto& one) {
        text(one.clause);
        stream(one.heads);
        stream(one.of);
    };
    stream.list(message.fallbacks, [&](auto& run) { stream.list(run, fallback); });
}

}

std::vector<double> encode(const BatchMessage& message)
{
    Writer out;
    visitMessage(out, message);
    return out.take();
}

BatchMessage decode(const std::vector<double>& numbers)
{
    MessageReader in(numbers);
    BatchMessage message;
    visitMessage(in, message);
    return message;
}

}
