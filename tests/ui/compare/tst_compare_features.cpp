// Features in the place of classes on the Compare screen, and what the context bar says of a network's arithmetic.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/compare/compare_card.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/features_panel.h"
#include "ui/compare/patch_images.h"
#include "ui/widgets/controls.h"
#include "ui/window/context_bar.h"

#include <QTableView>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using attnscope::ui::test::WindowFixture;

namespace {

/// A window that compared images of a network, with a head or without.
struct FeaturesFixture {
    explicit FeaturesFixture(int classes, int images = 1, const QString& theme = u"light"_s,
                             QSize size = {1280, 800})
        : fixture(theme, size, {}, classes)
    {
        fixture.window->openPaths(fixture.images(images));
        if (!fixture.waitIdle())
            qFatal("the comparison did not end");
        QTest::qWait(60);
    }
    ComparePage& page() { return *fixture.window->page<ComparePage>(); }
    CompareSession& session() { return *fixture.window->session<CompareSession>(); }
    RunTableModel& runs() { return session().runs(); }
    PredictionCell cell(int column)
    {
        return runs().index(0, column).data(RunTableModel::PredictionsRole).value<PredictionCell>();
    }
    bool choose(int subject)
    {
        page().subjects()->setCurrent(subject);
        const bool idle = fixture.waitIdle();
        QTest::qWait(60);
        return idle;
    }

    WindowFixture fixture;
};

constexpr int classesChoice = 0, featuresChoice = 1;

}

class TestCompareFeatures : public QObject {
    Q_OBJECT
private slots:
    void networkWithoutHeadShowsFeaturesUnasked()
    {
        FeaturesFixture fixture(0);
        QCOMPARE(fixture.runs().subject(), Subject::Features);
        QVERIFY(!fixture.page().subjects()->isVisible());
        for (int column = 0; column < 3; ++column) {
            QCOMPARE(fixture.runs().state(attnscope::ui::Row::Features, column), CellState::Done);
            const PredictionCell cell = fixture.cell(column);
            QCOMPARE(cell.lines.size(), 5);
            const FeatureDrift& drift = *fixture.runs().record(column)->featureDrift;
            QCOMPARE(cell.lines[0].probabilityText, QString::number(drift.cosine, 'f', 4));
            QCOMPARE(cell.lines[1].probability, *drift.token);
            QCOMPARE(cell.image.size(), QSize(4, 3));
        }
        QVERIFY2(fixture.page().headline()->text().startsWith("Feature cosine "_L1),
                 qPrintable(fixture.page().headline()->text()));
        QVERIFY(fixture.page().featuresPanel()->isVisible());
    }

    void featuresAreMeasuredOnceTheyAreAskedFor()
    {
        FeaturesFixture fixture(1000);
        QCOMPARE(fixture.runs().subject(), Subject::Classes);
        QVERIFY(!fixture.fixture.behaviour->askedFeatures);
        QVERIFY(!fixture.page().featuresPanel()->isVisible());
        QVERIFY(!fixture.page().command().contains("--features"_L1));
        const int before = fixture.fixture.behaviour->runs;
        QVERIFY(fixture.choose(featuresChoice));
        QVERIFY(fixture.fixture.behaviour->askedFeatures);
        QCOMPARE(fixture.fixture.behaviour->runs.load(), before + 1);
        QVERIFY(fixture.page().featuresPanel()->isVisible());
        QVERIFY(fixture.page().command().contains("--features pooled"_L1));
        QCOMPARE(fixture.page().savedForm(), u"features"_s);
        QVERIFY(fixture.choose(classesChoice));
        QCOMPARE(fixture.fixture.behaviour->runs.load(), before + 1);  // nothing has to be run again
        QCOMPARE(fixture.cell(0).lines.front().name, u"tabby"_s);
        QVERIFY(!fixture.page().featuresPanel()->isVisible());
    }

    void switchIsRemembered()
    {
        WindowFixture fixture;
        ComparePage* page = fixture.window->page<ComparePage>();
        page->restoreForm(u"features"_s);
        QCOMPARE(page->subjects()->current(), featuresChoice);
        fixture.window->openPaths(fixture.images(1));
        QVERIFY(fixture.waitIdle());
        QVERIFY(fixture.behaviour->askedFeatures);
    }

    void patchesOfAllAttentionsAreNextToTheExactOnes()
    {
        FeaturesFixture fixture(0);
        PatchImages* images = fixture.page().featuresPanel()->images();
        QCOMPARE(images->images().size(), 3);  // softmax is exact, and there once
        QCOMPARE(images->images()[0].title, u"exact"_s);
        QCOMPARE(images->images()[1].title, fixture.runs().columnTitle(1));
        QCOMPARE(images->imageRect(0).size(), images->imageRect(1).size());
        const Clip& exact = fixture.runs().record(1)->featureDrift->exactColours;
        QCOMPARE(qRed(images->images()[0].pixels.pixel(2, 1)), int(exact.pixels[(1 * 4 + 2) * 3]));
        QVERIFY(images->accessibleDescription().contains("cosine"_L1));
    }

