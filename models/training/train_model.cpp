#include "models/training/train_model.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/checkpoint/sha256.h"
#include "core/data/augment/augment.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/device/device.h"
#include "core/distributed/nccl_processes.h"
#include "core/distributed/processes.h"
#include "core/train/trainer.h"
#include "core/train/training_json.h"
#include "models/labels/model_classes.h"
#include "models/training/student.h"
#include "models/training/train_request_json.h"
#include "models/training/training_data.h"
#include "models/training/training_files.h"
#include "models/weights/described_checkpoint.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

bool isFile(const std::string& path)
{
    return fs::is_regular_file(fs::path(path));
}

std::string fileName(const std::string& path)
{
    return printable(fs::path(path).filename().string());
}

void checkPlan(const TrainingPlan& plan)
{
    const auto refuse = [](const std::string& option, const std::string& right) {
        throw UsageError(option, "out of range", right);
    };
    if (plan.epochs < 1 || plan.epochs > 100000)
        refuse("--epochs", "give 1 to 100000");
    if (plan.batch < 1 || plan.batch > 65536)
        refuse("--batch-size", "give 1 to 65536");
    if (plan.accumulate < 1 || plan.accumulate > 1024)
        refuse("--accumulate", "give 1 to 1024");
    if (!(plan.optimizer.learningRate > 0) || !(plan.optimizer.finalRate >= 0))
        refuse("--lr", "give a rate above 0");
    if (!(plan.labelSmoothing >= 0) || plan.labelSmoothing >= 1)
        refuse("--label-smoothing", "give a value of at least 0 and below 1");
    if (!(plan.dropPath >= 0) || plan.dropPath >= 1)
        refuse("--drop-path", "give a value of at least 0 and below 1");
    if (!(plan.average >= 0) || plan.average >= 1)
        refuse("--ema", "give a value of at least 0 and below 1");
    checkPlan(plan.augment);
}

/// Only the first of all processes reports; the others only report what they alone see: files that can't be read.
class QuietObserver : public TrainingObserver {
public:
    explicit QuietObserver(TrainingObserver& observer)
        : m_observer(observer)
    {}
    void onMessage(const std::string& sentence) override { m_observer.onMessage(sentence); }

private:
    TrainingObserver& m_observer;
};

/// One training, from the request to the report.
class Session {
public:
    Session(const TrainRequest& request, TrainingObserver& observer, std::shared_ptr<Collective> processes)
        : m_request(request)
        , m_processes(std::move(processes))
        , m_quiet(observer)
        , m_observer(m_processes->isFirst() ? observer : m_quiet)
        , m_files(request.output)
        , m_setup{.device = at::Device(resolveDevice(request.model.device))}
    {
        checkPlan(request.plan);
        if (const bool gpu = m_setup.device.is_cuda();
            m_processes->any(gpu)) {  // if any process has one: machines may differ
            const bool needed = gpu && m_processes->size() > 1;
            GpuProcesses linked = withNccl(m_processes, m_setup.device,
                                           needed ? nccl::load() : nccl::Loaded{{}, "this process has no GPU"});
            m_processes = std::move(linked.processes);
            m_exchange = std::move(linked.note);
        }
        if (m_processes->isFirst())
            checkFiles();
        m_sets = scanSplits(request.folder, parseFolderLayout(request.layout), request.validation);
        if (request.plan.limit > 0 && request.plan.limit < int64_t(m_sets.training.files.size()))
            keepEvenly(m_sets.training.files, request.plan.limit);
        m_student = makeStudent(request, m_setup, m_sets.training.classes);
        if (!m_student.network->describe().classifierHeads.empty())
            throw Unsupported(m_student.description->name(), "networks with two heads cannot be trained yet",
                              "choose a model with one head");
        if (request.plan.exits)
            useClassesOf(*m_student.network);
        makeTeacher();
        if (m_teacher)
            requireFittingTeacher();
        m_trainer = std::make_unique<Trainer>(parts(), m_observer);
    }

