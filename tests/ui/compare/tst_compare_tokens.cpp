// Merged tokens on the Compare screen: patches that have become one have one outline on the picture.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/merged_grid.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/merged_panel.h"
#include "ui/compare/patch_images.h"
#include "ui/widgets/controls.h"

#include <QColor>
#include <QLabel>

#include <cstdlib>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using attnscope::ui::test::WindowFixture;

namespace {

const QStringList mergingSpecs{u"softmax"_s, u"softmax;tokens=tome:r=13"_s, u"lara;tokens=tome:r=8"_s};

/// A window that compared an image with attentions of which some merge tokens.
struct TokensFixture {
    explicit TokensFixture(const QStringList& specs = mergingSpecs, const QString& theme = u"light"_s,
                           QSize size = {1280, 800})
        : fixture(theme, size)
    {
        std::vector<AttentionSpec> parsed;
        for (const QString& spec : specs)
            parsed.push_back(AttentionSpec::parse(spec.toStdString()));
        fixture.window->workspace().backends().setSpecs(parsed);
        fixture.window->openPaths(fixture.images(1));
        if (!fixture.waitIdle())
            qFatal("the comparison did not end");
        QTest::qWait(60);
    }
    ComparePage& page() { return *fixture.window->page<ComparePage>(); }
    const QVector<PatchImage>& images() { return page().mergedPanel()->images()->images(); }
    /// The segment of that name; -1: there is none.
    int segment(const QString& name)
    {
        for (int i = 0; i < page().chartSegments()->count(); ++i)
            if (page().chartSegments()->text(i) == name)
                return i;
        return -1;
    }
    void showTokens()
    {
        page().chartSegments()->setCurrent(segment(u"Tokens"_s));
        QTest::qWait(60);
    }

    WindowFixture fixture;
};

}

class TestCompareTokens : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { attnscope::ui::test::prepareApplication(); }

    void withoutMergingThereIsNothingToShow()
    {
        TokensFixture fixture({u"softmax"_s, u"lara"_s});
        QVERIFY(!fixture.page().mergedPanel()->any());
        QCOMPARE(fixture.segment(u"Tokens"_s), -1);
    }

    void everyColumnThatMergesHasItsOutlines()
    {
        TokensFixture fixture;
        fixture.showTokens();
        QVERIFY(fixture.page().mergedPanel()->isVisible());
        QCOMPARE(fixture.images().size(), 2);  // not that of softmax with all tokens
        QCOMPARE(fixture.images()[0].title,
                 fixture.fixture.window->session<CompareSession>()->runs().columnTitle(1));
        QCOMPARE(fixture.page().mergedPanel()->blocks()->currentIndex(), 11);
        QCOMPARE(fixture.images()[0].groups.size(), size_t{13 * 7 + 1});
        QCOMPARE(fixture.images()[0].figure, u"93 of 197 tokens"_s);
        fixture.page().mergedPanel()->blocks()->setCurrentIndex(0);
        QCOMPARE(fixture.images()[0].groups.size(), size_t{2 * 7 + 1});
        QVERIFY(fixture.page().mergedPanel()->images()->accessibleDescription().contains(
            "170 of 197 tokens behind block 0"_L1));
        QVERIFY(!fixture.images()[0].pixels.isNull());  // the picture is below
    }

    void outlinesAreOnThePicture()
    {
        TokensFixture fixture;
        fixture.showTokens();
        PatchImages* images = fixture.page().mergedPanel()->images();
        const auto saturated = [&](const PatchImage& image) {
            images->show({image}, {});
            const QImage drawn = images->grab(images->imageRect(0).toAlignedRect()).toImage();
            int count = 0;
            for (int y = 0; y < drawn.height(); ++y)
                for (int x = 0; x < drawn.width(); ++x)
                    count += QColor(drawn.pixel(x, y)).saturation() > 150
                                     && QColor(drawn.pixel(x, y)).value() > 200
                                 ? 1
                                 : 0;
            return count;
        };
        PatchImage image = fixture.images()[0];
        image.pixels = QImage(64, 64, QImage::Format_RGB32);
        image.pixels.fill(Qt::gray);
        const int outlined = saturated(image);
        image.groups.clear();
        QVERIFY(outlined > 500);
        QCOMPARE(saturated(image), 0);
    }

    void columnsThatNoLongerMergeTakeTheChartAway()
    {
        TokensFixture fixture;
        fixture.showTokens();
        fixture.fixture.window->workspace().backends().setSpecs(
            {AttentionSpec::parse("softmax"), AttentionSpec::parse("lara")});
        QVERIFY(fixture.fixture.waitIdle());
        QTRY_COMPARE(fixture.segment(u"Tokens"_s), -1);
        QVERIFY(!fixture.page().mergedPanel()->isVisible());
    }

    void screenLooksRight_data() { attnscope::ui::test::addLooks(); }
    void screenLooksRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        TokensFixture fixture(mergingSpecs, theme, size);
        fixture.showTokens();
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        if (!fixture.page().mergedPanel()->isVisible())
            fixture.page().showNextView();  // cells stand in the chart's place
        QTest::qWait(60);
        QVERIFY(fixture.page().mergedPanel()->isVisible());
        fixture.fixture.shot(u"compare-tokens-"_s + tag);
        QCOMPARE(attnscope::ui::test::cutText(fixture.page()), QString());
    }

    void theDemosNetworkMergesThePhotographsPatches_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << u"light"_s;
        QTest::newRow("dark") << u"dark"_s;
    }
    void theDemosNetworkMergesThePhotographsPatches()
    {
        QFETCH(QString, theme);
        Engine engine(coreWorkbench());
        WindowOptions options;
        options.loaded.settings.theme = theme;
        options.loaded.settings.seconds = 0;
        options.loaded.settings.context.weights = QStringLiteral(RESOURCE_DIR "/demo/models/deit.safetensors");
        options.loaded.settings.specs = mergingSpecs;
        MainWindow window(engine, options, screens(options));
        window.resize(1280, 800);
        window.show();
        window.openPaths({QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg")});
        ComparePage& page = *window.page<ComparePage>();
        const bool done = QTest::qWaitFor(
            [&] {
                return page.mergedPanel()->images()->images().size() == 2
                       && !window.session<CompareSession>()->isRunning();
            },
            60'000);
        QVERIFY2(done, qPrintable(page.headline()->text()));
        const PatchImage& image = page.mergedPanel()->images()->images().front();
        QCOMPARE(image.cells, QSize(14, 14));
        QVERIFY(image.pixels.width() > 100 && std::abs(image.pixels.width() - image.pixels.height()) <= 1);
        QVERIFY(image.groups.size() > 20);
        for (int i = 0; i < page.chartSegments()->count(); ++i)
            if (page.chartSegments()->text(i) == "Tokens"_L1)
                page.chartSegments()->setCurrent(i);
        QTest::qWait(150);
        if (const QString folder = qEnvironmentVariable("ATTNSCOPE_SHOTS"); !folder.isEmpty())
            QVERIFY(window.grab().save(folder + u"/compare-tokens-real-"_s + theme + u".png"_s));
    }
};

ATTNSCOPE_WINDOW_TEST(TestCompareTokens)
#include "tst_compare_tokens.moc"
