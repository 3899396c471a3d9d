// Multiply-adds of every backend against its formula, counted by hand: of one head, where N queries of width D see M keys with values of width V,
// in G groups of m keys.
#include "attention_inputs.h"
#include "core/attention/training_free/tangent.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double H = 3, N = 60, M = 84, D = 10, V = 6, both = D + V;

struct Count {
    const char* spec;
    double one, two;  ///< of one head: one group, two groups; 0: not counted
};

/// `perHead(G, m)` for one group and for two.
template <typename PerHead>
Count grouped(const char* spec, const PerHead& perHead)
{
    return {spec, perHead(1, M), perHead(2, M / 2)};
}

/// Each group on its own: G times what one of m keys takes.
template <typename PerGroup>
Count eachGroup(const char* spec, const PerGroup& perGroup)
{
    return grouped(spec, [&](double g, double m) { return g * perGroup(m); });
}

double ceiling(double a, double b)
{
    return std::ceil(a / b);
}

/// Bipartite matching of neighbours until 20 keys are left.
double mergingPairs(double keys)
{
    double pairs = 0;
    while (keys > 20) {
        const double odd = ceiling(keys, 2);
        pairs += odd * (keys - odd);
        keys = std::max(20.0, keys - odd);
    }
    return pairs;
}

const std::vector<Count>& counts()
{
    // Landmarks that see all keys, and that all queries see.
    const auto landmarks = [](double count) {
        return [=](double g) { return count * ((N + M) * D + (M + g * N) * V); };
    };
    const auto features = [](double count) {
        return [=](double g) { return count * (N * D + M * both + g * N * (V + 1)); };
    };
    const auto lara = [](double draws, double more) {
        return [=](double g, double) { return draws * ((N + M) * D + (M + g * N) * V) + draws * 9 * D + more; };
    };
    static const std::vector<Count> table = {
        {"softmax", N * M * both, N * M * both},
        {"alibi", N * M * both, 0},
        {"alibi:causal", N * M * both * (N + 1) / (2 * N), 0},
        {"distance", N * M * both, 0},
        grouped("performer:samples=8", [&](double g, double) { return features(8)(g); }),
        grouped("performer:samples=8,features=hyperbolic", [&](double g, double) { return features(16)(g); }),
        grouped("performer:samples=8,center=keys", [&](double g, double) { return features(8)(g) + (N + M) * D; }),
        grouped("performer:samples=8,center=both,center_mean=attended",
                [&](double g, double) { return features(8)(g) + (N + M) * D + 2 * M * D; }),
        grouped("performer:samples=8,balance=diagonal",
                [&](double g, double) { return features(8)(g) + 2 * (N + M) * D; }),
        grouped("performer:samples=8,balance=full",
                [&](double g, double) { return features(8)(g) + 2 * (N + M) * D * D; }),
        grouped("performer:samples=8,oprf", [&](double g, double) { return features(8)(g) + (N + M) * D; }),
        grouped("rfa:samples=8",
                [](double g, double) { return 8 * (N * D + M * (D + 2 * V) + g * N * (2 * V + 2)); }),
        {"ra:samples=3", N * M * (D + 3 * both), N * M * (D + 3 * both)},
        {"ra:samples=3,mode=biased", N * M * (2 * D + 3 * both), N * M * (2 * D + 3 * both)},
        {"ra:samples=3,mode=mean-key", N * M * 3 * both, N * M * 3 * both},
        grouped("lara:samples=9", lara(9, 9 * N * D)),
        grouped("lara:samples=9,weights=balance", lara(9, 0)),
        grouped("lara:samples=9,weights=coupled", lara(9, 9 * N * D + 9 * 9 * N)),
        grouped("lara:samples=9,weights=coupled,copies=2", lara(18, 9 * N * D + 9 * 18 * N)),
        grouped("lara:samples=9,features=hyperbolic", lara(18, 9 * N * D)),
        {"lara:samples=9,proposal=mixed", lara(9, 9 * N * D + 2 * 81 * D)(1, M), 0},
        {"lara:samples=9,proposal=attended", lara(9, 9 * N * D + 2 * 9 * M * D)(1, M), 0},
        {"lara:samples=9,proposal=mixture", lara(9, 9 * N * D + 9 * M * D)(1, M), 0},
        grouped("nystrom:samples=8,iterations=5",
                [&](double g, double) { return landmarks(8)(g) + 64 * (D + g * V) + 4 * 5 * 512; }),
        grouped("nystrom:samples=8,exact_pinv",
                [&](double g, double) { return landmarks(8)(g) + 64 * (D + g * V); }),
        grouped("orthoformer:samples=8", [&](double g, double) { return landmarks(8)(g) + 8 * N * D; }),
        eachGroup("linformer:samples=8", [](double) { return 8 * N * both; }),
        eachGroup("linformer:samples=50", [](double m) { return std::min(50.0, m) * N * both; }),
        grouped("elu", [](double g, double) { return D * (M * V + g * N * (V + 1)); }),
        eachGroup("pooled-sra:samples=9", [](double) { return N * 9 * both; }),
        eachGroup("pooled-sra:ratio=2", [](double m) { return N * ceiling(m, 4) * both; }),
        eachGroup("local:window=3,margin=1", [](double) { return N * 25 * both; }),
        eachGroup("local:window=7", [](double m) { return N * std::min(49.0, m) * both; }),
        eachGroup("eva:window=3,samples=4", [](double m) { return (N * 9 + m + N * 4) * both; }),
        grouped("topk:samples=8", [](double g, double) { return N * (M * D + g * 8 * V); }),
        eachGroup("clustered:samples=9,iterations=2,topk=4",
                  [](double m) { return 3 * N * 9 * D + (9 * m + N * 4) * both; }),
        eachGroup("lsh:samples=2,buckets=4",
                  [](double m) { return N * m * (1 - 0.75 * 0.75) * both + 2 * D * 2 * (N + m); }),
        grouped("tangent:samples=9,iterations=2,order=0",
                [](double g, double) { return 3 * g * N * 9 * D + 9 * M * both; }),
        grouped("tangent:samples=9,iterations=2",
                [](double g, double) { return 3 * g * N * 9 * D + 9 * M * both + 9 * M * D * V + g * N * D * V; }),
        grouped("tangent:samples=9,iterations=2,rank=10",
                [](double g, double) { return 3 * g * N * 9 * D + 9 * M * both + 9 * M * D * V + g * N * D * V; }),
        grouped("tangent:samples=9,iterations=2,rank=4",
                [](double g, double) {
                    return 3 * g * N * 9 * D + 9 * M * both + 9 * M * 4 * V + g * N * 4 * V + g * N * D * (D + 4)
                           + M * D * 4;
                }),
        eachGroup("wildcat:samples=12,bins=3", [](double m) { return m * 4 * (D + 4 + V) + N * 12 * both; }),
        eachGroup("monarch:block=7,steps=2",
                  [](double m) {
                      return 2 * (2 * m * 7 * D + N * m / 7 * D) + N * m / 7 * D + m * 7 * V + N * m / 7 * V;
                  }),
        {"monarch", 2 * M * 10 * D + N * 9 * D + M * 10 * V + N * 9 * V, 0},  // ⌈√84⌉ = 10
        eachGroup("blocks:block=8,keep=2",
                  [](double m) {
                      return m * both + ceiling(m, 8) * ceiling(m, 8) * D + N * (16 + ceiling(m, 8) - 2) * both;
                  }),
        eachGroup("blocks:block=8,keep=2,tail=none",
                  [](double m) { return m * both + ceiling(m, 8) * ceiling(m, 8) * D + N * 16 * both; }),
        eachGroup("merge:samples=20", [](double m) { return mergingPairs(m) * D + N * 20 * both; }),
        eachGroup("thin:rounds=2,bucket=14",
                  [](double m) { return (m * 14 + m / 2 * std::min(28.0, m / 2) + N * std::ceil(m / 4)) * both; }),
        eachGroup("hyper:block=16,samples=8,order=segments", [](double) { return N * (16 + 8) * both; }),
        eachGroup("hyper:block=16,samples=8,bits=5",
                  [](double m) { return N * (16 + 8) * both + (N + m) * 5 * D; }),
        eachGroup("hyper:block=42,samples=8,order=segments",
                  [](double m) { return N * (42 + (m > 42 ? 8 : 0)) * both; }),
        eachGroup("scatterbrain:block=16,samples=8",
                  [](double m) { return N * 16 * both + 8 * ((N + m) * both + 2 * ceiling(m, 16) * V); }),
        eachGroup("scatterbrain:block=42,samples=8",
                  [](double m) { return N * 42 * both + (m > 42 ? 8 * ((N + m) * both + 2 * 2 * V) : 0); }),
        grouped("sample:samples=8", [](double g, double) { return g * N * 8 * both + M; }),
        grouped("sample:samples=8,sampling=leverage",
                [](double g, double) { return g * N * 8 * both + 2 * M * D * D; }),
    };
    return table;
}

}

