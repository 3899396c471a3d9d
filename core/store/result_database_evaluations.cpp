#include "core/checkpoint/sha256.h"
#include "core/store/data_identity.h"
#include "core/store/ownership.h"
#include "core/store/result_database.h"
#include "core/store/store_json.h"

#include <fmt/format.h>

namespace attnscope {

namespace {

void insertFiles(StoreConnection& connection, int64_t dataSet, const LabelledSet& data)
{
    const auto base = baseFolder(data.root, data.layout);
    SQLite::Statement insert = connection.statement("INSERT INTO file VALUES (?, ?, ?, ?)");
    for (size_t i = 0; i < data.files.size(); ++i)
        runAgain(insert, dataSet, static_cast<int64_t>(i), storedPath(data.files[i].path, base),
                 data.files[i].label);
}

void insertClasses(StoreConnection& connection, int64_t dataSet, const std::vector<std::string>& classes)
{
    SQLite::Statement insert = connection.statement("INSERT INTO class VALUES (?, ?, ?)");
    for (size_t i = 0; i < classes.size(); ++i)
        runAgain(insert, dataSet, static_cast<int64_t>(i), classes[i]);
}

}

int64_t keepDataSet(StoreConnection& connection, const LabelledSet& data)
{
    const std::string files = dataHash(data), classes = classHash(data);
    if (const auto found = connection.integer("SELECT id FROM data_set WHERE hash = ? AND class_hash = ?", files,
                                              classes))
        return *found;
    connection.execute("INSERT INTO data_set(hash, class_hash, layout, video, files) VALUES (?, ?, ?, ?, ?)",
                       files, classes, int(data.layout), data.video ? 1 : 0, int64_t(data.files.size()));
    const int64_t id = connection.database().getLastInsertRowid();
    insertFiles(connection, id, data);
    insertClasses(connection, id, data.classes);
    return id;
}

int64_t insertEvaluation(StoreConnection& connection, const NewEvaluation& made)
{
    const std::string now = timeNow();
    connection.execute("INSERT INTO evaluation(uid, data_set, identity, whole_identity, data_root, facts, shards, "
                       "state, samples, done, unreadable, "
                       "started, changed, seconds, note, hidden, owner, heartbeat) VALUES (?, ?, ?, ?, ?, ?, ?, "
                       "?, ?, 0, 0, ?, ?, 0, '', 0, '', 0)",
                       made.uid, made.dataSet, made.identity, made.wholeIdentity, made.dataRoot,
                       dumpJson(toJson(made.settings)), made.shards, int(EvaluationState::Interrupted),
                       made.samples, now, now);
    const int64_t id = connection.database().getLastInsertRowid();
    for (size_t i = 0; i < made.runs.size(); ++i)
        connection.execute("INSERT INTO run(evaluation, position, attention, facts, seconds, samples, correct1, "
                           "correct5) VALUES (?, ?, ?, ?, 0, 0, 0, 0)",
                           id, int64_t(i), made.runs[i].attention, dumpJson(toJson(made.runs[i])));
    return id;
}

void insertPart(StoreConnection& connection, int64_t evaluation, const std::string& uid,
                const EvaluationSettings& settings)
{
    connection.execute("INSERT INTO part VALUES (?, (SELECT count(*) FROM part WHERE evaluation = ?), ?, ?, ?, ?)",
                       evaluation, evaluation, uid, settings.shard.index, timeNow(), dumpJson(toJson(settings)));
}

EvaluationRow evaluationRow(StoreConnection& connection, int64_t id)
{
    SQLite::Statement query = connection.firstRow(
        fmt::format("has no evaluation {}", id),
        "SELECT data_set, owner, heartbeat, state, samples, done, facts, data_root FROM evaluation WHERE id = ?",
        id);
    return {id,
            query.getColumn(0).getInt64(),
            query.getColumn(1).getString(),
            query.getColumn(2).getInt64(),
            query.getColumn(3).getInt64(),
            query.getColumn(4).getInt64(),
            query.getColumn(5).getInt64(),
            settingsFromJson(parseJson(query.getColumn(6).getString())),
            query.getColumn(7).getString()};
}

std::vector<int64_t> runIds(StoreConnection& connection, int64_t evaluation)
{
    return connection.rows(
        "SELECT id FROM run WHERE evaluation = ? ORDER BY position",
        [](SQLite::Statement& row) { return row.getColumn(0).getInt64(); }, evaluation);
}

std::string identityHash(const EvaluationSettings& settings, const std::string& dataHash,
                         const std::string& classHash, const std::vector<StoredRun>& runs, bool withShard)
{
    Json json = identityOf(settings, withShard);
    json["data"] = dataHash;
    json["classes"] = classHash;
    for (const StoredRun& run : runs)
        json["attention"].push_back(run.attention);
    return sha256(dumpJson(json));
}

EvaluationSettings drawnOtherwise(EvaluationSettings settings)
{
    settings.draws = settings.draws.empty() ? drawsByContent : "";
    return settings;
}

std::vector<StoredRun> readRuns(StoreConnection& connection, int64_t evaluation)
{
    const auto read = [](SQLite::Statement& row) {
        StoredRun run = runFromJson(parseJson(row.getColumn(2).getString()));
        run.id = row.getColumn(0).getInt64();
        run.attention = row.getColumn(1).getString();
        run.seconds = row.getColumn(3).getDouble();
        return run;
    };
    return connection.rows("SELECT id, attention, facts, seconds FROM run WHERE evaluation = ? ORDER BY position",
                           read, evaluation);
}

}
