// SPDX-License-Identifier: Apache-2.0
#include "core/store/settings_json.h"
#include "core/store/ownership.h"
#include "core/store/result_database.h"

#include <fmt/format.h>

#include <cmath>

namespace attnscope {

namespace {

Json finite(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

double readDouble(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>() : std::nan("");
}

std::int64_t readCount(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::string readWord(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Json toJson(const StoredTraining& training)
{
    return {{"model", training.model},
            {"attention", training.attention},
            {"weights", training.weights},
            {"teacher", training.teacher},
            {"device", training.device},
            {"command", training.command},
            {"epochs", training.epochs},
            {"classes", training.classes},
            {"training_samples", training.trainingSamples},
            {"validation_samples", training.validationSamples}};
}

StoredTraining trainingFromJson(const Json& json)
{
    StoredTraining training;
    training.model = readWord(json, "model");
    training.attention = readWord(json, "attention");
    training.weights = readWord(json, "weights");
    training.teacher = readWord(json, "teacher");
    training.device = readWord(json, "device");
    training.command = readWord(json, "command");
    training.epochs = readCount(json, "epochs");
    training.classes = readCount(json, "classes");
    training.trainingSamples = readCount(json, "training_samples");
    training.validationSamples = readCount(json, "validation_samples");
    return training;
}

Json toJson(const StoredEpoch& epoch)
{
    Json json{{"loss", finite(epoch.loss)},
              {"learning_rate", finite(epoch.learningRate)},
              {"seconds", finite(epoch.seconds)},
              {"samples", epoch.samples},
              {"best", epoch.best}};
    if (epoch.validation)
        json["validation"] = {{"samples", epoch.validation->samples},
                              {"correct1", epoch.validation->correct1},
                              {"correct5", epoch.validation->correct5},
                              {"loss", finite(epoch.validationLoss)}};
    return json;
}

StoredEpoch epochFromJson(std::int64_t number, const Json& json)
{
    StoredEpoch epoch{number,
                      readDouble(json, "loss"),
                      readDouble(json, "learning_rate"),
                      readDouble(json, "seconds"),
                      readCount(json, "samples"),
                      {},
                      0,
                      json.value("best", Json()) == true};
    if (const auto found = json.find("validation"); found != json.end() && found->is_object()) {
        epoch.validation = Accuracy{readCount(*found, "samples"), readCount(*found, "correct1"),
                                    readCount(*found, "correct5")};
        epoch.validationLoss = readDouble(*found, "loss");
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
        insert.bind(2, dumpJson(toJson(training)));
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
        insert.bind(3, dumpJson(toJson(epoch)));
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
            StoredTraining training = trainingFromJson(parseJson(query.getColumn(2).getString()));
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
