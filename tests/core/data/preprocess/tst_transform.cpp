#include "core/base/error.h"
#include "core/base/process/processors.h"
#include "core/data/preprocess/normalise.h"
#include "core/data/preprocess/resize.h"
#include "core/data/preprocess/sample_identity.h"
#include "core/data/preprocess/transform.h"
#include "random_clip.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace attnscope;

namespace {

/// The recipe word for word and slowly: the whole image, one output at a time, in 64-bit integers.
std::vector<uint8_t> plainPass(const std::vector<uint8_t>& in, int64_t inSize, int64_t outSize, int64_t lines,
                               int64_t step, int64_t inLine, int64_t outLine, int64_t outStep, ResizeFilter filter)
{
    if (inSize == outSize)
        return in;
    std::vector<uint8_t> out(size_t(lines * outSize * 3));
    const auto kernel = [&](double x) {
        x = std::fabs(x);
        if (filter == ResizeFilter::Bilinear)
            return x < 1 ? 1 - x : 0.0;
        const auto sinc = [](double y) { return y == 0 ? 1.0 : std::sin(M_PI * y) / (M_PI * y); };
        if (filter == ResizeFilter::Lanczos)
            return x < 3 ? sinc(x) * sinc(x / 3) : 0.0;
        return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? -0.5 * (((x - 5) * x + 8) * x - 4) : 0.0;
    };
    const double scale = double(inSize) / double(outSize);
    const double widened = std::max(scale, 1.0);
    const double support = (filter == ResizeFilter::Lanczos   ? 3
                            : filter == ResizeFilter::Bicubic ? 2
                                                              : 1)
                           * widened;
    for (int64_t i = 0; i < outSize; ++i) {
        const double centre = (double(i) + 0.5) * scale;
        const auto from = std::max<int64_t>(int64_t(centre - support + 0.5), 0);
        const auto to = std::min<int64_t>(int64_t(centre + support + 0.5), inSize);
        std::vector<double> weights;
        double sum = 0;
        for (int64_t x = from; x < to; ++x)
            sum += weights.emplace_back(kernel((double(x) - centre + 0.5) * (1.0 / widened)));
        for (int64_t line = 0; line < lines; ++line) {
            for (int64_t c = 0; c < 3; ++c) {
                int64_t total = 1 << 21;
                for (int64_t x = from; x < to; ++x)
                    total += std::llround(weights[x - from] / sum * 4194304.0) * in[line * inLine + x * step + c];
                out[line * outLine + i * outStep + c] = uint8_t(std::clamp<int64_t>(total >> 22, 0, 255));
            }
        }
    }
    return out;
}

Clip plainResize(const Clip& clip, int64_t width, int64_t height, ResizeFilter filter)
{
    Clip result = clip;
    result.pixels = plainPass(clip.pixels, clip.width, width, clip.height, 3, clip.width * 3, width * 3, 3,
                              filter);
    result.pixels = plainPass(result.pixels, clip.height, height, width, width * 3, 3, 3, width * 3, filter);
    result.width = width;
    result.height = height;
    return result;
}

Clip cut(const Clip& clip, int64_t left, int64_t top, int64_t width, int64_t height)
{
    Clip result{1, height, width, {}, {}, {}};
    for (int64_t y = top; y < top + height; ++y) {
        const uint8_t* row = clip.pixels.data() + (y * clip.width + left) * 3;
        result.pixels.insert(result.pixels.end(), row, row + width * 3);
    }
    return result;
}

Transform square(int64_t resize, int64_t crop, ResizeFilter filter = ResizeFilter::Bicubic)
{
    Transform transform;
    transform.resize = resize;
    transform.cropHeight = transform.cropWidth = crop;
    transform.filter = filter;
    return transform;
}

}

