#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/data/preprocess/video_transform.h"
#include "random_clip.h"
#include "tests/support/test_class.h"

using namespace attnscope;

/// Milliseconds a frame, three crops, one thread; and of LibTorch's own operations for the same.
class BenchVideoTransform : public QObject {
    Q_OBJECT

private slots:
    void frame_data();
    void frame();
    void frameByLibTorch_data() { frame_data(); }
    void frameByLibTorch();
};

void BenchVideoTransform::frame_data()
{
    columns<int, int, int>("width", "height", "side");
    row("340x256 to 224", 340, 256, 224);
    row("1280x720 to 224", 1280, 720, 224);
    row("1920x1080 to 336", 1920, 1080, 336);
}

void BenchVideoTransform::frame()
{
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, side);
    const Clip clip = randomClip(width, height);
    Transform t;
    t.resize = t.cropWidth = t.cropHeight = side;
    const VideoTransform transform(width, height, t, 3);
    std::vector<float> crops(size_t(3 * 3 * side * side));
    QBENCHMARK
    {
        const auto resized = transform.frame(clip.pixels.data(), width * 3);
        for (int crop = 0; crop < 3; ++crop)
            transform.copyCrop(resized, crop, crops.data() + crop * 3 * side * side, side * side);
    }
}

void BenchVideoTransform::frameByLibTorch()
{
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, side);
    at::set_num_threads(1);
    const c10::InferenceMode guard;
    const Clip clip = randomClip(width, height);
    const auto bytes = at::from_blob(const_cast<uint8_t*>(clip.pixels.data()), {height, width, 3}, at::kByte);
    QBENCHMARK
    {
        const auto x = ((bytes.to(at::kFloat) / 255.0 - 0.5) / 0.5).permute({2, 0, 1}).unsqueeze(0);
        const auto resized = at::upsample_bilinear2d(x, {side, width * side / height}, false);
        for (const int64_t offset : {int64_t{0}, (resized.size(3) - side + 1) / 2, resized.size(3) - side})
            resized.slice(3, offset, offset + side).contiguous();
    }
}

ATTNSCOPE_TEST(BenchVideoTransform)
#include "bench_video_transform.moc"
