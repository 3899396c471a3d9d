#include "models/training/train_options.h"

#include <utility>

namespace attnscope {

TrainOptions::TrainOptions(TrainRequest given, int64_t threads)
    : request(std::move(given))
    , augment(optionsOf(request.plan.augment))
    , device{request.model.device, request.model.dtype, threads, request.plan.seed}
{
    if (request.teacher.empty())
        request.plan.distillation = {};
}

TrainRequest TrainOptions::requestOn(const std::string& chosenDevice) const
{
    TrainRequest made = request;
    made.model.device = chosenDevice;
    made.plan.seed = device.seed;
    made.plan.augment = planOf(augment);
    return made;
}

}
