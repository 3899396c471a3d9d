// What the Scale screen measures on a model: error against samples, plans, and what goes stale; over a scripted laboratory, and
// over the real one.
#include "core/lab/decode/decode_output.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_json.h"
#include "core/lab/lab_tables.h"
#include "tests/support/test_class.h"
#include "tests/ui/support/scale_fixture.h"
#include "ui/scale/scale_charts.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/number_fields.h"
#include "ui/widgets/table_text.h"

#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using namespace attnscope;
using test::contents;
using test::ScaleFixture;
using test::WindowFixture;

class TestScaleModel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void samplesAreMeasuredOnTheModelsOwnTensors()
    {
        ScaleFixture fixture;
        fixture.page->showTab(ScaleSession::Samples);
        const auto tab = fixture.samples();
        QVERIFY2(tab.empty()->words().line.contains(u"cat.jpg"_s), qPrintable(tab.empty()->words().line));
        fixture.fixture.shot(u"samples-empty"_s);
        tab.counts()->setText(u"1, 4, 16, 64"_s);
        tab.source()->imageSize()->setCurrentIndex(2);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.script->approximate.subject.inputs, std::vector<std::string>{"/photos/cat.jpg"});
        QCOMPARE(fixture.script->approximate.subject.model.imageSize, InputSize::square(384));
        QCOMPARE(fixture.script->approximate.request.attention.size(),
                 size_t{2});  // softmax is what they are measured against
        QVERIFY2(fixture.page->head().headline()->text().startsWith(u"lara with 64 samples is closest"_s),
                 qPrintable(fixture.page->head().headline()->text()));
        const auto named = [](const Chart& chart, const char* name) {
            for (const ChartSeries& series : chart.series)
                if (series.name == name)
                    return true;
            return false;
        };
        QVERIFY(named(tab.errors()->chart(), "mean of the values") && named(tab.errors()->chart(), "zero"));
        QVERIFY(named(tab.parts()->chart(), "lara, 1/samples"));
        tab.part()->setCurrent(1);
        QVERIFY(!named(tab.parts()->chart(), "lara, 1/samples") && tab.parts()->chart().y.title == "bias²");
        fixture.page->copyCommand();
        QCOMPARE(fixture.clipboard(),
                 u"attnscope-cli approximate /photos/cat.jpg --weights untrained --model fake_tiny_patch16_224 "
                 "--image-size 384 --attention performer "
                 "--attention lara --device auto --dtype float32 --seed 0 --samples 1,4,16,64 --seeds 5"_s);
        const QString base = fixture.fixture.folder.filePath(u"errors"_s);
        QCOMPARE(fixture.page->tab()->exportTo(base + u".svg"_s), QString());
        QVERIFY(contents(base + u"-bias.svg"_s).contains("<svg"));
    }

    void resultsAreThereAfterAnotherStart()
    {
        std::string saved;
        const auto texts = [](ScaleFixture& fixture) {
            const ScaleSession& session = *fixture.window->session<ScaleSession>();
            return std::vector<QByteArray>{jsonText(toJson(*session.report<ScaleReport>())),
                                           jsonText(toJson(*session.report<DecodeReport>())),
                                           jsonText(toJson(*session.report<ApproximateReport>())),
                                           jsonText(toJson(*session.report<KernelReport>())),
                                           jsonText(toJson(*session.report<PlanReport>()))};
        };
        std::vector<QByteArray> before;
        {
            ScaleFixture fixture;
            QVERIFY(fixture.window->session<ScaleSession>()->savedResults().empty());
            for (int kind = 0; kind < ScaleSession::kindCount; ++kind) {
                fixture.page->showTab(static_cast<ScaleSession::Kind>(kind));
                fixture.page->run();
                QVERIFY(fixture.waitDone());
            }
            saved = fixture.window->session<ScaleSession>()->savedResults();
            before = texts(fixture);
        }
        ScaleFixture fixture;
        ScaleSession& session = *fixture.window->session<ScaleSession>();
        session.restoreResults(saved);
        QCOMPARE(fixture.script->runs.load(), 0);
        QVERIFY(texts(fixture) == before);
        for (int kind = 0; kind < ScaleSession::kindCount; ++kind) {
            fixture.page->showTab(static_cast<ScaleSession::Kind>(kind));
            QVERIFY(fixture.page->hasResults() && !fixture.page->command().isEmpty());
            QVERIFY(!fixture.page->head().headline()->text().isEmpty());
            QVERIFY(fixture.page->tab()->staleText().isEmpty());
        }
        QVERIFY_EXCEPTION_THROWN(session.restoreResults(saved.substr(0, saved.size() - 1)), Error);
        QVERIFY(texts(fixture) == before);  // what was there stays
    }

    void aFileOfTensorsNeedsNoModel()
    {
        ScaleFixture fixture;
        fixture.page->showTab(ScaleSession::Samples);
        fixture.samples().takeTensors(u"/data/q k v.safetensors"_s);
        QVERIFY(!fixture.samples().source()->imageSize()->isVisible());
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY(fixture.script->approximate.subject.inputs.empty());
        fixture.page->copyCommand();
        QVERIFY2(fixture.clipboard().startsWith(
                     u"attnscope-cli approximate '/data/q k v.safetensors' --attention performer"_s),
                 qPrintable(fixture.clipboard()));
    }

    void aPlanGoesIntoTheBackends()
    {
        ScaleFixture fixture;
        fixture.page->showTab(ScaleSession::Plans);
        fixture.fixture.shot(u"plan-empty"_s);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        const auto tab = fixture.plan();
        QCOMPARE(fixture.script->plan.request.budget, 1.5);
        QVERIFY2(fixture.page->head().headline()->text().startsWith(u"A plan mixing 2 backends: 33"_s),
                 qPrintable(fixture.page->head().headline()->text()));
        QCOMPARE(tab.layers().rowCount(), 4);
        QCOMPARE(tab.layers().index(3, 1).data().toString(), u"softmax"_s);
        // Another plan of the table shows its own layers.
        tab.table()->selectRow(0);
        QCOMPARE(tab.layers().index(3, 1).data().toString(), u"local"_s);
        for (int row = 0; row < tab.cells().rowCount(); ++row)
            if (tab.cells().index(row, 0).data().toString().contains(u"★"_s))
                tab.table()->selectRow(row);
        QTest::mouseClick(tab.useButton(), Qt::LeftButton);
        QVERIFY(
            fixture.window->workspace().backends().checkedSpecs().contains(u"0-1=lara:samples=16;2-3=softmax"_s));
        fixture.page->copyCommand();
        QVERIFY2(fixture.clipboard().contains(u"--budget speed=1.5 --seeds 3"_s), qPrintable(fixture.clipboard()));
        // Mixed attentions have no length-wise encoder: they are left out there, and said to be.
        QVERIFY(!fixture.window->session<ScaleSession>()->leftOut().isEmpty());
    }

    void randomTensorsNeedNothingElse()
    {
        ScaleFixture fixture;
        fixture.page->showTab(ScaleSession::Samples);
        const auto tab = fixture.samples();
        TensorSource& source = *tab.source();
        QVERIFY(!source.tokens()->isVisible());
        source.setKind(TensorSource::Kind::Random);
        QVERIFY(source.tokens()->isVisible() && source.headSize()->isVisible()
                && !source.imageSize()->isVisible());
        QVERIFY2(tab.empty()->words().line.contains(u"random q, k, v"_s), qPrintable(tab.empty()->words().line));
        source.tokens()->setValue(784);
        source.headSize()->setValue(32);
        tab.counts()->setText(u"4, 16"_s);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        const auto& random = fixture.script->approximate.subject.random;
        QVERIFY(random && random->tokens == 784 && random->width == 32 && random->seed == 0);
        QVERIFY(fixture.script->approximate.subject.inputs.empty()
                && fixture.script->approximate.subject.file.empty());
        fixture.page->copyCommand();
        QCOMPARE(fixture.clipboard(),
                 u"attnscope-cli approximate --attention performer --attention lara --device auto "
                 "--dtype float32 --seed 0 --random 784 --head-size 32 --samples 4,16 --seeds 5"_s);
        source.setKind(TensorSource::Kind::Model);
        QVERIFY(source.imageSize()->isVisible() && !source.tokens()->isVisible());
    }

    void anAccuracyBudgetNeedsALabelledFolder()
    {
        ScaleFixture fixture;
        fixture.page->showTab(ScaleSession::Plans);
        const auto tab = fixture.plan();
        QVERIFY(!tab.labelledButton()->isVisible());
        tab.budget()->setCurrentIndex(tab.budget()->count() - 1);
        QVERIFY(tab.labelledButton()->isVisible() && tab.samples()->isVisible());
        QVERIFY(!fixture.page->canRun());
        QVERIFY2(tab.empty()->words().line.contains(u"labelled folder"_s), qPrintable(tab.empty()->words().line));
        tab.setLabelled(u"/data/scenes/val"_s);
        tab.value()->setValue(2);
        tab.samples()->setValue(96);
        QVERIFY2(tab.empty()->words().line.contains(u"top-1 loss of at most 2 points"_s)
                     && tab.empty()->words().line.contains(u"96 samples from val"_s),
                 qPrintable(tab.empty()->words().line));
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.script->plan.request.kind, PlanBudget::Drop);
        QCOMPARE(fixture.script->plan.request.budget, 0.02);
        QCOMPARE(fixture.script->plan.subject.labelled, std::string("/data/scenes/val"));
        QCOMPARE(fixture.script->plan.subject.samples, int64_t{96});
        QVERIFY2(fixture.page->head().headline()->text().contains(u"top-1 "_s),
                 qPrintable(fixture.page->head().headline()->text()));
        QVERIFY(fixture.page->head().headline()->text().contains(u"softmax: "_s));
        QVERIFY(tab.chartTitle()->text().startsWith(u"Top-1"_s));
        const CellTable& cells = tab.cells();
        QCOMPARE(cells.headerData(2, Qt::Horizontal).toString(), u"Top-1"_s);
        QVERIFY(cells.index(0, 2).data().toString().endsWith(QLatin1Char(']')));
        fixture.page->copyCommand();
        QVERIFY2(fixture.clipboard().contains(u"plan /data/scenes/val --weights "_s)
                     && fixture.clipboard().contains(u"--budget drop=0.02 --labelled 96"_s),
                 qPrintable(fixture.clipboard()));
    }

    void figuresOfOtherSettingsSaySo()
    {
        ScaleFixture fixture;
        ScalePage& page = *fixture.page;
        const auto stale = [&page] {
            return page.head().stale()->isVisible() ? page.head().stale()->text() : QString();
        };
        fixture.measure(u"256, 512"_s);
        QCOMPARE(stale(), QString());
        fixture.length().lengths()->setText(u"256, 1024"_s);
        QCOMPARE(stale(), u"made with --lengths 256,512"_s);
        QVERIFY(page.head().again()->isVisible() && page.head().again()->isEnabled());
        QTest::mouseClick(page.head().again(), Qt::LeftButton);
        QVERIFY(fixture.waitDone());
        QCOMPARE(stale(), QString());
        QCOMPARE(fixture.script->scale.lengths, (std::vector<int64_t>{256, 1024}));
        // The other tabs have figures of their own.
        page.showTab(ScaleSession::Samples);
        QCOMPARE(stale(), QString());
        page.run();
        QVERIFY(fixture.waitDone());
        RunContext context = fixture.window->workspace().context();
        context.seed = 3;
        fixture.window->workspace().setContext(context);
        QCOMPARE(stale(), u"made with --seed 0"_s);
        page.showTab(ScaleSession::Length);
        QCOMPARE(stale(), u"made with --seed 0"_s);
        context.seed = 0;
        fixture.window->workspace().setContext(context);
        QCOMPARE(stale(), QString());
        // Attentions that are ticked meanwhile.
        fixture.window->workspace().backends().add(AttentionSpec::parse("ra"));
        QVERIFY2(stale().startsWith(u"made with softmax"_s), qPrintable(stale()));
        page.showTab(ScaleSession::Samples);
        QCOMPARE(stale(), u"made with performer 64, lara 49"_s);
    }

    void timesOfOtherThreadsSaySoAndErrorsHaveNone()
    {
        ScaleFixture fixture;
        ScalePage& page = *fixture.page;
        const auto stale = [&page] {
            return page.head().stale()->isVisible() ? page.head().stale()->text() : QString();
        };
        fixture.measure(u"256, 512"_s);
        page.showTab(ScaleSession::Samples);
        page.run();
        QVERIFY(fixture.waitDone());
        Settings settings = fixture.window->workspace().settings();
        settings.threads = 3;
        fixture.window->workspace().setSettings(settings);
        QCOMPARE(stale(), QString());
        page.showTab(ScaleSession::Length);
        QCOMPARE(stale(), u"made without --threads"_s);
        QVERIFY(!fixture.length()->command().contains("--threads"_L1));  // it repeats what is shown
        QTest::mouseClick(page.head().again(), Qt::LeftButton);
        QVERIFY(fixture.waitDone());
        QCOMPARE(stale(), QString());
        QVERIFY(fixture.length()->command().contains("--threads 3"_L1));
    }

    void looksRight_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light") << u"light"_s << QSize(1280, 800);
        QTest::newRow("dark") << u"dark"_s << QSize(1280, 800);
        QTest::newRow("light-small") << u"light"_s << QSize(1024, 640);
        QTest::newRow("dark-small") << u"dark"_s << QSize(1024, 640);
    }
    void looksRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        ScaleFixture fixture(theme, size);
        fixture.page->showTab(ScaleSession::Plans);
        const auto plan = fixture.plan();
        plan.budget()->setCurrentIndex(plan.budget()->count() - 1);
        fixture.fixture.shot(u"plan-labels-empty-"_s + tag);
        plan.setLabelled(u"/data/a folder with a rather long name of validation scenes"_s);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        plan.value()->setValue(5);
        QTest::qWait(100);
        fixture.fixture.shot(u"plan-labels-"_s + tag);
        for (const QWidget* field :
             {static_cast<QWidget*>(plan.labelledButton()), static_cast<QWidget*>(plan.samples()),
              static_cast<QWidget*>(plan.budget())}) {
            QVERIFY2(field->width() >= field->minimumSizeHint().width(), qPrintable(field->accessibleName()));
            QVERIFY(fixture.page->rect().contains(QRect(field->mapTo(fixture.page, QPoint(0, 0)), field->size())));
        }
        fixture.page->showTab(ScaleSession::Samples);
        fixture.samples().source()->setKind(TensorSource::Kind::Random);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        fixture.samples().source()->tokens()->setValue(576);
        QTest::qWait(100);
        fixture.fixture.shot(u"samples-random-"_s + tag);
    }

    void theRealLaboratoryApproximatesOnTheDemoModel()
    {
        test::RealLaboratory real;
        ApproximateJob job;
        job.subject.model.weights = RESOURCE_DIR "/demo/models/deit.safetensors";
        job.subject.model.device = "cpu";
        job.subject.inputs = {RESOURCE_DIR "/demo/photos/cat.jpg"};
        job.request.attention = {AttentionSpec::parse("ra")};
        job.request.samples = {1, 16};
        job.request.seeds = 4;
        const auto report = real.measured<ApproximateReport>(job);
        QVERIFY2(report, qPrintable(real.problem));
        QCOMPARE(report->inputs, int64_t{1});
        QCOMPARE(report->tokens, int64_t{197});
        const auto& points = report->curves.front().points;
        QVERIFY2(points[1].error.mse < points[0].error.mse / 5, "more samples bring it nearer");
        QVERIFY(approximationErrors(*report).rows.size() == 4
                && errorChart(*report, ErrorPart::Variance).series.size() == 2);
    }

    void theRealLaboratoryPlansOnALabelledFolder()
    {
        QTemporaryDir folder;
        for (const char* name : {"cat", "coins"}) {
            QVERIFY(QDir(folder.path()).mkdir(QString::fromLatin1(name)));
            QVERIFY(QFile::copy(QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg"),
                                folder.filePath(QString::fromLatin1(name) + u"/a.jpg"_s)));
        }
        test::RealLaboratory real;
        PlanJob job;
        job.subject.model.weights = RESOURCE_DIR "/demo/models/deit.safetensors";
        job.subject.model.device = "cpu";
        job.subject.labelled = folder.path().toStdString();
        job.subject.samples = 2;
        job.request.kind = PlanBudget::Drop;
        job.request.candidates = {AttentionSpec::parse("local")};
        job.request.rounds = 1, job.request.seeds = 1, job.request.verified = 1;
        const auto report = real.measured<PlanReport>(job);
        QVERIFY2(report, qPrintable(real.problem));
        QCOMPARE(report->labelled, int64_t{2});
        QVERIFY(report->chosen && report->chosen->accuracy.value_or(0) == 0.5);  // one of the two labels is a lie
        QVERIFY(QDir(folder.path()).rename(u"coins"_s, u"unknown thing"_s));
        QVERIFY(!real.measured<PlanReport>(job));
        QVERIFY2(real.problem.contains(u"unknown thing"_s), qPrintable(real.problem));
    }
};

ATTNSCOPE_WINDOW_TEST(TestScaleModel)
#include "tst_scale_model.moc"
