#include "core/base/error.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <random>
#include <set>

using namespace attnscope;
using namespace attnscope::test;

namespace {

using Random = std::mt19937;

int64_t between(Random& random, int64_t low, int64_t high)
{
    return low + int64_t(random() % uint64_t(high - low + 1));
}

std::string randomValue(const OptionInfo& option, Random& random)
{
    switch (option.type) {
    case OptionType::Flag:
        return random() % 2 == 0 ? "true" : "false";
    case OptionType::Choice:
        return option.choices[random() % option.choices.size()].name;
    case OptionType::Integer: {
        // Small numbers, and squares among them: landmarks on a grid need them.
        const auto low = int64_t(option.minimum);
        return std::to_string(random() % 2 == 0 ? low + between(random, 0, 9)
                                                : (low + between(random, 0, 2)) * (low + between(random, 0, 2)));
    }
    case OptionType::Real:
        break;
    }
    const double high = std::min(option.maximum, 3.0);
    return toText(OptionValue(random() % 4 == 0
                                  ? option.minimum
                                  : option.minimum + (high - option.minimum) * double(random() % 100) / 100));
}

std::string randomSpec(const BackendInfo& info, Random& random)
{
    std::string text = info.name;
    char separator = ':';
    for (const OptionInfo& option : info.options) {
        if (option.name == "seed" || random() % 3 != 0)
            continue;
        text += separator + option.name + "=" + randomValue(option, random);
        separator = ',';
    }
    return text;
}

/// One setting of one backend on one shape, all from one number.
struct Trial {
    std::string spec;
    AttentionInput input;
    std::shared_ptr<AttentionBackend> backend;

    at::Tensor attend(const AttentionInput& in, std::vector<uint64_t> samples) const
    {
        SeededNoise noise(11, 2, std::move(samples));
        return backend->attend(in, noise);
    }
    QByteArray name(unsigned seed) const
    {
        const auto q = input.q.sizes(), v = input.v.sizes();
        return QString("seed %1: %2 on %3×%4×%5×%6, %7 keys, values of %8")
            .arg(seed)
            .arg(QString::fromStdString(spec))
            .arg(q[0])
            .arg(q[1])
            .arg(q[2])
            .arg(q[3])
            .arg(v[2])
            .arg(v[3])
            .toUtf8();
    }
};

AttentionInput randomShape(Random& random, uint64_t seed)
{
    const int64_t rows = between(random, 1, 5), columns = between(random, 1, 5), prefix = between(random, 0, 1);
    Sizes sizes{between(random, 1, 3),   between(random, 1, 3), prefix + rows * columns,
                prefix + rows * columns, between(random, 1, 9), between(random, 1, 9)};
    const bool grid = random() % 2 == 0;
    if (!grid && random() % 2 == 0)
        sizes.keys = between(random, 1, 30);
    AttentionInput in = randomInput(sizes, seed, at::kDouble, 0.8);
    if (grid)
        in.tokens = {prefix, 1, rows, columns};
    return in;
}

/// Empty where the setting is refused in a sentence; what else is thrown fails the test.
std::optional<Trial> trialOf(const BackendInfo& info, unsigned seed)
{
    Random random(seed);
    Trial trial{randomSpec(info, random), randomShape(random, seed), {}};
    try {
        trial.backend = make(trial.spec, trial.input);
        trial.backend->train(random() % 4 == 0);
        trial.attend(trial.input, {});
    } catch (const UsageError&) {
        return {};
    }
    return trial;
}

/// Largest |value| or 1: rounding is relative to it.
double sizeOf(const at::Tensor& x)
{
    return std::max(1.0, largest(x));
}

bool isFourier(const Trial& trial)
{
    return trial.spec.compare(0, 3, "rfa") == 0;
}

/// Whether every weight is positive, so that an output is a mean of values.
bool isConvex(const Trial& trial)
{
    const std::string& backend = trial.backend->spec().backend();
    if (backend == "elu")
        return false;  // its ε in the denominator shrinks what it gives
    return !isFourier(trial) && backend != "nystrom" && trial.spec.find("floors=") == std::string::npos
           && trial.spec.find("alpha_floor=0") == std::string::npos
           && trial.spec.find("clip=false") == std::string::npos;
}

AttentionInput elementOf(AttentionInput in, int64_t b)
{
    for (at::Tensor* x : {&in.q, &in.k, &in.v})
        *x = x->narrow(0, b, 1);
    return in;
}

}