    TrainingReport run(std::stop_token stop)
    {
        const auto begin = std::chrono::steady_clock::now();
        int64_t done = 0;
        if (m_request.resume && m_processes->isFirst())
            done = restore();
        done = begunTogether(done);
        announce(done);
        if (!m_report.history.empty())
            m_observer.onHistory(m_report.history);
        if (m_report.teacher)
            m_observer.onTeacher(*m_report.teacher);
        if (m_teacher && m_validates && m_processes->any(m_processes->isFirst() && !m_report.before)) {
            m_report.teacher = m_trainer->validate(*m_teacher->network, m_teacher->attention, 0, stop);
            m_observer.onTeacher(*m_report.teacher);
            m_report.before = m_trainer->distillationState(stop);
            m_observer.onDistillation(*m_report.before);
        }
        int64_t last = done;
        while (last < m_request.plan.epochs) {
            finish(m_trainer->runEpoch(++last, stop));
            if (last < m_request.plan.epochs && m_processes->any(m_observer.finishesEpochAndStops()))
                break;
        }
        m_report.finished = last == m_request.plan.epochs;
        if (m_report.finished && m_teacher && m_validates)
            m_report.after = m_trainer->distillationState(stop);
        m_report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (!m_processes->isFirst())
            return m_report;
        writeHistory();
        std::error_code ignored;  // the result is complete without it
        if (m_report.finished)
            fs::remove(m_files.resume, ignored);
        return m_report;
    }

private:
    /// All processes start from the state of the first: it alone reads what a training left. Returns the number of finished epochs.
    int64_t begunTogether(int64_t done)
    {
        if (m_processes->size() == 1)
            return done;
        std::vector<double> numbers{double(m_processes->isFirst() ? done : 0)};
        m_processes->sum(numbers);
        std::vector<at::Tensor> state;
        for (auto& [name, tensor] : m_trainer->state())
            state.push_back(tensor);
        m_processes->broadcast(state);
        return std::llround(numbers.front());
    }

    void checkFiles() const
    {
        if (m_request.resume && !isFile(m_files.resume))
            throw FileError(m_files.resume,
                            isFile(m_files.output) ? "it does not exist; this training run is finished"
                                                   : "it does not exist",
                            "specify the output of an interrupted training run, or remove --resume");
        if (!m_request.resume && !m_request.overwrite && (isFile(m_files.output) || isFile(m_files.resume)))
            throw FileError(isFile(m_files.output) ? m_files.output : m_files.resume, "it already exists",
                            "add --resume to continue, --overwrite to start over, or specify another output");
        requireWritable(m_files.output);
    }

    /// Every n-th file, so that each class keeps its proportion.
    static void keepEvenly(std::vector<LabelledFile>& files, int64_t limit)
    {
        std::vector<LabelledFile> kept;
        const auto count = int64_t(files.size());
        for (int64_t i = 0; i < limit; ++i)
            kept.push_back(files[size_t(i * count / limit)]);
        files = std::move(kept);
    }

    /// The labels of a network that keeps its head are its own.
    void useClassesOf(const Classifier& network)
    {
        const ModelClasses classes = classesOf(network);
        m_sets.training = matchClasses(std::move(m_sets.training), classes);
        if (m_sets.validation)
            m_sets.validation = matchClasses(std::move(*m_sets.validation), classes);
    }

    void makeTeacher()
    {
        if (m_request.teacher.empty())
            return;
        ModelRequest requested = m_request.model;
        requested.model.clear();
        requested.weights = m_request.teacher;
        DescribedCheckpoint described = describeCheckpoint(requested);
        ModelSetup setup = m_setup;
        setup.source = m_request.teacher;
        if (!m_request.plan
                 .mixedPrecision)  // mixed precision converts types on the fly, which packed weights don't support
            setup.execution = Execution::Optimized;
        const auto network = described.load(setup);
        if (const auto& notFinite = network->describe().load.notFinite; !notFinite.empty())
            throw Unsupported(m_request.teacher,
                              "the teacher contains non-finite values, in " + notFinite.front()
                                  + ": nothing can be learned from it",
                              "choose another teacher");
        const auto classes = int64_t(m_sets.training.classes.size());
        if (network->describe().classes != classes)
            throw UsageError(m_request.teacher,
                             "the teacher predicts " + std::to_string(network->describe().classes)
                                 + " classes, but the data has " + std::to_string(classes),
                             "choose a teacher trained on these classes");
        m_teacher = Teacher{network, network->prepare(AttentionSpec::native(), m_request.plan.seed)};
    }

