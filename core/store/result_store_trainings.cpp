// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_fields.h"
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

std::optional<std::int64_t> newestTraining(StoreConnection& connection, const std::string& output)
{
    SQLite::Statement query(connection.database(),
                            "SELECT id FROM training WHERE output = ? ORDER BY id DESC LIMIT 1");
    query.bind(1, output);
    if (!query.executeStep())
        return {};
    return query.getColumn(0).getInt64();
}

std::vector<StoredEpoch> readEpochs(StoreConnection& connection, std::int64_t training)
{
    SQLite::Statement query(connection.database(),
                            "SELECT number, facts FROM epoch WHERE training = ? ORDER BY number");
    query.bind(1, training);
    std::vector<StoredEpoch> epochs;
    while (query.executeStep())
        epochs.push_back(epochFromJson(query.getColumn(0).getInt64(), parseJson(query.getColumn(1).getString())));
    return epochs;
}

}  // namespace

std::int64_t ResultStore::beginTraining(const StoredTraining& training, bool resume)
{
    return m_database->transaction([&] {
        if (const auto found = resume ? newestTraining(*m_database, training.output) : std::nullopt)
            return *found;
        SQLite::Statement insert(m_database->database(),
                                 "INSERT INTO training(output, facts, started, changed) VALUES (?, ?, ?, ?)");
        const std::string now = timeNow();
        insert.bind(1, training.output);
        insert.bind(2, dumpJson(writeFields(training)));
        insert.bind(3, now);
        insert.bind(4, now);
        insert.exec();
        return static_cast<std::int64_t>(m_database->database().getLastInsertRowid());
    });
}

void ResultStore::addEpoch(std::int64_t training, const StoredEpoch& epoch)
{
    m_database->transaction([&] {
        SQLite::Statement update(m_database->database(), "UPDATE training SET changed = ? WHERE id = ?");
        update.bind(1, timeNow());
        update.bind(2, training);
        if (update.exec() != 1)
            throw StoreError(m_database->file().string(), fmt::format("has no training {}", training));
        SQLite::Statement insert(m_database->database(), "INSERT OR REPLACE INTO epoch VALUES (?, ?, ?)");
        insert.bind(1, training);
        insert.bind(2, epoch.epoch);
        insert.bind(3, dumpJson(epochJson(epoch)));
        insert.exec();
    });
}

std::vector<StoredTraining> ResultStore::trainings() const
{
    std::vector<StoredTraining> all;
    if (m_database->version() < 2)
        return all;
    return m_database->snapshot([&] {
        SQLite::Statement query(m_database->database(),
                                "SELECT id, output, facts, started, changed FROM training ORDER BY id");
        while (query.executeStep()) {
            StoredTraining training;
            readKnownFields(parseJson(query.getColumn(2).getString()), training);
            training.id = query.getColumn(0).getInt64();
            training.output = query.getColumn(1).getString();
            training.started = query.getColumn(3).getString();
            training.changed = query.getColumn(4).getString();
            training.history = readEpochs(*m_database, training.id);
            all.push_back(std::move(training));
        }
        return all;
    });
}

}  // namespace attnscope
