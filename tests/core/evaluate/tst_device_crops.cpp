// Crops made on a device, emulated on the CPU, in the pipeline of an evaluation: its results are those of crops made on the CPU.
#include "tests/core/kernels/cuda_emulation.h"

#include "core/base/error.h"
#include "core/evaluate/batch_predictions.h"
#include "core/evaluate/evaluation_plan.h"
#include "core/kernels/cuda/resize_images.cuh"
#include "core/media/image/image_writer.h"
#include "tests/core/evaluate/evaluation_cases.h"
#include "tests/support/test_class.h"

using namespace attnscope;
using namespace attnscope::testing;

namespace {

Clip noise(int64_t width, int64_t height)
{
    Clip clip = blankClip(1, height, width);
    std::minstd_rand random(unsigned(width * height));
    for (uint8_t& byte : clip.pixels)
        byte = uint8_t(random() >> 8);
    return clip;
}

/// JPEG, PNG and PNM, larger and smaller than the crop, one of them so large that the CPU makes its crop, and one damaged.
LabelledSet mixedImages(const Folder& folder)
{
    LabelledSet set = images(folder / "plain", 6, 12);
    const auto add = [&](const std::string& name) { set.files.push_back({(folder / name).string(), 3}); };
    for (const auto& [width, height] : {std::pair{40, 31}, {33, 60}, {16, 16}, {9, 12}, {500, 400}, {600, 20}}) {
        const std::string name = std::to_string(width) + "x" + std::to_string(height);
        writeJpeg(folder / (name + ".jpg"), noise(width, height), 0, 90);
        add(name + ".jpg");
        writePng(folder / (name + ".png"), noise(width, height), 0);
        add(name + ".png");
    }
    testing::write(folder / "damaged.jpg", "\xff\xd8\xff nothing");
    add("damaged.jpg");
    return set;
}

/// All batches of an evaluation, and how many images the resizer saw.
struct Predicted {
    std::vector<FinishedBatch> batches;
    int64_t onDevice = 0;

    Predicted(const LabelledSet& data, const Classifier& network, const std::vector<AttentionSpec>& attention,
              bool device)
    {
        const c10::InferenceMode guard;
        EvaluationRequest request = requestFor(data, "unused", attention);
        request.keep = "logits";
        EvaluationPlan plan = planEvaluation(network, request, {});
        NetworkRuns runs(network, attention, 0);
        const auto order = std::exchange(plan.batches.batches, {});
        const ImageResizer resize = [&](const kernels::cuda::ResizeImages& images, const at::Device&) {
            onDevice += images.images;
            QCOMPARE(kernels::cuda::resizeImages(images, emulated::Starter{}), 0);
        };
        const auto predictions = predictImages({plan.batches}, runs, device ? resize : ImageResizer());
        predictions->append(order);
        for (size_t i = 0; i < order.size(); ++i)
            batches.push_back(predictions->next({}));
    }
};

}

class TestDeviceCrops : public QObject {
    Q_OBJECT

private slots:
    void resultsAreThoseOfCropsMadeOnTheCpu()
    {
        const Folder folder;
        const LabelledSet data = mixedImages(folder);
        const auto network = tinyNetwork(folder);
        const Predicted cpu(data, *network, randomAttentions(), false),
            device(data, *network, randomAttentions(), true);
        QCOMPARE(cpu.onDevice, 0);
        QCOMPARE(device.onDevice, std::ssize(data.files));
        QCOMPARE(device.batches.size(), cpu.batches.size());
        int64_t unreadable = 0;
        for (size_t i = 0; i < cpu.batches.size(); ++i) {
            const FinishedBatch &a = cpu.batches[i], &b = device.batches[i];
            QCOMPARE(b.samples, a.samples);
            QCOMPARE(b.logits, a.logits);
            QCOMPARE(b.unreadable.size(), a.unreadable.size());
            unreadable += std::ssize(a.unreadable);
            for (size_t j = 0; j < a.unreadable.size(); ++j)
                QCOMPARE(b.unreadable[j].reason, a.unreadable[j].reason);
        }
        QCOMPARE(unreadable, 1);
    }

    void aBatchWithoutAnyReadableImageIsNone()
    {
        const Folder folder;
        LabelledSet data = images(folder / "plain", 1, 12);
        testing::write(data.files.front().path, "P6 no image");
        const auto network = tinyNetwork(folder);
        const Predicted device(data, *network, {AttentionSpec::parse("softmax")}, true);
        QCOMPARE(device.onDevice, 0);
        QCOMPARE(device.batches.front().unreadable.size(), size_t{1});
    }
};

ATTNSCOPE_TEST(TestDeviceCrops)
#include "tst_device_crops.moc"