    void requireFittingTeacher() const
    {
        try {
            requireFit(*m_teacher, *m_student.network, m_student.attention, m_request.plan.distillation);
        } catch (const UsageError& error) {
            throw UsageError(error.subject().empty() ? m_request.teacher : error.subject(), error.reason());
        }
    }

    ReadingPlan reading(bool training) const
    {
        const ModelSummary& model = m_student.network->describe();
        ReadingPlan plan{.transform = m_student.network->transform(),
                         .interval = std::max<int64_t>(model.frameInterval, 1),
                         .seed = m_request.plan.seed,
                         .limits = m_request.model.limits};
        if (model.input.size() == 4)
            plan.frames = model.input[1];
        if (training)
            plan.augment = m_request.plan.augment;
        return plan;
    }

    TrainingParts parts()
    {
        TrainingParts parts;
        parts.student = m_student.network;
        if (m_request.plan.average > 0)
            parts.average = copyOf(m_student, m_setup);
        parts.attention = m_student.attention;
        parts.teacher = m_teacher;
        parts.training = trainingData(m_sets.training, reading(true));
        m_validates = m_sets.validation.has_value();
        if (m_validates)
            parts.validation = trainingData(*m_sets.validation, reading(false));
        parts.plan = m_request.plan;
        parts.processes = m_processes;
        return parts;
    }

    void announce(int64_t done)
    {
        TrainingStart start{.model = m_student.description->name(),
                            .attention = m_student.attention.canonical(),
                            .weights = m_student.source,
                            .teacher = m_request.teacher.empty() ? "" : fileName(m_request.teacher),
                            .device = m_setup.device.str(),
                            .parameters = m_student.description->parameters(),
                            .trained = m_trainer->trainedParameters(),
                            .classes = int64_t(m_sets.training.classes.size()),
                            .trainingSamples = int64_t(m_sets.training.files.size()),
                            .validationSamples = m_validates ? int64_t(m_sets.validation->files.size()) : 0,
                            .epochs = m_request.plan.epochs,
                            .stepsPerEpoch = m_trainer->stepsPerEpoch(),
                            .resumedAt = done,
                            .processes = m_processes->size(),
                            .notes = m_student.notes};
        for (const LabelledSet* set : {&m_sets.training, m_validates ? &*m_sets.validation : nullptr})
            if (set != nullptr)
                start.notes.insert(start.notes.end(), set->notes.begin(), set->notes.end());
        if (m_sets.training.video && m_student.network->describe().input.size() == 3)
            start.notes.emplace_back("an image model: it learns from single frames of these videos, and is "
                                     "validated on the middle ones");
        if (!m_exchange.empty())
            start.notes.push_back(m_exchange);
        if (m_request.plan.mixedPrecision && !onednn::available(m_student.network->device(), at::kBFloat16)
            && m_student.network->device().is_cpu())
            start.notes.emplace_back("mixed precision is many times slower than float32 on a CPU without AVX-512");
        if (!m_validates)
            start.notes.emplace_back("no validation set; accuracy is unknown, and the last epoch is the result");
        m_report.start = start;
        m_report.output = m_files.output;
        m_report.historyFile = m_files.history;
        m_observer.onStart(start);
    }

    /// What must be the same to continue a training as if it had never stopped.
    Json identity() const
    {
        std::string text;
        for (const LabelledFile& file : m_sets.training.files)
            text += fileName(file.path) + " " + std::to_string(file.label) + "\n";
        return {{"plan", toJson(m_request.plan)},
                {"attention", m_student.attention.canonical()},
                {"model", m_student.description->toJson()},
                {"teacher", m_request.teacher.empty() ? "" : fileName(m_request.teacher)},
                {"files", sha256(std::string_view(text))}};
    }

    int64_t restore()
    {
        const ResumeState state = readResumeState(m_files.resume);
        const Json now = identity();
        for (const auto& [key, value] : now.items())
            if (state.training.value(key, Json()) != value)
                throw UsageError(m_files.resume,
                                 "it was started with another "
                                     + (key == "files" ? std::string("set of training files") : key),
                                 "repeat the command that started it, with --resume added");
        m_trainer->restore(state.tensors, m_files.resume);
        try {
            for (const Json& epoch : state.training.at("epochs"))
                m_report.history.push_back(epochFromJson(epoch));
            if (const Json& before = state.training.at("before"); !before.is_null())
                m_report.before = distillationFromJson(before);
            if (const Json& teacher = state.training.at("teacher_accuracy"); !teacher.is_null())
                m_report.teacher = validationFromJson(teacher);
        } catch (const Json::exception&) {
            throw FileError(m_files.resume, "its record of earlier epochs is damaged",
                            "start over with --overwrite");
        }
        if (m_validates)
            m_report.best = m_files.best;
        return m_report.history.empty() ? 0 : m_report.history.back().epoch;
    }

