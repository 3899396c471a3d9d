// What the Train screen remembers, takes from a training that was cut off, and tries; over a scripted trainer.
#include "tests/support/test_class.h"
#include "tests/ui/support/train_fixture.h"
#include "ui/train/train_more.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/workspace/attention_choice.h"
#include "ui/workspace/settings.h"

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "models/training/train_request_json.h"

#include <QTemporaryDir>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using test::TrainFixture;
using test::WindowFixture;

namespace {

TrainRequest unusual()
{
    TrainRequest request;
    request.folder = "/data/pets";
    request.layout = "imagenet";
    request.validation = "/data/others";
    request.model.model = "deit_tiny_patch16_224";
    request.model.weights = "/weights/begin.safetensors";
    request.model.heads = 3;
    request.attention = "lara:samples=16";
    request.landmarkMap = "light";
    request.teacher = "/weights/teacher.safetensors";
    request.output = "/tmp/nowhere/out.safetensors";
    request.plan.epochs = 7, request.plan.batch = 24, request.plan.accumulate = 2, request.plan.workers = 3;
    request.plan.limit = 500, request.plan.mixedPrecision = true, request.plan.average = 0.9,
    request.plan.seed = 11;
    request.plan.augment.mixup = 0.3, request.plan.augment.operations = 1;
    request.plan.optimizer.learningRate = 3e-4, request.plan.optimizer.warmupEpochs = 0.5;
    request.plan.distillation.temperature = 2, request.plan.distillation.parameterEpochs = 1;
    return request;
}

/// What a training that was cut off leaves next to its output.
void leaveBehind(const QString& output, const Json& training)
{
    SafetensorsEntry entry;
    entry.shape = {1};
    entry.bytes.resize(4);
    QString resume = output;
    resume.replace(u".safetensors"_s, u".resume.safetensors"_s);
    writeSafetensors(resume.toStdString(), {{"step", entry}}, {{"attnscope_training", training.dump()}});
}

}

