#include "core/store/result_store.h"

#include "core/base/text.h"
#include "core/store/data_identity.h"
#include "core/store/ownership.h"
#include "core/store/result_database.h"
#include "core/store/store_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

/// The newest evaluation of an identity that is not in the trash: an unfinished one, else a finished one.
std::optional<int64_t> findEvaluation(StoreConnection& connection, const std::string& identity)
{
    return connection.integer(
        "SELECT id FROM evaluation WHERE identity = ? AND hidden = 0 ORDER BY state = ?, id DESC LIMIT 1",
        identity, int(EvaluationState::Finished));
}

void requireFree(const std::string& subject, const EvaluationRow& row)
{
    if (ownerLives(row.owner, row.heartbeat, secondsSince1970()))
        throw OwnedElsewhere(subject,
                             fmt::format("{} is working on evaluation {}", describeOwner(row.owner), row.id),
                             "wait for it, stop it, or start a new evaluation without --resume");
}

/// Refuses to continue an evaluation of an older version by another rule, or to silently restart it.
void requireNoOlderDraws(StoreConnection& connection, const std::string& olderIdentity)
{
    if (const auto older = findEvaluation(connection, olderIdentity))
        throw StoreError(
            connection.file().string(),
            fmt::format(
                "evaluation {} was started by a version that seeded random attentions by a sample's position in "
                "the list; they are now seeded by its content, so it cannot be resumed",
                *older),
            "start a new evaluation without --resume");
}

}

ResultStore::ResultStore(const std::filesystem::path& file, Mode mode)
    : m_database(std::make_unique<Database>(file, ConnectionOptions{mode == Mode::Write}))
{
    m_database->owner = newOwnerMark();
}

ResultStore::~ResultStore()
{
    if (!m_database || !m_database->owned)
        return;
    try {
        setState(*m_database->owned, EvaluationState::Interrupted);
    } catch (const std::exception&) {
        // Whoever resumes it sees that this process has ended.
    }
}

ResultStore::ResultStore(ResultStore&&) noexcept = default;
ResultStore& ResultStore::operator=(ResultStore&&) noexcept = default;

int64_t ResultStore::begin(const EvaluationSettings& settings, const LabelledSet& data,
                           const std::vector<StoredRun>& runs, bool resume)
{
    Database& database = *m_database;
    if (runs.empty())
        throw StoreError(database.file().string(), "an evaluation needs an attention");
    if (database.owned)
        setState(*database.owned, EvaluationState::Interrupted);
    NewEvaluation made{newUniqueId(), 0,   samplesOf(settings, int64_t(data.files.size())), 1, {}, {}, data.root,
                       settings,      runs};
    const std::string files = dataHash(data), classes = classHash(data);
    made.identity = identityHash(settings, files, classes, runs, true);
    made.wholeIdentity = identityHash(settings, files, classes, runs, false);
    bool taken = false;
    const int64_t id = database.transaction([&] {
        const auto found = resume ? findEvaluation(database, made.identity) : std::nullopt;
        if (resume && !found && !settings.draws.empty())
            requireNoOlderDraws(database, identityHash(drawnOtherwise(settings), files, classes, runs, true));
        int64_t evaluation = 0;
        if (found) {
            evaluation = *found;
            const EvaluationRow row = evaluationRow(database, evaluation);
            if (row.state == int(EvaluationState::Finished))
                return evaluation;
            requireFree(database.file().string(), row);
        } else {
            made.dataSet = keepDataSet(database, data);
            evaluation = insertEvaluation(database, made);
        }
        insertPart(database, evaluation, made.uid, settings);
        database.execute(
            "UPDATE evaluation SET state = ?, owner = ?, heartbeat = ?, changed = ?, data_root = ? WHERE id = ?",
            int(EvaluationState::Running), database.owner, secondsSince1970(), timeNow(), data.root, evaluation);
        taken = true;
        return evaluation;
    });
    if (taken)
        database.owned = id;
    database.worked = std::chrono::steady_clock::now();
    return id;
}

void ResultStore::requireNothingSimilar(const EvaluationSettings& settings, const LabelledSet& data,
                                        const std::vector<StoredRun>& runs) const
{
    const std::string files = dataHash(data), classes = classHash(data);
    const auto has = [&](const EvaluationSettings& one) {
        return findEvaluation(*m_database, identityHash(one, files, classes, runs, true)).has_value();
    };
    if (m_database->guarded([&] { return has(settings) || has(drawnOtherwise(settings)); }))
        return;
    std::string nearest;
    int64_t id = 0;
    for (const StoredEvaluation& other : evaluations()) {
        const EvaluationSettings& theirs = other.settings;
        const auto isRun = [&](const StoredRun& run) {
            return std::ranges::find(other.runs, run.attention, &StoredRun::attention) != other.runs.end();
        };
        if (theirs.model != settings.model || (other.dataHash != files && other.dataRoot != data.root)
            || (theirs.shard.count == settings.shard.count && theirs.shard.index != settings.shard.index)
            || (other.state == EvaluationState::Finished
                && (theirs.weightsHash != settings.weightsHash || std::ranges::none_of(runs, isRun))))
            continue;
        std::string text = identityDifferences(theirs, settings);
        if (!std::ranges::equal(other.runs, runs, {}, &StoredRun::attention, &StoredRun::attention))
            text += (text.empty() ? "" : ", ") + std::string("attentions");
        text = text.empty() ? "files, labels or class names" : printable(text);
        if (id == 0 || text.size() <= nearest.size())
            nearest = std::exchange(text, {}), id = other.id;
    }
    if (id != 0)
        throw UsageError(m_database->file().string(),
                         fmt::format("there is nothing to resume: evaluation {} differs in: {}", id, nearest),
                         "give the same options, or start a new evaluation without --resume");
}

