#include "core/store/data_identity.h"
#include "core/store/ownership.h"
#include "core/store/result_database.h"
#include "core/store/store_json.h"
#include "core/store/stored_batch.h"

#include <fmt/format.h>

namespace attnscope {

namespace {

/// One evaluation of the other store, with data found only in its rows.
struct Source {
    EvaluationRow row;
    std::string uid, identity, wholeIdentity, started, changed, note;
    double seconds = 0;
    int64_t shards = 1;
    bool isShard() const { return row.settings.shard.count > 1 || shards > 1; }
};

std::vector<Source> sources(StoreConnection& part)
{
    const auto source = [&](SQLite::Statement& row) {
        return Source{evaluationRow(part, row.getColumn(0).getInt64()),
                      row.getColumn(1).getString(),
                      row.getColumn(2).getString(),
                      row.getColumn(3).getString(),
                      row.getColumn(4).getString(),
                      row.getColumn(5).getString(),
                      row.getColumn(6).getString(),
                      row.getColumn(7).getDouble(),
                      row.getColumn(8).getInt64()};
    };
    return part.rows(
        "SELECT id, uid, identity, whole_identity, started, changed, note, seconds, shards FROM evaluation "
        "WHERE hidden = 0 ORDER BY id",
        source);
}

LabelledSet readDataSet(StoreConnection& part, const EvaluationRow& row)
{
    LabelledSet data;
    data.root = row.dataRoot;
    data.layout = layoutOf(part, row.dataSet);
    data.video = part.integer("SELECT video FROM data_set WHERE id = ?", row.dataSet).value_or(0) != 0;
    data.classes = part.rows(
        "SELECT name FROM class WHERE data_set = ? ORDER BY label",
        [](SQLite::Statement& one) { return one.getColumn(0).getString(); }, row.dataSet);
    const auto base = baseFolder(data.root, data.layout);
    const auto file = [&](SQLite::Statement& one) {
        return LabelledFile{openedPath(one.getColumn(0).getString(), base), one.getColumn(1).getInt64()};
    };
    data.files = part.rows("SELECT path, label FROM file WHERE data_set = ? ORDER BY sample", file, row.dataSet);
    return data;
}

/// Merges one evaluation into the store.
class Merge {
public:
    Merge(StoreConnection& store, StoreConnection& part, const Source& source)
        : m_store(store)
        , m_part(part)
        , m_source(source)
    {}

    void run()
    {
        const auto found = findTarget();
        m_target = evaluationRow(m_store, found ? *found : makeTarget());
        if (ownerLives(m_target.owner, m_target.heartbeat, secondsSince1970()))
            throw OwnedElsewhere(
                m_store.file().string(),
                fmt::format("{} is working on evaluation {}", describeOwner(m_target.owner), m_target.id),
                "merge once it has finished");
        const auto [copied, all] = copyBatches();
        copyParts();
        copyMeasurements(all > 0 ? double(copied) / double(all) : 0, !found);
        if (copied > 0 || !found)
            close();
    }

private:
    /// Shards of one evaluation merge into one; anything else is identified by its unique id.
    std::optional<int64_t> findTarget()
    {
        if (m_source.isShard())
            requireSameDraws();
        return m_store.integer(
            m_source.isShard()
                ? "SELECT id FROM evaluation WHERE whole_identity = ? AND shards > 1 AND hidden = 0 ORDER BY id"
                : "SELECT id FROM evaluation WHERE uid = ?",
            m_source.isShard() ? m_source.wholeIdentity : m_source.uid);
    }

    /// Shards with random numbers by different rules can't be merged.
    void requireSameDraws()
    {
        SQLite::Statement data = m_part.statement("SELECT hash, class_hash FROM data_set WHERE id = ?",
                                                  m_source.row.dataSet);
        if (!data.executeStep())
            return;
        const std::string identity = identityHash(drawnOtherwise(m_source.row.settings),
                                                  data.getColumn(0).getString(), data.getColumn(1).getString(),
                                                  readRuns(m_part, m_source.row.id), false);
        const auto other = m_store.integer(
            "SELECT id FROM evaluation WHERE whole_identity = ? AND shards > 1 AND hidden = 0", identity);
        if (other)
            throw StoreError(
                m_part.file().string(),
                fmt::format(
                    "its random attentions were seeded by a different rule than those of evaluation {} in the "
                    "store: one by content, the other by position in the list",
                    *other),
                "evaluate all parts with one version of Attnscope");
    }

    int64_t makeTarget()
    {
        const LabelledSet data = readDataSet(m_part, m_source.row);
        NewEvaluation made;
        made.uid = m_source.isShard() ? newUniqueId() : m_source.uid;
        made.dataSet = keepDataSet(m_store, data);
        made.dataRoot = data.root;
        made.settings = m_source.row.settings;
        made.settings.shard = {};
        made.samples = samplesOf(made.settings, int64_t(data.files.size()));
        made.shards = std::max(m_source.shards, m_source.row.settings.shard.count);
        made.identity = made.wholeIdentity = m_source.wholeIdentity;
        made.runs = readRuns(m_part, m_source.row.id);
        return insertEvaluation(m_store, made);
    }

