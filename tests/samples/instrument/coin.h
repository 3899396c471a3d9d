#pragma once

#include "core/base/options/options.h"
#include "ui/engine/task.h"

#include <vector>

namespace attnscope::ui {

/// The sample of an instrument's request and report: the fraction of heads after more and more tosses of a coin.
struct CoinRequest {
    int64_t tosses = 1024;
    uint64_t seed = 0;
};
void visitOptions(MaybeConst<CoinRequest> auto& request, auto& visit)
{
    visit("--tosses", request.tosses, within(0, 1 << 20), "Number of tosses");
    visit("--seed", request.seed, within(0, 1e6), "Seed of all random numbers");
}
struct CoinReport {
    CoinRequest request;
    std::vector<double> heads;  ///< after 1, 2, 4 … tosses
    bool complete = true;
};
using CoinTask = Task<CoinRequest, CoinReport>;

/// What is measured; in the program a function of core/lab.
CoinReport tossCoin(const CoinRequest& request, TaskTurn& turn, const CoinTask::Grew& grew);

}
