// SPDX-License-Identifier: Apache-2.0
#include "core/store/stored_batch.h"

#include "core/store/answer_blob.h"

#include <limits>

namespace attnscope {

namespace {

void readAnswers(StoreConnection& connection, std::int64_t run, std::int64_t begin, std::int64_t end,
                 FinishedBatch& batch)
{
    SQLite::Statement rows(connection.database(), "SELECT sample, rank, answer, probability, rest FROM answer "
                                                  "WHERE run = ? AND sample >= ? AND sample < ? ORDER BY sample");
    rows.bind(1, run);
    rows.bind(2, begin);
    rows.bind(3, end);
    std::vector<std::int64_t> samples;
    auto& answers = batch.answers.emplace_back();
    while (rows.executeStep()) {
        samples.push_back(rows.getColumn(0).getInt64());
        answers.push_back(readAnswerColumns(connection, rows, 1));
    }
    if (samples.size() > batch.samples.size())
        batch.samples = samples;  // of a run that did not fail
}

}  // namespace

SampleAnswer readAnswerColumns(StoreConnection& connection, SQLite::Statement& row, int first)
{
    SampleAnswer answer;
    answer.labelRank = row.getColumn(first).getInt();
    answer.classes[0] = row.getColumn(first + 1).getInt();
    const SQLite::Column probability = row.getColumn(first + 2);
    answer.probabilities[0] = probability.isNull() ? std::numeric_limits<float>::quiet_NaN()
                                                   : static_cast<float>(probability.getDouble());
    const SQLite::Column rest = row.getColumn(first + 3);
    if (!unpackRest(rest.getBlob(), static_cast<std::size_t>(rest.getBytes()), answer))
        throw StoreError(connection.file().string(), "holds an answer that is damaged", "restore it from a copy");
    return answer;
}

FinishedBatch readBatch(StoreConnection& connection, const EvaluationRow& evaluation,
                        const std::vector<std::int64_t>& runs, std::int64_t number)
{
    const std::int64_t begin = number * evaluation.facts.batch, end = begin + evaluation.facts.batch;
    FinishedBatch batch;
    batch.number = number;
    for (const std::int64_t run : runs)
        readAnswers(connection, run, begin, end, batch);
    SQLite::Statement rows(connection.database(), "SELECT sample, reason FROM unreadable WHERE evaluation = ? AND "
                                                  "sample >= ? AND sample < ? ORDER BY sample");
    rows.bind(1, evaluation.id);
    rows.bind(2, begin);
    rows.bind(3, end);
    while (rows.executeStep())
        batch.unreadable.push_back({rows.getColumn(0).getInt64(), rows.getColumn(1).getString()});
    return batch;
}

}  // namespace attnscope
