#include "tests/samples/instrument/coin.h"

#include <random>

namespace attnscope::ui {

CoinReport tossCoin(const CoinRequest& request, TaskTurn& turn, const CoinTask::Grew& grew)
{
    CoinReport report{.request = request, .heads = {}};
    std::mt19937_64 random(request.seed);
    int64_t heads = 0;
    for (int64_t toss = 1; toss <= request.tosses; ++toss) {
        heads += int64_t(random() >> 63);
        if ((toss & (toss - 1)) != 0)
            continue;
        if (turn.isStopped()) {
            report.complete = false;
            break;
        }
        report.heads.push_back(double(heads) / double(toss));
        turn.report({"tossing", toss, request.tosses});
        grew(report);
    }
    return report;
}

}
