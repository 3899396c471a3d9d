// Resize and crop by the CUDA kernels' own source on an emulated device: the bytes of the CPU's.
#include "tests/core/kernels/cuda_emulation.h"
#include "tests/support/test_class.h"

#include "core/data/loading/packed_image.h"
#include "core/kernels/cuda/resize_images.cuh"

#include <random>

using namespace attnscope;
using attnscope::emulated::Starter;
using kernels::cuda::ResizeImages;

namespace {

using Bytes = std::vector<uint8_t>;
using Random = std::mt19937;

int64_t drawn(Random& random, int64_t from, int64_t to)
{
    return std::uniform_int_distribution<int64_t>(from, to)(random);
}

/// As many small sides as large ones.
int64_t drawnSide(Random& random, int64_t largest)
{
    return int64_t(std::exp(std::uniform_real_distribution<double>(0, std::log(double(largest) + 0.9))(random)));
}

Clip drawnImage(Random& random, int64_t width, int64_t height)
{
    Clip image = blankClip(1, height, width);
    const bool extremes = drawn(random, 0, 3) == 0;  // of which sums leave 0 … 255
    for (uint8_t& byte : image.pixels)
        byte = extremes ? uint8_t(drawn(random, 0, 1) * 255) : uint8_t(random());
    return image;
}

/// A batch for the device, and the crops that the CPU makes of it.
struct Batch {
    int64_t height, width;
    Bytes packed, expected;
    std::vector<int64_t> places;
    int64_t betweenBytes = 0;

    void add(const Clip& image, const Transform& transform)
    {
        const PackedImage packing(image.width, image.height, transform);
        places.push_back(std::ssize(packed));
        packed.resize(packed.size() + size_t(packing.bytes()));
        packing.write({image.pixels.data(), image.width * 3}, packed.data() + places.back());
        betweenBytes = std::max(betweenBytes, packing.betweenBytes());
        const Clip crop = resizeAndCrop(image, transform);
        expected.insert(expected.end(), crop.pixels.begin(), crop.pixels.end());
    }
    void addUnreadable()
    {
        places.push_back(-1);
        expected.resize(expected.size() + size_t(height * width * 3));
    }

    Bytes onDevice(const Starter& starter) const
    {
        Bytes between(size_t(betweenBytes) * places.size(), 0xaa), crops(expected.size(), 0xaa);
        const ResizeImages task{packed.data(), places.data(),  std::ssize(places), int(height),
                                int(width),    between.data(), betweenBytes,       crops.data()};
        return kernels::cuda::resizeImages(task, starter) == 0 ? crops : Bytes();
    }
};

}

class TestCudaResize : public QObject {
    Q_OBJECT

private slots:
    /// 1,000 sizes with every filter, fit and crop; batches of images of different sizes and transforms.
    void cropsAreThoseOfTheCpuByteForByte()
    {
        Random random(55);
        int64_t images = 0, padded = 0, enlarged = 0;
        for (int round = 0; images < 1000; ++round) {
            Batch batch{drawnSide(random, 60), drawnSide(random, 60), {}, {}, {}};
            for (int i = 0; i < 20; ++i, ++images) {
                Transform transform{
                    .resize = drawnSide(random, 80), .cropHeight = batch.height, .cropWidth = batch.width};
                transform.filter = static_cast<ResizeFilter>(images % std::ssize(filterNames));
                transform.fit = static_cast<ResizeFit>(drawn(random, 0, 2));
                const Clip image = drawnImage(random, drawnSide(random, 400), drawnSide(random, 400));
                const CropPlan plan = cropPlan(image.width, image.height, transform);
                padded += plan.horizontal.offset + plan.vertical.offset > 0 ? 1 : 0;
                enlarged += plan.horizontal.window.outSize > image.width ? 1 : 0;
                batch.add(image, transform);
            }
            batch.addUnreadable();
            if (const Bytes crops = batch.onDevice({.descending = round % 2 == 1}); crops != batch.expected) {
                const auto at = std::ranges::mismatch(crops, batch.expected).in1 - crops.begin();
                QFAIL(qPrintable(
                    QString("image %1 of round %2").arg(at / (batch.height * batch.width * 3)).arg(round)));
            }
        }
        QVERIFY(padded > 100 && padded < 900 && enlarged > 100 && enlarged < 900);
    }

    /// What the evaluation of ImageNet does, and sides that stay or are thousands of pixels.
    void cropsOfUsualAndOfLongImagesAreThoseOfTheCpu()
    {
        Random random(56);
        Batch batch{224, 224, {}, {}, {}};
        const Transform transform;
        for (const auto& [width, height] :
             {std::pair{500, 375}, {375, 500}, {256, 256}, {256, 400}, {3000, 20}, {1, 2}})
            batch.add(drawnImage(random, width, height), transform);
        batch.add(drawnImage(random, 1, 5000), {.fit = ResizeFit::Squash});
        QVERIFY(batch.onDevice({}) == batch.expected);
    }

    /// A crop that the CPU made is passed on unchanged.
    void imagesOfTheCropsSizeStayAsTheyAre()
    {
        Random random(57);
        const Transform same{.resize = 17, .cropHeight = 23, .cropWidth = 17, .fit = ResizeFit::Squash};
        Batch batch{23, 17, {}, {}, {}};
        const Clip image = drawnImage(random, 17, 23);
        batch.add(image, same);
        QVERIFY(batch.onDevice({}) == image.pixels);
    }

    void impossibleSizesAreRefused()
    {
        QVERIFY_THROWS_EXCEPTION(UsageError, PackedImage(0, 5, {}));
        QVERIFY_THROWS_EXCEPTION(UsageError, PackedImage(5, 5, {.cropWidth = 0}));
    }
};

ATTNSCOPE_TEST(TestCudaResize)
#include "tst_cuda_resize.moc"
