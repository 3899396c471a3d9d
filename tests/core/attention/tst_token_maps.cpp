#include "tests/core/attention/attention_inputs.h"
#include "tests/support/test_class.h"

#include "core/base/error.h"

#include <cmath>
#include <limits>
#include <set>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr int64_t prefix = 2, side = 6, tokens = prefix + side * side;

/// On a grid behind prefix tokens.
AttentionInput gridInput(uint64_t seed = 1, at::ScalarType type = at::kDouble)
{
    AttentionInput in = randomInput({2, 3, tokens, tokens, 16, 8}, seed, type);
    in.tokens = {prefix, 1, side, side};
    return in;
}

std::map<std::string, at::Tensor> mapsOf(const std::string& spec, const AttentionInput& in,
                                         std::optional<int64_t> query = {})
{
    SeededNoise noise(0, 0);
    std::map<std::string, at::Tensor> maps;
    for (const TokenMap& map : make(spec, in)->tokenMaps(in, noise, query))
        maps[map.name] = map.values;
    return maps;
}

at::Tensor implied(const std::string& spec, const AttentionInput& in, int64_t query)
{
    SeededNoise noise(0, 0);
    const auto rows = at::zeros(in.q.sizes().slice(0, 3), in.q.options());
    rows.select(2, query).fill_(1);
    return make(spec, in)->impliedWeights(in, noise, rows);
}

void addSpecs()
{
    columns<QString>("spec");
    for (const BackendInfo& info : backends())
        if (!info.tokenMaps.empty())
            for (const char* prefixAttention : {"exact", "rows", "ordinary"})
                row(info.name + " " + prefixAttention,
                    info.name + ":prefix_attention=" + prefixAttention + (info.landmarks ? ",samples=9" : "")
                        + (findOption(info, "block") != nullptr ? ",block=4,keep=2" : ""));
}

}

/// What attentions chose, as numbers of tokens.
class TestTokenMaps : public QObject {
    Q_OBJECT

private slots:
    void namesAreClear()
    {
        std::map<std::string, std::string> titles;
        for (const BackendInfo& info : backends())
            for (const TokenMapInfo& map : info.tokenMaps) {
                QVERIFY(!map.name.empty() && !map.title.empty() && !map.help.empty() && !map.help.ends_with('.'));
                QVERIFY(titles.emplace(map.name, map.title).first->second == map.title);
            }
        for (const char* taken :
             {"errors", "exact", "implied", "difference", "seen", "landmarks", "mass-kept", "query-error"})
            QVERIFY2(titles.count(taken) == 0, taken);
        QCOMPARE(tokenMapInfos().size(), titles.size());
    }

