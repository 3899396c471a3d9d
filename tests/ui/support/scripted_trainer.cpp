#include "tests/ui/support/scripted_trainer.h"

#include "core/base/error.h"
#include "models/training/train_request_json.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

namespace attnscope::ui::test {

namespace {

constexpr int64_t validationSamples = 240;

void waitForStep(int milliseconds)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

std::string sibling(const std::string& output, const std::string& part)
{
    return output.substr(0, output.rfind(".safetensors")) + part;
}

void write(const std::string& path)
{
    std::ofstream(path) << "scripted\n";
}

ValidationResult predictions(int64_t epoch)
{
    ValidationResult result;
    result.samples = validationSamples;
    result.correct = int64_t(240 * (0.8 - 0.5 * std::exp(-double(epoch) / 4)));
    result.correct5 = 236;
    result.loss = 0.7 + 1.6 * std::exp(-double(epoch) / 4);
    return result;
}

DistillationState distance(bool after, const ValidationResult& student)
{
    DistillationState state;
    state.student = student;
    const double scale = after ? 0.21 : 0.83;
    for (int layer = 0; layer < 12; ++layer)
        state.layerErrors.push_back(scale * (0.6 + 0.07 * layer));
    state.relativeError = scale;
    state.divergence = after ? 0.08 : 1.4;
    state.agreement = after ? 0.94 : 0.41;
    return state;
}

/// One call of the trainer.
class Training {
public:
    Training(TrainScript& script, const TrainRequest& request, TrainingObserver& observer, std::stop_token stop)
        : m_script(script)
        , m_request(request)
        , m_observer(observer)
        , m_stop(std::move(stop))
    {}

    TrainingReport run()
    {
        begin();
        for (int64_t epoch = m_report.start.resumedAt + 1; epoch <= m_request.plan.epochs; ++epoch) {
            if (!takeSteps(epoch))
                return m_report;
            endEpoch(epoch);
            if (epoch < m_request.plan.epochs && m_observer.finishesEpochAndStops())
                return m_report;
        }
        m_report.finished = true;
        if (!m_request.teacher.empty())
            m_report.after = distance(true, *m_report.history.back().validation);
        std::filesystem::remove(sibling(m_request.output, ".resume.safetensors"));
        return m_report;
    }

private:
    void begin()
    {
        if (m_request.resume)
            m_report.history = written()[m_request.output];
        TrainingStart& start = m_report.start;
        start.model = m_request.model.model;
        start.attention = m_request.attention;
        start.weights = m_request.model.weights;
        start.teacher = m_request.teacher;
        start.device = "cpu";
        start.parameters = start.trained = 5'717'416;
        start.classes = 12;
        start.trainingSamples = m_script.samples;
        start.validationSamples = m_script.validates ? validationSamples : 0;
        start.epochs = m_request.plan.epochs;
        start.stepsPerEpoch = m_script.steps;
        start.resumedAt = int64_t(m_report.history.size());
        m_report.output = m_request.output;
        m_observer.onStart(start);
        if (!m_report.history.empty())
            m_observer.onHistory(m_report.history);
        if (m_request.teacher.empty())
            return;
        m_report.before = distance(false, predictions(0));
        m_report.teacher = ValidationResult{{validationSamples, 199, 238}, 0, 0.6};
        m_observer.onTeacher(*m_report.teacher);
        m_observer.onDistillation(*m_report.before);
    }

    bool takeSteps(int64_t epoch)
    {
        const int64_t steps = m_script.steps;
        for (int64_t number = 1; number <= steps; ++number) {
            if (m_stop.stop_requested())
                return false;
            waitForStep(m_script.stepMs);
            while (m_script.hold && !m_stop.stop_requested())
                waitForStep(2);
            if (m_stop.stop_requested())
                return false;
            if (epoch == m_script.failAtEpoch && number == 3)
                throw Error("training", "the loss of step 3 of epoch " + std::to_string(epoch) + " is no number",
                            "lower the learning rate");
            TrainingStep step{epoch, number, steps, steps * m_request.plan.epochs, steps * (epoch - 1) + number};
            const double at = double(step.done) / double(steps);
            step.loss = 0.6 + 2 * std::exp(-at / 4) + 0.15 * std::sin(37.0 * at);
            step.learningRate = 1e-3;
            step.samplesPerSecond = 96;
            step.secondsLeft = 0.01 * double(step.total - step.done) + 3600 * 2;
            ++m_script.stepsTaken;
            m_observer.onStep(step);
        }
        return true;
    }

    void endEpoch(int64_t epoch)
    {
        EpochRecord record{epoch, 0.6 + 2 * std::exp(-double(epoch) / 4), 1e-3, 10, m_script.samples};
        if (m_script.validates) {
            for (int64_t done = 80; done <= validationSamples; done += 80)
                m_observer.onValidation({epoch, done, validationSamples});
            record.validation = predictions(epoch);
            record.averageName = "weights";
            record.best = true;
        }
        m_report.history.push_back(record);
        write(m_request.output);
        write(sibling(m_request.output, ".resume.safetensors"));
        written()[m_request.output] = m_report.history;
        m_observer.onEpoch(record);
    }

    /// What a resume file would hold.
    static std::map<std::string, std::vector<EpochRecord>>& written()
    {
        static std::map<std::string, std::vector<EpochRecord>> files;
        return files;
    }

    TrainScript& m_script;
    TrainRequest m_request;
    TrainingObserver& m_observer;
    std::stop_token m_stop;
    TrainingReport m_report;
};

}

TrainingBackend scriptedTraining(std::shared_ptr<TrainScript> script)
{
    TrainingBackend scripted;
    scripted.train = [script](const TrainRequest& request, TrainingObserver& observer, std::stop_token stop) {
        script->remember(request);
        return Training(*script, request, observer, std::move(stop)).run();
    };
    scripted.look = [script](const std::string& folder, const std::string&, const std::string&) {
        if (folder.find("empty") != std::string::npos)
            throw FileError(folder, "has no class folders", "give a folder with a subfolder for each class");
        return DataFolder{
            "imagenet", false, 12, script->samples, validationSamples, {}, folder + "/val/cat/1.jpg"};
    };
    scripted.interrupted = interruptedTraining;
    scripted.writeDemo = [script](const std::string& folder, TaskTurn& turn, const DemoTask::Grew&) {
        if (!script->demoProblem.empty())
            throw FileError(folder, script->demoProblem, "free some");
        ++script->demos;
        turn.report({"scenes", 1, 2});
        const std::string scenes = folder + "/scenes";
        std::filesystem::create_directories(scenes);
        return scenes;
    };
    return scripted;
}

}
