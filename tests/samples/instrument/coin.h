#pragma once

#include "ui/engine/task.h"

#include <vector>

namespace attnscope::ui {

/// The sample of an instrument's request and report: the fraction of heads after more and more tosses of a coin.
struct CoinRequest {
    int64_t tosses = 1024;
    uint64_t seed = 0;
};
struct CoinReport {
    CoinRequest request;
    std::vector<double> heads;  ///< after 1, 2, 4 … tosses
    bool complete = true;
};
using CoinTask = Task<CoinRequest, CoinReport>;

/// What is measured; in the program a function of core/lab.
CoinReport tossCoin(const CoinRequest& request, TaskTurn& turn, const CoinTask::Grew& grew);

}