class TestTransform : public QObject {
    Q_OBJECT

private slots:
    void equalsThePlainRecipeAtRandomSizes()
    {
        std::mt19937 random(7);
        for (unsigned round = 0; round < 60; ++round) {
            const int64_t width = 1 + random() % 150, height = 1 + random() % 150;
            const int64_t resize = 1 + random() % 90, crop = 1 + random() % resize;
            const auto filter =
                std::array{ResizeFilter::Bicubic, ResizeFilter::Bilinear, ResizeFilter::Lanczos}.at(round % 3);
            const Clip clip = randomClip(width, height, 1, round);
            const int64_t side = std::min(width, height);
            const int64_t outWidth = resize * width / side, outHeight = resize * height / side;
            const Clip whole = plainResize(clip, outWidth, outHeight, filter);
            const auto offset = [&](int64_t size) { return int64_t(std::nearbyint(double(size - crop) / 2)); };
            const Clip expected = cut(whole, offset(outWidth), offset(outHeight), crop, crop);
            const Clip result = resizeAndCrop(clip, square(resize, crop, filter));
            QVERIFY2(result.pixels == expected.pixels, qPrintable(QString("round %1: %2x%3 to %4, crop %5")
                                                                      .arg(round)
                                                                      .arg(width)
                                                                      .arg(height)
                                                                      .arg(resize)
                                                                      .arg(crop)));
        }
    }

    void cropOfMatchingSizeIsTheIdentity()
    {
        const Clip clip = randomClip(64, 64);
        QCOMPARE(resizeAndCrop(clip, square(64, 64)).pixels, clip.pixels);
        const Clip wide = randomClip(90, 64);
        QCOMPARE(resizeAndCrop(wide, square(64, 64)).pixels, cut(wide, 13, 0, 64, 64).pixels);
    }

    void constantPictureStaysConstant()
    {
        for (const int value : {0, 1, 127, 254, 255}) {
            Clip clip = randomClip(301, 97);
            std::fill(clip.pixels.begin(), clip.pixels.end(), uint8_t(value));
            for (const auto filter : {ResizeFilter::Bicubic, ResizeFilter::Bilinear}) {
                const Clip result = resizeAndCrop(clip, square(50, 41, filter));
                QVERIFY(
                    std::all_of(result.pixels.begin(), result.pixels.end(), [&](auto v) { return v == value; }));
            }
        }
    }

    void cropOffsetRoundsHalfToEven_data()
    {
        columns<int, int>("width", "left");
        // Width 385: (385 − 224) / 2 = 80.5 → 80. Width 383: 79.5 → 80.
        row("385", 385, 80);
        row("383", 383, 80);
        row("387", 387, 82);
        row("384", 384, 80);
    }

    void cropOffsetRoundsHalfToEven()
    {
        QFETCH(int, width);
        QFETCH(int, left);
        const Clip clip = randomClip(width, 256);
        QCOMPARE(resizeAndCrop(clip, {}).pixels, cut(clip, left, 16, 224, 224).pixels);
        QCOMPARE(cropRectangle(width, 256, {}).left, double(left));
    }

    void resultDoesNotDependOnThreads()
    {
        const Clip clip = randomClip(211, 157);
        const ResampleWindow window{{211, 83, 5, 70}, {157, 61, 2, 59}, ResizeFilter::Bicubic};
        std::vector<uint8_t> single(70 * 59 * 3);
        resample({clip.pixels.data(), 211 * 3}, window, {single.data(), 70 * 3}, 1);
        for (const int threads : {2, 3, 4, 7, 64}) {
            std::vector<uint8_t> several(single.size());
            resample({clip.pixels.data(), 211 * 3}, window, {several.data(), 70 * 3}, threads);
            QCOMPARE(several, single);
        }
        const Clip large = randomClip(2000, 1300);  // above the size from which threads are used
        QCOMPARE(resampleThreads({{2000, 2000, 0, 1}, {1300, 1300, 0, 1}, {}}) > 1, usableProcessors() > 1);
        QCOMPARE(resizeAndCrop(large, square(40, 32)).pixels,
                 cut(plainResize(large, 61, 40, ResizeFilter::Bicubic), 14, 4, 32, 32).pixels);
    }

    void pictureSmallerThanTheCropIsPaddedWithBlack()
    {
        const Clip clip = randomClip(20, 33);
        const Clip result = resizeAndCrop(clip, square(20, 25));  // 5 columns missing: 2 before, 3 behind
        QCOMPARE(cut(result, 2, 0, 20, 25).pixels, cut(clip, 0, 4, 20, 25).pixels);
        for (int64_t y = 0; y < 25; ++y) {
            for (const int64_t x : {0, 1, 22, 23, 24})
                QCOMPARE(int(result.pixels[(y * 25 + x) * 3]), 0);
        }
    }

