// What training moves weights by: automatic gradients against central differences of the same float64 network.
#include "core/train/soft_targets.h"
#include "core/train/stochastic_depth.h"
#include "core/train/trainer.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"
#include "training_cases.h"

#include <ATen/Parallel.h>

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

/// The last norm, which is in the network's dtype: logits are rounded to float32.
class LastNorm : public ForwardObserver {
public:
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& given) override
    {
        if (name.starts_with("norm"))
            value = given;
    }
    at::Tensor value;
};

struct Differentiable {
    explicit Differentiable(const TrainingCase& one)
        : student(studentOf(one, at::kDouble))
        , attention(student.network->prepare(student.attention, 5))
        , input(inputFor(*student.network, 2))
        , depth(0.3, student.network->describe().layers, 1, 4, {2, 9})
    {
        setTraining(attention, true);  // draws its noise: from (seed, layer, sample), the same at each call
    }

    /// A random linear function of the features.
    at::Tensor ofFeatures() const
    {
        LastNorm norm;
        student.network->trainingLogits(input, attention, &norm, &depth);
        return (norm.value * drawn(norm.value.sizes(), 77, at::kDouble)).sum();
    }

    at::Tensor loss() const
    {
        const at::Tensor targets = smoothedTargets({1, 4}, 6, 0.1);
        return softCrossEntropy(student.network->trainingLogits(input, attention, nullptr, &depth), targets);
    }

    Student student;
    PreparedAttention attention;
    at::Tensor input;
    StochasticDepth depth;
};

bool ofHead(const std::string& name)
{
    return name.starts_with("head") || name.starts_with("pre_logits");
}

/// Weights that a network has and that nothing which it computes depends on.
bool isIdle(const TrainingCase& one, const std::string& name)
{
    const std::string description = one.description, attention = one.attention;
    // PVTv2 keeps its spatial reductions when another attention takes all keys.
    if (description == "pvtv2_sra_tiny_cfg" && attention != "sra")
        return name.find(".attn.sr.") != std::string::npos || name.find(".attn.norm.") != std::string::npos;
    // The output is the class token's, and in the last block that looks at keys and values itself: the patches' way through time ends there.
    return description.starts_with("motionformer_trajectory") && name.starts_with("blocks.1.attn.proj_")
           && (name.find("proj_q") != std::string::npos || name.find("proj_kv") != std::string::npos);
}

/// Position embeddings of another grid are resized in float32, whatever the network's dtype.
bool passesFloat32(const TrainingCase& one, const std::string& name)
{
    return std::string(one.description).starts_with("motionformer") && name == "pos_embed";
}

/// ∂f/∂w along a direction, by two evaluations.
template <typename Function>
double difference(const Function& f, at::Tensor weight, const at::Tensor& direction, double step)
{
    const at::NoGradGuard guard;
    const at::Tensor before = weight.clone();
    weight.add_(direction, step);
    const double above = f().template item<double>();
    weight.copy_(before).sub_(direction, step);
    const double below = f().template item<double>();
    weight.copy_(before);
    return (above - below) / (2 * step);
}

}