    /// The number of copied batches, and of batches in the part.
    std::pair<int64_t, int64_t> copyBatches()
    {
        const auto runs = runIds(m_part, m_source.row.id);
        SQLite::Statement there = m_store.statement(
            "SELECT digest FROM batch WHERE evaluation = ? AND number = ?");
        SQLite::Statement batches = m_part.statement(
            "SELECT number, digest FROM batch WHERE evaluation = ? ORDER BY number", m_source.row.id);
        int64_t copied = 0, all = 0;
        for (; batches.executeStep(); ++all) {
            const int64_t number = batches.getColumn(0).getInt64();
            const std::string digest = batches.getColumn(1).getString();
            there.reset();
            bindAll(there, m_target.id, number);
            if (there.executeStep()) {
                if (there.getColumn(0).getString() != digest)
                    throw StoreError(
                        m_part.file().string(),
                        fmt::format("has predictions for batch {} of {} that differ from those in the store",
                                    number, m_target.settings.model),
                        "merge parts that ran with the same programs on the same kind of device");
                continue;
            }
            const FinishedBatch batch = readBatch(m_part, m_source.row, runs, number);
            if (batchDigest(batch) != digest)
                throw StoreError(m_part.file().string(),
                                 fmt::format("batch {} was changed after it was stored", number),
                                 "restore it from a copy");
            insertBatch(m_store, m_target, batch);
            ++copied;
        }
        return {copied, all};
    }

    void copyParts()
    {
        SQLite::Statement parts = m_part.statement(
            "SELECT uid, shard, started, facts FROM part WHERE evaluation = ? ORDER BY number", m_source.row.id);
        SQLite::Statement insert = m_store.statement(
            "INSERT INTO part SELECT ?1, (SELECT count(*) FROM part WHERE evaluation = ?1), ?2, ?3, ?4, ?5 WHERE "
            "NOT EXISTS (SELECT 1 "
            "FROM part WHERE evaluation = ?1 AND uid = ?2)");
        while (parts.executeStep()) {
            runAgain(insert, m_target.id, parts.getColumn(0).getString(), parts.getColumn(1).getInt64(),
                     parts.getColumn(2).getString(), parts.getColumn(3).getString());
        }
    }

    /// Measurements are the first shard's if it has any, regardless of the order of merging; seconds add up.
    void copyMeasurements(double fraction, bool made)
    {
        const auto theirs = readRuns(m_part, m_source.row.id), ours = readRuns(m_store, m_target.id);
        SQLite::Statement update = m_store.statement(
            "UPDATE run SET facts = ?, seconds = seconds + ? WHERE id = ?");
        for (size_t i = 0; i < ours.size() && i < theirs.size(); ++i) {
            StoredRun run = ours[i];
            const bool first = m_source.row.settings.shard.index == 1 && m_source.row.settings.shard.count > 1;
            if (made || !run.latency || (first && theirs[i].latency)) {
                const std::string failure = run.failure;
                run = theirs[i];
                if (run.failure.empty())
                    run.failure = failure;
            } else if (run.failure.empty()) {
                run.failure = theirs[i].failure;
            }
            runAgain(update, dumpJson(toJson(run)), theirs[i].seconds * fraction, ours[i].id);
        }
    }

    void close()
    {
        const EvaluationRow row = evaluationRow(m_store, m_target.id);
        const auto state = row.done == row.samples ? EvaluationState::Finished : EvaluationState::Interrupted;
        m_store.execute("UPDATE evaluation SET state = ?, started = min(started, ?), "
                        "changed = CASE WHEN done = ? THEN ? ELSE max(changed, ?) END, seconds = seconds + ?, "
                        "note = CASE note WHEN '' THEN ? ELSE note END WHERE id = ?",
                        int(state), m_source.started, m_source.row.done, m_source.changed, m_source.changed,
                        m_source.seconds, m_source.note, m_target.id);
    }

    StoreConnection& m_store;
    StoreConnection& m_part;
    const Source& m_source;
    EvaluationRow m_target;
};

}

void ResultStore::merge(const std::filesystem::path& file)
{
    std::error_code problem;
    if (std::filesystem::equivalent(file, m_database->file(), problem))
        throw StoreError(file.string(), "is the store that the parts are merged into", "give only the parts");
    StoreConnection part(file, {.check = std::chrono::seconds(10)});
    part.snapshot([&] {
        for (const Source& source : sources(part))
            m_database->transaction([&] { Merge(*m_database, part, source).run(); });
    });
}

}