class TestTrainRestore : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        qputenv("XDG_CACHE_HOME", m_cache.path().toUtf8());  // where the demo is written
        test::prepareApplication();
    }

    void aRequestSurvivesItsJson()
    {
        const TrainRequest was = unusual(), is = trainRequestFromJson(toJson(was), "test");
        QCOMPARE(QByteArray::fromStdString(toJson(is).dump()), QByteArray::fromStdString(toJson(was).dump()));
        QVERIFY(is.plan == was.plan && is.model == was.model);
        Json damaged = toJson(was);
        damaged["plan"].erase("epochs");
        QVERIFY_EXCEPTION_THROWN(trainRequestFromJson(damaged, "test"), FileError);
        damaged = toJson(was);
        damaged["attention"] = "no such thing";
        QVERIFY_EXCEPTION_THROWN(trainRequestFromJson(damaged, "test"), FileError);
        QVERIFY_EXCEPTION_THROWN(trainRequestFromJson(Json("text"), "test"), FileError);
        damaged = toJson(was);
        damaged["plan"]["epochs"] = 1e300;  // no whole number is that large
        QVERIFY_EXCEPTION_THROWN(trainRequestFromJson(damaged, "test"), FileError);
    }

    void theFormShowsARequestAsItIs()
    {
        TrainFixture fixture;
        TrainRequest was = unusual();
        was.folder = fixture.data().toStdString();
        fixture.form->setRequest(was);
        TrainRequest is = fixture.form->request();
        // Model, device and seed belong to the bar above.
        is.model.model = was.model.model, is.model.heads = was.model.heads, is.model.limits = was.model.limits;
        is.plan.seed = was.plan.seed;
        QCOMPARE(QByteArray::fromStdString(toJson(is).dump()), QByteArray::fromStdString(toJson(was).dump()));
    }

    void theLastSessionsFormIsThereAgain()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"settings.ini"_s);
        WindowOptions options;
        options.settingsPath = path;
        std::shared_ptr<test::TrainScript> script = std::make_shared<test::TrainScript>();
        options.training = test::scriptedTraining(script);
        {
            WindowFixture first(u"light"_s, {1280, 800}, options);
            first.window->showScreen(u"train"_s);
            TrainForm& form = *first.window->page<TrainPage>()->form();
            form.setFolder(folder.path());
            form.epochs()->setValue(9);
            form.attention()->setSpec(u"lara:samples=16"_s);
            first.window->close();
        }
        options.loaded = loadSettings(path);
        QVERIFY2(options.loaded.problem.isEmpty(), qPrintable(options.loaded.problem));
        WindowFixture second(u"light"_s, {1280, 800}, options);
        second.window->showScreen(u"train"_s);
        TrainForm& form = *second.window->page<TrainPage>()->form();
        QCOMPARE(form.folder(), folder.path());
        QCOMPARE(form.epochs()->value(), 9);
        QCOMPARE(form.attention()->spec(), u"lara:samples=16"_s);
        QVERIFY(!second.window->page<TrainPage>()->empty()->isVisible());
        // A damaged memory is said once and costs nothing else.
        options.loaded.settings.forms[u"train"_s] = u"{\"folder\": 3}"_s;
        WindowFixture third(u"light"_s, {1280, 800}, options);
        third.window->showScreen(u"train"_s);
        QVERIFY(third.window->page<TrainPage>()->empty()->isVisible());
        QString messages;
        for (const MessageBar* bar : third.window->page<TrainPage>()->findChildren<MessageBar*>())
            messages += bar->sentence();
        QVERIFY2(messages.contains(u"damaged"_s), qPrintable(messages));
    }

    void aResumeFileFillsTheForm()
    {
        TrainFixture fixture;
        TrainRequest was = unusual();
        was.folder = fixture.data().toStdString();
        leaveBehind(fixture.output(), Json{{"request", toJson(was)}});
        fixture.file(u"trained.safetensors"_s);
        // Naming the output offers it.
        fixture.page->openFolder(fixture.data(u"other"_s));
        QVERIFY(!fixture.form->restoreLink()->isVisible());
        fixture.form->output()->setPath(fixture.output());
        QVERIFY(fixture.form->restoreLink()->isVisible());
        QTest::mouseClick(fixture.form->restoreLink(), Qt::LeftButton);
        QTRY_COMPARE(fixture.form->epochs()->value(), 7);
        QCOMPARE(fixture.form->folder(), fixture.data());
        QVERIFY(fixture.form->request().resume);
        QCOMPARE(QString::fromStdString(fixture.form->request().output), fixture.output());
        QCOMPARE(fixture.window->workspace().context().seed, quint64{11});
        QCOMPARE(fixture.window->workspace().context().model, u"deit_tiny_patch16_224"_s);
        QVERIFY(fixture.form->more()->validation() == u"/data/others"_s);
        fixture.fixture.shot(u"train-restored"_s);
    }

    void aDroppedResumeFileDoesTheSame()
    {
        TrainFixture fixture;
        TrainRequest was = unusual();
        was.folder = fixture.data().toStdString();
        leaveBehind(fixture.output(), Json{{"request", toJson(was)}});
        fixture.window->takePaths({fixture.fixture.folder.filePath(u"trained.resume.safetensors"_s)});
        QTRY_COMPARE(fixture.form->epochs()->value(), 7);
        QVERIFY(!fixture.page->empty()->isVisible());
        // One that does not say how it was begun is refused in a sentence.
        leaveBehind(fixture.output(), Json{{"plan", 1}});
        fixture.window->takePaths({fixture.fixture.folder.filePath(u"trained.resume.safetensors"_s)});
        QTRY_VERIFY2(fixture.messages().join(QLatin1Char('|')).contains(u"fill in the form"_s),
                     qPrintable(fixture.messages().join(QLatin1Char('|'))));
    }

    void aTrainingThatWasCutOffIsOffered()
    {
        TrainFixture fixture;
        fixture.fill(5);
        QVERIFY(fixture.session().savedResults().empty());
        fixture.session().restoreResults(
            fixture.output().toStdString());  // nothing is next to it: it ended, or had finished no epoch
        QVERIFY(fixture.messages().isEmpty());
        leaveBehind(fixture.output(), Json{{"request", toJson(fixture.form->request())}});
        fixture.file(u"trained.safetensors"_s);
        const QString form = fixture.page->savedForm();
        const QString sentence =
            u"The training of trained.safetensors was interrupted; its finished epochs are kept."_s;
        const auto barOf = [&](const QWidget& page) {
            for (MessageBar* bar : page.findChildren<MessageBar*>())
                if (bar->sentence() == sentence)
                    return bar;
            return static_cast<MessageBar*>(nullptr);
        };
        // Said on whatever screen is looked at, and with what to do on its own.
        fixture.window->showScreen(u"compare"_s);
        fixture.session().restoreResults(fixture.output().toStdString());
        QVERIFY(barOf(*fixture.window->page()) != nullptr);
        fixture.window->showScreen(u"train"_s);
        fixture.page->restoreForm(form);
        MessageBar* bar = barOf(*fixture.page);
        QVERIFY(bar != nullptr);
        for (QAbstractButton* button : bar->findChildren<QAbstractButton*>())
            if (button->text() == u"Continue training"_s)
                button->click();
        QVERIFY(QTest::qWaitFor([&] { return !fixture.script->requested().empty(); }, 5000));
        QVERIFY(fixture.script->requested().back().resume);
        QCOMPARE(QString::fromStdString(fixture.script->requested().back().output), fixture.output());
        QCOMPARE(fixture.session().savedResults(), fixture.output().toStdString());
    }

    void theDemoFillsTheFormForAShortRun()
    {
        TrainFixture fixture;
        QVERIFY(fixture.page->empty()->isVisible());
        fixture.fixture.shot(u"train-empty-demo"_s);
        fixture.page->empty()->first()->setFocus();
        QTest::keyClick(fixture.page->empty()->first(), Qt::Key_Space);
        QTRY_VERIFY(!fixture.page->empty()->isVisible());
        const TrainRequest request = fixture.form->request();
        QVERIFY2(request.folder.ends_with("/scenes"), request.folder.c_str());
        QVERIFY(request.plan.epochs <= 3);
        QVERIFY(request.attention.starts_with("performer"));
        QVERIFY(fixture.script->demos.load() == 1);
        QVERIFY2(fixture.form->check(), "it could be started as it is");
        fixture.fixture.shot(u"train-demo-filled"_s);
    }

    void aDemoThatCannotBeWrittenSaysWhy()
    {
        TrainFixture fixture;
        fixture.script->demoProblem = "there is no space left";
        QTest::mouseClick(fixture.page->empty()->first(), Qt::LeftButton);
        QTRY_VERIFY2(fixture.messages().join(QLatin1Char('|')).contains(u"no space left"_s),
                     qPrintable(fixture.messages().join(QLatin1Char('|'))));
        QVERIFY(fixture.page->empty()->isVisible() && fixture.page->empty()->first()->isEnabled());
    }

    void aBarSaysWhatADemoModelKnows()
    {
        Engine engine(coreWorkbench());
        WindowOptions options;
        options.loaded.settings.context.weights = QStringLiteral(RESOURCE_DIR "/demo/models/deit.safetensors");
        MainWindow window(engine, options, screens(options));
        window.show();
        const auto bar = [&window]() -> MessageBar* {
            for (MessageBar* each : window.findChildren<MessageBar*>())
                if (each->sentence().contains(u"demo model"_s))
                    return each;
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(bar() != nullptr, 30'000);
        QVERIFY(bar()->sentence().contains(u"twelve scenes"_s));
        // Another model is none; back again it is said again, until it is closed.
        RunContext context = window.workspace().context();
        const QString weights = context.weights;
        context.model = u"deit_tiny_patch16_224"_s, context.weights = u"untrained"_s;
        window.workspace().setContext(context);
        QTRY_VERIFY_WITH_TIMEOUT(bar() == nullptr, 30'000);
        context.model.clear(), context.weights = weights;
        window.workspace().setContext(context);
        QTRY_VERIFY_WITH_TIMEOUT(bar() != nullptr, 30'000);
        QTest::mouseClick(bar()->findChild<IconButton*>(), Qt::LeftButton);
        QTRY_VERIFY(bar() == nullptr);
        context.seed = 5;
        window.workspace().setContext(context);
        QTest::qWait(300);
        QVERIFY(bar() == nullptr);
    }

private:
    QTemporaryDir m_cache;
};

ATTNSCOPE_WINDOW_TEST(TestTrainRestore)
#include "tst_train_restore.moc"
