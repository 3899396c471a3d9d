// Networks that are to be trained: where they begin, how they are written and read again.
#include "core/train/trainer.h"
#include "core/train/training_json.h"
#include "models/open_model.h"
#include "models/training/training_files.h"
#include "tests/support/folder.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"
#include "training_cases.h"

#include <cmath>
#include <map>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const std::string dataFolder = TEST_DATA_DIR "/models/";

std::map<std::string, at::Tensor> valuesOf(const TrainableClassifier& network)
{
    std::map<std::string, at::Tensor> values;
    for (const NamedWeight& weight : network.weights())
        values[weight.name] = weight.value;
    return values;
}

/// From a checkpoint of the goldens.
TrainRequest fromCheckpoint(const std::string& name, const std::string& attention = "native")
{
    TrainRequest request;
    request.model.model = dataFolder + name + ".json";
    request.model.weights = dataFolder + name + ".weights.official.safetensors";
    request.attention = attention;
    return request;
}

std::map<std::string, at::Tensor> fileValues(const TrainRequest& request)
{
    std::map<std::string, at::Tensor> values;
    for (const auto& [name, stored] : readCheckpoint(request.model.weights).tensors) {
        std::vector<float> numbers = stored.readFloat();
        values[name] = at::from_blob(numbers.data(), stored.shape, at::kFloat).clone();
    }
    return values;
}

Student made(const TrainRequest& request, int64_t classes = 10)
{
    return makeStudent(request, {}, classNames(classes));
}

