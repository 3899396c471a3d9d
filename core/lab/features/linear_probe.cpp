#include "core/lab/features/linear_probe.h"

#include "core/lab/neighbours/neighbour_classes.h"
#include "core/run/observers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <tuple>

namespace attnscope {

namespace {

constexpr int64_t rowsAtOnce = 4096;
constexpr std::array defaultC{0.1, 1.0, 10.0};
constexpr int64_t heldOutEvery = 5;

/// Objective and gradient of parameters (K,C + 1): the weights, then the bias.
struct Objective {
    const LabelledFeatures& training;
    at::Tensor mean, stddev;  // (C)
    at::Tensor labels;        // (N)
    double c = 1;
    const std::stop_token& stop;

    double samples() const { return double(training.features.size(0)); }

    std::pair<double, at::Tensor> at(const at::Tensor& parameters) const
    {
        const int64_t width = training.features.size(1);
        const at::Tensor weight = parameters.narrow(1, 0, width), bias = parameters.select(1, width);
        at::Tensor gradient = at::zeros_like(parameters);
        double loss = 0;
        for (int64_t row = 0; row < training.features.size(0); row += rowsAtOnce) {
            checkStop(stop);
            const int64_t count = std::min(rowsAtOnce, training.features.size(0) - row);
            const at::Tensor z = (training.features.narrow(0, row, count).to(at::kDouble) - mean)
                                 / stddev;                                               // (n,C)
            const at::Tensor own = labels.narrow(0, row, count).unsqueeze(1);            // (n,1)
            const at::Tensor logs = at::log_softmax(at::addmm(bias, z, weight.t()), 1);  // (n,K)
            loss -= logs.gather(1, own).sum().item<double>();
            at::Tensor error = logs.exp();
            error.scatter_add_(1, own, at::full(own.sizes(), -1.0, at::kDouble));
            gradient.narrow(1, 0, width).addmm_(error.t(), z);
            gradient.select(1, width).add_(error.sum(0));
        }
        gradient.div_(samples());
        gradient.narrow(1, 0, width).add_(weight, 1 / (c * samples()));
        return {loss / samples() + weight.square().sum().item<double>() / (2 * c * samples()), gradient};
    }
};

/// Limited-memory BFGS. Source: Nocedal and Wright, Numerical Optimization, algorithm 7.4, with backtracking to Armijo's condition: the
/// objective is convex.
class Lbfgs {
public:
    /// −H g.
    at::Tensor step(const at::Tensor& gradient) const
    {
        at::Tensor q = gradient.clone();
        std::vector<double> alpha(m_kept.size());
        for (size_t i = m_kept.size(); i-- > 0;) {
            alpha[i] = m_kept[i].rho * dot(m_kept[i].move, q);
            q.sub_(m_kept[i].change, alpha[i]);
        }
        if (m_kept.empty())
            q.div_(std::max(1.0, gradient.norm().item<double>()));
        else
            q.div_(m_kept.back().rho * dot(m_kept.back().change, m_kept.back().change));
        for (size_t i = 0; i < m_kept.size(); ++i)
            q.add_(m_kept[i].move, alpha[i] - m_kept[i].rho * dot(m_kept[i].change, q));
        return q.neg_();
    }

    void keep(const at::Tensor& move, const at::Tensor& change)
    {
        const double curvature = dot(move, change);
        if (curvature <= 1e-14 * dot(change, change))
            return;
        m_kept.push_back({move, change, 1 / curvature});
        if (m_kept.size() > 10)
            m_kept.pop_front();
    }