    void everyListedMapIsThere_data() { addSpecs(); }
    void everyListedMapIsThere()
    {
        FETCH_TEXT(spec);
        const bool exactRows = !contains(spec, "ordinary"), apart = contains(spec, "exact");
        for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16}) {
            const AttentionInput in = gridInput(1, type);
            const auto all = mapsOf(spec, in), ofOne = mapsOf(spec, in, prefix + 8), ofClass = mapsOf(spec, in, 0);
            QVERIFY(!exactRows || ofClass.empty());
            for (const TokenMapInfo& info : findBackend(AttentionSpec::parse(spec).backend())->tokenMaps) {
                QCOMPARE(all.count(info.name), size_t(info.ofQuery ? 0 : 1));
                QCOMPARE(ofOne.count(info.name), size_t(info.ofQuery ? 1 : 0));
                const at::Tensor values = (info.ofQuery ? ofOne : all).at(info.name).to(at::kDouble);
                QCOMPARE(values.sizes(), at::IntArrayRef({2, 3, tokens}));
                const bool without = info.tokens == TokenMapInfo::Tokens::Keys ? apart : exactRows;
                if (without)
                    QVERIFY(values.slice(2, 0, prefix).isnan().all().item<bool>());
                else if (info.tokens == TokenMapInfo::Tokens::Queries)
                    QVERIFY(!values.isnan().any().item<bool>());
                QVERIFY(values.slice(2, prefix).isnan().logical_not().any(-1).all().item<bool>());
                QVERIFY(!values.isinf().any().item<bool>());
                if (info.kind == TokenMapInfo::Kind::Category)
                    QVERIFY(values.slice(2, prefix).frac().eq(0).all().item<bool>()
                            && (values.slice(2, prefix) >= 0).all().item<bool>());
            }
        }
    }

    void framesHaveTheirOwnKeys_data() { addSpecs(); }
    void framesHaveTheirOwnKeys()
    {
        FETCH_TEXT(spec);
        AttentionInput in = randomInput({1, 2, 48, 48, 16, 8}, 2);
        in.tokens = {0, 3, 4, 4};
        in.keyGroups = 3;
        for (const auto& [name, values] : mapsOf(spec, in))
            QVERIFY2(values.sizes() == at::IntArrayRef({1, 2, 48}), name.c_str());
    }

    /// With all keys in it, a coreset counts every key as often as its weight says.
    void aWholeCoresetCountsKeysOnce()
    {
        AttentionInput in = randomInput({1, 2, 12, 12, 6, 4}, 3);
        QVERIFY(difference(mapsOf("wildcat:samples=12", in).at("coreset"), at::ones({1, 2, 12})) < 1e-6);
        const auto counts = at::arange(1, 13, at::kDouble);
        in.keyLogWeights = counts.log().expand({1, 2, 12}).contiguous();
        QVERIFY(difference(mapsOf("wildcat:samples=12", in).at("coreset"), counts.expand({1, 2, 12})) < 1e-5);
        in.keyLogWeights = at::Tensor();
        in.k = in.k.slice(2, 0, 1).expand_as(in.k).contiguous();  // equal keys: one stands for all
        const auto one = mapsOf("wildcat:samples=4", in).at("coreset");
        QCOMPARE(one.isfinite().sum().item<int64_t>(), 2);
        QVERIFY(difference(one.nansum(-1), at::full({1, 2}, 12)) < 1e-6);
        // The query's weights are those of its output, were every value that of a chosen key.
        const auto weights =
            mapsOf("wildcat:samples=5", gridInput(4), prefix + 3).at("coreset-weights").nansum(-1);
        const auto share =
            implied("wildcat:samples=5,clip=false", gridInput(4), prefix + 3).slice(2, prefix).sum(-1);
        QCOMPARE_LT(difference(weights, share), 1e-5);
    }

    void blocksHaveTheWeightsOfTheirKeys_data()
    {
        rows("spec",
             {"blocks:block=4,keep=2", "blocks:block=4,keep=2,prefix_attention=ordinary",
              "blocks:block=5,keep=3,order=lsh", "blocks:block=4,keep=2,tail=none", "blocks:block=9,keep=40"});
    }
    void blocksHaveTheWeightsOfTheirKeys()
    {
        FETCH_TEXT(spec);
        AttentionInput in = gridInput(5);
        SeededNoise draws(3, 3);
        in.keyLogWeights = draws.normal("w", {2, 3, tokens}, at::TensorOptions(at::kDouble));
        const int64_t first = contains(spec, "ordinary") ? 0 : prefix, query = prefix + 17;
        const auto all = mapsOf(spec, in), own = mapsOf(spec, in, query);
        const auto weights = implied(spec, in, query), &block = all.at("block"), &kept = own.at("kept-blocks");
        const auto tail = own.count("tail-blocks") > 0 ? own.at("tail-blocks") : at::full_like(kept, std::nan(""));
        for (int64_t b = 0; b < 2; ++b)
            for (int64_t h = 0; h < 3; ++h) {
                std::map<double, double> sums, shown;
                double total = 0;
                for (int64_t m = first; m < tokens; ++m) {
                    const auto at = [&](const at::Tensor& x) { return x[b][h][m].item<double>(); };
                    sums[at(block)] += at(weights);
                    QVERIFY(std::isnan(at(kept)) || std::isnan(at(tail)));
                    const double value = !std::isnan(at(kept)) ? at(kept) : std::isnan(at(tail)) ? 0 : at(tail);
                    shown[at(block)] = value;
                    if (!std::isnan(at(tail)) && sums[at(block)] == at(weights))
                        total += at(tail);
                }
                for (const auto& [number, sum] : sums)
                    QVERIFY2(std::abs(sum - shown.at(number)) < 1e-7,
                             qPrintable(QString::number(sum - shown.at(number))));
                if (all.count("tail") > 0)
                    QVERIFY(std::abs(total - all.at("tail")[b][h][query].item<double>()) < 1e-7);
            }
    }

    /// A query at its landmark is at distance 0, and one that is twice as far is twice as far.
    void distancesAreThoseToTheLandmark()
    {
        AttentionInput in = randomInput({1, 2, 8, 20, 16, 8}, 6);
        const auto far = [&](double factor) {
            AttentionInput moved = in;
            moved.q = in.q.slice(2, 0, 1).expand_as(in.q).clone();
            moved.q.select(2, 3).add_(factor * at::ones({16}, at::kDouble));
            return mapsOf("tangent:samples=1,iterations=0", moved).at("distance");
        };
        QVERIFY(largest(far(0)) < 1e-7);
        QVERIFY(difference(far(2), 2 * far(1)) < 1e-7);
        // Landmark (7 q + (q + f)) / 8: seven eighths of f away, in units of √scale.
        QVERIFY(std::abs(far(1)[0][0][3].item<double>() - 0.875 * 4 * std::sqrt(in.scale)) < 1e-7);
        const auto own = mapsOf("tangent:samples=8,iterations=0", in);
        QVERIFY(largest(own.at("distance")) < 1e-7);
        QCOMPARE(own.at("cluster")[0][0].to(at::kLong).equal(at::arange(8)), true);
    }
};

ATTNSCOPE_TEST(TestTokenMaps)
#include "tst_token_maps.moc"