/// What must hold for every setting of every backend: settings and shapes are drawn from the option tables, so that a new option
/// is tested by being in one.
class TestAttentionOptions : public QObject {
    Q_OBJECT

private slots:
    void mostSettingsRunAndTheRestIsRefusedInASentence_data() { addBackends(); }
    void mostSettingsRunAndTheRestIsRefusedInASentence()
    {
        unsigned run = 0;
        forEachTrial(trials,
                     [&](const Trial& trial, const QByteArray&) { run += trial.backend != nullptr ? 1 : 0; });
        QVERIFY2(run > trials / 3, qPrintable(QString("%1 of %2").arg(run).arg(trials)));
    }

    void outputsAreFiniteMeansOfValues_data() { addBackends(); }
    void outputsAreFiniteMeansOfValues()
    {
        forEachTrial(trials, [](const Trial& trial, const QByteArray& name) {
            const auto out = trial.attend(trial.input, {});
            const auto& v = trial.input.v;
            QVERIFY2(out.sizes() == at::IntArrayRef({v.size(0), v.size(1), trial.input.q.size(2), v.size(3)}),
                     name);
            QVERIFY2(out.scalar_type() == at::kDouble && isFinite(out), name);
            if (!isConvex(trial))
                return;
            QVERIFY2((out - v.amax(2, true)).max().item<double>() < 1e-9, name);
            QVERIFY2((v.amin(2, true) - out).max().item<double>() < 1e-9, name);
        });
    }

    void elementsDoNotSeeTheirBatch_data() { addBackends(); }
    void elementsDoNotSeeTheirBatch()
    {
        forEachTrial(trials, [](const Trial& trial, const QByteArray& name) {
            const auto batch = trial.input.q.size(0);
            std::vector<uint64_t> samples{40, 50, 60};
            const auto whole = trial.attend(trial.input, samples);
            QVERIFY2(whole.equal(trial.attend(trial.input, samples)), name);
            for (int64_t b = 0; b < batch; ++b) {
                const auto alone = trial.attend(elementOf(trial.input, b), {samples[size_t(b)]});
                QVERIFY2(difference(alone, whole.narrow(0, b, 1)) < 1e-8 * sizeOf(whole), name);
            }
        });
    }

    void deterministicOnesIgnoreTheSeedAndOthersDoNot_data() { addBackends(); }
    void deterministicOnesIgnoreTheSeedAndOthersDoNot()
    {
        forEachTrial(trials, [](const Trial& trial, const QByteArray& name) {
            if (trial.input.k.size(2) < 3)
                return;  // a drawn index is often the same, and one key leaves no choice
            if (trial.backend->spec().backend() == "orthoformer"
                && trial.backend->spec().integer("samples") * 2 > trial.input.q.size(2))
                return;  // whichever comes first, (nearly) all queries are chosen in the end
            const auto run = [&](uint64_t seed) {
                SeededNoise noise(seed, 0);
                return trial.backend->attend(trial.input, noise);
            };
            const auto first = run(0);
            bool differs = false;
            for (uint64_t seed = 1; seed < 8 && !differs; ++seed)
                differs = !first.equal(run(seed));
            const std::set<std::string> patterns{"blockwise", "bigbird", "lsh",         "clustered",
                                                 "wildcat",   "hyper",   "scatterbrain"};
            if (!differs
                && (trial.backend->spec().backend() == "eva"
                    || patterns.contains(trial.backend->spec().backend())))
                return;  // where all keys lie in one window, in the sets of all queries, or in the coreset, nothing is left to draw for
            QVERIFY2(differs != trial.backend->deterministic(), name);
        });
    }

