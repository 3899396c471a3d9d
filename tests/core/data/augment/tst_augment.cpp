#include "../preprocess/random_clip.h"
#include "core/base/error.h"
#include "core/data/augment/augment.h"
#include "core/data/augment/clip_jitter.h"
#include "core/data/augment/random_crop.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <set>
#include <thread>

using namespace attnscope;

namespace {

const Transform deit{64, 56, 56};

FloatArray augmented(const Clip& clip, const AugmentPlan& plan, uint64_t epoch, uint64_t sample)
{
    SampleRandom random(7, epoch, sample);
    return augment(clip, deit, plan, random);
}

/// noAugmentation with one thing changed.
template <typename Change>
AugmentPlan only(Change change)
{
    AugmentPlan plan = noAugmentation();
    change(plan);
    return plan;
}

}

class TestAugment : public QObject {
    Q_OBJECT

private slots:
    void withoutAugmentationItIsEvaluationsTransform()
    {
        for (const auto& [width, height] : {std::pair{97, 61}, {61, 97}, {64, 64}, {300, 40}, {31, 20}}) {
            for (const int64_t frames : {1, 3}) {
                for (const ResizeFilter filter : {ResizeFilter::Bicubic, ResizeFilter::Bilinear}) {
                    Transform transform{64, 56, 48, filter};
                    const Clip clip = randomClip(width, height, frames);
                    SampleRandom random(1, 2, 3);
                    const FloatArray ours = augment(clip, transform, noAugmentation(), random);
                    const FloatArray evaluation = applyTransform(clip, transform);
                    QCOMPARE(ours.shape, evaluation.shape);
                    QVERIFY(ours.values == evaluation.values);
                    QCOMPARE(random.uniform(), SampleRandom(1, 2, 3).uniform());  // nothing was drawn
                }
            }
        }
    }

    void aSampleDependsOnSeedEpochAndNumberAlone()
    {
        const Clip clip = randomClip(90, 70);
        const FloatArray first = augmented(clip, {}, 1, 5);
        FloatArray elsewhere;
        augmented(clip, {}, 1, 4);
        std::jthread([&] { elsewhere = augmented(clip, {}, 1, 5); }).join();
        QVERIFY(first.values == elsewhere.values);
        QVERIFY(first.values != augmented(clip, {}, 2, 5).values);
        QVERIFY(first.values != augmented(clip, {}, 1, 6).values);
        SampleRandom otherSeed(8, 1, 5);
        QVERIFY(first.values != augment(clip, deit, {}, otherSeed).values);
    }

    void framesOfAClipShareCropFlipAndOperations()
    {
        const Clip single = randomClip(90, 70);
        Clip clip = single;
        clip.frames = 3;
        for (int i = 0; i < 2; ++i)
            clip.pixels.insert(clip.pixels.end(), single.pixels.begin(), single.pixels.end());
        AugmentPlan plan;
        plan.erasing = 0;
        for (uint64_t sample = 0; sample < 20; ++sample) {
            const FloatArray one = augmented(single, plan, 0, sample), three = augmented(clip, plan, 0, sample);
            QCOMPARE(three.shape, (std::vector<int64_t>{3, 3, 56, 56}));
            for (int64_t c = 0; c < 3; ++c)
                for (int64_t t = 0; t < 3; ++t)
                    QVERIFY(std::equal(one.values.begin() + c * 56 * 56, one.values.begin() + (c + 1) * 56 * 56,
                                       three.values.begin() + (c * 3 + t) * 56 * 56));
        }
    }

    void flipsTurnLeftAndRightRoundHalfOfTheTime()
    {
        const Clip clip = randomClip(90, 70);
        const FloatArray straight = applyTransform(clip, deit);
        FloatArray turned = straight;
        for (int64_t row = 0; row < 3 * 56; ++row)
            std::reverse(turned.values.begin() + row * 56, turned.values.begin() + (row + 1) * 56);
        const AugmentPlan plan = only([](AugmentPlan& p) { p.flip = 0.5; });
        int flips = 0;
        for (uint64_t sample = 0; sample < 200; ++sample) {
            const FloatArray result = augmented(clip, plan, 0, sample);
            const bool flipped = result.values == turned.values;
            QVERIFY(flipped || result.values == straight.values);
            flips += flipped;
        }
        QVERIFY2(flips > 65 && flips < 135, std::to_string(flips).c_str());
        QVERIFY(augmented(clip, only([](AugmentPlan& p) { p.flip = 1; }), 0, 0).values == turned.values);
    }

