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

/// A device whose results are there when they are waited for, and not before. Writes down what is queued and waited for.
class RecordingQueue : public DeviceQueue {
public:
    explicit RecordingQueue(std::string& events)
        : m_events(events)
    {}
    bool isAsynchronous() const override { return true; }
    at::Tensor upload(const std::function<at::Tensor()>& work) override
    {
        m_events += "upload ";
        return work();
    }
    std::function<at::Tensor()> download(const at::Tensor& result) override
    {
        const std::string number = std::to_string(m_passes++);
        m_events += "queue" + number + " ";
        const auto later = std::make_shared<at::Tensor>(at::full_like(result, std::nan("")));
        return [=, this] {
            m_events += "wait" + number + " ";
            return later->copy_(result);
        };
    }

private:
    std::string& m_events;
    int m_passes = 0;
};

enum class Device { Processor, Emulated };

/// All batches of an evaluation, how many images the resizer saw, and what the device did.
struct Predicted {
    std::vector<FinishedBatch> batches;
    int64_t onDevice = 0;
    std::string events;

    Predicted(const LabelledSet& data, const Classifier& network, const std::vector<AttentionSpec>& attention,
              Device device)
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
        const auto predictions = device == Device::Emulated ? predictImages(
                                     {plan.batches}, runs, resize, std::make_shared<RecordingQueue>(events))
                                                            : predictImages({plan.batches}, runs);
        predictions->append(order);
        predictions->beforeEach([&](int64_t number) { events += "begin" + std::to_string(number) + " "; });
        for (size_t i = 0; i < order.size(); ++i) {
            batches.push_back(predictions->next({}));
            events += "store" + std::to_string(batches.back().number) + " ";
        }
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
        const Predicted cpu(data, *network, randomAttentions(), Device::Processor),
            device(data, *network, randomAttentions(), Device::Emulated);
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

    /// The next batch is uploaded and queued before one is waited for, ranked and stored; a processor has one after another.
    void theNextBatchIsQueuedWhileOneIsRankedAndStored()
    {
        const Folder folder;
        LabelledSet data = images(folder / "plain", 20, 12);
        const auto network = tinyNetwork(folder);
        const std::vector softmax{AttentionSpec::parse("softmax")};
        QCOMPARE(Predicted(data, *network, softmax, Device::Emulated).events,
                 std::string("begin0 upload queue0 begin1 upload queue1 wait0 store0 "
                             "begin2 upload queue2 wait1 store1 wait2 store2 "));
        QCOMPARE(Predicted(data, *network, softmax, Device::Processor).events,
                 std::string("begin0 store0 begin1 store1 begin2 store2 "));
    }

    /// What fails while the next batch is queued costs the batch before nothing.
    void anAttentionThatFailsKeepsTheBatchesBefore()
    {
        const Folder folder;
        const LabelledSet data = images(folder / "plain", 20, 12);
        int passes = 0;
        const FakeNetwork network(12, [&](const at::Tensor& input, const std::string& attention) {
            if (attention == "ra" && ++passes == 2)
                throw std::bad_alloc();
            return byPixels(input, 12);
        });
        const Predicted found(data, network, {AttentionSpec::parse("ra"), AttentionSpec::parse("softmax")},
                              Device::Emulated);
        QCOMPARE(found.batches[0].predictions[0].size(), size_t{8});
        QVERIFY(found.batches[1].predictions[0].empty() && found.batches[2].predictions[0].empty());
        for (const FinishedBatch& batch : found.batches) {
            QCOMPARE(batch.predictions[1].size(), batch.samples.size());
            QCOMPARE(batch.logits[1].size(), batch.samples.size());
        }
    }

    void aBatchWithoutAnyReadableImageIsNone()
    {
        const Folder folder;
        LabelledSet data = images(folder / "plain", 1, 12);
        testing::write(data.files.front().path, "P6 no image");
        const auto network = tinyNetwork(folder);
        const Predicted device(data, *network, {AttentionSpec::parse("softmax")}, Device::Emulated);
        QCOMPARE(device.onDevice, 0);
        QCOMPARE(device.batches.front().unreadable.size(), size_t{1});
    }
};

ATTNSCOPE_TEST(TestDeviceCrops)
#include "tst_device_crops.moc"
