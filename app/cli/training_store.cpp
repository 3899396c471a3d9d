// SPDX-License-Identifier: Apache-2.0
#include "app/cli/training_store.h"

#include "core/store/result_store.h"

#include <filesystem>

namespace attnscope::cli {

struct TrainingStore::State {
    ResultStore store;
    StoredTraining training;
    std::int64_t id = 0;
};

namespace {

StoredEpoch toStored(const EpochRecord& epoch)
{
    StoredEpoch stored;
    stored.epoch = epoch.epoch;
    stored.loss = epoch.trainingLoss;
    stored.learningRate = epoch.learningRate;
    stored.seconds = epoch.seconds;
    stored.samples = epoch.samples;
    stored.best = epoch.best;
    if (const auto& result = epoch.averageName == "average" ? epoch.averageValidation : epoch.validation) {
        stored.validation = Accuracy{result->samples, result->correct1, result->correct5};
        stored.validationLoss = result->loss;
    }
    return stored;
}

}  // namespace

TrainingStore::TrainingStore(const std::string& store, const std::string& output, const std::string& command)
{
    if (store.empty())
        return;
    m_state = std::make_unique<State>(State{ResultStore(store, ResultStore::Mode::Write), {}, 0});
    m_state->training.output = std::filesystem::absolute(output).lexically_normal().string();
    m_state->training.command = command;
}

TrainingStore::~TrainingStore() = default;

void TrainingStore::begin(const TrainingStart& start)
{
    if (!m_state)
        return;
    StoredTraining& training = m_state->training;
    training.model = start.model;
    training.attention = start.attention;
    training.weights = start.weights;
    training.teacher = start.teacher;
    training.device = start.device;
    training.epochs = start.epochs;
    training.classes = start.classes;
    training.trainingSamples = start.trainingSamples;
    training.validationSamples = start.validationSamples;
    m_state->id = m_state->store.beginTraining(training, start.resumedAt > 0);
}

std::string TrainingStore::add(const EpochRecord& epoch)
{
    if (!m_state)
        return {};
    try {
        m_state->store.addEpoch(m_state->id, toStored(epoch));
    } catch (const StoreError& error) {
        return error.what();
    }
    return {};
}

}  // namespace attnscope::cli
