#include "core/checkpoint/sha256.h"
#include "core/store/prediction_blob.h"
#include "core/store/result_database.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

namespace attnscope {

namespace {

/// What one batch adds to a run's counts.
struct RunCounts {
    Accuracy all;
    std::map<int64_t, Accuracy> classes;
    std::map<std::pair<int64_t, int64_t>, int64_t> confusions;

    void count(int64_t label, const SamplePrediction& prediction)
    {
        for (Accuracy* counted : {&all, &classes[label]})
            counted->count(prediction.labelRank);
        if (prediction.classes[0] != label)
            ++confusions[{label, prediction.classes[0]}];
    }
};

/// Throws if the batch does not belong to this evaluation.
class BatchCheck {
public:
    BatchCheck(const std::string& subject, const EvaluationRow& evaluation, const FinishedBatch& batch)
        : m_subject(subject)
        , m_batch(batch)
        , m_begin(batch.number * evaluation.settings.batch)
        , m_end(m_begin + evaluation.settings.batch)
    {
        const Shard& shard = evaluation.settings.shard;
        if (batch.number < 0 || (shard.count > 0 && batch.number % shard.count != shard.index - 1))
            fail("does not belong to this shard");
    }

    void samples(size_t runs) const
    {
        int64_t last = -1;
        for (const int64_t sample : m_batch.samples) {
            inside(sample);
            if (sample <= last)
                fail("has samples that are not in ascending order");
            last = sample;
        }
        for (const auto& bad : m_batch.unreadable)
            inside(bad.sample);
        for (const auto& sample : m_batch.partial)
            inside(sample.sample);
        if (m_batch.predictions.size() != runs)
            fail("has predictions for a different number of attentions");
        for (const auto& predictions : m_batch.predictions)
            if (!predictions.empty() && predictions.size() != m_batch.samples.size())
                fail("has predictions for a different number of samples");
        for (size_t run = 0; run < m_batch.logits.size(); ++run)
            if (run >= runs
                || (!m_batch.logits[run].empty() && m_batch.logits[run].size() != m_batch.predictions[run].size()))
                fail("has logits without predictions");
    }

private:
    void inside(int64_t sample) const
    {
        if (sample < m_begin || sample >= m_end)
            fail(fmt::format("holds sample {}, which is not between {} and {}", sample, m_begin, m_end - 1));
    }
    [[noreturn]] void fail(const std::string& problem) const
    {
        throw StoreError(m_subject, fmt::format("batch {} {}", m_batch.number, problem));
    }

