// Early exits: the rules by numbers alone, what networks predict behind their blocks, and exit heads: kept, trained, written.
#include "core/base/error.h"
#include "core/lab/exits/exit_figures.h"
#include "core/lab/exits/exit_scores.h"
#include "core/run/observers.h"
#include "core/train/trainer.h"
#include "core/train/training_json.h"
#include "models/training/training_files.h"
#include "models/weights/convert.h"
#include "tests/models/made_up_set.h"
#include "tests/models/training_cases.h"
#include "tests/support/folder.h"
#include "tests/support/golden_case.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>

using namespace attnscope;
using test::Golden;
using test::MadeUpSet;

namespace {

Golden exitGolden(const QString& name)
{
    return Golden(TEST_DATA_DIR "/mechanisms/" + name.toStdString() + ".safetensors");
}

ExitScores scoresOf(const at::Tensor& logits, const std::vector<int64_t>& labels)
{
    ExitScores scores(size_t(logits.size(0)));
    scores.add(logits, labels);
    return scores;
}

/// 200 samples, 6 blocks, 5 classes.
struct DrawnLogits {
    at::Tensor logits = test::drawn({6, 200, 5}, 1, at::kDouble) * 2;
    std::vector<int64_t> labels;

    DrawnLogits()
    {
        for (int64_t i = 0; i < 200; ++i)
            labels.push_back(i % 5);
    }
    ExitScores scores() const { return scoresOf(logits, labels); }
};

std::string modelFile(const std::string& name)
{
    return std::string(TEST_DATA_DIR "/models/") + name + ".json";
}

/// A small network with random weights; of stages, the last has `lastStage` blocks.
std::shared_ptr<TrainableClassifier> network(const std::string& name, int lastStage = 3)
{
    std::ifstream file(modelFile(name));
    Json config = Json::parse(file).at("config");
    if (config.contains("depths"))
        config["depths"] = {1, 1, 1, lastStage};
    return parseDescription(config, name)->untrained(3, {});
}

NamedWeight weightOf(const TrainableClassifier& network, const std::string& name)
{
    for (const NamedWeight& weight : network.weights())
        if (weight.name == name)
            return weight;
    return {};
}

std::vector<at::Tensor> exitsOf(const Classifier& classifier, const at::Tensor& input)
{
    const at::NoGradGuard guard;
    ExitObserver observer({}, classifier);
    (void)classifier.logits(input, classifier.prepare(AttentionSpec::native(), 0), &observer);
    return observer.logits();
}

/// The checkpoint of the goldens, whose exits are to be trained.
TrainRequest exitTraining(const std::string& name)
{
    TrainRequest request;
    request.model.model = modelFile(name);
    request.model.weights = std::string(TEST_DATA_DIR "/models/") + name + ".weights.official.safetensors";
    request.plan.exits = true;
    return request;
}

/// Two classes that a single pixel tells apart.
TrainingData easySamples(const TrainableClassifier& network, int64_t count)
{
    TrainingData data;
    for (int64_t i = 0; i < count; ++i) {
        data.labels.push_back(i % 2);
        data.names.push_back("sample " + std::to_string(i));
    }
    const std::vector<int64_t> shape = network.describe().input;
    data.makeLoader = [shape]() -> SampleLoader {
        return [shape](int64_t sample, uint64_t) {
            const at::Tensor values =
                (test::drawn(shape, uint64_t(sample), at::kFloat) * 0.1 + (sample % 2 == 0 ? 1 : -1)).contiguous();
            return FloatArray{shape, {values.data_ptr<float>(), values.data_ptr<float>() + values.numel()}};
        };
    };
    return data;
}

struct ExitTraining {
    Student student;
    TrainingObserver observer;
    TrainingParts parts;

