// AdamW against a loop over the paper's equations in float64.
#include "core/base/error.h"
#include "core/train/adamw.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <limits>

using namespace attnscope;

namespace {

constexpr int64_t steps = 9;

at::Tensor numbers(at::IntArrayRef shape, uint64_t seed, at::ScalarType dtype)
{
    auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    return at::randn(shape, generator, at::dtype(at::kDouble)).to(dtype);
}

NamedWeight weightOf(const std::string& name, at::IntArrayRef shape, uint64_t seed, at::ScalarType dtype)
{
    NamedWeight weight{name, shape.vec(), numbers(shape, seed, dtype)};
    weight.value.requires_grad_(true);
    return weight;
}

/// What a network has: matrices that decay; biases, norms, tokens and positions that do not; a weight without effect.
std::vector<NamedWeight> network(at::ScalarType dtype)
{
    std::vector<NamedWeight> weights{weightOf("blocks.0.attn.qkv.weight", {6, 4}, 1, dtype),
                                     weightOf("blocks.0.attn.qkv.bias", {6}, 2, dtype),
                                     weightOf("blocks.0.norm1.weight", {4}, 3, dtype),
                                     weightOf("cls_token", {1, 1, 4}, 4, dtype),
                                     weightOf("pos_embed", {1, 5, 4}, 5, dtype),
                                     weightOf("dist_token", {1, 1, 4}, 6, dtype),
                                     weightOf("patch_embed.proj.weight", {4, 3, 2, 2}, 7, dtype)};
    weights.push_back({"blocks.0.attn.unused", {3}, at::Tensor()});
    return weights;
}

bool decays(const std::string& name)
{
    return name == "blocks.0.attn.qkv.weight" || name == "patch_embed.proj.weight";
}

at::Tensor gradientOf(size_t weight, int64_t step, const NamedWeight& named)
{
    return numbers(named.value.sizes(), 100 * (weight + 1) + uint64_t(step), named.value.scalar_type());
}

double rateOf(int64_t step)
{
    return 0.01 / double(step);  // a schedule
}

/// Algorithm 2 of Loshchilov and Hutter with η_t α = lr and λ given by it, as every implementation has it.
std::vector<double> followed(size_t index, const NamedWeight& named, const OptimizerPlan& plan)
{
    const at::Tensor begin = named.value.detach().to(at::kDouble).flatten().clone();
    std::vector<double> theta(begin.data_ptr<double>(), begin.data_ptr<double>() + begin.numel());
    std::vector<double> m(theta.size()), v(theta.size());
    for (int64_t t = 1; t <= steps; ++t) {
        const at::Tensor gradient = gradientOf(index, t, named).to(at::kDouble).flatten();
        for (size_t i = 0; i < theta.size(); ++i) {
            const double g = gradient.data_ptr<double>()[i];
            m[i] = plan.beta1 * m[i] + (1 - plan.beta1) * g;
            v[i] = plan.beta2 * v[i] + (1 - plan.beta2) * g * g;
            const double mean = m[i] / (1 - std::pow(plan.beta1, t)),
                         square = v[i] / (1 - std::pow(plan.beta2, t));
            const double decay = decays(named.name) ? plan.weightDecay * theta[i] : 0;
            theta[i] -= rateOf(t) * (mean / (std::sqrt(square) + plan.epsilon) + decay);
        }
    }
    return theta;
}

double largestDifference(const at::Tensor& value, const std::vector<double>& wanted)
{
    const at::Tensor got = value.detach().to(at::kDouble).flatten();
    double largest = 0;
    for (size_t i = 0; i < wanted.size(); ++i)
        largest = std::max(largest, std::abs(got.data_ptr<double>()[i] - wanted[i]));
    return largest;
}

void run(AdamW& optimizer, const std::vector<NamedWeight>& weights, int64_t from, int64_t to)
{
    for (int64_t step = from; step <= to; ++step) {
        optimizer.clearGradients();
        for (size_t i = 0; i < weights.size(); ++i)
            if (weights[i].value.defined() && weights[i].value.requires_grad())
                const_cast<at::Tensor&>(weights[i].value).mutable_grad() = gradientOf(i, step, weights[i]);
        optimizer.step(rateOf(step));
    }
}

std::map<std::string, at::Tensor> copied(const std::map<std::string, at::Tensor>& state)
{
    std::map<std::string, at::Tensor> copy;
    for (const auto& [name, tensor] : state)
        copy[name] = tensor.clone();
    return copy;
}

}

class TestOptimizer : public QObject {
    Q_OBJECT

private slots:
    void stepsAreThoseOfThePaper_data()
    {
        columns<int, double>("dtype", "tolerance");
        // float64: rounding of nine steps of values of about 1. float32: its ε of 6e-8, two or three a step.
        row("float64", int(at::kDouble), 1e-13);
        row("float32", int(at::kFloat), 2e-6);
    }