    /// Pillow's rows: of 10 pixels in 4 and in 7 it takes these, and enlarged to 16 these.
    void nearestTakesPillowsPixels()
    {
        const std::pair<int64_t, std::vector<int>> rows[] = {
            {4, {1, 3, 6, 8}}, {7, {0, 2, 3, 5, 6, 7, 9}}, {16, {0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7, 7, 8, 9, 9}}};
        for (const auto& [size, wanted] : rows) {
            Clip clip = randomClip(10, 10);
            for (size_t i = 0; i < clip.pixels.size(); ++i)
                clip.pixels[i] = uint8_t(i / 3 % 10);
            const Clip small = resizeAndCrop(clip, square(size, size, ResizeFilter::Nearest));
            for (size_t i = 0; i < wanted.size(); ++i)
                QCOMPARE(int(small.pixels[i * 3]), wanted[i]);
            const int64_t crop = size - 1;  // its first column is that of the whole, whatever is cut off
            QCOMPARE(resizeAndCrop(clip, square(size, crop, ResizeFilter::Nearest)).pixels,
                     cut(small, 0, 0, crop, crop).pixels);
        }
    }

    void lineOfPixelsCostsNoMoreThanItsCrop()
    {
        // Whole, these would be 256 × 4 194 304 pixels (3 GiB).
        for (const auto& [width, height] : {std::pair{1, 16384}, std::pair{16384, 1}}) {
            const Clip result = resizeAndCrop(randomClip(width, height), {});
            QCOMPARE(result.pixels.size(), size_t{224 * 224 * 3});
        }
    }

    void framesAreTransformedEachOnItsOwn()
    {
        const Clip clip = randomClip(40, 30, 3);
        const FloatArray all = applyTransform(clip, square(16, 12));
        QCOMPARE(all.shape, (std::vector<int64_t>{3, 3, 12, 12}));
        for (int64_t t = 0; t < 3; ++t) {
            Clip one = clip;
            one.frames = 1;
            one.pixels.assign(clip.frame(t), clip.frame(t) + 40 * 30 * 3);
            const FloatArray single = applyTransform(one, square(16, 12));
            QCOMPARE(single.shape, (std::vector<int64_t>{3, 12, 12}));
            for (int64_t c = 0; c < 3; ++c) {
                for (int64_t i = 0; i < 144; ++i)
                    QCOMPARE(all.values[(c * 3 + t) * 144 + i], single.values[c * 144 + i]);
            }
        }
    }

    void valuesAreNormalisedInTorchvisionsOrder()
    {
        const Clip clip = randomClip(16, 16);
        Transform transform = square(16, 16);
        transform.mean = {0.1f, 0.5f, 0.9f};
        const FloatArray result = applyTransform(clip, transform);
        for (size_t c = 0; c < 3; ++c) {
            for (size_t i = 0; i < 256; ++i) {
                const volatile float unit = float(clip.pixels[i * 3 + c]) / 255.0f;
                const volatile float centred = unit - transform.mean[c];
                QVERIFY(result.values[c * 256 + i] == centred / transform.stddev[c]);
            }
        }
    }