    explicit ExitTraining(const std::string& name)
        : student(makeStudent(exitTraining(name), {}, {}))
    {
        parts.student = student.network;
        parts.attention = student.attention;
        parts.training = easySamples(*student.network, 32);
        parts.validation = easySamples(*student.network, 20);
        parts.plan.exits = true;
        parts.plan.batch = 8;
        parts.plan.workers = 1;
        parts.plan.epochs = 6;
        parts.plan.labelSmoothing = 0;
        parts.plan.augment = noAugmentation();
        parts.plan.optimizer.learningRate = 0.02;
        parts.plan.optimizer.warmupEpochs = 0;
    }
};

}

class TestExits : public QObject {
    Q_OBJECT

private slots:
    void goldenExitsAgree_data()
    {
        columns<QString>("name");
        row("class token", "x_exit_class");
        row("mean of the patches", "x_exit_mean");
    }
    void goldenExitsAgree()
    {
        QFETCH(QString, name);
        const Golden golden = exitGolden(name);
        const ExitScores scores = scoresOf(golden["logits"], golden.integers("labels"));
        const ExitCost cost{
            .embedding = golden.options.at("embed").get<double>(),
            .blocks = std::vector<double>(scores.blocks(), golden.options.at("block").get<double>()),
            .head = golden.options.at("head").get<double>()};
        const auto compare = [&](const std::string& rule, const char* settings, Predictions predictions,
                                 const std::function<Exits(double)>& exitsAt) {
            std::vector<int64_t> exits;
            std::vector<double> layers, accuracy, agreement, work;
            for (const double setting : golden.options.at(settings).get<std::vector<double>>()) {
                const Exits found = exitsAt(setting);
                exits.insert(exits.end(), found.begin(), found.end());
                const ExitOutcome outcome = outcomeOf(scores, found);
                layers.push_back(outcome.meanBlocks());
                accuracy.push_back(outcome.value());
                agreement.push_back(outcome.agreement());
                work.push_back(meanMultiplyAdds(outcome, cost, predictions));
            }
            QCOMPARE(exits, golden.integers(rule + ".exit"));
            for (const auto& [what, values] : {std::pair("layers", layers),
                                               {"accuracy", accuracy},
                                               {"agreement", agreement},
                                               {"multiply_adds", work}})
                QVERIFY2(difference(at::tensor(values, at::kDouble), golden[rule + "." + what])
                             <= golden.tolerance,
                         (rule + "." + what).c_str());
        };
        compare("confidence", "thresholds", Predictions::EveryBlock,
                [&](double x) { return confidenceExits(scores, x); });
        compare("likelihood", "penalties", Predictions::Once,
                [&](double x) { return oracleExits(scores, OracleScore::Likelihood, x); });
        compare("correctness", "penalties", Predictions::Once,
                [&](double x) { return oracleExits(scores, OracleScore::Correctness, x); });
    }

    /// The golden's norm and head in a network of ours.
    void networksReadTheGoldensTokens_data() { goldenExitsAgree_data(); }
    void networksReadTheGoldensTokens()
    {
        QFETCH(QString, name);
        const Golden golden = exitGolden(name);
        const at::Tensor& hidden = golden["hidden"];
        const bool ofClassToken = name.endsWith("class");
        const auto description = parseDescription({{"family", ofClassToken ? "deit" : "evit"},
                                                   {"img_size", 32},
                                                   {"patch_size", 16},
                                                   {"embed_dim", hidden.size(3)},
                                                   {"depth", hidden.size(0)},
                                                   {"num_heads", 2},
                                                   {"num_classes", golden["head.weight"].size(0)},
                                                   {"ln_eps", golden.options.at("eps")}},
                                                  "golden");
        const auto network = description->untrained(0, {});
        const at::NoGradGuard guard;
        for (const char* part : {"norm.weight", "norm.bias", "head.weight", "head.bias"}) {
            const std::string own = !ofClassToken && std::string(part).starts_with("norm")
                                        ? "norm_before_pooling" + std::string(part).substr(4)
                                        : part;
            weightOf(*network, own).value.copy_(golden[part]);
        }
        QCOMPARE(std::ssize(network->readableBlocks()), hidden.size(0));
        for (int64_t block = 0; block < hidden.size(0); ++block)
            QVERIFY(difference(network->exitLogits(size_t(block), hidden[block]), golden["logits"][block])
                    <= golden.tolerance);
    }

