#include "core/store/data_identity.h"
#include "core/store/ownership.h"
#include "core/store/result_database.h"
#include "core/store/store_json.h"
#include "core/store/stored_batch.h"

#include <fmt/format.h>

#include <cmath>

namespace attnscope {

namespace {

constexpr const char* evaluationColumns =
    "SELECT e.id, e.facts, e.state, e.data_root, d.layout, d.hash, e.samples, e.done, e.unreadable, e.started, "
    "e.changed, e.seconds, "
    "e.note, e.owner, e.heartbeat, e.hidden FROM evaluation e JOIN data_set d ON d.id = e.data_set ";

/// A killed process leaves the state "running": check whether its owner is alive.
EvaluationState liveState(int64_t stored, const std::string& owner, int64_t heartbeat)
{
    const auto state = readEnum(stored, EvaluationState::Finished, EvaluationState::Interrupted);
    const bool dead = state == EvaluationState::Running && !ownerLives(owner, heartbeat, secondsSince1970());
    return dead ? EvaluationState::Interrupted : state;
}

StoredEvaluation readEvaluation(StoreConnection& connection, SQLite::Statement& row)
{
    StoredEvaluation evaluation;
    evaluation.id = row.getColumn(0).getInt64();
    evaluation.settings = settingsFromJson(parseJson(row.getColumn(1).getString()));
    evaluation.state = liveState(row.getColumn(2).getInt64(), row.getColumn(13).getString(),
                                 row.getColumn(14).getInt64());
    evaluation.dataRoot = row.getColumn(3).getString();
    evaluation.layout = readEnum(row.getColumn(4).getInt64(), FolderLayout::List, FolderLayout::Auto);
    evaluation.dataHash = row.getColumn(5).getString();
    evaluation.samples = row.getColumn(6).getInt64();
    evaluation.done = row.getColumn(7).getInt64();
    evaluation.unreadable = row.getColumn(8).getInt64();
    evaluation.started = row.getColumn(9).getString();
    evaluation.changed = row.getColumn(10).getString();
    evaluation.seconds = row.getColumn(11).getDouble();
    evaluation.note = row.getColumn(12).getString();
    evaluation.hidden = row.getColumn(15).getInt64() != 0;
    evaluation.runs = readRuns(connection, evaluation.id);
    return evaluation;
}

Accuracy readAccuracy(SQLite::Statement& row, int first)
{
    return {row.getColumn(first).getInt64(), row.getColumn(first + 1).getInt64(),
            row.getColumn(first + 2).getInt64()};
}

std::vector<std::string> classesOfRun(StoreConnection& connection, int64_t run)
{
    return connection.rows(
        "SELECT c.label, c.name FROM run r JOIN evaluation e ON e.id = r.evaluation JOIN class c ON c.data_set = "
        "e.data_set WHERE r.id = "
        "? ORDER BY c.label",
        [](SQLite::Statement& row) { return row.getColumn(1).getString(); }, run);
}

std::string nameAt(const std::vector<std::string>& names, int64_t label)
{
    return label >= 0 && label < int64_t(names.size()) ? names[size_t(label)] : std::string();
}

}

std::vector<int64_t> ResultStore::finishedBatches(int64_t evaluation) const
{
    return m_database->guarded([&] {
        return m_database->rows(
            "SELECT number FROM batch WHERE evaluation = ? ORDER BY number",
            [](SQLite::Statement& row) { return row.getColumn(0).getInt64(); }, evaluation);
    });
}

std::vector<StoredEvaluation> ResultStore::evaluations(bool hidden) const
{
    return m_database->snapshot([&] {
        return m_database->rows(
            std::string(evaluationColumns) + "WHERE e.hidden = ? ORDER BY e.id",
            [&](SQLite::Statement& row) { return readEvaluation(*m_database, row); }, hidden ? 1 : 0);
    });
}

StoredEvaluation ResultStore::evaluation(int64_t id) const
{
    return m_database->snapshot([&] {
        SQLite::Statement query = m_database->firstRow(fmt::format("has no evaluation {}", id),
                                                       std::string(evaluationColumns) + "WHERE e.id = ?", id);
        return readEvaluation(*m_database, query);
    });
}

std::vector<EvaluationPart> ResultStore::parts(int64_t evaluation) const
{
    return m_database->guarded([&] {
        return m_database->rows(
            "SELECT started, facts FROM part WHERE evaluation = ? ORDER BY number",
            [](SQLite::Statement& row) {
                return EvaluationPart{row.getColumn(0).getString(),
                                      settingsFromJson(parseJson(row.getColumn(1).getString()))};
            },
            evaluation);
    });
}

std::vector<std::string> ResultStore::classes(int64_t evaluation) const
{
    return m_database->guarded([&] {
        return m_database->rows(
            "SELECT c.name FROM evaluation e JOIN class c ON c.data_set = e.data_set WHERE e.id = ? ORDER BY "
            "c.label",
            [](SQLite::Statement& row) { return row.getColumn(0).getString(); }, evaluation);
    });
}

Accuracy ResultStore::accuracy(int64_t run) const
{
    return m_database->guarded([&] {
        SQLite::Statement query = m_database->firstRow(
            fmt::format("has no run {}", run), "SELECT samples, correct1, correct5 FROM run WHERE id = ?", run);
        return readAccuracy(query, 0);
    });
}

int64_t ResultStore::notFinite(int64_t run) const
{
    return m_database->guarded([&] {
        return m_database
            ->integer("SELECT coalesce(sum(samples), 0) FROM confusion WHERE run = ? AND answer < 0", run)
            .value_or(0);
    });
}

Calibration ResultStore::calibration(int64_t run) const
{
    return m_database->guarded([&] {
        Calibration calibration;
        SQLite::Statement rows = m_database->statement(
            "SELECT rank, answer, probability, rest, label FROM answer WHERE run = ? ORDER BY sample", run);
        while (rows.executeStep()) {
            const SamplePrediction prediction = readPredictionColumns(*m_database, rows, 0);
            const float squares = prediction.squaredProbabilities;
            std::optional<PredictedProbabilities> probabilities;
            if (prediction.classes.front() >= 0)
                probabilities = {prediction.probabilities.front(), prediction.labelProbability,
                                 std::isnan(squares) ? std::nullopt : std::optional<double>(squares)};
            calibration.add(rows.getColumn(4).getInt64(), prediction.labelRank == 0, probabilities);
        }
        return calibration;
    });
}

std::vector<ClassAccuracy> ResultStore::classAccuracies(int64_t run) const
{
    return m_database->snapshot([&] {
        const auto names = classesOfRun(*m_database, run);
        return m_database->rows(
            "SELECT label, samples, correct1, correct5 FROM class_count WHERE run = ? ORDER BY label",
            [&](SQLite::Statement& row) {
                const int64_t label = row.getColumn(0).getInt64();
                return ClassAccuracy{label, nameAt(names, label), readAccuracy(row, 1)};
            },
            run);
    });
}

std::vector<Confusion> ResultStore::worstConfusions(int64_t run, int64_t count) const
{
    return m_database->guarded([&] {
        return m_database->rows(
            "SELECT label, answer, samples FROM confusion WHERE run = ? ORDER BY samples DESC, label, answer "
            "LIMIT ?",
            [](SQLite::Statement& row) {
                return Confusion{row.getColumn(0).getInt64(), row.getColumn(1).getInt64(),
                                 row.getColumn(2).getInt64()};
            },
            run, count);
    });
}

std::vector<UnreadableSample> ResultStore::unreadable(int64_t evaluation, int64_t offset, int64_t count) const
{
    return remarksOn("unreadable", evaluation, offset, count);
}

std::vector<UnreadableSample> ResultStore::partial(int64_t evaluation) const
{
    return m_database->version() < 4 ? std::vector<UnreadableSample>() : remarksOn("partial", evaluation, 0, -1);
}

std::vector<UnreadableSample> ResultStore::remarksOn(const char* table, int64_t evaluation, int64_t offset,
                                                     int64_t count) const
{
    return m_database->snapshot([&] {
        const EvaluationRow row = evaluationRow(*m_database, evaluation);
        const auto base = baseFolder(row.dataRoot, layoutOf(*m_database, row.dataSet));
        return m_database->rows(
            "SELECT u.sample, f.path, u.reason FROM " + std::string(table)
                + " u JOIN file f ON f.data_set = ? AND f.sample = u.sample WHERE "
                  "u.evaluation = ? ORDER BY u.sample LIMIT ? OFFSET ?",
            [&](SQLite::Statement& row) {
                return UnreadableSample{row.getColumn(0).getInt64(),
                                        openedPath(row.getColumn(1).getString(), base),
                                        row.getColumn(2).getString()};
            },
            row.dataSet, evaluation, count, offset);
    });
}

}