    void cropsStayInsideAndKeepTheirShareAndRatio()
    {
        const AugmentPlan plan;
        double mean = 0;
        bool touchesLeft = false, touchesRight = false;
        for (uint64_t sample = 0; sample < 2000; ++sample) {
            SampleRandom random(1, 0, sample);
            const PixelWindow box = randomCropBox(320, 240, plan, random);
            QVERIFY(box.left >= 0 && box.top >= 0 && box.left + box.width <= 320 && box.top + box.height <= 240);
            const double fraction = double(box.width * box.height) / (320 * 240),
                         ratio = double(box.width) / double(box.height);
            QVERIFY(fraction > 0.078 && fraction <= 1 && ratio > 0.74 && ratio < 1.36);
            mean += fraction / 2000;
            touchesLeft |= box.left == 0;
            touchesRight |= box.left + box.width == 320;
        }
        // torchvision's mean over 20000 draws: 0.4352; large crops fit less often.
        QVERIFY2(std::abs(mean - 0.435) < 0.02, std::to_string(mean).c_str());
        QVERIFY(touchesLeft && touchesRight);
    }

    void whereNoCropFitsTheCentreIsTaken()
    {
        const AugmentPlan whole = only([](AugmentPlan& p) {
            p.cropScaleMin = 0.9999;
            p.cropRatioMin = p.cropRatioMax = 1;
        });
        SampleRandom random(1, 0, 0);
        QCOMPARE(randomCropBox(200, 101, whole, random), (PixelWindow{49, 0, 101, 101}));
        QCOMPARE(randomCropBox(101, 200, whole, random), (PixelWindow{0, 49, 101, 101}));
        QCOMPARE(randomCropBox(1, 1, AugmentPlan{}, random), (PixelWindow{0, 0, 1, 1}));
        QCOMPARE(randomCropBox(100, 1, AugmentPlan{}, random).height, 1);
    }

    void aCropIsCutFirstAndResizedThen()
    {
        const Clip clip = randomClip(120, 80);
        const PixelWindow box{17, 9, 70, 51};
        Clip cut{1, box.height, box.width, {}, "", {}};
        for (int64_t y = 0; y < box.height; ++y) {
            const uint8_t* row = clip.pixels.data() + ((box.top + y) * clip.width + box.left) * 3;
            cut.pixels.insert(cut.pixels.end(), row, row + box.width * 3);
        }
        QVERIFY(resizedCrop(clip, box, deit).pixels
                == resizedCrop(cut, {0, 0, box.width, box.height}, deit).pixels);
    }

    void erasedPartsAreNoiseOfTheRightSize()
    {
        const Clip clip{1, 56, 56, std::vector<uint8_t>(56 * 56 * 3, 200), "", {}};
        const AugmentPlan plan = only([](AugmentPlan& p) { p.erasing = 1; });
        const FloatArray plain = applyTransform(clip, deit);
        double sum = 0, squares = 0, count = 0;
        for (uint64_t sample = 0; sample < 300; ++sample) {
            const FloatArray result = augmented(clip, plan, 0, sample);
            int64_t changed = 0;
            for (size_t i = 0; i < result.values.size(); ++i) {
                if (result.values[i] == plain.values[i])
                    continue;
                ++changed;
                sum += result.values[i];
                squares += double(result.values[i]) * result.values[i];
            }
            count += double(changed);
            const double fraction = double(changed) / double(result.values.size());
            QVERIFY(changed % 3 == 0 && fraction > 0.017 && fraction < 0.35);
        }
        QVERIFY(std::abs(sum / count) < 0.01 && std::abs(squares / count - 1) < 0.01);
    }

    void erasingStrikesAsOftenAsAsked()
    {
        const Clip clip = randomClip(56, 56);
        const FloatArray plain = applyTransform(clip, deit);
        const AugmentPlan plan = only([](AugmentPlan& p) { p.erasing = 0.25; });
        int erased = 0;
        for (uint64_t sample = 0; sample < 400; ++sample)
            erased += augmented(clip, plan, 0, sample).values != plain.values;
        QVERIFY2(erased > 60 && erased < 140, std::to_string(erased).c_str());
    }