    void thresholdsGoFromOneBlockToAllOfThem()
    {
        const ExitScores scores = DrawnLogits().scores();
        double before = 1;
        for (int i = 0; i <= 20; ++i) {
            const ExitOutcome outcome = outcomeOf(scores, confidenceExits(scores, i / 20.0));
            QVERIFY(outcome.meanBlocks() >= before);
            before = outcome.meanBlocks();
            QCOMPARE(std::accumulate(outcome.perBlock.begin(), outcome.perBlock.end(), int64_t{0}),
                     outcome.samples);
        }
        QCOMPARE(outcomeOf(scores, confidenceExits(scores, 0)).meanBlocks(), 1.0);
        const ExitOutcome whole = outcomeOf(scores, confidenceExits(scores, 1));
        QCOMPARE(whole.meanBlocks(), 6.0);
        QCOMPARE(whole.agreement(), 1.0);
    }

    /// Without a penalty an oracle is right wherever any block is, as early as possible; where none is, it leaves behind the first.
    void oracleWithoutPenaltyIsRightWhereverABlockIs()
    {
        const DrawnLogits drawn;
        const ExitScores scores = drawn.scores();
        const Exits exits = oracleExits(scores, OracleScore::Correctness, 0);
        const at::Tensor right = drawn.logits.argmax(-1) == at::tensor(drawn.labels);  // (L,B)
        const int64_t any = right.any(0).sum().item<int64_t>();
        QCOMPARE(outcomeOf(scores, exits).correct, any);
        QVERIFY(any > 0 && any < 200);
        for (int64_t sample = 0; sample < 200; ++sample) {
            size_t first = 1;
            for (int64_t block = 6; block-- > 0;)
                if (right[block][sample].item<bool>())
                    first = size_t(block) + 1;
            QCOMPARE(exits[size_t(sample)], first);
        }
    }

    void logitsThatAreNotFinitePredictNothing()
    {
        at::Tensor logits = at::zeros({3, 1, 4});
        logits[0][0][2] = std::numeric_limits<float>::infinity();
        logits[1][0][1] = 50;
        logits[2][0][0] = std::nanf("");
        const ExitScores scores = scoresOf(logits, {1});
        QCOMPARE(confidenceExits(scores, 0.0), Exits{2});  // behind the first block there is no confidence
        QCOMPARE(confidenceExits(scores, 1.0), Exits{3});
        QCOMPARE(oracleExits(scores, OracleScore::Likelihood, 0), Exits{2});
        QCOMPARE(outcomeOf(scores, Exits{1}).correct, 0);
        QCOMPARE(outcomeOf(scores, Exits{3}).agreeing, 0);
    }

    void equalLogitsPredictTheLowestClass()
    {
        const ExitScores scores = scoresOf(at::zeros({2, 2, 3}), {0, 1});
        QCOMPARE(outcomeOf(scores, fixedExits(scores, 1)).correct, 1);
        QVERIFY(std::abs(scores.prediction(0, 1).confidence - 1.0 / 3) < 1e-15);
    }

    void theIntervalOfTheMeanNarrowsWithTheSamples()
    {
        const ExitOutcome few{{4, 2}, 0, {2, 0, 2}};
        const ExitOutcome many{{400, 200}, 0, {200, 0, 200}};
        QCOMPARE(few.meanBlocks(), 2.0);
        QVERIFY(few.blocksInterval().low >= 1 && few.blocksInterval().high <= 3);
        // 2 ± 1.96·√(400/399)/√400
        QVERIFY(std::abs(many.blocksInterval().high - (2 + 1.959964 * std::sqrt(400.0 / 399) / 20)) < 1e-12);
    }