class MultiplyAdds : public QObject {
    Q_OBJECT

private slots:
    void areThoseOfTheFormula_data();
    void areThoseOfTheFormula();
    void pairsOfPatternsAreCounted();
    void rowsOfAPrefixCome();
    void everyBackendIsHere();
};

void MultiplyAdds::areThoseOfTheFormula_data()
{
    columns<QString, int, double>("spec", "groups", "expected");
    for (const auto& [spec, one, two] : counts()) {
        addRow("%s", spec) << spec << 1 << one;
        if (two > 0)
            addRow("%s, two groups", spec) << spec << 2 << two;
    }
}

void MultiplyAdds::areThoseOfTheFormula()
{
    FETCH_TEXT(spec);
    QFETCH(int, groups);
    QFETCH(double, expected);
    const auto backend = makeBackend(AttentionSpec::parse(spec), {3, 10, {}, {}});
    QCOMPARE(backend->multiplyAdds(
                 {.heads = 3, .queries = 60, .keys = 84, .width = 10, .valueDim = 6, .keyGroups = groups}),
             H * expected);
}

/// Small enough to be counted with a pencil: 3 rows of 4 tokens, or 12 on a line.
void MultiplyAdds::pairsOfPatternsAreCounted()
{
    const std::pair<const char*, double> patterns[] = {
        {"longformer:radius=1,places=line", 3 * 12 - 2},
        {"longformer:radius=2,places=line", 5 * 12 - 6},
        {"blockwise:blocks=3", 12 * 4},
        {"strided", 12 * (3 + 4 - 1)},
        {"bigbird:block=2,radius=0,random=0,places=line", 12 * 4},
        {"span:span=1,ramp=0.5,places=line", 3 * 12 - 2},
    };
    const auto pairsOf = [](const std::string& spec) {
        const auto backend = makeBackend(AttentionSpec::parse(spec),
                                         {3, 10, {.prefix = 0, .frames = 1, .rows = 3, .columns = 4}, {}});
        return backend->multiplyAdds({.heads = 3, .queries = 12, .keys = 12, .width = 10, .valueDim = 6})
               / (H * both);
    };
    for (const auto& [spec, pairs] : patterns)
        QVERIFY2(std::abs(pairsOf(spec) - pairs) < 1e-9,
                 qPrintable(QString("%1: %2").arg(spec).arg(pairsOf(spec))));
    // Four summaries see each other and all tokens, or their own.
    const double means = pairsOf("etc:samples=4,radius=1");
    QCOMPARE(pairsOf("etc:samples=4,radius=1,values=attended") - means, 4.0 * (4 + 12));
    QCOMPARE(pairsOf("etc:samples=4,radius=1,values=attended,segments=own") - means, 4.0 * 4 + 12);
}