    static double dot(const at::Tensor& a, const at::Tensor& b) { return (a * b).sum().item<double>(); }

private:
    struct Kept {
        at::Tensor move, change;  // of parameters and gradient
        double rho = 0;           // 1 / move·change
    };
    std::deque<Kept> m_kept;
};

/// Minimises the objective; how many iterations that took, and whether it ended at a minimum.
std::pair<int64_t, bool> minimise(const Objective& objective, at::Tensor& parameters)
{
    constexpr double smallestGradient = 1e-6, sufficient = 1e-4;
    Lbfgs lbfgs;
    auto [value, gradient] = objective.at(parameters);
    for (int64_t iteration = 0; iteration < maxProbeIterations; ++iteration) {
        if (gradient.abs().max().item<double>() <= smallestGradient)
            return {iteration, true};
        const at::Tensor step = lbfgs.step(gradient);
        const double slope = Lbfgs::dot(step, gradient);
        double length = 1;
        for (;; length /= 2) {
            const auto [next, nextGradient] = objective.at(parameters + length * step);
            if (next <= value + sufficient * length * slope) {
                lbfgs.keep(length * step, nextGradient - gradient);
                parameters = parameters + length * step;
                value = next, gradient = nextGradient;
                break;
            }
            if (length < 1e-10)
                return {iteration, true};  // rounding: the objective cannot be made smaller
        }
    }
    return {maxProbeIterations, false};
}

at::Tensor rowsOf(const at::Tensor& features, const std::vector<int64_t>& rows)
{
    return features.index_select(0, at::tensor(rows, at::kLong));
}

/// Every fifth sample of each class, and the others.
std::pair<LabelledFeatures, LabelledFeatures> splitOf(const LabelledFeatures& all)
{
    std::array<std::vector<int64_t>, 2> rows;
    std::array<LabelledFeatures, 2> parts;
    std::vector<int64_t> seen(size_t(all.classes));
    for (size_t i = 0; i < all.labels.size(); ++i) {
        const int64_t number = ++seen[size_t(all.labels[i])];
        const size_t part = number % heldOutEvery == 0 ? 0 : 1;
        rows[part].push_back(int64_t(i));
        parts[part].labels.push_back(all.labels[i]);
    }
    for (size_t part = 0; part < 2; ++part) {
        parts[part].features = rowsOf(all.features, rows[part]);
        parts[part].classes = all.classes;
    }
    return {parts[0], parts[1]};
}

}

at::Tensor LinearProbe::scores(const at::Tensor& features) const
{
    return at::addmm(bias, features.to(at::kCPU, at::kDouble), weight.t());
}

std::vector<int64_t> LinearProbe::predict(const at::Tensor& features) const
{
    const at::Tensor scored = scores(features).contiguous();
    const auto classes = size_t(scored.size(1));
    std::vector<int64_t> predicted;
    for (int64_t row = 0; row < scored.size(0); ++row)
        predicted.push_back(firstClass({scored.const_data_ptr<double>() + size_t(row) * classes, classes}));
    return predicted;
}

LinearProbe fitLinearProbe(const LabelledFeatures& training, double c, const std::stop_token& stop)
{
    auto [stddev, mean] = at::std_mean(training.features, std::vector<int64_t>{0}, /*unbiased=*/false);
    stddev = at::where(stddev > 1e-12, stddev, at::ones_like(stddev)).to(at::kDouble);
    const Objective objective{training, mean.to(at::kDouble), stddev, at::tensor(training.labels, at::kLong), c,
                              stop};
    const int64_t width = training.features.size(1);
    at::Tensor parameters = at::zeros({training.classes, width + 1}, at::kDouble);
    LinearProbe probe{.c = c};
    std::tie(probe.iterations, probe.converged) = minimise(objective, parameters);
    probe.weight = (parameters.narrow(1, 0, width) / stddev).contiguous();
    probe.bias = parameters.select(1, width) - at::mv(probe.weight, objective.mean);
    return probe;
}

ChosenProbe chooseLinearProbe(const LabelledFeatures& training, const std::stop_token& stop)
{
    const auto [heldOut, others] = splitOf(training);
    ChosenProbe chosen;
    double best = 1;
    int64_t most = -1;
    for (const double c : defaultC) {
        if (heldOut.labels.empty())
            break;
        const auto predicted = fitLinearProbe(others, c, stop).predict(heldOut.features);
        ProbeCandidate candidate{.c = c, .samples = std::ssize(heldOut.labels)};
        for (size_t i = 0; i < predicted.size(); ++i)
            candidate.correct += predicted[i] == heldOut.labels[i] ? 1 : 0;
        chosen.candidates.push_back(candidate);
        if (candidate.correct > most) {
            most = candidate.correct;
            best = c;
        }
    }
    chosen.probe = fitLinearProbe(training, best, stop);
    return chosen;
}

}