    void everyFamilyCanBeLeftBehindItsBlocks_data()
    {
        columns<QString, int>("name", "exits");
        row("DeiT", "deit_tiny_cfg", 2);
        row("DeiT, distilled", "deit_distilled_tiny_cfg", 2);
        row("evit", "evit_softmax_tiny_cfg", 2);
        row("PVTv2: its last stage", "pvtv2_sra_tiny_cfg", 3);
        row("Motionformer, trajectory", "motionformer_trajectory_tiny_cfg", 2);
        row("Motionformer, divided", "motionformer_divided_tiny_cfg", 2);
    }
    void everyFamilyCanBeLeftBehindItsBlocks()
    {
        FETCH_TEXT(name);
        QFETCH(int, exits);
        const auto classifier = network(name);
        const at::NoGradGuard guard;
        const at::Tensor input = test::inputFor(*classifier, 2);
        const PreparedAttention prepared = classifier->prepare(AttentionSpec::native(), 0);
        const std::vector<at::Tensor> logits = exitsOf(*classifier, input);
        QCOMPARE(std::ssize(logits), exits);
        const at::Tensor own = classifier->logits(input, prepared);
        QVERIFY(difference(logits.back(), own) <= 1e-5 * (1 + own.abs().max().item<double>()));
        const ExitCost cost = classifier->exitCost(prepared);
        QCOMPARE(std::ssize(cost.blocks), exits);
        QVERIFY(cost.embedding > 0 && cost.head > 0 && cost.blocks.front() > 0);
        const double whole = std::accumulate(cost.blocks.begin(), cost.blocks.end(), cost.embedding + cost.head);
        QVERIFY(std::abs(whole - classifier->multiplyAdds(prepared)) < 1e-6 * whole);
    }

    void attentionsAreMeasuredOnTheSameSamples()
    {
        const auto classifier = openModel(
            {.model = modelFile("deit_tiny_cfg"), .weights = "untrained:1", .device = "cpu"});
        const MadeUpSet set(*classifier);
        ExitRequest request{.attention = {AttentionSpec::native(), AttentionSpec::parse("performer:samples=8")}};
        request.thresholds = {0, 0.11, 1};
        request.penalties = {0};
        const ExitReport report = measureExits(*classifier, set.samples(*classifier, 4), request, {}, {});
        QCOMPARE(report.samples, test::imageCount - 1);
        QCOMPARE(report.unreadable.size(), size_t(1));
        QCOMPARE(report.blocks, (std::vector<std::string>{"block.0", "block.1"}));
        QVERIFY(!report.trained);
        QVERIFY(report.notes.front().starts_with("untrained exits"));
        QCOMPARE(report.attention.size(), size_t(2));
        for (const AttentionExits& exits : report.attention) {
            QCOMPARE(exits.depth.size(), size_t(2));
            QCOMPARE(exits.confidence.size(), size_t(3));
            QCOMPARE(exits.confidence.front().outcome.correct, exits.depth.front().outcome.correct);
            QCOMPARE(exits.confidence.back().outcome.correct, exits.depth.back().outcome.correct);
            QVERIFY(exits.confidence.back().macs > exits.macs);  // a second prediction
            QVERIFY(exits.depth.front().macs < exits.macs);
        }
        QCOMPARE(report.attention[0].resolved, "softmax");
        // The last block's predictions are the network's own.
        int64_t correct = 0;
        for (int i = 0; i < test::imageCount; ++i)
            if (const auto input = networkInput(test::image(i), *classifier); i != 4) {
                const at::Tensor logits = classifier->logits(input.values,
                                                             classifier->prepare(AttentionSpec::native(), 0));
                correct += logits.argmax(1).item<int64_t>() == i % 3 ? 1 : 0;
            }
        QCOMPARE(report.attention[0].depth.back().outcome.correct, correct);
        const Json json = toJson(report);
        QCOMPARE(json.at("runs").at(1).at("attention").get<std::string>(), "performer:samples=8");
        QCOMPARE(json.at("runs").at(0).at("confidence").at(2).at("threshold").get<double>(), 1.0);
        QCOMPARE(exitChart(report).series.size(), size_t(4));
        QCOMPARE(oracleChart(report).series.size(), size_t(6));
        QCOMPARE(exitMap(report).values.size(), size_t(2 * 3 * 2));
    }