void ResultStore::add(int64_t evaluation, const FinishedBatch& batch)
{
    Database& database = *m_database;
    const auto now = std::chrono::steady_clock::now();
    database.transaction([&] {
        const EvaluationRow row = evaluationRow(database, evaluation);
        if (row.owner != database.owner)
            throw OwnedElsewhere(database.file().string(),
                                 fmt::format("evaluation {} was taken over by {}", evaluation,
                                             row.owner.empty() ? "another process" : describeOwner(row.owner)),
                                 "stop one of the two");
        insertBatch(database, row, batch);
        database.execute("UPDATE evaluation SET heartbeat = ?, changed = ?, seconds = seconds + ? WHERE id = ?",
                         secondsSince1970(), timeNow(),
                         std::chrono::duration<double>(now - database.worked).count(), evaluation);
    });
    database.worked = now;
}

void ResultStore::setMeasurements(int64_t run, const StoredRun& measured)
{
    m_database->transaction([&] {
        SQLite::Statement query = m_database->firstRow(fmt::format("has no run {}", run),
                                                       "SELECT facts FROM run WHERE id = ?", run);
        StoredRun stored = runFromJson(parseJson(query.getColumn(0).getString()));
        query.reset();
        stored.latency = measured.latency;
        stored.memory = measured.memory;
        stored.error = measured.error;
        stored.emptyRows = measured.emptyRows;
        stored.failure = measured.failure;
        stored.notes = measured.notes;
        m_database->execute("UPDATE run SET facts = ? WHERE id = ?", dumpJson(toJson(stored)), run);
    });
}

void ResultStore::setState(int64_t evaluation, EvaluationState state)
{
    Database& database = *m_database;
    database.transaction([&] {
        const EvaluationRow row = evaluationRow(database, evaluation);
        if (state == EvaluationState::Finished && row.state == int(state))
            return;
        if (row.owner != database.owner)
            throw OwnedElsewhere(database.file().string(),
                                 fmt::format("evaluation {} belongs to another process", evaluation));
        if (state == EvaluationState::Finished && row.done != row.samples)
            throw StoreError(database.file().string(),
                             fmt::format("evaluation {} has {} of {} and is not finished", evaluation, row.done,
                                         counted(row.samples, "sample")));
        const bool running = state == EvaluationState::Running;
        database.execute("UPDATE evaluation SET state = ?, owner = ?, heartbeat = ?, changed = ? WHERE id = ?",
                         int(state), running ? database.owner : std::string(), running ? secondsSince1970() : 0,
                         timeNow(), evaluation);
    });
    if (state != EvaluationState::Running)
        database.owned.reset();
}

void ResultStore::heartbeat(int64_t evaluation)
{
    const bool kept = m_database->transaction([&] {
        return m_database->execute("UPDATE evaluation SET heartbeat = ? WHERE id = ? AND owner = ?",
                                   secondsSince1970(), evaluation, m_database->owner)
               == 1;
    });
    if (!kept)
        throw OwnedElsewhere(m_database->file().string(),
                             fmt::format("evaluation {} was taken over by another process", evaluation),
                             "stop one of the two");
}

void ResultStore::setNote(int64_t evaluation, const std::string& note)
{
    m_database->transaction(
        [&] { m_database->execute("UPDATE evaluation SET note = ? WHERE id = ?", note, evaluation); });
}

void ResultStore::setHidden(int64_t evaluation, bool hidden)
{
    m_database->transaction([&] {
        if (hidden)
            requireFree(m_database->file().string(), evaluationRow(*m_database, evaluation));
        m_database->execute("UPDATE evaluation SET hidden = ? WHERE id = ?", hidden ? 1 : 0, evaluation);
    });
}

void ResultStore::emptyTrash()
{
    m_database->transaction([&] {
        const std::string runs = " WHERE run IN (SELECT run.id FROM run JOIN evaluation ON evaluation.id = "
                                 "run.evaluation WHERE hidden = 1)";
        const std::string evaluations = " WHERE evaluation IN (SELECT id FROM evaluation WHERE hidden = 1)";
        SQLite::Database& sql = m_database->database();
        for (const char* table : {"answer", "logits", "class_count", "confusion"})
            sql.exec("DELETE FROM " + std::string(table) + runs);
        for (const char* table : {"run", "batch", "unreadable", "partial", "part"})
            sql.exec("DELETE FROM " + std::string(table) + evaluations);
        sql.exec("DELETE FROM evaluation WHERE hidden = 1");
        sql.exec("DELETE FROM data_set WHERE id NOT IN (SELECT data_set FROM evaluation)");
        sql.exec("DELETE FROM file WHERE data_set NOT IN (SELECT id FROM data_set)");
        sql.exec("DELETE FROM class WHERE data_set NOT IN (SELECT id FROM data_set)");
    });
}

}
