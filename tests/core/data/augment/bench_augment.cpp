#include "../preprocess/random_clip.h"
#include "core/data/augment/augment.h"
#include "core/data/augment/rand_augment.h"
#include "tests/support/test_class.h"

using namespace attnscope;

class BenchAugment : public QObject {
    Q_OBJECT

private slots:
    void deitsRecipe_data()
    {
        columns<int, int>("width", "height");
        row("224x224", 224, 224);
        row("500x375", 500, 375);
        row("2000x1500", 2000, 1500);
    }
    void deitsRecipe()
    {
        QFETCH(int, width);
        QFETCH(int, height);
        const Clip clip = randomClip(width, height);
        uint64_t sample = 0;
        QBENCHMARK
        {
            for (int i = 0; i < 200; ++i) {
                SampleRandom random(1, 0, sample++);
                augment(clip, Transform{}, {}, random);
            }
        }
    }

    void operations_data()
    {
        columns<int>("operation");
        for (int i = 0; i < operationCount; ++i)
            addRow("%d", i) << i;
    }
    void operations()
    {
        QFETCH(int, operation);
        Clip clip = randomClip(224, 224);
        const auto which = static_cast<Operation>(operation);
        QBENCHMARK
        {
            applyOperation({clip.pixels.data(), 224, 224}, {which, operationAmount(which, 9, true)}, {});
        }
    }
};

ATTNSCOPE_TEST(BenchAugment)
#include "bench_augment.moc"
