#include "core/data/preprocess/transform.h"
#include "random_clip.h"
#include "tests/support/test_class.h"

using namespace attnscope;

/// Milliseconds an image of ImageNet's usual size (500×375), and of a 24-megapixel photograph.
class BenchTransform : public QObject {
    Q_OBJECT

private slots:
    void resizeOfAPicture_data();
    void resizeOfAPicture();
    void wholeTransform();
};

void BenchTransform::resizeOfAPicture_data()
{
    columns<int, int, int>("width", "height", "shortSide");
    row("500x375 to 256", 500, 375, 256);
    row("500x375 to 248", 500, 375, 248);
    row("400x500 to 248", 400, 500, 248);
    row("6000x4000 to 256", 6000, 4000, 256);
}

void BenchTransform::resizeOfAPicture()
{
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, shortSide);
    const Clip clip = randomClip(width, height);
    Transform transform;
    transform.resize = shortSide;
    QBENCHMARK
    {
        resizeAndCrop(clip, transform);
    }
}

void BenchTransform::wholeTransform()
{
    const Clip clip = randomClip(500, 375);
    QBENCHMARK
    {
        applyTransform(clip, {});
    }
}

ATTNSCOPE_TEST(BenchTransform)
#include "bench_transform.moc"