class TestTrainingGradients : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { at::set_num_threads(1); }  // tiny tensors
    void gradientsOfTheBodyAreDifferences_data() { addTrainingRows(); }
    void gradientsOfTheBodyAreDifferences()
    {
        QFETCH(int, index);
        const TrainingCase& which = trainingCases()[size_t(index)];
        const Differentiable one(which);
        const auto weights = one.student.network->weights();
        for (const NamedWeight& weight : weights)
            if (weight.value.defined())
                weight.value.requires_grad_(true);
        one.ofFeatures().backward();
        uint64_t seed = 1000;
        int checked = 0;
        for (const NamedWeight& weight : weights) {
            // One block of two: its gradients come by way of the other.
            if (!weight.value.defined() || ofHead(weight.name) || isIdle(which, weight.name)
                || weight.name.starts_with("blocks.1."))
                continue;
            QVERIFY2(weight.value.grad().defined(), weight.name.c_str());
            const at::Tensor direction = drawn(weight.value.sizes(), ++seed, at::kDouble),
                             gradient = weight.value.grad();
            const double wanted = (gradient * direction).sum().item<double>();
            const bool coarse = passesFloat32(which, weight.name),
                       steep = std::string(which.attention).starts_with("rfa");
            const double got = difference([&] { return one.ofFeatures(); }, weight.value, direction,
                                          coarse  ? 1e-3
                                          : steep ? 1e-7
                                                  : 1e-6);
            // Rounding of a sum of about 1e3 by 1e-16 over the step of 1e-6 makes 1e-7; third derivatives times 1e-12 are less.
            // RFA's denominators come near to zero, where these are large. With float32 inside, 1e-7 over 1e-3 and third derivatives times 1e-6.
            const double size = std::max({std::abs(wanted), gradient.norm().item<double>(), 1.0});
            QVERIFY2(std::abs(got - wanted) < (coarse ? (steep ? 3e-2 : 1e-3) : 2e-6) * size,
                     qPrintable(QString("%1: %2 instead of %3")
                                    .arg(weight.name.c_str())
                                    .arg(wanted, 0, 'g', 12)
                                    .arg(got, 0, 'g', 12)));
            ++checked;
        }
        QVERIFY(checked > 12);
    }

    void gradientsOfTheHeadAreDifferences_data() { addTrainingRows(); }
    void gradientsOfTheHeadAreDifferences()
    {
        QFETCH(int, index);
        const TrainingCase& which = trainingCases()[size_t(index)];
        const Differentiable one(which);
        const auto weights = one.student.network->weights();
        for (const NamedWeight& weight : weights)
            if (weight.value.defined())
                weight.value.requires_grad_(ofHead(weight.name));
        one.loss().backward();
        uint64_t seed = 2000;
        int checked = 0;
        for (const NamedWeight& weight : weights) {
            if (!ofHead(weight.name) || !weight.value.defined())
                continue;
            const at::Tensor direction = drawn(weight.value.sizes(), ++seed, at::kDouble),
                             gradient = weight.value.grad();
            QVERIFY2(gradient.defined(), weight.name.c_str());
            const double wanted = (gradient * direction).sum().item<double>();
            const double got = difference([&] { return one.loss(); }, weight.value, direction, 2e-3);
            // Logits of about 10 are float32: 1e-6 of rounding over the step; its square times the third derivative is as much.
            const double size = std::max(std::abs(wanted), gradient.norm().item<double>());
            QVERIFY2(std::abs(got - wanted) < 2e-3 * size + 2e-3,
                     qPrintable(QString("%1: %2 instead of %3").arg(weight.name.c_str()).arg(wanted).arg(got)));
            ++checked;
        }
        QVERIFY(checked >= 2);
    }

    void everyWeightGetsAGradient_data() { addTrainingRows(); }
    void everyWeightGetsAGradient()
    {
        QFETCH(int, index);
        const TrainingCase& which = trainingCases()[size_t(index)];
        const Differentiable one(which);
        const auto weights = one.student.network->weights();
        for (const NamedWeight& weight : weights)
            if (weight.value.defined())
                weight.value.requires_grad_(true);
        one.loss().backward();
        for (const NamedWeight& weight : weights) {
            if (!weight.value.defined()) {
                // Softmax over time does not see the keys' bias: trajectory attention leaves it out.
                QVERIFY2(weight.name.ends_with(".proj_kv.bias"), weight.name.c_str());
                continue;
            }
            const bool has = weight.value.grad().defined() && weight.value.grad().norm().item<double>() > 0;
            QVERIFY2(has != isIdle(which, weight.name), weight.name.c_str());
            QVERIFY2(!has || isFinite(weight.value.grad()), weight.name.c_str());
        }
    }
};

ATTNSCOPE_EVENT_TEST(TestTrainingGradients)
#include "tst_training_gradients.moc"
