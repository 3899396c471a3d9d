#include "core/store/stored_batch.h"

#include "core/base/checked.h"
#include "core/store/prediction_blob.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace attnscope {

namespace {

void readPredictions(StoreConnection& connection, int64_t run, int64_t begin, int64_t end, FinishedBatch& batch)
{
    SQLite::Statement rows = connection.statement("SELECT rank, answer, probability, rest FROM answer WHERE run = "
                                                  "? AND sample >= ? AND sample < ? ORDER BY sample",
                                                  run, begin, end);
    auto& predictions = batch.predictions.emplace_back();
    while (rows.executeStep())
        predictions.push_back(readPredictionColumns(connection, rows, 0));
}

void readLogits(StoreConnection& connection, int64_t run, int64_t begin, int64_t end, FinishedBatch& batch)
{
    SQLite::Statement rows = connection.statement(
        "SELECT value FROM logits WHERE run = ? AND sample >= ? AND sample < ? ORDER BY sample", run, begin, end);
    auto& logits = batch.logits.emplace_back();
    while (rows.executeStep())
        logits.push_back(readLogitsColumn(connection, rows, 0));
}

/// As listed in the batch's row; empty in a store of version 2.
std::optional<std::vector<int64_t>> listedSamples(StoreConnection& connection, const EvaluationRow& evaluation,
                                                  int64_t number)
{
    if (connection.version() < 3)
        return std::nullopt;
    SQLite::Statement row = connection.statement("SELECT samples FROM batch WHERE evaluation = ? AND number = ?",
                                                 evaluation.id, number);
    if (!row.executeStep() || row.getColumn(0).isNull())
        return std::nullopt;
    const SQLite::Column list = row.getColumn(0);
    auto samples = unpackSamples(list.getBlob(), size_t(list.getBytes()));
    if (!samples)
        throw StoreError(connection.file().string(), "contains a damaged list of samples",
                         "restore it from a copy");
    return samples;
}

/// All samples of a batch except the unreadable ones: what it holds if it was stored before samples were listed.
std::vector<int64_t> readableSamples(StoreConnection& connection, const EvaluationRow& evaluation, int64_t begin,
                                     int64_t end)
{
    const int64_t limit = evaluation.settings.limit;
    return connection.rows(
        "SELECT sample FROM file WHERE data_set = ? AND sample >= ? AND sample < ? AND sample NOT IN (SELECT "
        "sample FROM unreadable WHERE "
        "evaluation = ?) ORDER BY sample",
        [](SQLite::Statement& row) { return row.getColumn(0).getInt64(); }, evaluation.dataSet, begin,
        limit > 0 ? std::min(end, limit) : end, evaluation.id);
}

}

SamplePrediction readPredictionColumns(StoreConnection& connection, SQLite::Statement& row, int first)
{
    SamplePrediction prediction;
    prediction.labelRank = row.getColumn(first).getInt();
    prediction.classes[0] = row.getColumn(first + 1).getInt();
    const SQLite::Column probability = row.getColumn(first + 2);
    prediction.probabilities[0] = probability.isNull() ? std::numeric_limits<float>::quiet_NaN()
                                                       : float(probability.getDouble());
    const SQLite::Column rest = row.getColumn(first + 3);
    if (!unpackRest(rest.getBlob(), size_t(rest.getBytes()), prediction))
        throw StoreError(connection.file().string(), "contains a damaged prediction", "restore it from a copy");
    return prediction;
}

std::vector<float> readLogitsColumn(StoreConnection& connection, SQLite::Statement& row, int column)
{
    const SQLite::Column value = row.getColumn(column);
    const auto bytes = size_t(value.getBytes());
    if (bytes % sizeof(float) != 0)
        throw StoreError(connection.file().string(), "contains damaged logits", "restore it from a copy");
    std::vector<float> logits(bytes / sizeof(float));
    if (bytes > 0)  // memcpy takes no null
        std::memcpy(logits.data(), value.getBlob(), bytes);
    return logits;
}

FinishedBatch readBatch(StoreConnection& connection, const EvaluationRow& evaluation,
                        const std::vector<int64_t>& runs, int64_t number)
{
    const auto first = checkedMultiply(number, evaluation.settings.batch);
    const auto behind = first ? checkedAdd(*first, evaluation.settings.batch) : std::nullopt;
    if (!behind)
        throw StoreError(connection.file().string(), "contains a damaged batch", "restore it from a copy");
    const int64_t begin = *first, end = *behind;
    FinishedBatch batch;
    batch.number = number;
    for (const int64_t run : runs)
        readPredictions(connection, run, begin, end, batch);
    for (const int64_t run : connection.version() < 5 ? std::vector<int64_t>() : runs)
        readLogits(connection, run, begin, end, batch);
    for (const bool partial : {false, true}) {
        if (partial && connection.version() < 4)
            break;
        (partial ? batch.partial : batch.unreadable) = connection.rows(
            std::string("SELECT sample, reason FROM ") + (partial ? "partial" : "unreadable")
                + " WHERE evaluation = ? AND sample >= ? AND sample < ? ORDER BY sample",
            [](SQLite::Statement& row) {
                return FinishedBatch::Unreadable{row.getColumn(0).getInt64(), row.getColumn(1).getString()};
            },
            evaluation.id, begin, end);
    }
    const auto listed = listedSamples(connection, evaluation, number);
    batch.samples = listed ? *listed : readableSamples(connection, evaluation, begin, end);
    return batch;
}

}
