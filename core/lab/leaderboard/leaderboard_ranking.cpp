#include "core/lab/leaderboard/leaderboard_ranking.h"

#include "core/base/format.h"
#include "core/figure/chart.h"
#include "core/run/measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace attnscope {

namespace {

constexpr double unknownFigure = std::numeric_limits<double>::quiet_NaN();

/// Indices of the rows that no other row beats in both error and cost.
std::vector<size_t> frontOf(const LeaderboardReport& report, LeaderboardCost cost)
{
    std::vector<ChartPoint> points;
    for (const LeaderboardRow& row : report.rows)
        points.push_back({.x = relativeCostOf(row, cost), .y = errorOf(row, report.error())});
    return paretoFront(points, Better::Lower, Better::Lower);
}

/// Not finite last.
double sortable(double value)
{
    return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

}

double errorOf(const LeaderboardRow& row, LeaderboardError error)
{
    if (!row.failure.empty())
        return unknownFigure;
    if (error == LeaderboardError::TeacherForced)
        return row.relative;
    if (!row.effect)
        return unknownFigure;
    return row.effect->kl ? *row.effect->kl : 1 - row.effect->cosine.value_or(unknownFigure);
}

double costOf(const LeaderboardRow& row, LeaderboardCost cost)
{
    if (!row.failure.empty())
        return unknownFigure;
    return cost == LeaderboardCost::Time ? modelTime(row.latency).mid : double(row.peakBytes);
}

double relativeCostOf(const LeaderboardRow& row, LeaderboardCost cost)
{
    if (!row.failure.empty())
        return unknownFigure;
    return cost == LeaderboardCost::Time ? row.timeRatio() : row.memoryRatio();
}

std::string nameOf(const LeaderboardReport& report, LeaderboardError error)
{
    if (error == LeaderboardError::TeacherForced)
        return "relative error";
    return report.hasClasses ? "KL of the classes" : "1 − cosine of the features";
}

void rank(LeaderboardReport& report, LeaderboardOrder order)
{
    for (LeaderboardRow& row : report.rows)
        row.timeFront = row.memoryFront = false;
    for (const size_t index : frontOf(report, LeaderboardCost::Time))
        report.rows[index].timeFront = true;
    for (const size_t index : frontOf(report, LeaderboardCost::Memory))
        report.rows[index].memoryFront = true;
    const auto key = [&](const LeaderboardRow& row) {
        const double error = sortable(errorOf(row, report.error())),
                     time = sortable(relativeCostOf(row, LeaderboardCost::Time)),
                     memory = sortable(relativeCostOf(row, LeaderboardCost::Memory));
        const double first = order == LeaderboardOrder::Error  ? error
                             : order == LeaderboardOrder::Time ? time
                                                               : memory;
        return std::tuple(!row.failure.empty(), first, error, row.attention);
    };
    std::ranges::sort(report.rows,
                      [&](const LeaderboardRow& a, const LeaderboardRow& b) { return key(a) < key(b); });
}

const LeaderboardRow* bestFaster(const LeaderboardReport& report)
{
    const LeaderboardRow* best = nullptr;
    for (const LeaderboardRow& row : report.rows)
        if (const double error = errorOf(row, report.error());
            std::isfinite(error) && row.isFaster() && (best == nullptr || error < errorOf(*best, report.error())))
            best = &row;
    return best;
}

}
