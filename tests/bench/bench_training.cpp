// bench_training MODEL.json BATCH STEPS [ATTENTION [THREADS [DEVICE]]]: samples a second of the trainer's steps on random images: loading by
// its threads, forward and backward pass, clipping, AdamW. Next to another program: run both in turns.
#include "core/base/json.h"
#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "core/train/trainer.h"
#include "models/model_family.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

namespace {

using namespace attnscope;

class Rates : public TrainingObserver {
public:
    void onStep(const TrainingStep& step) override { last = step; }
    TrainingStep last;
};

}

int main(int count, char** arguments)
{
    if (count < 4) {
        std::fprintf(stderr, "usage: bench_training MODEL.json BATCH STEPS [ATTENTION [THREADS [DEVICE]]]\n");
        return 2;
    }
    keepFreedMemory();
    std::ifstream file(arguments[1]);
    const auto description = parseDescription(Json::parse(file), arguments[1]);
    const int64_t batch = std::stoll(arguments[2]), steps = std::stoll(arguments[3]);
    setThreads(count > 5 ? std::stoll(arguments[5]) : 0);

    TrainingParts parts;
    parts.student = description->untrained(0, {.device = resolveDevice(count > 6 ? arguments[6] : "cpu")});
    parts.attention = AttentionSpec::parse(count > 4 ? arguments[4] : "softmax");
    parts.plan.batch = batch;
    parts.plan.epochs = 1;
    parts.plan.dropPath = 0;
    parts.plan.augment.mixup = parts.plan.augment.cutmix = 0;
    FloatArray image{description->input(), {}};
    image.values.assign(size_t(c10::multiply_integers(image.shape)), 0.5f);
    parts.training.labels.assign(size_t(batch * steps), 0);
    parts.training.names.assign(parts.training.labels.size(), "random");
    parts.training.makeLoader = [image] { return [image](int64_t, uint64_t) { return image; }; };
    Rates rates;
    Trainer(std::move(parts), rates).runEpoch(1, {});
    std::printf("%.2f\n", rates.last.samplesPerSecond);
    return 0;
}