    void stepsAreThoseOfThePaper()
    {
        QFETCH(int, dtype);
        QFETCH(double, tolerance);
        OptimizerPlan plan;
        plan.weightDecay = 0.3;
        const auto weights = network(static_cast<at::ScalarType>(dtype));
        std::vector<std::vector<double>> wanted;
        for (size_t i = 0; i < weights.size(); ++i)
            wanted.push_back(weights[i].value.defined() ? followed(i, weights[i], plan) : std::vector<double>{});
        AdamW optimizer(weights, plan);
        run(optimizer, weights, 1, steps);
        for (size_t i = 0; i < weights.size(); ++i) {
            if (!weights[i].value.defined())
                continue;
            const double difference = largestDifference(weights[i].value, wanted[i]);
            QVERIFY2(difference < tolerance,
                     qPrintable(QString::fromStdString(weights[i].name) + QString(": %1").arg(difference)));
        }
    }

    void weightsWithoutGradientsStay()
    {
        const auto weights = network(at::kFloat);
        weights[0].value.requires_grad_(false);  // frozen: not even its decay
        const at::Tensor frozen = weights[0].value.clone(), idle = weights[6].value.detach().clone();
        OptimizerPlan plan;
        plan.weightDecay = 0.5;
        AdamW optimizer(weights, plan);
        run(optimizer, weights, 1, 2);
        QVERIFY(at::equal(weights[0].value, frozen));
        QVERIFY(!at::equal(weights[6].value, idle));
        const at::Tensor moved = weights[6].value.detach().clone();
        optimizer.clearGradients();
        for (const NamedWeight& weight : weights)
            QVERIFY(!weight.value.defined() || !weight.value.grad().defined());
        optimizer.step(0.1);
        QVERIFY(at::equal(weights[6].value, moved));
    }

    void aRestoredStateGoesOnBitForBit()
    {
        const OptimizerPlan plan;
        const auto whole = network(at::kFloat), halved = network(at::kFloat), resumed = network(at::kFloat);
        AdamW uninterrupted(whole, plan), before(halved, plan), after(resumed, plan);
        run(uninterrupted, whole, 1, steps);
        run(before, halved, 1, 4);
        after.restore(copied(before.state()), "state");
        for (size_t i = 0; i < resumed.size(); ++i)
            if (resumed[i].value.defined())
                resumed[i].value.detach().copy_(halved[i].value.detach());
        run(after, resumed, 5, steps);
        for (size_t i = 0; i < whole.size(); ++i)
            QVERIFY(!whole[i].value.defined() || at::equal(whole[i].value, resumed[i].value));
    }

    void aStateOfAnotherTrainingIsRefused()
    {
        const auto weights = network(at::kFloat);
        AdamW optimizer(weights, OptimizerPlan{});
        auto state = copied(optimizer.state());
        QCOMPARE(state.size(), 21);  // three of each of the seven that are defined
        state["second/cls_token"] = at::zeros({1, 1, 5});
        THROWS(FileError, optimizer.restore(state, "a.safetensors"));
        state.erase("second/cls_token");
        THROWS(FileError, optimizer.restore(state, "a.safetensors"));
    }

    void gradientsAreScaledToTheLimitTogether()
    {
        auto weights = network(at::kDouble);
        double squares = 0;
        std::vector<at::Tensor> before;
        for (size_t i = 0; i < weights.size(); ++i) {
            before.emplace_back();
            if (!weights[i].value.defined() || i == 3)  // one without a gradient
                continue;
            before.back() = gradientOf(i, 1, weights[i]);
            weights[i].value.mutable_grad() = before.back().clone();
            squares += before.back().square().sum().item<double>();
        }
        const double norm = clipGradients(weights, 0.5);
        QVERIFY(std::abs(norm - std::sqrt(squares)) < 1e-12 * norm);
        double after = 0;
        for (size_t i = 0; i < weights.size(); ++i)
            if (before[i].defined()) {
                after += weights[i].value.grad().square().sum().item<double>();
                QVERIFY(at::allclose(weights[i].value.grad(), before[i] * (0.5 / norm), 1e-5,
                                     0));  // one factor for all
            }
        QVERIFY(std::abs(std::sqrt(after) - 0.5) < 1e-6);
    }

    void gradientsWithinTheLimitStay()
    {
        auto weights = network(at::kFloat);
        weights[0].value.mutable_grad() = gradientOf(0, 1, weights[0]);
        const at::Tensor before = weights[0].value.grad().clone();
        const double norm = clipGradients(weights, 1000);
        QVERIFY(norm > 0 && at::equal(weights[0].value.grad(), before));
        clipGradients(weights, 0);  // no limit
        QVERIFY(at::equal(weights[0].value.grad(), before));
        weights[1].value.mutable_grad() = at::full_like(weights[1].value.detach(),
                                                        std::numeric_limits<double>::quiet_NaN());
        QVERIFY(std::isnan(clipGradients(weights, 0.001)));
        QVERIFY(at::equal(weights[0].value.grad(), before));
        weights[0].value.mutable_grad().reset();
        weights[1].value.mutable_grad().reset();
        QCOMPARE(clipGradients(weights, 1), 0.0);
    }
};

ATTNSCOPE_EVENT_TEST(TestOptimizer)
#include "tst_optimizer.moc"
