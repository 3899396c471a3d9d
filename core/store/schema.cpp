#include "core/store/schema.h"

#include "core/base/text.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <set>

namespace attnscope {

namespace {

/// Version 1: evaluations. Whatever a list or report shows is stored as counts, in the transaction that adds the predictions; predictions
/// are ordered by run and sample, so that a page of a gallery reads one range, and a pair of runs two ranges in parallel.
constexpr const char* version1 = R"sql(
CREATE TABLE data_set(
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    class_hash TEXT NOT NULL,
    layout INTEGER NOT NULL,
    video INTEGER NOT NULL,
    files INTEGER NOT NULL,
    UNIQUE(hash, class_hash)) STRICT;
CREATE TABLE class(
    data_set INTEGER NOT NULL,
    label INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY(data_set, label)) STRICT, WITHOUT ROWID;
CREATE TABLE file(
    data_set INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    path TEXT NOT NULL,
    label INTEGER NOT NULL,
    PRIMARY KEY(data_set, sample)) STRICT, WITHOUT ROWID;
CREATE TABLE evaluation(
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    data_set INTEGER NOT NULL,
    identity TEXT NOT NULL,
    whole_identity TEXT NOT NULL,
    data_root TEXT NOT NULL,
    facts TEXT NOT NULL,
    shards INTEGER NOT NULL,
    state INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    done INTEGER NOT NULL,
    unreadable INTEGER NOT NULL,
    started TEXT NOT NULL,
    changed TEXT NOT NULL,
    seconds REAL NOT NULL,
    note TEXT NOT NULL,
    hidden INTEGER NOT NULL,
    owner TEXT NOT NULL,
    heartbeat INTEGER NOT NULL) STRICT;
CREATE INDEX evaluation_identity ON evaluation(identity);
CREATE TABLE part(
    evaluation INTEGER NOT NULL,
    number INTEGER NOT NULL,
    uid TEXT NOT NULL,
    shard INTEGER NOT NULL,
    started TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY(evaluation, number)) STRICT, WITHOUT ROWID;
CREATE TABLE run(
    id INTEGER PRIMARY KEY,
    evaluation INTEGER NOT NULL,
    position INTEGER NOT NULL,
    attention TEXT NOT NULL,
    facts TEXT NOT NULL,
    seconds REAL NOT NULL,
    samples INTEGER NOT NULL,
    correct1 INTEGER NOT NULL,
    correct5 INTEGER NOT NULL,
    UNIQUE(evaluation, position)) STRICT;
CREATE TABLE batch(
    evaluation INTEGER NOT NULL,
    number INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY(evaluation, number)) STRICT, WITHOUT ROWID;
CREATE TABLE answer(
    run INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    label INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    answer INTEGER NOT NULL,
    probability REAL,
    rest BLOB NOT NULL,
    PRIMARY KEY(run, sample)) STRICT, WITHOUT ROWID;
CREATE TABLE unreadable(
    evaluation INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY(evaluation, sample)) STRICT, WITHOUT ROWID;
CREATE TABLE class_count(
    run INTEGER NOT NULL,
    label INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    correct1 INTEGER NOT NULL,
    correct5 INTEGER NOT NULL,
    PRIMARY KEY(run, label)) STRICT, WITHOUT ROWID;
CREATE TABLE confusion(
    run INTEGER NOT NULL,
    label INTEGER NOT NULL,
    answer INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    PRIMARY KEY(run, label, answer)) STRICT, WITHOUT ROWID;
)sql";

/// Version 2: trainings, epoch by epoch.
constexpr const char* version2 = R"sql(
CREATE TABLE training(
    id INTEGER PRIMARY KEY,
    output TEXT NOT NULL,
    facts TEXT NOT NULL,
    started TEXT NOT NULL,
    changed TEXT NOT NULL) STRICT;
CREATE TABLE epoch(
    training INTEGER NOT NULL,
    number INTEGER NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY(training, number)) STRICT, WITHOUT ROWID;
)sql";

/// Version 3: the readable samples of a batch, which can't be derived from predictions if every attention failed. NULL: written before.
constexpr const char* version3 = R"sql(
ALTER TABLE batch ADD COLUMN samples BLOB;
)sql";

/// Version 4: samples of which a part could be read.
constexpr const char* version4 = R"sql(
CREATE TABLE partial(
    evaluation INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY(evaluation, sample)) STRICT, WITHOUT ROWID;
)sql";

/// Version 5: a prediction's `rest` may have 40 bytes; logits of evaluations that keep them.
constexpr const char* version5 = R"sql(
CREATE TABLE logits(
    run INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY(run, sample)) STRICT, WITHOUT ROWID;
)sql";

const std::vector<const char*>& steps()
{
    static const std::vector<const char*> all{version1, version2, version3, version4, version5};
    return all;
}

/// (name, statement) of everything in a schema except SQLite's own.
std::set<std::pair<std::string, std::string>> entries(SQLite::Database& database)
{
    std::set<std::pair<std::string, std::string>> found;
    SQLite::Statement query(database, "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE "
                                      "'sqlite\\_autoindex\\_%' ESCAPE '\\'");
    while (query.executeStep())
        found.emplace(query.getColumn(0).getString(), query.getColumn(1).getString());
    return found;
}

}

int storeVersion()
{
    return int(steps().size());
}

std::string migrationSql(int from, int to)
{
    std::string sql;
    for (int version = from; version < to; ++version)
        sql += steps().at(size_t(version));
    return sql;
}

std::string schemaDifference(SQLite::Database& database, int version)
{
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    fresh.exec(migrationSql(0, version));
    const auto expected = entries(fresh), found = entries(database);
    for (const auto& entry : found)
        if (!expected.contains(entry))
            return "has `" + printable(entry.first) + "`, which a store of version " + std::to_string(version)
                   + " does not have";
    for (const auto& entry : expected)
        if (!found.contains(entry))
            return "lacks the table `" + entry.first + "`";
    return {};
}

}
