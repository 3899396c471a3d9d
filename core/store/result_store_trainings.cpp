#include "core/store/ownership.h"
#include "core/store/result_database.h"
#include "core/store/store_json.h"

#include <fmt/format.h>

namespace attnscope {

namespace {

std::vector<StoredEpoch> readEpochs(StoreConnection& connection, int64_t training)
{
    return connection.rows(
        "SELECT number, facts FROM epoch WHERE training = ? ORDER BY number",
        [](SQLite::Statement& row) {
            return epochFromJson(row.getColumn(0).getInt64(), parseJson(row.getColumn(1).getString()));
        },
        training);
}

}

int64_t ResultStore::beginTraining(const StoredTraining& training, bool resume)
{
    return m_database->transaction([&] {
        constexpr const char* newest = "SELECT id FROM training WHERE output = ? ORDER BY id DESC LIMIT 1";
        if (const auto found = resume ? m_database->integer(newest, training.output) : std::nullopt)
            return *found;
        const std::string now = timeNow();
        m_database->execute("INSERT INTO training(output, facts, started, changed) VALUES (?, ?, ?, ?)",
                            training.output, dumpJson(toJson(training)), now, now);
        return int64_t(m_database->database().getLastInsertRowid());
    });
}

void ResultStore::addEpoch(int64_t training, const StoredEpoch& epoch)
{
    m_database->transaction([&] {
        if (m_database->execute("UPDATE training SET changed = ? WHERE id = ?", timeNow(), training) != 1)
            throw StoreError(m_database->file().string(), fmt::format("has no training {}", training));
        m_database->execute("INSERT OR REPLACE INTO epoch VALUES (?, ?, ?)", training, epoch.epoch,
                            dumpJson(toJson(epoch)));
    });
}

std::vector<StoredTraining> ResultStore::trainings() const
{
    if (m_database->version() < 2)
        return {};
    const auto read = [&](SQLite::Statement& row) {
        StoredTraining training = trainingFromJson(parseJson(row.getColumn(2).getString()));
        training.id = row.getColumn(0).getInt64();
        training.output = row.getColumn(1).getString();
        training.started = row.getColumn(3).getString();
        training.changed = row.getColumn(4).getString();
        training.history = readEpochs(*m_database, training.id);
        return training;
    };
    return m_database->snapshot([&] {
        return m_database->rows("SELECT id, output, facts, started, changed FROM training ORDER BY id", read);
    });
}

}
