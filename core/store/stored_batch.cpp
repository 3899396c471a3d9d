// SPDX-License-Identifier: Apache-2.0
#include "core/store/stored_batch.h"

#include "core/base/checked.h"
#include "core/store/prediction_blob.h"

#include <algorithm>
#include <limits>

namespace attnscope {

namespace {

void readPredictions(StoreConnection& connection, std::int64_t run, std::int64_t begin, std::int64_t end,
                 FinishedBatch& batch)
{
    SQLite::Statement rows = connection.statement(
        "SELECT sample, rank, answer, probability, rest FROM answer WHERE run = ? AND sample >= ? AND sample < ? ORDER BY sample",
        run, begin, end);
    std::vector<std::int64_t> samples;
    auto& predictions = batch.predictions.emplace_back();
    while (rows.executeStep()) {
        samples.push_back(rows.getColumn(0).getInt64());
        predictions.push_back(readPredictionColumns(connection, rows, 1));
    }
    if (samples.size() > batch.samples.size())
        batch.samples = std::move(samples);  // of a run that did not fail
}

/// As listed in the batch's row; empty in a store of version 2.
std::optional<std::vector<std::int64_t>> listedSamples(StoreConnection& connection, const EvaluationRow& evaluation, std::int64_t number)
{
    if (connection.version() < 3)
        return std::nullopt;
    SQLite::Statement row = connection.statement("SELECT samples FROM batch WHERE evaluation = ? AND number = ?", evaluation.id, number);
    if (!row.executeStep() || row.getColumn(0).isNull())
        return std::nullopt;
    const SQLite::Column list = row.getColumn(0);
    auto samples = unpackSamples(list.getBlob(), static_cast<std::size_t>(list.getBytes()));
    if (!samples)
        throw StoreError(connection.file().string(), "contains a damaged list of samples", "restore it from a copy");
    return samples;
}

/// All samples of a batch except the unreadable ones: those of a batch without predictions before samples were listed.
std::vector<std::int64_t> readableSamples(StoreConnection& connection, const EvaluationRow& evaluation, const FinishedBatch& batch)
{
    const std::int64_t begin = batch.number * evaluation.settings.batch, limit = evaluation.settings.limit;
    std::int64_t end = begin + evaluation.settings.batch;
    if (const auto files = connection.integer("SELECT files FROM data_set WHERE id = ?", evaluation.dataSet))
        end = std::min(end, *files);
    if (limit > 0)
        end = std::min(end, limit);
    std::vector<std::int64_t> samples;
    for (std::int64_t sample = begin; sample < end; ++sample)
        if (std::ranges::none_of(batch.unreadable, [&](const auto& bad) { return bad.sample == sample; }))
            samples.push_back(sample);
    return samples;
}

}  // namespace

SamplePrediction readPredictionColumns(StoreConnection& connection, SQLite::Statement& row, int first)
{
    SamplePrediction prediction;
    prediction.labelRank = row.getColumn(first).getInt();
    prediction.classes[0] = row.getColumn(first + 1).getInt();
    const SQLite::Column probability = row.getColumn(first + 2);
    prediction.probabilities[0] = probability.isNull() ? std::numeric_limits<float>::quiet_NaN()
                                                   : static_cast<float>(probability.getDouble());
    const SQLite::Column rest = row.getColumn(first + 3);
    if (!unpackRest(rest.getBlob(), static_cast<std::size_t>(rest.getBytes()), prediction))
        throw StoreError(connection.file().string(), "contains a damaged prediction", "restore it from a copy");
    return prediction;
}

FinishedBatch readBatch(StoreConnection& connection, const EvaluationRow& evaluation,
                        const std::vector<std::int64_t>& runs, std::int64_t number)
{
    const auto first = checkedMultiply(number, evaluation.settings.batch);
    const auto behind = first ? checkedAdd(*first, evaluation.settings.batch) : std::nullopt;
    if (!behind)
        throw StoreError(connection.file().string(), "contains a damaged batch", "restore it from a copy");
    const std::int64_t begin = *first, end = *behind;
    FinishedBatch batch;
    batch.number = number;
    for (const std::int64_t run : runs)
        readPredictions(connection, run, begin, end, batch);
    batch.unreadable = connection.rows(
        "SELECT sample, reason FROM unreadable WHERE evaluation = ? AND sample >= ? AND sample < ? ORDER BY "
        "sample",
        [](SQLite::Statement& row) {
            return FinishedBatch::Unreadable{row.getColumn(0).getInt64(), row.getColumn(1).getString()};
        },
        evaluation.id, begin, end);
    if (auto listed = listedSamples(connection, evaluation, number))
        batch.samples = std::move(*listed);
    else if (batch.samples.empty())
        batch.samples = readableSamples(connection, evaluation, batch);
    return batch;
}

}  // namespace attnscope
