// Inputs that no network makes, but files do: every attention answers with numbers, or refuses in a sentence.
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include "core/base/error.h"

#include <functional>
#include <limits>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::test;

namespace {

struct Hostile {
    const char* name;
    int64_t queries, keys;
    std::function<void(AttentionInput&)> spoil;
};

at::Tensor firstOfAll(const at::Tensor& x)
{
    return x.slice(2, 0, 1).expand_as(x).contiguous();
}

const std::vector<Hostile>& hostileInputs()
{
    static const std::vector<Hostile> all{
        {"equal keys", 36, 36, [](AttentionInput& in) { in.k = firstOfAll(in.k); }},
        {"equal queries", 36, 36, [](AttentionInput& in) { in.q = firstOfAll(in.q); }},
        {"all alike", 36, 36,
         [](AttentionInput& in) { in.q = firstOfAll(in.q), in.k = in.q.clone(), in.v = firstOfAll(in.v); }},
        {"zero keys", 36, 36, [](AttentionInput& in) { in.k = at::zeros_like(in.k); }},
        {"zero queries", 36, 36, [](AttentionInput& in) { in.q = at::zeros_like(in.q); }},
        {"zero everything", 36, 36,
         [](AttentionInput& in) {
             in.q = at::zeros_like(in.q), in.k = in.q.clone(), in.v = at::zeros_like(in.v);
         }},
        {"constant values", 36, 36, [](AttentionInput& in) { in.v = at::full_like(in.v, 3); }},
        {"huge keys", 36, 36, [](AttentionInput& in) { in.k = in.k * 1e4; }},
        {"huge queries", 36, 36, [](AttentionInput& in) { in.q = in.q * 1e4; }},
        {"huge both", 36, 36, [](AttentionInput& in) { in.q = in.q * 1e4, in.k = in.k * 1e4; }},
        {"one huge key", 36, 36, [](AttentionInput& in) { in.k = in.k.clone(), in.k.select(2, 7).mul_(1e4); }},
        {"tiny both", 36, 36, [](AttentionInput& in) { in.q = in.q * 1e-20, in.k = in.k * 1e-20; }},
        {"offset keys", 36, 36, [](AttentionInput& in) { in.k = in.k + 100; }},
        {"two kinds of keys", 36, 36,
         [](AttentionInput& in) {
             in.k = in.k.clone(), in.k.slice(2, 1, 20).copy_(firstOfAll(in.k).slice(2, 1, 20));
         }},
        {"one dimension of keys", 36, 36,
         [](AttentionInput& in) { in.k = in.k.clone(), in.k.slice(3, 1).zero_(); }},
        {"one token", 1, 1, [](AttentionInput&) {}},
        {"two tokens", 2, 2, [](AttentionInput&) {}},
        {"two equal tokens", 2, 2, [](AttentionInput& in) { in.q = firstOfAll(in.q), in.k = firstOfAll(in.k); }},
        {"one key", 9, 1, [](AttentionInput&) {}},
        {"one query", 1, 9, [](AttentionInput&) {}},
        {"weights from −1e4 to 1e4", 36, 36,
         [](AttentionInput& in) {
             in.keyLogWeights = at::linspace(-1e4, 1e4, 36).to(in.q.scalar_type()).expand({1, 2, 36}).contiguous();
         }},
        {"one key left", 36, 36, [](AttentionInput& in) {
             in.keyLogWeights = at::full({1, 2, 36}, -std::numeric_limits<double>::infinity(), in.q.options());
             in.keyLogWeights.select(2, 5).zero_();
         }}};
    return all;
}

void addSpecs()
{
    columns<QString>("spec");
    for (const BackendInfo& info : backends()) {
        const QString own = QString::fromStdString(info.landmarks ? info.name + ":samples=4" : info.name);
        row(info.name, own);
        if (findOption(info, "kernel") != nullptr)
            row(info.name + ", plain", own + (info.landmarks ? "," : ":") + "kernel=plain");
    }
    for (const char* spec : {"performer:center=both,balance=diagonal,oprf=true",
                             "performer:center=both,balance=full,oprf=true",
                             "performer:balance=full,center_mean=attended,center=both",
                             "performer:directions=simplex",
                             "performer:features=hyperbolic",
                             "performer:prefix_attention=exact,logz=tangent",
                             "rfa:center=both",
                             "rfa:norm=unit",
                             "lara:samples=4,stretch=2",
                             "lara:samples=4,proposal=attended,noise=unit",
                             "lara:samples=4,proposal=mixture,weights=balance",
                             "lara:samples=4,noise=unit,directions=orthogonal",
                             "lara:samples=4,weights=coupled,beta=2",
                             "ra:mode=biased",
                             "ra:mode=mean-key",
                             "ra:features=hyperbolic",
                             "nystrom:samples=4,prefix_attention=exact,logz=tangent",
                             "tangent:samples=4,rank=3",
                             "tangent:samples=1",
                             "tangent:samples=4,clip=false",
                             "wildcat:samples=36",
                             "wildcat:samples=36,kernel=plain",
                             "wildcat:pivots=greedy",
                             "wildcat:temperature=lambert",
                             "wildcat:samples=36,bins=6",
                             "wildcat:samples=36,clip=false",
                             "monarch:steps=3",
                             "blocks:order=lsh",
                             "blocks:tail=none,coverage=0.5",
                             "hyper:order=lsh",
                             "hyper:sampling=value",
                             "scatterbrain:center=both",
                             "sample:sampling=leverage",
                             "thin:rounds=3",
                             "merge:samples=1"})
        row(spec, spec);
}

}