/// The class token's row, and with `exact` its column, too, are exact; the normaliser of the rest is then tangent's.
void MultiplyAdds::rowsOfAPrefixCome()
{
    const TokenLayout tokens{.prefix = 1, .frames = 1, .rows = 1, .columns = 59};
    const auto count = [&](const char* spec, int64_t keys) {
        return makeBackend(AttentionSpec::parse(spec), {3, 10, tokens, {}})
                   ->multiplyAdds({.heads = 3, .queries = 60, .keys = keys, .width = 10, .valueDim = 6})
               / H;
    };
    QCOMPARE(count("linformer:samples=8,prefix_attention=rows", 84), (8 * 60 + 84) * both);
    const double tangents = double(tangentNormaliserLandmarks) * (2 * 59 + 59) * D;
    QCOMPARE(count("linformer:samples=8,prefix_attention=exact", 60), (8 * 59 + 60 + 59) * both + tangents);
    QCOMPARE(count("performer:samples=8,prefix_attention=exact", 60),
             8 * (59 * D + 59 * both + 59 * (V + 1)) + (60 + 59) * both);
}

void MultiplyAdds::everyBackendIsHere()
{
    std::set<std::string> counted{"longformer", "blockwise", "strided",
                                  "bigbird",    "span",      "etc",  // above, by pairs
                                  "sra"};                            // tst_pvt
    for (const Count& count : counts())
        counted.insert(AttentionSpec::parse(count.spec).backend());
    for (const BackendInfo& info : backends())
        QVERIFY2(counted.contains(info.name), info.name.c_str());
}

ATTNSCOPE_TEST(MultiplyAdds)
#include "tst_multiply_adds.moc"
