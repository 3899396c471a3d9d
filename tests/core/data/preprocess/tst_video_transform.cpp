#include <ATen/ATen.h>

#include "core/base/error.h"
#include "core/data/preprocess/video_transform.h"
#include "random_clip.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;

namespace {

Transform transformOf(int64_t side)
{
    Transform transform;
    transform.resize = transform.cropWidth = transform.cropHeight = side;
    transform.mean = {0.5f, 0.5f, 0.5f};
    transform.stddev = {0.5f, 0.5f, 0.5f};
    return transform;
}

/// The authors' code: normalise, F.interpolate, slice.
at::Tensor published(const Clip& clip, const Transform& t, int64_t crop)
{
    const auto bytes = at::from_blob(const_cast<uint8_t*>(clip.pixels.data()), {clip.height, clip.width, 3},
                                     at::kByte);
    auto x = bytes.to(at::kFloat) / 255.0;
    x = (x - at::tensor({t.mean[0], t.mean[1], t.mean[2]})) / at::tensor({t.stddev[0], t.stddev[1], t.stddev[2]});
    x = x.permute({2, 0, 1}).unsqueeze(0).contiguous();
    const int64_t side = t.resize, width = clip.width, height = clip.height;
    const bool fits = (width <= height && width == side) || (height <= width && height == side);
    if (!fits) {
        int64_t newWidth = side, newHeight = side;
        if (width < height)
            newHeight = int64_t(std::floor(double(height) / double(width) * side));
        else
            newWidth = int64_t(std::floor(double(width) / double(height) * side));
        x = at::upsample_bilinear2d(x, {newHeight, newWidth}, false);
    }
    const int64_t h = x.size(2), w = x.size(3);
    int64_t top = (h - side + 1) / 2, left = (w - side + 1) / 2;
    if (h > w)
        top = crop == 0 ? 0 : crop == 2 ? h - side : top;
    else
        left = crop == 0 ? 0 : crop == 2 ? w - side : left;
    return x[0].slice(1, top, top + side).slice(2, left, left + side).contiguous();
}

at::Tensor ours(const Clip& clip, const Transform& t, int64_t crops, int64_t crop)
{
    const VideoTransform transform(clip.width, clip.height, t, crops);
    const auto frame = transform.frame(clip.pixels.data(), clip.width * 3);
    auto out = at::full({3, t.cropHeight, t.cropWidth}, NAN);
    transform.copyCrop(frame, crop, out.data_ptr<float>(), t.cropHeight * t.cropWidth);
    return out;
}

}

class TestVideoTransform : public QObject {
    Q_OBJECT

private slots:
    void cropsEqualInterpolate_data()
    {
        columns<int, int, int>("width", "height", "side");
        const auto row = [](int width, int height, int side) {
            addRow("%dx%d to %d", width, height, side) << width << height << side;
        };
        row(340, 256, 224);
        row(320, 240, 224);
        row(180, 320, 224);
        row(161, 121, 336);
        row(242, 182, 224);
        row(1920, 1080, 224);
        row(1080, 1920, 336);
        row(224, 225, 224);
        row(225, 224, 224);
        row(223, 223, 224);
        row(2, 2, 48);
        row(1, 300, 48);
        row(3000, 7, 48);
        row(398, 224, 48);
    }