std::string problem(const TrainRequest& request, int64_t classes = 10)
{
    try {
        made(request, classes);
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

/// Six classes in turn; every sample another input.
TrainingData madeUpSamples(const TrainableClassifier& network, int64_t count)
{
    TrainingData data;
    for (int64_t i = 0; i < count; ++i) {
        data.labels.push_back(i % 6);
        data.names.push_back("sample " + std::to_string(i));
    }
    const std::vector<int64_t> shape = network.describe().input;
    data.makeLoader = [shape]() -> SampleLoader {
        return [shape](int64_t sample, uint64_t) {
            const at::Tensor values = drawn(shape, uint64_t(sample), at::kFloat).contiguous();
            return FloatArray{shape, {values.data_ptr<float>(), values.data_ptr<float>() + values.numel()}};
        };
    };
    return data;
}

void fillWeight(const TrainableClassifier& network, const std::string& name, double value)
{
    const at::NoGradGuard guard;
    valuesOf(network).at(name).fill_(value);
}

struct SilentTraining {
    TrainingObserver observer;
    TrainingParts parts;

    explicit SilentTraining(const Student& student)
    {
        parts.student = student.network;
        parts.attention = student.attention;
        parts.training = madeUpSamples(*student.network, 12);
        parts.validation = parts.training;
        parts.plan.batch = 4;
        parts.plan.workers = 1;
    }
};

bool anyContains(const std::vector<std::string>& texts, const std::string& part)
{
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

}

class TestTrainingStudent : public QObject {
    Q_OBJECT

private slots:
    void logitsThatAreNotFiniteAreWrong()
    {
        const Student student = studentOf({"deit_tiny_cfg", "softmax"}, at::kFloat);
        fillWeight(*student.network, "head.bias", std::nan(""));
        SilentTraining training(student);
        const Trainer trainer(training.parts, training.observer);
        const ValidationResult result = trainer.validate(*student.network,
                                                         student.network->prepare(student.attention, 0), 0, {});
        QCOMPARE(result.samples, 12);
        QCOMPARE(result.correct, 0);
        QCOMPARE(result.correct5, 0);
        QCOMPARE(result.notFinite, 12);
        QVERIFY(std::isnan(result.loss));
    }

    void equalLogitsAreRankedAsEvaluationRanksThem()
    {
        const Student student = studentOf({"deit_tiny_cfg", "softmax"}, at::kFloat);
        fillWeight(*student.network, "head.weight", 0);
        fillWeight(*student.network, "head.bias", 0);
        SilentTraining training(student);
        const Trainer trainer(training.parts, training.observer);
        const ValidationResult result = trainer.validate(*student.network,
                                                         student.network->prepare(student.attention, 0), 0, {});
        QCOMPARE(result.correct, 2);    // class 0 of six
        QCOMPARE(result.correct5, 10);  // classes 0 to 4
        QCOMPARE(result.notFinite, 0);
    }

    void teacherThatIsNotFiniteTeachesNothing()
    {
        const Student student = studentOf({"deit_tiny_cfg", "performer:samples=8"}, at::kFloat);
        const Student broken = studentOf({"deit_tiny_cfg", "softmax"}, at::kFloat);
        fillWeight(*broken.network, "head.bias", std::nan(""));
        SilentTraining training(student);
        training.parts.teacher = Teacher{broken.network, broken.network->prepare(broken.attention, 0)};
        Trainer trainer(training.parts, training.observer);
        const DistillationState state = trainer.distillationState({});
        QVERIFY(std::isnan(state.divergence));
        QCOMPARE(state.agreement, 0.0);
        QCOMPARE(state.student.notFinite, 0);
        try {
            trainer.runEpoch(1, {});
            QFAIL("it was learned from");
        } catch (const Error& error) {
            SAYS(error.what(), "the teacher's logits are not finite");
        }
    }

    void statesThatAreNotFiniteComeBackFromJson()
    {
        DistillationState state;
        state.student = {{7, 2}, 0, std::nan(""), 5};
        state.layerErrors = {0.5, std::nan("")};
        state.relativeError = state.divergence = std::nan("");
        const DistillationState back = distillationFromJson(Json::parse(toJson(state).dump()));
        QCOMPARE(back.student.notFinite, 5);
        QVERIFY(std::isnan(back.student.loss) && std::isnan(back.divergence) && std::isnan(back.relativeError));
        QCOMPARE(back.layerErrors[0], 0.5);
        QVERIFY(std::isnan(back.layerErrors[1]));
        Json before = toJson(state.student);  // as histories were written
        before.erase("not_finite");
        QCOMPARE(validationFromJson(before).notFinite, 0);
    }

    void whatIsWrittenOpensAsTheSameNetwork_data() { addTrainingRows(); }
    void whatIsWrittenOpensAsTheSameNetwork()
    {
        QFETCH(int, index);
        const Student student = studentOf(trainingCases()[size_t(index)], at::kFloat);
        Folder folder;
        const std::string path = folder / "trained.safetensors";
        writeCheckpoint(path, *student.network, *student.description, Json{{"epoch", 3}});
        const auto opened = openModel({.weights = path, .device = "cpu", .plain = true});  // bit for bit
        QCOMPARE(opened->describe().nativeAttention, student.attention.canonical());
        QVERIFY(opened->describe().weights == WeightsKind::Trained);
        QVERIFY(opened->labels() == classNames(6));
        QCOMPARE(opened->describe().parameters, student.description->parameters());
        int64_t elements = 0;
        for (const NamedWeight& weight : student.network->weights())
            elements += c10::multiply_integers(weight.shape);
        // Motionformer's files have the embedding of images besides, which nothing uses: it is not written.
        const int64_t unused = student.description->family() == "motionformer"
                                   ? (3 * 16 * 16 + 1) * student.network->describe().width
                                   : 0;
        QCOMPARE(elements + unused, student.description->parameters());
        const at::NoGradGuard guard;
        const at::Tensor input = inputFor(*student.network, 2);
        const at::Tensor wanted = student.network->logits(input, student.network->prepare(student.attention, 4));
        const at::Tensor got = opened->logits(input, opened->prepare(AttentionSpec::native(), 4));
        QVERIFY(isFinite(wanted));
        QVERIFY2(at::equal(got, wanted), qPrintable(QString::number((got - wanted).abs().max().item<double>())));
    }

    void aCopyHasTheSameValuesInTensorsOfItsOwn_data() { addTrainingRows(); }
    void aCopyHasTheSameValuesInTensorsOfItsOwn()
    {
        QFETCH(int, index);
        const Student student = studentOf(trainingCases()[size_t(index)], at::kFloat);
        const auto copy = copyOf(student, {});
        const auto theirs = copy->weights(), ours = student.network->weights();
        QCOMPARE(theirs.size(), ours.size());
        for (size_t i = 0; i < ours.size(); ++i) {
            QCOMPARE(theirs[i].name, ours[i].name);
            QCOMPARE(theirs[i].value.defined(), ours[i].value.defined());
            if (!ours[i].value.defined())
                continue;
            QVERIFY2(at::equal(theirs[i].value, ours[i].value), ours[i].name.c_str());
            QVERIFY2(!theirs[i].value.is_alias_of(ours[i].value), ours[i].name.c_str());
        }
    }

    void aCheckpointIsTakenAsItIs_data()
    {
        rows("name",
             {"deit_tiny_cfg", "deit_distilled_tiny_cfg", "evit_softmax_tiny_cfg", "evit_lara_tiny_cfg",
              "pvtv2_sra_tiny_cfg", "pvtv2_linear_tiny_cfg", "pvtv2_lara_tiny_cfg",
              "motionformer_trajectory_tiny_cfg", "motionformer_joint_tiny_cfg", "motionformer_divided_tiny_cfg"});
    }

    void aCheckpointIsTakenAsItIs()
    {
        FETCH_TEXT(name);
        const TrainRequest request = fromCheckpoint(name);
        const Student student = made(request);
        for (const std::string& note : student.notes)
            QVERIFY2(note.starts_with("resized: pos_embed from 14×14"),
                     note.c_str());  // Motionformer's, which is for 224 pixels
        const auto opened = openModel(
            {.model = request.model.model, .weights = request.model.weights, .device = "cpu", .plain = true});
        const at::NoGradGuard guard;
        const at::Tensor input = inputFor(*student.network, 2);
        QVERIFY(at::equal(student.network->logits(input, student.network->prepare(student.attention, 0)),
                          opened->logits(input, opened->prepare(AttentionSpec::native(), 0))));
    }

    void theHeadBeginsAnewForAnotherNumberOfClasses()
    {
        const TrainRequest request = fromCheckpoint("deit_distilled_tiny_cfg");
        const Student student = made(request, 3);
        QCOMPARE(student.network->describe().classes, 3);
        QVERIFY(student.description->labels() == classNames(3));
        QVERIFY(anyContains(student.notes, "head is newly initialised"));
        const auto file = fileValues(request);
        for (const auto& [name, value] : valuesOf(*student.network)) {
            if (name.starts_with("head"))
                QCOMPARE(value.size(0), 3);
            else
                QVERIFY2(at::equal(value.reshape(file.at(name).sizes()), file.at(name)), name.c_str());
        }
        QVERIFY(valuesOf(*student.network).at("head.weight").norm().item<double>() > 0);
    }

    void spatialReductionsStayWhereOnlyTheAttentionChanges()
    {
        const TrainRequest request = fromCheckpoint("pvtv2_sra_tiny_cfg", "performer:samples=16");
        const Student student = made(request);
        const auto values = valuesOf(*student.network);
        for (const auto& [name, value] : fileValues(request))
            QVERIFY2(at::equal(values.at(name).reshape(value.sizes()), value), name.c_str());
    }

    void newLandmarkMapsBeginAsPooledLandmarks()
    {
        TrainRequest request = fromCheckpoint("evit_softmax_tiny_cfg", "lara:samples=9,proposal=mixed");
        request.landmarkMap = "light";
        const Student student = made(request);
        const auto values = valuesOf(*student.network);
        const int64_t width = values.at("blocks.0.norm1.weight").size(0) / 3;
        for (const char* map : {"q_bar_gen", "k_bar_gen"}) {
            const std::string name = std::string("blocks.1.attn.") + map;
            QVERIFY2(values.contains(name + ".2.weight"), name.c_str());
            QVERIFY(at::equal(values.at(name + ".2.weight"), at::eye(width)));
            QVERIFY(at::equal(values.at(name + ".2.bias"), at::zeros({width})));
            QVERIFY(at::equal(values.at(name + ".3.weight"), at::ones({width})));
            QVERIFY(at::equal(values.at(name + ".3.bias"), at::zeros({width})));
        }
        const auto file = fileValues(request);
        for (const auto& [name, value] : file)
            QVERIFY2(at::equal(values.at(name).reshape(value.sizes()), value), name.c_str());
    }

    void landmarkMapsOfTheCheckpointAreKeptOrDroppedAsAsked()
    {
        for (const char* checkpoint : {"evit_lara_tiny_cfg", "pvtv2_lara_tiny_cfg"}) {
            TrainRequest request = fromCheckpoint(checkpoint);
            const auto file = fileValues(request);
            const Student kept = made(request);
            int maps = 0;
            for (const auto& [name, value] : valuesOf(*kept.network))
                if (name.find("_bar_gen") != std::string::npos) {
                    QVERIFY2(at::equal(value, file.at(name)), name.c_str());
                    ++maps;
                }
            QVERIFY(maps >= 8);
            request.landmarkMap = "none";
            const Student dropped = made(request);
            QVERIFY(anyContains(dropped.notes, "are not used by this attention"));
            for (const NamedWeight& weight : dropped.network->weights())
                QVERIFY2(!weight.ofAttention, weight.name.c_str());
        }
    }

    void onlyLandmarkMapsBelongToTheAttention()
    {
        for (const TrainingCase& one : trainingCases()) {
            const Student student = studentOf(one, at::kFloat);
            bool any = false;
            for (const NamedWeight& weight : student.network->weights()) {
                QCOMPARE(weight.ofAttention, weight.name.find("_bar_gen.") != std::string::npos);
                any = any || weight.ofAttention;
            }
            QCOMPARE(any, std::string(one.maps) != "none");
        }
    }

    void wrongRequestsAreRefusedInOneSentence_data()
    {
        columns<QString, QString, QString, QString, QString>("model", "weights", "attention", "maps", "says");
        const QString deit = "deit_tiny_cfg.json", evit = "evit_softmax_tiny_cfg.json",
                      motion = "motionformer_trajectory_tiny_cfg.json";
        row("no model", "", "untrained", "native", "auto",
            "untrained weights need a model; specify one with --model");
        row("seed", deit, "untrained:five", "native", "auto", "the seed is not a number");
        row("no such map", deit, "untrained", "lara:samples=4", "large",
            "`large` is not a kind of landmark map; write auto, light, dense or none");
        row("maps without landmarks", deit, "untrained", "performer", "light",
            "has no landmarks; leave it out, or train lara");
        row("maps of a video", motion, "untrained", "lara:samples=9", "light", "does not support landmark maps");
        row("dense maps of one head", evit, "untrained", "lara:samples=9", "dense", "write light");
        row("another network's weights", evit, "deit_tiny_cfg.weights.official.safetensors", "native", "auto",
            "deit");
        row("landmarks that do not fit", deit, "untrained", "lara:samples=50", "auto", "50");
        row("no such attention", deit, "untrained", "nosuchformer", "auto", "nosuchformer");
        row("no such file", deit, "nowhere.safetensors", "native", "auto", "nowhere.safetensors");
    }

    void wrongRequestsAreRefusedInOneSentence()
    {
        FETCH_TEXT(model);
        FETCH_TEXT(weights);
        FETCH_TEXT(attention);
        FETCH_TEXT(maps);
        FETCH_TEXT(says);
        TrainRequest request;
        request.model.model = model.empty() ? "" : dataFolder + model;
        request.model.weights = weights.ends_with(".safetensors") ? dataFolder + weights : weights;
        request.attention = attention;
        request.landmarkMap = maps;
        const std::string sentence = problem(request);
        SAYS(sentence, says);
        QVERIFY2(sentence.find('\n') == std::string::npos, sentence.c_str());
    }

    void aResumeStateIsReadAsItWasWritten()
    {
        Folder folder;
        const std::string path = folder / "r.resume.safetensors";
        const at::Tensor odd = at::tensor({1.5F, -0.0F, 1e-42F, 3.4e38F})
                                   .reshape({2, 2});  // a denormal, a negative zero, the largest
        writeResumeState(path, {{{"weights/a", odd}, {"steps/a", at::tensor(7.0F).reshape({})}},
                                Json{{"plan", {{"epochs", 3}}}}});
        const ResumeState state = readResumeState(path);
        QVERIFY(state.training == (Json{{"plan", {{"epochs", 3}}}}));
        QVERIFY(at::equal(state.tensors.at("weights/a").view(at::kInt), odd.view(at::kInt)));  // bit for bit
        QCOMPARE(state.tensors.at("steps/a").dim(), 0);
        QCOMPARE(state.tensors.at("steps/a").item<float>(), 7.0F);
        const TrainRequest request = fromCheckpoint("deit_tiny_cfg");
        THROWS(FileError, readResumeState(request.model.weights));  // safetensors, but no training
    }

    void outputsAreNamedAsSafetensors()
    {
        const TrainingFiles files("a/b.safetensors");
        QCOMPARE(files.best, "a/b.best.safetensors");
        QCOMPARE(files.resume, "a/b.resume.safetensors");
        QCOMPARE(files.history, "a/b.history.json");
        for (const char* wrong : {"a.pt", "", ".safetensors", "a.safetensors/"})
            THROWS(UsageError, TrainingFiles{wrong});
    }
};

ATTNSCOPE_EVENT_TEST(TestTrainingStudent)
#include "tst_training_student.moc"
