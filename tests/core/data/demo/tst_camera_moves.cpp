#include "core/data/demo/camera_move.h"
#include "demo_photos.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

using namespace attnscope;
using namespace attnscope::test;

namespace {

MoveKey keyOf(int move, Split split, uint64_t index)
{
    return {5, static_cast<Move>(move), split, index};
}

const Clip& photoFor(const MoveKey& key)
{
    return demoPhotos()[photoOf(key)];
}

int green(const Clip& clip, int64_t t, int64_t x, int64_t y)
{
    return clip.frame(t)[(y * clip.width + x) * 3 + 1];
}

/// Where the block of 24 × 24 pixels around (x, y) of frame t is found in frame t + 2.
Point shiftOf(const Clip& clip, int64_t t, int64_t x, int64_t y)
{
    constexpr int64_t half = 12, reach = 18;
    int64_t least = std::numeric_limits<int64_t>::max();
    Point best;
    for (int64_t dy = -reach; dy <= reach; ++dy) {
        for (int64_t dx = -reach; dx <= reach; ++dx) {
            if (x + dx < half || y + dy < half || x + dx + half > clip.width || y + dy + half > clip.height)
                continue;
            int64_t sum = 0;
            for (int64_t v = -half; v < half && sum < least; v += 2)
                for (int64_t u = -half; u < half; u += 2)
                    sum += std::abs(green(clip, t, x + u, y + v) - green(clip, t + 2, x + u + dx, y + v + dy));
            if (sum < least) {
                least = sum;
                best = {double(dx), double(dy)};
            }
        }
    }
    return best;
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
    return values[values.size() / 2];
}

/// The class as the movement of blocks tells it, with no knowledge of how the clip was made.
Move seenMove(const Clip& clip)
{
    std::vector<double> across, down, outwards, clockwise;
    for (const int64_t t : {1, 5, 9, 12}) {
        for (const double angle : {0.4, 1.2, 2.0, 2.8, 3.5, 4.3, 5.1, 5.9}) {
            const double px = std::cos(angle), py = std::sin(angle);
            const Point d = shiftOf(clip, t, std::lround(64 + 36 * px), std::lround(64 + 36 * py));
            across.push_back(d.x);
            down.push_back(d.y);
            outwards.push_back(d.x * px + d.y * py);
            clockwise.push_back(d.y * px - d.x * py);
        }
    }
    const double x = median(across), y = median(down), out = median(outwards), turn = median(clockwise);
    if (std::hypot(x, y) > 4)
        return std::abs(x) > std::abs(y) ? (x > 0 ? Move::PanLeft : Move::PanRight)
                                         : (y > 0 ? Move::PanUp : Move::PanDown);
    if (std::abs(out) > std::abs(turn))
        return out > 0 ? Move::ZoomIn : Move::ZoomOut;
    return turn > 0 ? Move::RotateLeft : Move::RotateRight;
}

/// A coarse look at an image: 12 × 12 means of grey, without their mean and scale.
std::vector<float> glance(const Clip& image)
{
    constexpr int64_t cells = 12, size = 10;
    std::vector<float> values;
    for (int64_t y = 0; y < cells; ++y)
        for (int64_t x = 0; x < cells; ++x) {
            int sum = 0;
            for (int64_t i = 0; i < size * size; ++i)
                sum += green(image, 0, x * size + i % size + 4, y * size + i / size + 4);
            values.push_back(float(sum) / (size * size));
        }
    float mean = 0, square = 0;
    for (const float value : values)
        mean += value / float(values.size());
    for (float& value : values) {
        value -= mean;
        square += value * value;
    }
    for (float& value : values)
        value /= std::sqrt(square) + 1;
    return values;
}

struct Glance {
    int move;
    std::vector<float> values;
};

std::vector<Glance> glances(Split split, uint64_t count, bool middle)
{
    std::vector<Glance> all;
    std::mt19937 random(split == Split::Training ? 1u : 2u);
    for (int move = 0; move < 8; ++move) {
        for (uint64_t index = 0; index < count; ++index) {
            const MoveKey key = keyOf(move, split, index);
            const int64_t frame = middle ? 7 : random() % 16;
            all.push_back({move, glance(renderMoveFrame(photoFor(key), drawMove(photoFor(key), key), frame))});
        }
    }
    return all;
}

/// Share of samples whose five nearest neighbours in the training set vote for their class.
double votedRight(const std::vector<Glance>& training, const std::vector<Glance>& validation)
{
    int right = 0;
    for (const Glance& sample : validation) {
        std::multimap<float, int> nearest;
        for (const Glance& other : training) {
            float distance = 0;
            for (size_t i = 0; i < other.values.size(); ++i)
                distance += (other.values[i] - sample.values[i]) * (other.values[i] - sample.values[i]);
            nearest.emplace(distance, other.move);
        }
        std::array<int, 8> votes{};
        auto neighbour = nearest.begin();
        for (int k = 0; k < 5; ++k, ++neighbour)
            ++votes[size_t(neighbour->second)];
        right += std::max_element(votes.begin(), votes.end()) - votes.begin() == sample.move;
    }
    return double(right) / double(validation.size());
}

}

