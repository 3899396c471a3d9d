// What the Train screen is made of: its tables, curves, command line and the choice of an attention.
#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/charts/train_curves.h"
#include "ui/train/epochs_model.h"
#include "ui/train/train_check.h"
#include "ui/train/train_command.h"
#include "ui/workspace/attention_choice.h"
#include "ui/workspace/option_form.h"

#include "core/train/distillation_table.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

namespace {

EpochRecord epoch(int64_t number, double top1, bool best)
{
    EpochRecord record{number, 1.5, 2.5e-4, 90, 960};
    record.validation = ValidationResult{{1000, int64_t(1000 * top1), 990}, 2, 0.9};
    record.averageName = "weights";
    record.best = best;
    return record;
}

TrainRequest plainRequest()
{
    TrainRequest request;
    request.folder = "/data/scenes";
    request.model.model = "deit_tiny_patch16_224";
    request.model.weights = "/data/softmax.safetensors";
    request.attention = "lara:samples=16";
    request.output = "/data/lara.safetensors";
    return request;
}

}

class TestTrainModels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void epochsAreAModelAndCopiedAsText()
    {
        EpochsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.take(epoch(1, 0.5, true));
        model.take(epoch(2, 0.784, true));
        model.take(epoch(3, 0.7, false));
        QCOMPARE(model.index(0, EpochsModel::EpochColumn).data().toString(), u"3"_s);
        QCOMPARE(model.index(1, EpochsModel::Top1).data().toString(), u"78.40"_s);
        // Wilson's interval of 784 of 1000.
        QCOMPARE(model.index(1, EpochsModel::Top1Interval).data().toString(), u"[75.74, 80.84]"_s);
        QCOMPARE(model.index(1, EpochsModel::Note).data().toString(), u"best"_s);
        QCOMPARE(model.index(2, EpochsModel::Note).data().toString(), QString());
        QVERIFY(model.index(1, EpochsModel::Top1)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains("2 more were unreadable"_L1));
        const QStringList lines = model.asTsv().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 5);
        QVERIFY(lines[1].startsWith("3\t1.500\t0.900\t70.00\t"_L1));
        QVERIFY(model.asMarkdown().startsWith("| Epoch | Training loss |"_L1));
        EpochRecord without{4, 1.2};
        model.take(without);
        QCOMPARE(model.index(0, EpochsModel::Top1).data().toString(), u"—"_s);
        model.setHistory({epoch(1, 0.5, true)});
        QCOMPARE(model.rowCount(), 1);
    }

    void averageIsShownWhereItIsWhatIsKept()
    {
        EpochRecord record = epoch(1, 0.5, true);
        record.averageValidation = ValidationResult{{1000, 610, 990}, 0, 0.8};
        QCOMPARE(keptValidation(record)->correct, 500);
        record.averageName = "average";
        QCOMPARE(keptValidation(record)->correct, 610);
    }

    void distillationIsAModelOfBeforeAndAfter()
    {
        QVERIFY(distillationTable({}, {}, {}).rows.empty());
        DistillationState before;
        before.student = ValidationResult{{200, 80, 190}, 0, 2};
        before.layerErrors = {0.8, 0.9};
        before.relativeError = 0.85;
        before.agreement = 0.41;
        DistillationState after = before;
        after.student.correct = 160;
        after.relativeError = 0.17;
        const Table table = distillationTable(before, after, ValidationResult{{200, 170, 190}, 0, 0.5});
        const auto text = [&](size_t row, size_t column) { return english(table.rows[row].cells[column].text); };
        QCOMPARE(table.rows.size(), size_t{7});
        QCOMPARE(text(0, 3), std::string("+40.00"));
        QCOMPARE(text(0, 4), std::string("85.00 %"));
        QCOMPARE(text(4, 3), std::string("−80 %"));
        QCOMPARE(text(6, 1), std::string("0.90"));
        QVERIFY(distillationTable(before, {}, {}).rows[0].cells[2].text.empty());
    }

    void stepLossesStayFewHoweverLongItTakes()
    {
        StepLosses losses;
        for (int64_t done = 0; done < 100'000; ++done) {
            TrainingStep step{done / 1000 + 1, done % 1000 + 1, 1000};
            step.loss = double(done);
            losses.add(step);
        }
        const CurvePoints& points = losses.points();
        QVERIFY(points.x.size() < StepLosses::maxPoints && points.x.size() >= StepLosses::maxPoints / 2 - 1);
        QVERIFY(std::is_sorted(points.x.begin(), points.x.end()));
        // Averages of neighbours: the loss grows evenly, and so do they.
        for (qsizetype i = 0; i < points.x.size(); ++i)
            QVERIFY(std::abs(points.y[i] - (1000 * points.x[i] - 1)) < 1e-6);
        losses.dropAfter(50);
        QVERIFY(losses.points().x.back() <= 50);
    }

    void commandNamesWhatDiffersFromTheDefaults()
    {
        TrainRequest request = plainRequest();
        QCOMPARE(
            trainCommand(request, 0),
            u"attnscope-cli train /data/scenes --model deit_tiny_patch16_224 --init /data/softmax.safetensors "
            "--attention lara:samples=16 --out /data/lara.safetensors"_s);
        request.teacher = "/data/my teacher.safetensors";
        request.model.imageSize = InputSize::square(448);
        request.model.positionRule = "timm";
        request.plan.epochs = 30;
        request.plan.optimizer.learningRate = 2e-4;
        request.plan.augment = noAugmentation();
        request.plan.distillation.labelWeight = 0;
        request.plan.mixedPrecision = request.plan.exits = true;
        request.resume = true;
        const QString line = trainCommand(request, 2);
        for (const char* part :
             {" --distil-from '/data/my teacher.safetensors' ", " --image-size 448 --position timm --init ",
              " --epochs 30 ", " --lr 2e-04 ", " --augment none ", " --label-weight 0 ", " --exits ",
              " --mixed-precision ", " --threads 2", " --resume "})
            QVERIFY2(line.contains(QLatin1String(part)), qPrintable(line));
        QVERIFY(!line.contains("--crop-scale"_L1));
        request.plan.augment = planOf(Augmentation::Light);
        QVERIFY(trainCommand(request, 0).contains(" --augment light "_L1));
        request.plan.augment.mixup = 0.2;
        QVERIFY(trainCommand(request, 0).contains(" --augment light --mixup 0.2 "_L1));
        request.plan.augment = {};
        request.plan.augment.magnitude = 7;
        QVERIFY(trainCommand(request, 0).contains(" --rand-augment 2,7 "_L1));
        QVERIFY(!trainCommand(request, 0).contains("--augment "_L1));
    }

    void attentionIsTheRegistrysFormAndText()
    {
        AttentionChoice choice;
        QCOMPARE(choice.spec(), u"lara"_s);
        QVERIFY(choice.options()->control(u"samples"_s) != nullptr);
        QSignalSpy changed(&choice, &AttentionChoice::changed);
        choice.setSpec(u"performer:samples=32"_s);
        QCOMPARE(choice.names()->currentText(), u"performer"_s);
        QCOMPARE(qobject_cast<QSpinBox*>(choice.options()->control(u"samples"_s))->value(), 32);
        qobject_cast<QSpinBox*>(choice.options()->control(u"samples"_s))->setValue(48);
        QCOMPARE(choice.spec(), u"performer:samples=48"_s);
        QCOMPARE(choice.text()->text(), u"performer:samples=48"_s);
        choice.setSpec(u"performer:sample=1"_s);
        QVERIFY(choice.problem().contains("samples"_L1));  // names the alternatives
        QCOMPARE(choice.spec(), u"performer:samples=48"_s);
        choice.setSpec(u"native"_s);
        QVERIFY(choice.problem().isEmpty());
        QVERIFY(changed.size() >= 3);
    }
};

ATTNSCOPE_WINDOW_TEST(TestTrainModels)
#include "tst_train_models.moc"
