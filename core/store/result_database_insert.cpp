// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/sha256.h"
#include "core/store/prediction_blob.h"
#include "core/store/data_identity.h"
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
    std::map<std::int64_t, Accuracy> classes;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> confusions;

    void count(std::int64_t label, const SamplePrediction& prediction)
    {
        for (Accuracy* counted : {&all, &classes[label]})
            counted->count(prediction);
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
        if (batch.number < 0 || (shard.count > 1 && batch.number % shard.count != shard.index - 1))
            fail("is none of this shard's");
    }

    void samples(std::size_t runs) const
    {
        std::int64_t last = -1;
        for (const std::int64_t sample : m_batch.samples) {
            inside(sample);
            if (sample <= last)
                fail("has samples that are not ascending");
            last = sample;
        }
        for (const auto& bad : m_batch.unreadable)
            inside(bad.sample);
        if (m_batch.predictions.size() != runs)
            fail("has answers of another number of attentions");
        for (const auto& predictions : m_batch.predictions)
            if (!predictions.empty() && predictions.size() != m_batch.samples.size())
                fail("has answers for another number of samples");
    }

private:
    void inside(std::int64_t sample) const
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
    std::int64_t m_begin, m_end;
};

void insertNumber(StoreConnection& connection, const EvaluationRow& evaluation, const FinishedBatch& batch)
{
    SQLite::Statement insert(connection.database(), "INSERT INTO batch VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
    const std::string samples = packSamples(batch.samples);
    insert.bind(1, evaluation.id);
    insert.bind(2, batch.number);
    insert.bind(3, batchDigest(batch));
    insert.bind(4, samples.data(), static_cast<int>(samples.size()));
    if (insert.exec() != 1)
        throw StoreError(connection.file().string(), fmt::format("batch {} is stored already", batch.number));
}

std::vector<std::int64_t> labelsOf(StoreConnection& connection, std::int64_t dataSet,
                                   const std::vector<std::int64_t>& samples)
{
    SQLite::Statement query(connection.database(), "SELECT label FROM file WHERE data_set = ? AND sample = ?");
    std::vector<std::int64_t> labels;
    for (const std::int64_t sample : samples) {
        query.reset();
        query.bind(1, dataSet);
        query.bind(2, sample);
        if (!query.executeStep())
            throw StoreError(connection.file().string(), fmt::format("its data set has no sample {}", sample));
        labels.push_back(query.getColumn(0).getInt64());
    }
    return labels;
}

void insertPredictions(StoreConnection& connection, std::int64_t run, const FinishedBatch& batch,
                   const std::vector<std::int64_t>& labels, const std::vector<SamplePrediction>& predictions)
{
    SQLite::Statement insert(connection.database(), "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        const std::string rest = packRest(predictions[i]);
        insert.reset();
        insert.bind(1, run);
        insert.bind(2, batch.samples[i]);
        insert.bind(3, labels[i]);
        insert.bind(4, predictions[i].labelRank);
        insert.bind(5, predictions[i].classes[0]);
        insert.bind(6, static_cast<double>(predictions[i].probabilities[0]));
        insert.bind(7, rest.data(), static_cast<int>(rest.size()));
        insert.exec();
    }
}

void addToRun(StoreConnection& connection, std::int64_t run, const Accuracy& counted, double seconds)
{
    SQLite::Statement update(connection.database(),
                             "UPDATE run SET samples = samples + ?, correct1 = correct1 + ?, "
                             "correct5 = correct5 + ?, seconds = seconds + ? WHERE id = ?");
    update.bind(1, counted.samples);
    update.bind(2, counted.correct1);
    update.bind(3, counted.correct5);
    update.bind(4, seconds);
    update.bind(5, run);
    update.exec();
}

void addToClasses(StoreConnection& connection, std::int64_t run, const RunCounts& counts)
{
    SQLite::Statement classes(
        connection.database(),
        "INSERT INTO class_count VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET samples = samples + "
        "excluded.samples, correct1 = correct1 + excluded.correct1, correct5 = correct5 + excluded.correct5");
    for (const auto& [label, counted] : counts.classes) {
        classes.reset();
        classes.bind(1, run);
        classes.bind(2, label);
        classes.bind(3, counted.samples);
        classes.bind(4, counted.correct1);
        classes.bind(5, counted.correct5);
        classes.exec();
    }
    SQLite::Statement confusions(connection.database(),
                                 "INSERT INTO confusion VALUES (?, ?, ?, ?) "
                                 "ON CONFLICT DO UPDATE SET samples = samples + excluded.samples");
    for (const auto& [pair, samples] : counts.confusions) {
        confusions.reset();
        confusions.bind(1, run);
        confusions.bind(2, pair.first);
        confusions.bind(3, pair.second);
        confusions.bind(4, samples);
        confusions.exec();
    }
}

void insertUnreadable(StoreConnection& connection, const EvaluationRow& evaluation, const FinishedBatch& batch)
{
    SQLite::Statement insert(connection.database(), "INSERT INTO unreadable VALUES (?, ?, ?)");
    for (const auto& bad : batch.unreadable) {
        insert.reset();
        insert.bind(1, evaluation.id);
        insert.bind(2, bad.sample);
        insert.bind(3, bad.reason);
        insert.exec();
    }
    SQLite::Statement update(connection.database(),
                             "UPDATE evaluation SET done = done + ?, unreadable = unreadable + ? WHERE id = ?");
    update.bind(1, static_cast<std::int64_t>(batch.samples.size() + batch.unreadable.size()));
    update.bind(2, static_cast<std::int64_t>(batch.unreadable.size()));
    update.bind(3, evaluation.id);
    update.exec();
}

template <class Value>
void append(std::string& bytes, Value value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string batchDigest(const FinishedBatch& batch)
{
    std::string bytes;
    append(bytes, batch.number);
    for (const std::int64_t sample : batch.samples)
        append(bytes, sample);
    for (const auto& predictions : batch.predictions) {
        append(bytes, predictions.size());
        for (const SamplePrediction& prediction : predictions) {
            append(bytes, prediction.labelRank);
            append(bytes, prediction.classes[0]);
            append(bytes, std::isnan(prediction.probabilities[0]) ? std::numeric_limits<float>::quiet_NaN() : prediction.probabilities[0]);
            bytes += packRest(prediction);
        }
    }
    for (const auto& bad : batch.unreadable) {
        append(bytes, bad.sample);
        bytes += bad.reason;
    }
    return sha256(bytes);
}

void insertBatch(StoreConnection& connection, const EvaluationRow& evaluation, const FinishedBatch& batch)
{
    const std::vector<std::int64_t> runs = runIds(connection, evaluation.id);
    BatchCheck(connection.file().string(), evaluation, batch).samples(runs.size());
    insertNumber(connection, evaluation, batch);
    const auto labels = labelsOf(connection, evaluation.dataSet, batch.samples);
    for (std::size_t run = 0; run < runs.size(); ++run) {
        RunCounts counts;
        for (std::size_t i = 0; i < batch.predictions[run].size(); ++i)
            counts.count(labels[i], batch.predictions[run][i]);
        insertPredictions(connection, runs[run], batch, labels, batch.predictions[run]);
        addToRun(connection, runs[run], counts.all, run < batch.seconds.size() ? batch.seconds[run] : 0);
        addToClasses(connection, runs[run], counts);
    }
    insertUnreadable(connection, evaluation, batch);
}

}  // namespace attnscope