class TestCameraMoves : public QObject {
    Q_OBJECT

private slots:
    void theCameraMovesAsItsClassSays()
    {
        int wrong = 0, all = 0;
        for (const Split split : {Split::Training, Split::Validation}) {
            for (int move = 0; move < 8; ++move) {
                for (uint64_t index = 0; index < 6; ++index) {
                    const MoveKey key = keyOf(move, split, index);
                    const Move seen = seenMove(renderMove(photoFor(key), key));
                    ++all;
                    if (seen == key.move)
                        continue;
                    ++wrong;
                    qInfo("%s of %s looks like %s", moveNames[size_t(move)].data(),
                          scenePhotos()[photoOf(key)].name.data(), moveNames[size_t(seen)].data());
                }
            }
        }
        QVERIFY2(wrong <= all / 20, qPrintable(QString("%1 of %2").arg(wrong).arg(all)));
    }

    void noFrameTellsTheClass_data()
    {
        columns<bool>("middle");
        row("the frame in the middle", true);
        row("any frame", false);
    }
    void noFrameTellsTheClass()
    {
        QFETCH(bool, middle);
        const double fraction = votedRight(glances(Split::Training, 44, middle),
                                           glances(Split::Validation, 33, middle));
        // Chance is 0.125; 264 samples have a standard deviation of 0.02.
        qInfo("%.3f of the classes guessed from a frame", fraction);
        QCOMPARE_LT(fraction, 0.2);
    }

    void sidesOfWindowsAreAlikeInAllClasses()
    {
        std::array<double, 8> mean{}, square{};
        constexpr int count = 400;
        const Clip photo = madePhoto(512, 512);
        for (int move = 0; move < 8; ++move) {
            for (int index = 0; index < count; ++index) {
                const MoveRecipe recipe = drawMove(photo,
                                                   keyOf(move, Split::Training, static_cast<uint64_t>(index)));
                const double time = double(index % 16) / 7.5 - 1;
                const double side = recipe.side * (1 + recipe.enlargement * time);
                mean[size_t(move)] += side / count;
                square[size_t(move)] += side * side / count;
            }
        }
        const auto [low, high] = std::minmax_element(mean.begin(), mean.end());
        const double stddev = std::sqrt(square[0] - mean[0] * mean[0]);
        QVERIFY2(*high - *low < 5 * stddev * std::sqrt(2.0 / count),
                 qPrintable(QString("%1 to %2").arg(*low).arg(*high)));
    }

    void noPixelOutsideTheSplitsRegionsIsRead()
    {
        for (const Split split : {Split::Training, Split::Validation}) {
            for (uint64_t index = 0; index < 5; ++index) {
                const MoveKey key = keyOf(int(index % 8), split, index);
                const Clip& photo = photoFor(key);
                const Clip spoiled = spoiledOutside(
                    photo, regionsOf(scenePhotos()[photoOf(key)], photo.width, photo.height, split));
                QVERIFY(renderMove(photo, key).pixels == renderMove(spoiled, key).pixels);
            }
        }
    }

    void photographsTakeTurnsInEveryClass()
    {
        std::set<size_t> used;
        for (uint64_t index = 0; index < 22; ++index) {
            for (int move = 0; move < 8; ++move)
                QCOMPARE(photoOf(keyOf(move, Split::Training, index)),
                         photoOf(keyOf(0, Split::Validation, index)));
            used.insert(photoOf(keyOf(0, Split::Training, index)));
        }
        QCOMPARE(used.size(), 11);  // the clock is too smooth
    }

    void pixelsAreTheSameOnEveryMachine()
    {
        const Clip photo = madePhoto(512, 512);
        uint64_t together = 0;
        for (int move = 0; move < 8; ++move)
            together = together * 31 + hashOf(renderMove(photo, keyOf(move, Split::Training, 1)).pixels);
        QCOMPARE(together, uint64_t{4089192718118051892u});
    }
};

ATTNSCOPE_TEST(TestCameraMoves)
#include "tst_camera_moves.moc"