    void cropsEqualInterpolate()
    {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, side);
        const Clip clip = randomClip(width, height);
        const Transform t = transformOf(side);
        // Of values within ±1; the coordinates are float32 numbers of up to 3000, and LibTorch fuses where it likes.
        const double tolerance = std::max(width, height) > 400 ? 1e-4 : 2e-5;
        for (int64_t crop = 0; crop < 3; ++crop) {
            const double far = difference(ours(clip, t, 3, crop), published(clip, t, crop));
            QCOMPARE_LE(far, tolerance);
        }
    }

    void channelsHaveMeansAndDeviationsOfTheirOwn()
    {
        const Clip clip = randomClip(70, 50);
        Transform t = transformOf(48);
        t.mean = {0.485f, 0.456f, 0.406f};
        t.stddev = {0.229f, 0.224f, 0.225f};
        QVERIFY(difference(ours(clip, t, 3, 2), published(clip, t, 2)) <= 2e-5);
    }

    void oneCropIsTheCentreOfThree()
    {
        for (const auto& [width, height] : {std::pair{340, 256}, std::pair{180, 320}, std::pair{1000, 50}}) {
            const Clip clip = randomClip(width, height);
            QVERIFY(at::equal(ours(clip, transformOf(64), 1, 0), ours(clip, transformOf(64), 3, 1)));
        }
    }

    void frameWhoseShortSideFitsIsOnlyCutAndNormalised()
    {
        const Clip clip = randomClip(90, 64);
        QVERIFY(at::equal(ours(clip, transformOf(64), 3, 2), published(clip, transformOf(64), 2)));
    }

    void squareFrameHasThreeEqualCrops()
    {
        const Clip clip = randomClip(100, 100);
        QVERIFY(at::equal(ours(clip, transformOf(64), 3, 0), ours(clip, transformOf(64), 3, 2)));
    }

    void onlyWhatACropShowsIsComputed()
    {
        const VideoTransform strip(16'000, 100, transformOf(64), 3);
        QCOMPARE(strip.horizontal().outSize, 10'240);
        QCOMPARE(strip.frameElements(), int64_t{3 * 64 * 3 * 64});
        const VideoTransform overlapping(340, 256, transformOf(224), 3);
        QCOMPARE(overlapping.frameElements(), int64_t{3 * 224 * 297});
        const VideoTransform centre(340, 256, transformOf(224), 1);
        QCOMPARE(centre.frameElements(), int64_t{3 * 224 * 224});
    }

    void cropThatIsNotSquareIsCovered()
    {
        Transform t = transformOf(48);
        t.cropWidth = 96;
        const VideoTransform tall(100, 300, t, 3);
        QCOMPARE(tall.horizontal().outSize, 96);
        QCOMPARE(tall.vertical().outSize, 288);
        QCOMPARE(tall.vertical().offsets, (std::vector<int64_t>{0, 120, 240}));
        const VideoTransform wide(400, 100, t, 3);
        QCOMPARE(wide.vertical().outSize, 48);
        QCOMPARE(wide.horizontal().offsets, (std::vector<int64_t>{0, 48, 96}));
    }

    void rowsWithAStrideAreReadAsSuch()
    {
        const Clip clip = randomClip(70, 50);
        std::vector<uint8_t> padded(size_t(50 * 256), 99);
        for (int64_t y = 0; y < 50; ++y)
            std::copy_n(clip.pixels.data() + y * 210, 210, padded.data() + y * 256);
        const VideoTransform transform(70, 50, transformOf(48), 3);
        QCOMPARE(transform.frame(padded.data(), 256), transform.frame(clip.pixels.data(), 210));
    }

    void rectanglesLieInTheFrame()
    {
        const VideoTransform transform(320, 240, transformOf(224), 3);
        QCOMPARE(transform.rectangle(0).left, 0.0);
        QCOMPARE(transform.rectangle(0).height, 240.0);
        const CropRectangle last = transform.rectangle(2);
        QVERIFY(std::abs(last.left + last.width - 320) < 1e-9);
    }

    void sizesOutOfRangeAreRefused()
    {
        THROWS(UsageError, VideoTransform(0, 10, transformOf(48), 3));
        THROWS(UsageError, VideoTransform(10, 10, transformOf(0), 3));
        THROWS(UsageError, VideoTransform(10, 10, transformOf(48), 2));
        Transform small = transformOf(48);
        small.resize = 40;
        THROWS(UsageError, VideoTransform(10, 10, small, 3));
    }
};

ATTNSCOPE_TEST(TestVideoTransform)
#include "tst_video_transform.moc"