    static double accuracyOf(const EpochRecord& epoch)
    {
        const auto& result = epoch.averageValidation ? epoch.averageValidation : epoch.validation;
        return result ? result->selectedBy() : -1;
    }

    void finish(EpochRecord epoch)
    {
        double best = -1;
        for (const EpochRecord& earlier : m_report.history)
            best = std::max(best, accuracyOf(earlier));
        epoch.best = m_validates && accuracyOf(epoch) > best;
        m_report.history.push_back(epoch);
        if (!m_processes->isFirst())
            return;
        const Json provenance = provenanceOf(epoch);
        writeCheckpoint(m_files.output, m_trainer->result(), *m_student.description, provenance);
        if (epoch.best) {
            writeCheckpoint(m_files.best, m_trainer->result(), *m_student.description, provenance);
            m_report.best = m_files.best;
        }
        writeHistory();
        writeResumeState(m_files.resume, {m_trainer->state(), resumeJson()});
        m_observer.onEpoch(epoch);
    }

    Json provenanceOf(const EpochRecord& epoch) const
    {
        Json provenance{{"program", std::string("attnscope ") + version},
                        {"training", toJson(m_request.plan)},
                        {"init", m_student.source},
                        {"data", fileName(fs::absolute(m_request.folder).lexically_normal().string())},
                        {"epoch", epoch.epoch}};
        if (!m_request.teacher.empty())
            provenance["teacher"] = {{"source", fileName(m_request.teacher)},
                                     {"sha256", sha256(*openFile(m_request.teacher))}};
        if (const auto& result = epoch.averageValidation ? epoch.averageValidation : epoch.validation)
            provenance["validation"] = toJson(*result);
        return provenance;
    }

    /// With absolute paths, valid for any working directory of the next command.
    static TrainRequest fromAnywhere(TrainRequest request)
    {
        std::error_code none;
        for (std::string* path : {&request.folder, &request.validation, &request.teacher, &request.output,
                                  &request.model.weights, &request.model.model})
            if (fs::exists(*path, none))
                *path = fs::absolute(*path).lexically_normal().string();
        return request;
    }

    Json resumeJson() const
    {
        Json json = identity();
        const Json report = toJson(m_report);
        json["epochs"] = report.at("epochs");
        json["before"] = report.at("before");
        json["teacher_accuracy"] = report.at("teacher");
        json["request"] = toJson(fromAnywhere(m_request));
        return json;
    }

    void writeHistory() const
    {
        Json json = toJson(m_report);
        json["plan"] = toJson(m_request.plan);
        json["program"] = std::string("attnscope ") + version;
        writeFileAtomically(m_files.history, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    }

    const TrainRequest& m_request;
    std::shared_ptr<Collective> m_processes;
    std::string m_exchange;  // how GPUs exchange tensors; empty: there are none, or one process
    QuietObserver m_quiet;
    TrainingObserver& m_observer;
    TrainingFiles m_files;
    ModelSetup m_setup;
    LabelledSplits m_sets;
    Student m_student;
    std::optional<Teacher> m_teacher;
    bool m_validates = false;
    std::unique_ptr<Trainer> m_trainer;
    TrainingReport m_report;
};

}

TrainingReport train(const TrainRequest& request, TrainingObserver& observer, std::stop_token stop)
{
    const auto processes = startProcesses();
    try {
        return Session(request, observer, processes).run(std::move(stop));
    } catch (const Cancelled&) {
        throw;  // all processes were cancelled together
    } catch (const c10::Error& error) {
        processes->fail();
        throw Error("training", std::string("LibTorch reports: ") + error.what_without_backtrace(),
                    "a smaller --batch-size needs less memory");
    } catch (...) {
        processes->fail();
        throw;
    }
}

}