    void float32IsNearFloat64_data() { addBackends(); }
    void float32IsNearFloat64()
    {
        forEachTrial(trials, [](const Trial& trial, const QByteArray& name) {
            if (!isConvex(trial))
                return;  // small denominators, signed weights and clamps amplify rounding without bound
            const AttentionSpec& spec = trial.backend->spec();
            if (spec.backend() == "lsh" || spec.canonical().find("order=lsh") != std::string::npos)
                return;  // of two directions that are nearly as near, rounding decides
            const auto& sizes = trial.input;
            if (spec.backend() == "performer" && spec.choice("balance") == "full"
                && std::min(sizes.q.size(2), sizes.k.size(2)) <= sizes.q.size(3))
                return;  // the covariance of fewer tokens than channels is singular
            AttentionInput narrow = trial.input;
            narrow = as(narrow, at::kFloat);
            AttentionInput rounded = as(narrow, at::kDouble);
            const double error = difference(trial.attend(narrow, {}), trial.attend(rounded, {}));
            // The last keys of a coreset of low rank are nearly a sum of the others: float32 has a few digits of what is left of them.
            const bool lowRank = trial.backend->spec().backend() == "wildcat";
            QVERIFY2(error < (lowRank ? 2e-2 : 2e-4), name + QByteArray::number(error));
        });
    }

    void gradientsAreThoseOfFiniteDifferences_data() { addBackends(); }
    void gradientsAreThoseOfFiniteDifferences()
    {
        forEachTrial(trials / 2, [](const Trial& trial, const QByteArray& name) {
            AttentionInput direction = trial.input;
            for (at::Tensor* x : {&direction.q, &direction.k, &direction.v})
                *x = (x->flip({-1, -2}) * 1.7).cos();
            const auto weight = trial.attend(trial.input, {}).detach().mul(3).sin();
            const auto along = [&](double step) {
                AttentionInput in = trial.input;
                in.q = in.q + step * direction.q, in.k = in.k + step * direction.k,
                in.v = in.v + step * direction.v;
                return (trial.attend(in, {}) * weight).sum().item<double>();
            };
            AttentionInput in = trial.input;
            for (at::Tensor* x : {&in.q, &in.k, &in.v})
                *x = x->clone().set_requires_grad(true);
            (trial.attend(in, {}) * weight).sum().backward();
            double analytic = (in.v.grad() * direction.v).sum().item<double>();
            if (in.q.grad().defined())
                analytic += (in.q.grad() * direction.q).sum().item<double>();
            if (in.k.grad().defined())
                analytic += (in.k.grad() * direction.k).sum().item<double>();
            const AttentionSpec& chosen = trial.backend->spec();
            if (chosen.backend() == "tangent" && chosen.integer("rank") > 0)
                return;  // gradients take the principal directions as they are
            if (chosen.backend() == "nystrom" && chosen.flag("exact_pinv") && trial.input.q.size(3) < 3)
                return;  // softmax of one-channel tokens is nearly singular
            constexpr double h = 1e-5;
            // A difference quotient across a kink (a floor, a drawn key that changes) says nothing: two step sizes disagree there.
            const double numeric = (along(h) - along(-h)) / (2 * h),
                         finer = (along(h / 4) - along(-h / 4)) / (h / 2);
            const AttentionSpec& spec = trial.backend->spec();
            const bool inverts = spec.backend() == "nystrom"
                                 && spec.flag("exact_pinv");  // of a matrix that may be nearly singular
            const double allowed = (inverts ? 1e-3 : 1e-5) * (1 + std::abs(numeric));
            if (std::abs(numeric - finer) < allowed)
                QVERIFY2(std::abs(analytic - finer) < 3 * allowed,
                         name + QByteArray(": ") + QByteArray::number(analytic) + QByteArray(" against ")
                             + QByteArray::number(finer));
        });
    }

private:
    static constexpr unsigned trials = 200;

    static void addBackends()
    {
        columns<QString>("name");
        for (const BackendInfo& info : backends())
            row(info.name, info.name);
    }

    /// Calls `check(trial, seed)` for every trial of the row's backend that runs.
    template <typename Check>
    static void forEachTrial(unsigned count, Check check)
    {
        FETCH_TEXT(name);
        for (unsigned seed = 0; seed < count; ++seed)
            if (const auto trial = trialOf(*findBackend(name), seed))
                check(*trial, trial->name(seed));
    }
};

ATTNSCOPE_TEST(TestAttentionOptions)
#include "tst_attention_options.moc"