    void patchesAreEnlargedWithoutSmoothing()
    {
        FeaturesFixture fixture(0);
        PatchImages* images = fixture.page().featuresPanel()->images();
        const QImage drawn = images->grab().toImage();
        const QRectF place = images->imageRect(0);
        const QImage& pixels = images->images()[0].pixels;
        for (int y = 0; y < pixels.height(); ++y)
            for (int x = 0; x < pixels.width(); ++x)
                for (const double within : {0.2, 0.5, 0.8}) {
                    const QPointF at = place.topLeft()
                                       + QPointF((x + within) * place.width() / pixels.width(),
                                                 (y + within) * place.height() / pixels.height());
                    QCOMPARE(QColor(drawn.pixel(at.toPoint())), QColor(pixels.pixel(x, y)));
                }
    }

    void driftHasALineForEveryAttention()
    {
        FeaturesFixture fixture(0);
        FeaturesPanel* panel = fixture.page().featuresPanel();
        QCOMPARE(panel->chart()->chart().series.size(), size_t{3});
        QCOMPARE(panel->chart()->chart().series[1].points.size(), size_t{12});
        const double patches = panel->chart()->chart().series[1].points.back().y;
        QCOMPARE(patches, fixture.runs().record(1)->featureDrift->layers.back().patches);
        panel->tokens()->setCurrentIndex(1);
        QCOMPARE(panel->chart()->chart().series[1].points.back().y,
                 *fixture.runs().record(1)->featureDrift->layers.back().token);
    }

    void neighboursAreComparedOverAllInputs()
    {
        FeaturesFixture fixture(0, 4);
        QTRY_VERIFY(fixture.runs().agreementOf(1) != nullptr);
        QCOMPARE(fixture.runs().agreementOf(0)->inputs, int64_t{4});
        QCOMPARE(*fixture.runs().agreementOf(0)->sameNeighbour, 1.0);
        QVERIFY(fixture.cell(1).footer.startsWith("same neighbour: "_L1));
        QVERIFY(fixture.cell(1).footer.endsWith(" of 4"_L1));
        QCOMPARE(fixture.cell(0).footer, u"reference"_s);
    }

    void fewInputsHaveNoNeighbours()
    {
        FeaturesFixture fixture(0, 2);
        QTRY_VERIFY(fixture.runs().agreementOf(1) != nullptr);
        QVERIFY(!fixture.runs().agreementOf(1)->sameNeighbour);
        QCOMPARE(fixture.cell(1).footer, QString());
    }

    void tableHasTheCosines()
    {
        FeaturesFixture fixture(1000);
        const int before = fixture.page().shownTable()->columnCount();
        QVERIFY(fixture.choose(featuresChoice));
        const QAbstractItemModel& table = *fixture.page().shownTable();
        QCOMPARE(table.columnCount(), before + 7);
        int found = -1;
        for (int column = 0; column < table.columnCount(); ++column)
            if (table.headerData(column, Qt::Horizontal).toString() == "features, cosine"_L1)
                found = column;
        QVERIFY(found > 0);
        QCOMPARE(table.index(1, found).data().toString(), fixture.cell(1).lines.front().probabilityText);
    }

    void columnsSortByCosine()
    {
        FeaturesFixture fixture(0);
        fixture.runs().setReferencePinned(false);
        fixture.runs().sortByRow(attnscope::ui::Row::Features, Qt::AscendingOrder);
        QVERIFY(fixture.runs().record(0)->featureDrift->cosine <= fixture.runs().record(2)->featureDrift->cosine);
        QCOMPARE(fixture.runs().columnTitle(2), u"softmax"_s);
    }

    void contextBarSaysWhatASwapCanGain()
    {
        WindowFixture fixture;
        QTRY_COMPARE(fixture.window->contextBar()->arithmetic(),
                     u"224×224 · 197 tokens\nattention 20 % · ≤ 1.25×"_s);
        QVERIFY(fixture.window->contextBar()->model()->toolTip().contains(u"at most 1.25× as fast"_s));
    }

    void screenLooksRight_data() { attnscope::ui::test::addLooks(); }
    void screenLooksRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        FeaturesFixture fixture(0, 4, theme, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        fixture.fixture.shot(u"features-"_s + tag);
        QCOMPARE(attnscope::ui::test::cutText(fixture.page()), QString());
        fixture.page().showNextView();
        QTest::qWait(60);
        fixture.fixture.shot(u"features-next-"_s + tag);
        QCOMPARE(attnscope::ui::test::cutText(fixture.page()), QString());
    }

    void everyWidgetHasANameAndTabComesRound()
    {
        FeaturesFixture fixture(1000);
        QVERIFY(fixture.choose(featuresChoice));
        fixture.fixture.window->activateWindow();
        const QStringList visited = attnscope::ui::test::tabbedThrough(fixture.page(), *fixture.page().subjects());
        QVERIFY(!visited.contains(QString()));
        for (const QString& name : {u"Compared"_s, u"Kind of chart"_s, u"Tokens whose drift is shown"_s})
            QVERIFY2(visited.contains(name), qPrintable(name + u" is not among "_s + visited.join(u", "_s)));
    }
};

ATTNSCOPE_WINDOW_TEST(TestCompareFeatures)
#include "tst_compare_features.moc"