    void plansOutOfRangeAreRefused()
    {
        const auto refused = [](auto change) {
            try {
                checkPlan(only(change));
            } catch (const UsageError&) {
                return true;
            }
            return false;
        };
        QVERIFY(refused([](AugmentPlan& p) { p.cropScaleMin = 0; }));
        QVERIFY(refused([](AugmentPlan& p) { p.cropScaleMax = 0.5; }));
        QVERIFY(refused([](AugmentPlan& p) { p.cropRatioMin = NAN; }));
        QVERIFY(refused([](AugmentPlan& p) { p.flip = 1.1; }));
        QVERIFY(refused([](AugmentPlan& p) { p.operations = -1; }));
        QVERIFY(refused([](AugmentPlan& p) { p.magnitude = 11; }));
        QVERIFY(refused([](AugmentPlan& p) { p.erasing = NAN; }));
        QVERIFY(refused([](AugmentPlan& p) { p.mixup = -1; }));
        checkPlan(AugmentPlan{});
        THROWS(UsageError, augmented(Clip{1, 2, 2, {1, 2, 3}, "", {}}, {}, 0, 0));
    }

    void numbersAreUniformAndNormal()
    {
        SampleRandom random(5, 1, 2);
        constexpr int draws = 100'000;
        double mean = 0, square = 0, uniform = 0;
        std::vector<int> counts(7);
        for (int i = 0; i < draws; ++i) {
            const double x = random.normal(), u = random.uniform();
            QVERIFY(u > 0 && u < 1);
            mean += x / draws;
            square += x * x / draws;
            uniform += u / draws;
            ++counts[size_t(random.below(7))];
        }
        QVERIFY(std::abs(mean) < 0.015 && std::abs(square - 1) < 0.025 && std::abs(uniform - 0.5) < 0.005);
        for (const int count : counts)
            QVERIFY(std::abs(count - draws / 7) < 600);
        std::vector<float> odd(301);
        SampleRandom again(5, 1, 2);
        again.fillNormal(odd);
        QVERIFY(std::set<float>(odd.begin(), odd.end()).size() > 295);
    }

    void jitteredClipsKeepTheIntervalAndReachBothEnds()
    {
        const ClipSampling sampling{8, 4, 1};
        std::set<int64_t> starts;
        for (uint64_t sample = 0; sample < 500; ++sample) {
            SampleRandom random(1, 0, sample);
            const auto frames = jitteredClip(100, 30, sampling, random);
            QCOMPARE(frames.size(), 8);
            starts.insert(frames.front());
            QVERIFY(frames.front() >= 0 && frames.back() <= 99);
            for (size_t i = 1; i < frames.size(); ++i)
                QVERIFY(frames[i] - frames[i - 1] >= 4 && frames[i] - frames[i - 1] <= 5);  // 31/7
        }
        QVERIFY(*starts.begin() == 0 && *starts.rbegin() >= 66 && starts.size() > 60);
    }

    void aVideoJustLongEnoughGivesEvaluationsClip()
    {
        const ClipSampling sampling{16, 1, 1};
        SampleRandom random(1, 0, 0);
        const VideoTiming counted{30, 1.0 / 30, std::nullopt, std::nullopt, 0};
        std::vector<int64_t> times(16);
        for (size_t i = 0; i < times.size(); ++i)
            times[i] = int64_t(i);
        QCOMPARE(jitteredClip(16, 30, sampling, random), sampleClips(counted, times, sampling).front().frames);
    }

    void shortVideosRepeatTheirLastFrame()
    {
        SampleRandom random(1, 0, 0);
        QCOMPARE(jitteredClip(3, 30, {6, 1, 1}, random), (std::vector<int64_t>{0, 1, 2, 2, 2, 2}));
        QCOMPARE(jitteredClip(1, 30, {3, 4, 1}, random), (std::vector<int64_t>{0, 0, 0}));
    }

    void segmentsTakeAFrameOfEachPart()
    {
        std::set<int64_t> seen;
        for (uint64_t sample = 0; sample < 300; ++sample) {
            SampleRandom random(1, 0, sample);
            const auto frames = jitteredClip(41, 30, {4, 1, 1, SamplingRule::Segments}, random);
            for (int64_t i = 0; i < 4; ++i) {
                const int64_t frame = frames[size_t(i)];
                QVERIFY(frame >= 10 * i && frame <= 10 * (i + 1));
                seen.insert(frame);
            }
        }
        QCOMPARE(seen.size(), 41);
    }
};

ATTNSCOPE_TEST(TestAugment)
#include "tst_augment.moc"
