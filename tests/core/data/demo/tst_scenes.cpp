#include "core/data/demo/scene.h"
#include "demo_photos.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <set>

using namespace attnscope;
using namespace attnscope::test;

namespace {

double areaOf(const std::array<Point, 4>& corners)
{
    double sum = 0;
    for (size_t i = 0; i < 4; ++i) {
        const Point &a = corners[i], &b = corners[(i + 1) % 4];
        sum += a.x * b.y - b.x * a.y;
    }
    return sum / 2;
}

}

class TestScenes : public QObject {
    Q_OBJECT

private slots:
    void thereAreTwelvePhotographsInOrder()
    {
        QCOMPARE(scenePhotos().size(), 12);
        for (size_t i = 1; i < scenePhotos().size(); ++i)
            QVERIFY(scenePhotos()[i - 1].name < scenePhotos()[i].name);
    }

    void splitsOfAPhotographAreSixteenPixelsApart()
    {
        for (size_t i = 0; i < scenePhotos().size(); ++i) {
            const Clip& photo = demoPhotos()[i];
            const auto training = regionsOf(scenePhotos()[i], photo.width, photo.height, Split::Training);
            const auto validation = regionsOf(scenePhotos()[i], photo.width, photo.height, Split::Validation);
            QCOMPARE(validation.size(), 1);
            int64_t pixels = 0;
            for (int64_t y = 0; y < photo.height; ++y) {
                for (int64_t x = 0; x < photo.width; ++x) {
                    if (!lies(x, y, validation))
                        continue;
                    ++pixels;
                    for (const auto& [dx, dy] : {std::pair{0, 0}, {-16, 0}, {16, 0}, {0, -16}, {0, 16}})
                        QVERIFY(!lies(x + dx, y + dy, training));
                }
            }
            const double fraction = double(pixels) / double(photo.width * photo.height);
            QVERIFY2(fraction > 0.3 && fraction < 0.46, scenePhotos()[i].name.data());
        }
    }

    void noPixelOutsideTheSplitsRegionsIsRead()
    {
        for (const Split split : {Split::Training, Split::Validation}) {
            for (size_t i = 0; i < scenePhotos().size(); ++i) {
                const Clip& photo = demoPhotos()[i];
                const Clip spoiled = spoiledOutside(photo,
                                                    regionsOf(scenePhotos()[i], photo.width, photo.height, split));
                for (uint64_t index = 0; index < 12; ++index)
                    QVERIFY(renderScene(photo, {3, i, split, index}).pixels
                            == renderScene(spoiled, {3, i, split, index}).pixels);
            }
        }
    }

    void cornersLieInsideARegionOfTheSplit()
    {
        for (const Split split : {Split::Training, Split::Validation}) {
            for (size_t i = 0; i < scenePhotos().size(); ++i) {
                const Clip& photo = demoPhotos()[i];
                const auto regions = regionsOf(scenePhotos()[i], photo.width, photo.height, split);
                for (uint64_t index = 0; index < 60; ++index) {
                    const SceneRecipe recipe = drawScene(photo, {0, i, split, index});
                    const PixelWindow& region = recipe.region;
                    QVERIFY(std::count(regions.begin(), regions.end(), region) == 1);
                    for (const Point& corner : recipe.corners) {
                        QVERIFY(corner.x > double(region.left) - 1e-6
                                && corner.x < double(region.left + region.width) + 1e-6);
                        QVERIFY(corner.y > double(region.top) - 1e-6
                                && corner.y < double(region.top + region.height) + 1e-6);
                    }
                }
            }
        }
    }

    void bothSplitsShowThingsAtTheSameScale()
    {
        for (size_t i = 0; i < scenePhotos().size(); ++i) {
            double area[2] = {};
            for (int split = 0; split < 2; ++split)
                for (uint64_t index = 0; index < 200; ++index)
                    area[split] += areaOf(
                        drawScene(demoPhotos()[i], {0, i, split == 0 ? Split::Training : Split::Validation, index})
                            .corners);
            QVERIFY2(area[0] / area[1] > 0.85 && area[0] / area[1] < 1.18, scenePhotos()[i].name.data());
        }
    }

    void photographsAreNeverReducedSoThatBilinearValuesSuffice()
    {
        for (size_t i = 0; i < scenePhotos().size(); ++i)
            for (uint64_t index = 0; index < 100; ++index)
                QVERIFY(areaOf(drawScene(demoPhotos()[i], {0, i, Split::Training, index}).corners)
                        < 1.15 * sceneSide * sceneSide);
    }

    void aSampleDependsOnItsKeyAlone()
    {
        const Clip& photo = demoPhotos()[2];
        std::set<uint64_t> hashes;
        for (const SceneKey& key : {SceneKey{0, 2, Split::Training, 0},
                                    {0, 2, Split::Training, 1},
                                    {0, 2, Split::Validation, 0},
                                    {1, 2, Split::Training, 0},
                                    {0, 2, Split::Training, 0}})
            hashes.insert(hashOf(renderScene(photo, key).pixels));
        QCOMPARE(hashes.size(), 4);
    }

    void pixelsAreTheSameOnEveryMachine()
    {
        const Clip photo = madePhoto(451, 300);
        uint64_t together = 0;
        for (uint64_t index = 0; index < 20; ++index)
            together = together * 31 + hashOf(renderScene(photo, {9, 2, Split::Training, index}).pixels);
        QCOMPARE(together, uint64_t{8317331242295057617u});
    }

    void distortionsAreAsOftenAsDocumented()
    {
        int blurred = 0, noisy = 0, covered = 0;
        for (uint64_t index = 0; index < 1000; ++index) {
            const SceneRecipe recipe = drawScene(demoPhotos()[1], {0, 1, Split::Training, index});
            QVERIFY(recipe.blur <= 3 && recipe.noise < 10);
            blurred += recipe.blur > 0;
            noisy += recipe.noise > 0;
            covered += recipe.occluder.has_value();
            if (recipe.occluder) {
                const PixelWindow& box = recipe.occluder->box;
                QVERIFY(box.left >= 0 && box.top >= 0 && box.left + box.width <= sceneSide
                        && box.top + box.height <= sceneSide);
                QVERIFY(double(box.width * box.height) < 0.21 * sceneSide * sceneSide);
            }
        }
        QVERIFY(std::abs(blurred - 300) < 75 && std::abs(noisy - 500) < 80 && std::abs(covered - 300) < 75);
    }
};

ATTNSCOPE_TEST(TestScenes)
#include "tst_scenes.moc"