    void numbersOutOfRangeAreRefused()
    {
        const auto classifier = openModel(
            {.model = modelFile("deit_tiny_cfg"), .weights = "untrained:1", .device = "cpu"});
        const MadeUpSet set(*classifier);
        const auto with = [&](ExitRequest request) {
            return refusal([&] { (void)measureExits(*classifier, set.samples(*classifier), request, {}, {}); });
        };
        SAYS(with({.thresholds = {1.5}}), "1.5 is not a probability");
        SAYS(with({.thresholds = {std::nan("")}}), "is not a probability");
        SAYS(with({.penalties = {-1}}), "out of range");
        SAYS(with({.attention = {}}), "no attention");
        QVERIFY(with({.attention = {AttentionSpec::parse("sra")}}) != "nothing was refused");
    }

    /// Fresh exit heads are copies: they change nothing until they are trained.
    void exitHeadsBeginAsTheNetworksOwn_data() { everyFamilyCanBeLeftBehindItsBlocks_data(); }
    void exitHeadsBeginAsTheNetworksOwn()
    {
        FETCH_TEXT(name);
        QFETCH(int, exits);
        const auto classifier = network(name);
        const at::Tensor input = test::inputFor(*classifier, 2);
        const auto before = exitsOf(*classifier, input);
        classifier->addExitHeads();
        QVERIFY(classifier->hasExitHeads());
        const auto after = exitsOf(*classifier, input);
        for (int i = 0; i < exits; ++i)
            QVERIFY(at::equal(after[size_t(i)], before[size_t(i)]));
        const bool two = name.starts_with("deit_distilled");
        const NamedWeight bias = weightOf(*classifier, two ? "exits.0.head1.bias" : "exits.0.head.bias");
        QVERIFY(bias.ofExit && bias.value.defined());
        {
            const at::NoGradGuard guard;
            bias.value.add_(1);
        }
        const auto changed = exitsOf(*classifier, input);
        QVERIFY(difference(changed[0], before[0] + (two ? 0.5 : 1)) < 1e-5);
        QVERIFY(at::equal(changed.back(), before.back()));
    }

    void networkWithOneReadableBlockHasNoExitToTrain()
    {
        const auto classifier = network("pvtv2_sra_tiny_cfg", 1);
        REFUSES(Error, classifier->addExitHeads(), "no block before the last");
        QVERIFY(!classifier->hasExitHeads());
    }

    void exitHeadsAreWrittenReadAndConverted()
    {
        const ExitTraining training("deit_tiny_cfg");
        {
            const at::NoGradGuard guard;
            weightOf(*training.student.network, "exits.0.head.bias").value.fill_(3);
        }
        Folder folder;
        const std::string path = folder / "exits.safetensors", copy = folder / "copy.safetensors";
        writeCheckpoint(path, *training.student.network, *training.student.description, Json::object());
        (void)convertCheckpoint({.model = {.weights = path}, .output = copy});
        const at::Tensor input = test::inputFor(*training.student.network, 2);
        const auto wanted = exitsOf(*training.student.network, input);
        for (const std::string& file : {path, copy}) {
            const auto opened = openModel({.weights = file, .device = "cpu", .plain = true});
            QVERIFY(opened->hasExitHeads());
            const auto got = exitsOf(*opened, input);
            for (size_t i = 0; i < wanted.size(); ++i)
                QVERIFY(at::equal(got[i], wanted[i]));
        }
        const auto optimized = openModel({.weights = path, .device = "cpu"});
        QVERIFY(difference(exitsOf(*optimized, input).front(), wanted.front()) < 1e-4);
        // What trains the network itself drops them, and says so.
        TrainRequest further;
        further.model.weights = path;
        const Student student = makeStudent(further, {}, test::classNames(10));
        QVERIFY(!student.network->hasExitHeads());
        SAYS(student.notes.front(), "exit heads of the checkpoint are left out");
    }

