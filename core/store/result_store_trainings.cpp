// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/store/settings_json.h"
#include "core/store/ownership.h"
#include "core/store/result_database.h"

#include <fmt/format.h>

#include <cmath>

namespace attnscope {

void visitFields(MaybeConst<StoredTraining> auto& training, auto& visit)
{
    visit("model", training.model);
    visit("attention", training.attention);
    visit("weights", training.weights);
    visit("teacher", training.teacher);
    visit("device", training.device);
    visit("command", training.command);
    visit("epochs", training.epochs);
    visit("classes", training.classes);
    visit("training_samples", training.trainingSamples);
    visit("validation_samples", training.validationSamples);
}

void visitFields(MaybeConst<StoredEpoch> auto& epoch, auto& visit)
{
    visit("loss", epoch.loss);
    visit("learning_rate", epoch.learningRate);
    visit("seconds", epoch.seconds);
    visit("samples", epoch.samples);
    visit("best", epoch.best);
}

void visitFields(MaybeConst<Accuracy> auto& accuracy, auto& visit)
{
    visit("samples", accuracy.samples);
    visit("correct1", accuracy.correct1);
    visit("correct5", accuracy.correct5);
}

namespace {

Json epochJson(const StoredEpoch& epoch)
{
    Json json = writeFields(epoch);
    if (epoch.validation) {
        json["validation"] = writeFields(*epoch.validation);
        json["validation"]["loss"] = finiteOrNull(epoch.validationLoss);
    }
    return json;
}

StoredEpoch epochFromJson(std::int64_t number, const Json& json)
{
    StoredEpoch epoch{.epoch = number, .loss = std::nan(""), .learningRate = std::nan(""), .seconds = std::nan("")};
    readKnownFields(json, epoch);
    if (const auto found = json.find("validation"); found != json.end() && found->is_object()) {
        readKnownFields(*found, epoch.validation.emplace());
        epoch.validationLoss = std::nan("");
        JsonKnownFieldReader{*found}("loss", epoch.validationLoss);
    }
    return epoch;
}

std::vector<StoredEpoch> readEpochs(StoreConnection& connection, std::int64_t training)
{
    return connection.rows("SELECT number, facts FROM epoch WHERE training = ? ORDER BY number",
        [](SQLite::Statement& row) {
            return epochFromJson(row.getColumn(0).getInt64(), parseJson(row.getColumn(1).getString()));
        }, training);
}

}  // namespace

std::int64_t ResultStore::beginTraining(const StoredTraining& training, bool resume)
{
    return m_database->transaction([&] {
        constexpr const char* newest = "SELECT id FROM training WHERE output = ? ORDER BY id DESC LIMIT 1";
        if (const auto found = resume ? m_database->integer(newest, training.output) : std::nullopt)
            return *found;
        const std::string now = timeNow();
        m_database->execute("INSERT INTO training(output, facts, started, changed) VALUES (?, ?, ?, ?)", training.output,
                            dumpJson(writeFields(training)), now, now);
        return static_cast<std::int64_t>(m_database->database().getLastInsertRowid());
    });
}

void ResultStore::addEpoch(std::int64_t training, const StoredEpoch& epoch)
{
    m_database->transaction([&] {
        if (m_database->execute("UPDATE training SET changed = ? WHERE id = ?", timeNow(), training) != 1)
            throw StoreError(m_database->file().string(), fmt::format("has no training {}", training));
        m_database->execute("INSERT OR REPLACE INTO epoch VALUES (?, ?, ?)", training, epoch.epoch, dumpJson(epochJson(epoch)));
    });
}

std::vector<StoredTraining> ResultStore::trainings() const
{
    if (m_database->version() < 2)
        return {};
    const auto read = [&](SQLite::Statement& row) {
        StoredTraining training;
        readKnownFields(parseJson(row.getColumn(2).getString()), training);
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

}  // namespace attnscope