    std::string m_subject;
    const FinishedBatch& m_batch;
    int64_t m_begin, m_end;
};

void insertNumber(StoreConnection& connection, const EvaluationRow& evaluation, const FinishedBatch& batch)
{
    const std::string samples = packSamples(batch.samples);
    if (connection.execute("INSERT INTO batch VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", evaluation.id,
                           batch.number, batchDigest(batch), Blob{samples})
        != 1)
        throw StoreError(connection.file().string(), fmt::format("batch {} is already stored", batch.number));
}

std::vector<int64_t> labelsOf(StoreConnection& connection, int64_t dataSet, const std::vector<int64_t>& samples)
{
    SQLite::Statement query = connection.statement("SELECT label FROM file WHERE data_set = ? AND sample = ?");
    std::vector<int64_t> labels;
    for (const int64_t sample : samples) {
        query.reset();
        bindAll(query, dataSet, sample);
        if (!query.executeStep())
            throw StoreError(connection.file().string(), fmt::format("its data set has no sample {}", sample));
        labels.push_back(query.getColumn(0).getInt64());
    }
    return labels;
}

void insertPredictions(StoreConnection& connection, int64_t run, const FinishedBatch& batch,
                       const std::vector<int64_t>& labels, const std::vector<SamplePrediction>& predictions)
{
    SQLite::Statement insert = connection.statement("INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; i < predictions.size(); ++i) {
        const std::string rest = packRest(predictions[i]);
        runAgain(insert, run, batch.samples[i], labels[i], predictions[i].labelRank, predictions[i].classes[0],
                 double(predictions[i].probabilities[0]), Blob{rest});
    }
}

void insertLogits(StoreConnection& connection, int64_t run, const FinishedBatch& batch,
                  const std::vector<std::vector<float>>& logits)
{
    SQLite::Statement insert = connection.statement("INSERT INTO logits VALUES (?, ?, ?)");
    for (size_t i = 0; i < logits.size(); ++i) {
        const std::string value = packLogits(logits[i]);
        runAgain(insert, run, batch.samples[i], Blob{value});
    }
}

void addToClasses(StoreConnection& connection, int64_t run, const RunCounts& counts)
{
    SQLite::Statement classes = connection.statement(
        "INSERT INTO class_count VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET samples = samples + "
        "excluded.samples, correct1 = "
        "correct1 + excluded.correct1, correct5 = correct5 + excluded.correct5");
    for (const auto& [label, counted] : counts.classes)
        runAgain(classes, run, label, counted.samples, counted.correct, counted.correct5);
    SQLite::Statement confusions = connection.statement("INSERT INTO confusion VALUES (?, ?, ?, ?) ON CONFLICT DO "
                                                        "UPDATE SET samples = samples + excluded.samples");
    for (const auto& [pair, samples] : counts.confusions)
        runAgain(confusions, run, pair.first, pair.second, samples);
}

void insertUnreadable(StoreConnection& connection, const EvaluationRow& evaluation, const FinishedBatch& batch)
{
    for (const bool partial : {false, true}) {
        SQLite::Statement insert = connection.statement(partial ? "INSERT INTO partial VALUES (?, ?, ?)"
                                                                : "INSERT INTO unreadable VALUES (?, ?, ?)");
        for (const auto& sample : partial ? batch.partial : batch.unreadable)
            runAgain(insert, evaluation.id, sample.sample, sample.reason);
    }
    connection.execute("UPDATE evaluation SET done = done + ?, unreadable = unreadable + ? WHERE id = ?",
                       std::ssize(batch.samples) + std::ssize(batch.unreadable), std::ssize(batch.unreadable),
                       evaluation.id);
}

template <class Value>
void append(std::string& bytes, Value value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}

std::string batchDigest(const FinishedBatch& batch)
{
    std::string bytes;
    append(bytes, batch.number);
    for (const int64_t sample : batch.samples)
        append(bytes, sample);
    for (const auto& predictions : batch.predictions) {
        append(bytes, predictions.size());
        for (const SamplePrediction& prediction : predictions) {
            append(bytes, prediction.labelRank);
            append(bytes, prediction.classes[0]);
            append(bytes, std::isnan(prediction.probabilities[0]) ? std::numeric_limits<float>::quiet_NaN()
                                                                  : prediction.probabilities[0]);
            // As of earlier versions, so that a batch that both predicted alike is the same when stores are merged.
            bytes += packRest(prediction).substr(0, restBytesWithoutSquares);
        }
    }
    for (const auto& bad : batch.unreadable) {
        append(bytes, bad.sample);
        bytes += bad.reason;
    }
    for (const auto& run : batch.logits)
        for (const std::vector<float>& logits : run)
            bytes += packLogits(logits);
    return sha256(bytes);
}

void insertBatch(StoreConnection& connection, const EvaluationRow& evaluation, const FinishedBatch& batch)
{
    const std::vector<int64_t> runs = runIds(connection, evaluation.id);
    BatchCheck(connection.file().string(), evaluation, batch).samples(runs.size());
    insertNumber(connection, evaluation, batch);
    const auto labels = labelsOf(connection, evaluation.dataSet, batch.samples);
    for (size_t run = 0; run < runs.size(); ++run) {
        RunCounts counts;
        for (size_t i = 0; i < batch.predictions[run].size(); ++i)
            counts.count(labels[i], batch.predictions[run][i]);
        insertPredictions(connection, runs[run], batch, labels, batch.predictions[run]);
        if (run < batch.logits.size())
            insertLogits(connection, runs[run], batch, batch.logits[run]);
        connection.execute("UPDATE run SET samples = samples + ?, correct1 = correct1 + ?, correct5 = correct5 + "
                           "?, seconds = seconds + ? WHERE id = ?",
                           counts.all.samples, counts.all.correct, counts.all.correct5,
                           run < batch.seconds.size() ? batch.seconds[run] : 0.0, runs[run]);
        addToClasses(connection, runs[run], counts);
    }
    insertUnreadable(connection, evaluation, batch);
}

}