    void onlyExitHeadsAreTrained_data()
    {
        rows("name", {"deit_tiny_cfg", "deit_distilled_tiny_cfg", "evit_softmax_tiny_cfg"});
    }
    void onlyExitHeadsAreTrained()
    {
        FETCH_TEXT(name);
        ExitTraining training(name);
        training.parts.average = copyOf(training.student, {});
        training.parts.plan.average = 0.5;
        const TrainableClassifier& network = *training.student.network;
        std::vector<at::Tensor> before;
        for (const NamedWeight& weight : network.weights())
            before.push_back(weight.value.detach().clone());
        Trainer trainer(training.parts, training.observer);
        EpochRecord first, last;
        for (int64_t epoch = 1; epoch <= training.parts.plan.epochs; ++epoch) {
            last = trainer.runEpoch(epoch, {});
            if (epoch == 1)
                first = last;
        }
        int64_t trained = 0;
        const auto after = network.weights();
        for (size_t i = 0; i < after.size(); ++i) {
            QCOMPARE(at::equal(after[i].value.detach(), before[i]), !after[i].ofExit);
            trained += after[i].ofExit ? after[i].value.numel() : 0;
        }
        QCOMPARE(trainer.trainedParameters(), trained);
        QCOMPARE_LT(last.trainingLoss, 0.5 * first.trainingLoss);
        const ValidationResult& result = *last.validation;
        QCOMPARE(result.exitsCorrect1, std::vector<int64_t>{20});
        QCOMPARE(result.selectedBy(), 1.0);
        QCOMPARE(result.correct, first.validation->correct);  // the network's own prediction stays
        QCOMPARE(last.averageValidation->exitsCorrect1.size(), size_t(1));
        // A history keeps it; an older one, and that of another training, does not have it.
        const Json json = toJson(result);
        QCOMPARE(validationFromJson(json).exitsCorrect1, result.exitsCorrect1);
        QVERIFY(!toJson(ValidationResult{}).contains("exits_correct1"));
        QVERIFY(!toJson(TrainingPlan{}).contains("exits"));
        QVERIFY(toJson(training.parts.plan).at("exits").get<bool>());
        QVERIFY(trainingPlanBack(training.parts.plan).exits && !trainingPlanBack(TrainingPlan{}).exits);
    }

    void exitTrainingGoesOnWhereItWas()
    {
        ExitTraining one("deit_tiny_cfg"), other("deit_tiny_cfg");
        Trainer whole(one.parts, one.observer);
        (void)whole.runEpoch(1, {});
        Trainer resumed(other.parts, other.observer);
        std::map<std::string, at::Tensor> state;
        for (const auto& [name, tensor] : whole.state())
            state[name] = tensor.clone();
        (void)whole.runEpoch(2, {});
        resumed.restore(state, "state");
        (void)resumed.runEpoch(2, {});
        const auto theirs = other.student.network->weights(), ours = one.student.network->weights();
        for (size_t i = 0; i < ours.size(); ++i)
            QVERIFY2(at::equal(ours[i].value.detach(), theirs[i].value.detach()), ours[i].name.c_str());
        QVERIFY(!state.contains("first/blocks.0.norm1.weight"));  // nothing is kept for what does not move
    }

    void exitTrainingThatMeansNothingIsRefused()
    {
        const auto with = [&](const std::function<void(TrainRequest&)>& change) {
            TrainRequest request = exitTraining("deit_tiny_cfg");
            change(request);
            return refusal([&] { (void)makeStudent(request, {}, {}); });
        };
        SAYS(with([](TrainRequest& r) { r.model.weights = "untrained"; }), "--init");
        SAYS(with([](TrainRequest& r) { r.attention = "performer"; }), "keeps its attention");
        SAYS(with([](TrainRequest& r) { r.teacher = "teacher.safetensors"; }), "--distil-from");
        QCOMPARE(with([](TrainRequest&) {}), "");
    }

private:
    static TrainingPlan trainingPlanBack(const TrainingPlan& plan)
    {
        return recordFromJson<TrainingPlan>(toJson(plan));
    }
};

ATTNSCOPE_TEST(TestExits)
#include "tst_exits.moc"
