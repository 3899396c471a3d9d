#include "models/training/training_store.h"

#include <filesystem>

namespace attnscope {

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
        stored.validation = *result;
        stored.validationLoss = result->loss;
    }
    return stored;
}

}

TrainingStore::TrainingStore(const std::string& store, const std::string& output, const std::string& command)
{
    if (store.empty())
        return;
    m_store.emplace(store, ResultStore::Mode::Write);
    m_training.output = std::filesystem::absolute(output).lexically_normal().string();
    m_training.command = command;
}

void TrainingStore::begin(const TrainingStart& start)
{
    if (!m_store)
        return;
    m_training.model = start.model;
    m_training.attention = start.attention;
    m_training.weights = start.weights;
    m_training.teacher = start.teacher;
    m_training.device = start.device;
    m_training.epochs = start.epochs;
    m_training.classes = start.classes;
    m_training.trainingSamples = start.trainingSamples;
    m_training.validationSamples = start.validationSamples;
    m_id = m_store->beginTraining(m_training, start.resumedAt > 0);
}

std::string TrainingStore::add(const EpochRecord& epoch)
{
    if (!m_store)
        return {};
    try {
        m_store->addEpoch(m_id, toStored(epoch));
    } catch (const StoreError& error) {
        return error.what();
    }
    return {};
}

}