class TestHostileInputs : public QObject {
    Q_OBJECT

private slots:
    void shapesThatDoNotFitAreRefused()
    {
        const AttentionInput sound = randomInput({2, 3, 6, 6, 8, 5}, 1);
        at::Tensor AttentionInput::*const parts[] = {&AttentionInput::q, &AttentionInput::k, &AttentionInput::v};
        for (const auto part : parts)
            for (int64_t dimension = 0; dimension < 4; ++dimension) {
                AttentionInput in = sound;
                in.*part = (in.*part).slice(dimension, 1);
                const bool fits = (part == &AttentionInput::q && dimension == 2)
                                  || (part == &AttentionInput::v && dimension == 3);
                try {
                    attend("softmax", in);
                    QVERIFY(fits);
                } catch (const UsageError& error) {
                    QVERIFY2(!fits && QString(error.what()).contains("do not fit each other"), error.what());
                }
            }
    }
    void everyAnswerIsANumber_data() { addSpecs(); }
    void everyAnswerIsANumber()
    {
        QFETCH(const QString, spec);
        const std::string text = spec.toStdString();
        const BackendInfo& info = *findBackend(AttentionSpec::parse(text).backend());
        for (const Hostile& hostile : hostileInputs())
            for (const auto type : {at::kFloat, at::kBFloat16}) {
                AttentionInput in = randomInput({1, 2, hostile.queries, hostile.keys, 8, 6}, 17, type);
                hostile.spoil(in);
                if (info.ownKeysOnly && hostile.queries != hostile.keys)
                    continue;
                const auto where = u"%1, %2, %3"_s.arg(spec, QString::fromUtf8(hostile.name),
                                                       QString::fromLatin1(at::toString(type)));
                SeededNoise noise(2, 1);
                try {
                    const auto backend = make(text, in);
                    const auto out = backend->attend(in, noise);
                    QVERIFY2(isFinite(out), qPrintable(where));
                    if (backend->hasNormaliser()) {
                        const AttentionPart part = backend->attendPart(in, noise);
                        QVERIFY2(isFinite(part.out), qPrintable(where + ", part"));
                        QVERIFY2(isFinite(part.logNormaliser), qPrintable(where + ", normaliser"));
                    }
                    for (const TokenMap& map : backend->tokenMaps(in, noise))
                        QVERIFY2(!map.values.isinf().any().item<bool>(),
                                 qPrintable(where + ", map " + QString::fromStdString(map.name)));
                    if (QByteArrayView(hostile.name) == "constant values"
                        && info.kind == AttentionKind::Approximation && info.normaliser)
                        QVERIFY2(difference(out, at::full_like(out, 3)) < 0.05, qPrintable(where));
                } catch (const UsageError& error) {
                    const QString said = QString::fromUtf8(error.what());
                    QVERIFY2(in.keyLogWeights.defined() || hostile.queries < 4 || hostile.keys < 4,
                             qPrintable(where + ": " + said));
                }
            }
    }

    void weightsThatAreNotNumbersAreRefused()
    {
        for (const double wrong :
             {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            AttentionInput in = randomInput({1, 2, 9, 9, 8, 8}, 3);
            in.keyLogWeights = at::zeros({1, 2, 9}, at::kDouble);
            in.keyLogWeights[0][1][4] = wrong;
            for (const char* spec : {"softmax", "performer", "wildcat", "tangent:samples=4", "lara:samples=4"})
                THROWS(UsageError, attend(spec, in));
        }
    }
};

ATTNSCOPE_TEST(TestHostileInputs)
#include "tst_hostile_inputs.moc"
