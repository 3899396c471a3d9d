// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/sha256.h"
#include "core/store/data_identity.h"
#include "core/store/settings_json.h"
#include "core/store/ownership.h"
#include "core/store/result_database.h"

#include <fmt/format.h>

namespace attnscope {

namespace {

std::optional<std::int64_t> findDataSet(StoreConnection& connection, const std::string& files,
                                        const std::string& classes)
{
    SQLite::Statement query(connection.database(), "SELECT id FROM data_set WHERE hash = ? AND class_hash = ?");
    query.bind(1, files);
    query.bind(2, classes);
    if (!query.executeStep())
        return {};
    return query.getColumn(0).getInt64();
}

void insertFiles(StoreConnection& connection, std::int64_t dataSet, const LabelledSet& data)
{
    const auto base = baseFolder(data.root, data.layout);
    SQLite::Statement insert(connection.database(), "INSERT INTO file VALUES (?, ?, ?, ?)");
    for (std::size_t i = 0; i < data.files.size(); ++i) {
        insert.reset();
        insert.bind(1, dataSet);
        insert.bind(2, static_cast<std::int64_t>(i));
        insert.bind(3, storedPath(data.files[i].path, base));
        insert.bind(4, data.files[i].label);
        insert.exec();
    }
}

void insertClasses(StoreConnection& connection, std::int64_t dataSet, const std::vector<std::string>& classes)
{
    SQLite::Statement insert(connection.database(), "INSERT INTO class VALUES (?, ?, ?)");
    for (std::size_t i = 0; i < classes.size(); ++i) {
        insert.reset();
        insert.bind(1, dataSet);
        insert.bind(2, static_cast<std::int64_t>(i));
        insert.bind(3, classes[i]);
        insert.exec();
    }
}

void insertRun(StoreConnection& connection, std::int64_t evaluation, std::int64_t position, const StoredRun& run)
{
    SQLite::Statement insert(connection.database(),
                             "INSERT INTO run(evaluation, position, attention, facts, seconds, samples, "
                             "correct1, correct5) VALUES (?, ?, ?, ?, 0, 0, 0, 0)");
    insert.bind(1, evaluation);
    insert.bind(2, position);
    insert.bind(3, run.attention);
    insert.bind(4, dumpJson(toJson(run)));
    insert.exec();
}

}  // namespace

std::int64_t keepDataSet(StoreConnection& connection, const LabelledSet& data)
{
    const std::string files = dataHash(data), classes = classHash(data);
    if (const auto found = findDataSet(connection, files, classes))
        return *found;
    SQLite::Statement insert(
        connection.database(),
        "INSERT INTO data_set(hash, class_hash, layout, video, files) VALUES (?, ?, ?, ?, ?)");
    insert.bind(1, files);
    insert.bind(2, classes);
    insert.bind(3, static_cast<int>(data.layout));
    insert.bind(4, data.video ? 1 : 0);
    insert.bind(5, static_cast<std::int64_t>(data.files.size()));
    insert.exec();
    const std::int64_t id = connection.database().getLastInsertRowid();
    insertFiles(connection, id, data);
    insertClasses(connection, id, data.classes);
    return id;
}

std::int64_t insertEvaluation(StoreConnection& connection, const NewEvaluation& made)
{
    SQLite::Statement insert(connection.database(),
                             "INSERT INTO evaluation(uid, data_set, identity, whole_identity, data_root, facts, "
                             "shards, state, samples, "
                             "done, unreadable, started, changed, seconds, note, hidden, owner, heartbeat) "
                             "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, 0, '', 0, '', 0)");
    const std::string now = timeNow();
    insert.bind(1, made.uid);
    insert.bind(2, made.dataSet);
    insert.bind(3, made.identity);
    insert.bind(4, made.wholeIdentity);
    insert.bind(5, made.dataRoot);
    insert.bind(6, dumpJson(toJson(made.settings)));
    insert.bind(7, made.shards);
    insert.bind(8, static_cast<int>(EvaluationState::Interrupted));
    insert.bind(9, made.samples);
    insert.bind(10, now);
    insert.bind(11, now);
    insert.exec();
    const std::int64_t id = connection.database().getLastInsertRowid();
    for (std::size_t i = 0; i < made.runs.size(); ++i)
        insertRun(connection, id, static_cast<std::int64_t>(i), made.runs[i]);
    return id;
}

void insertPart(StoreConnection& connection, std::int64_t evaluation, const std::string& uid,
                const EvaluationSettings& settings)
{
    SQLite::Statement insert(
        connection.database(),
        "INSERT INTO part VALUES (?, (SELECT count(*) FROM part WHERE evaluation = ?), ?, ?, ?, ?)");
    insert.bind(1, evaluation);
    insert.bind(2, evaluation);
    insert.bind(3, uid);
    insert.bind(4, settings.shard.index);
    insert.bind(5, timeNow());
    insert.bind(6, dumpJson(toJson(settings)));
    insert.exec();
}

EvaluationRow evaluationRow(StoreConnection& connection, std::int64_t id)
{
    SQLite::Statement query(
        connection.database(),
        "SELECT data_set, owner, heartbeat, state, samples, done, facts, data_root FROM evaluation WHERE id = ?");
    query.bind(1, id);
    if (!query.executeStep())
        throw StoreError(connection.file().string(), fmt::format("has no evaluation {}", id));
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

std::vector<std::int64_t> runIds(StoreConnection& connection, std::int64_t evaluation)
{
    SQLite::Statement query(connection.database(), "SELECT id FROM run WHERE evaluation = ? ORDER BY position");
    query.bind(1, evaluation);
    std::vector<std::int64_t> ids;
    while (query.executeStep())
        ids.push_back(query.getColumn(0).getInt64());
    return ids;
}

std::string identityHash(const EvaluationSettings& settings, const std::string& dataHash, const std::string& classHash,
                         const std::vector<StoredRun>& runs, bool withShard)
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

std::vector<StoredRun> readRuns(StoreConnection& connection, std::int64_t evaluation)
{
    SQLite::Statement query(
        connection.database(),
        "SELECT id, attention, facts, seconds FROM run WHERE evaluation = ? ORDER BY position");
    query.bind(1, evaluation);
    std::vector<StoredRun> runs;
    while (query.executeStep()) {
        StoredRun run = runFromJson(parseJson(query.getColumn(2).getString()));
        run.id = query.getColumn(0).getInt64();
        run.attention = query.getColumn(1).getString();
        run.seconds = query.getColumn(3).getDouble();
        runs.push_back(std::move(run));
    }
    return runs;
}

}  // namespace attnscope