    void aSampleIsKnownByItsPixelsHoweverItComes()
    {
        for (const int64_t frames : {1, 3}) {
            Clip clip = randomClip(17, 11, frames);
            for (size_t i = 0; i < 256; ++i)
                clip.pixels[i] = uint8_t(i);  // every value
            Transform transform;
            transform.mean = {0.485f, 0, 0.5f}, transform.stddev = {0.229f, 1, 0.5f};
            const uint64_t identity = sampleIdentity(clip.pixels.data(), clip.pixels.size());
            FloatArray values = normalised(clip, transform);
            QCOMPARE(sampleIdentity(values, transform), identity);
            FloatArray rounded = values;  // to the eleven bits of float16
            for (float& value : rounded.values)
                if (value != 0)
                    value = std::ldexp(std::nearbyint(std::ldexp(value, 11 - std::ilogb(value) - 1)),
                                       std::ilogb(value) + 1 - 11);
            QCOMPARE(sampleIdentity(rounded, transform), identity);
            for (const size_t place : {size_t{0}, clip.pixels.size() / 2, clip.pixels.size() - 1}) {
                Clip other = clip;
                other.pixels[place] ^= 1;
                QVERIFY(sampleIdentity(other.pixels.data(), other.pixels.size()) != identity);
                QVERIFY(sampleIdentity(normalised(other, transform), transform) != identity);
            }
            // What is not made of pixels is known by its own values.
            std::mt19937 random(3);
            for (float& value : values.values)
                value = std::normal_distribution<float>()(random);
            const uint64_t own = sampleIdentity(values, transform);
            QCOMPARE(sampleIdentity(values, transform), own);
            values.values.back() = std::nextafter(values.values.back(), 9.0f);
            QVERIFY(sampleIdentity(values, transform) != own);
            values.values.back() = std::numeric_limits<float>::quiet_NaN();
            values.values.front() = std::numeric_limits<float>::infinity();
            QVERIFY(sampleIdentity(values, transform) != own);
        }
        const Clip a = randomClip(8, 8, 1, 1), b = randomClip(8, 8, 1, 2);
        ByteArray pixels{{2, 8, 8, 3}, a.pixels};
        pixels.values.insert(pixels.values.end(), b.pixels.begin(), b.pixels.end());
        FloatArray values{{2, 3, 8, 8}, normalised(a, {}).values};
        const FloatArray second = normalised(b, {});
        values.values.insert(values.values.end(), second.values.begin(), second.values.end());
        const std::vector<uint64_t> expected{sampleIdentity(a.pixels.data(), a.pixels.size()),
                                             sampleIdentity(b.pixels.data(), b.pixels.size())};
        QCOMPARE(sampleIdentities(pixels), expected);
        QCOMPARE(sampleIdentities(values, {}), expected);
    }

    void cropRectangleIsInThePicturesOwnPixels()
    {
        const CropRectangle whole = cropRectangle(512, 512, square(256, 256));
        QCOMPARE(whole.left, 0.0);
        QCOMPARE(whole.width, 512.0);
        const CropRectangle middle = cropRectangle(1024, 512, {});  // 512×256, crop at 144, 16
        QCOMPARE(middle.left, 288.0);
        QCOMPARE(middle.top, 32.0);
        QCOMPARE(middle.width, 448.0);
        QCOMPARE(middle.height, 448.0);
        const CropRectangle padded = cropRectangle(100, 100, square(100, 120));
        QCOMPARE(padded.left, 0.0);
        QCOMPARE(padded.width, 100.0);
    }

    void nameStatesSizesAndFilter()
    {
        const std::string imageNet = ", mean 0.485 0.456 0.406, std 0.229 0.224 0.225";
        QCOMPARE(Transform{}.name(), "resize 256 bicubic, crop 224" + imageNet);
        Transform transform = square(248, 224, ResizeFilter::Bilinear);
        transform.cropHeight = 112;
        QCOMPARE(transform.name(), "resize 248 bilinear, crop 224×112" + imageNet);
        transform.decoding = JpegDecoding::Scaled;
        QCOMPARE(transform.name(), "resize 248 bilinear, crop 224×112" + imageNet + ", scaled JPEG decoding");
        transform.mean = {0.5f, 0.5f, 0.5f}, transform.stddev = {0.5f, 0.5f, 0.5f};
        SAYS(transform.name(), "mean 0.5 0.5 0.5, std 0.5 0.5 0.5");
    }

    void sizesThatMakeNoSenseAreRefused()
    {
        const Clip clip = randomClip(10, 10);
        THROWS(UsageError, resizeAndCrop(clip, square(0, 1)));
        THROWS(UsageError, resizeAndCrop(clip, square(10, -1)));
        THROWS(UsageError, resizeAndCrop(clip, square(1 << 30, 10)));
        THROWS(UsageError, resizeAndCrop(Clip{}, square(10, 10)));
        Clip lying = clip;
        lying.height = 11;
        THROWS(UsageError, resizeAndCrop(lying, square(10, 10)));
    }
};

ATTNSCOPE_TEST(TestTransform)
#include "tst_transform.moc"
