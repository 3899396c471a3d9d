#include "core/run/classifier.h"
#include "models/open_model.h"
#include "models/vit/vit_models.h"
#include "models/vit/vit_weights.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;

namespace {

/// Equal to the printed digit.
void comparePrinted(double macs, const QString& gigamacs)
{
    QCOMPARE(QString::number(macs / 1e9, 'f', int(gigamacs.size() - gigamacs.indexOf('.')) - 1), gigamacs);
}

VitDescription evit(int64_t width, int64_t heads, int64_t patch)
{
    VitDescription d;
    d.name = "evit";
    d.family = VitFamily::Evit;
    d.classToken = false;
    d.pool = VitPool::Average;
    d.width = width;
    d.heads = heads;
    d.patchSize = patch;
    return d;
}

double multiplyAdds(const VitDescription& d, const std::string& spec, bool maps)
{
    BackendContext context{
        .heads = d.heads, .width = d.headDim(), .tokens = {0, 1, d.rows(), d.columns()}, .parameters = {}};
    if (maps) {
        for (const std::string name : {"q_bar_gen", "k_bar_gen"}) {
            context.parameters[name + ".2.weight"] = at::zeros({d.headDim(), d.headDim()});
            for (const char* rest : {".2.bias", ".3.weight", ".3.bias"})
                context.parameters[name + rest] = at::zeros({d.headDim()});
        }
    }
    const auto backend = makeBackend(AttentionSpec::parse(spec), context);
    const AttentionShape shape{d.heads, d.tokens(), d.tokens(), d.headDim(), d.headDim()};
    return d.linearMultiplyAdds(d.tokens()) + double(d.depth) * backend->multiplyAdds(shape);
}

}

/// Parameters and multiply-adds against the measured tables of the published code.
class TestCatalogue : public QObject {
    Q_OBJECT

private slots:
    void parametersAndMultiplyAddsAreThePublishedOnes_data()
    {
        columns<qint64, QString>("parameters", "gigamacs");
        const auto row = [](const char* name, qint64 parameters, const char* macs) {
            attnscope::row(name, parameters, macs);
        };
        row("deit_tiny_patch16_224", 5'717'416, "1.254");
        row("deit_small_patch16_224", 22'050'664, "4.599");
        row("deit_base_patch16_224", 86'567'656, "17.564");
        row("deit_tiny_distilled_patch16_224", 5'910'800, "1.261");
        row("deit_small_distilled_patch16_224", 22'436'432, "4.624");
        row("deit_base_distilled_patch16_224", 87'338'192, "17.657");
        row("deit_base_patch16_384", 86'859'496, "55.484");
        row("deit_base_distilled_patch16_384", 87'630'032, "55.591");
        row("evit_tiny_p16", 5'717'032, "1.247");
        row("evit_small_p16", 22'049'896, "4.574");
        row("evit_tiny_p8", 5'719'336, "7.023");
        row("evit_small_p8", 22'054'504, "22.370");
        row("pvt_v2_b0", 3'666'760, "0.566");
        row("pvt_v2_b1", 14'009'000, "2.108");
        row("pvt_v2_b2", 25'362'856, "4.027");
        row("pvt_v2_b2_li", 22'553'512, "3.889");
        row("pvt_v2_b3", 45'238'696, "6.897");
        row("pvt_v2_b4", 62'556'072, "10.101");
        row("pvt_v2_b5", 81'956'008, "11.717");
        row("pvt_v2_b1_lara", 12'635'816, "2.314");
        row("pvt_v2_b2_lara", 22'462'568, "4.459");
        row("pvt_v2_b3_lara", 39'892'328, "7.709");
        row("pvt_v2_b4_lara", 54'459'176, "11.311");
        row("pvt_v2_b5_lara", 71'667'176, "13.281");
        row("pvt_v2_b1_performer", 12'138'152, "2.48");
        row("pvt_v2_b2_performer", 21'062'376, "4.75");
        row("pvt_v2_b3_performer", 36'011'496, "8.05");
        row("pvt_v2_b4_performer", 48'583'720, "11.79");
        row("pvt_v2_b5_performer", 63'171'432, "13.78");
        row("pvt_v2_b1_softmax", 12'138'152, "4.986");
        row("pvt_v2_b2_softmax", 21'062'376, "8.587");
        row("pvt_v2_b3_softmax", 36'011'496, "11.800");
        row("pvt_v2_b4_softmax", 48'583'720, "15.895");
        row("pvt_v2_b5_softmax", 63'171'432, "17.564");
        row("motionformer_224_16x4", 109'144'720, "204.2");
        row("motionformer_336_16x8", 109'144'720, "586.7");
        row("motionformer_224_32x3", 109'150'864, "501.9");
        row("joint_224_16x4", 87'883'408, "180.5");
        row("divided_224_16x4", 116'250'256, "185.5");
    }

    void parametersAndMultiplyAddsAreThePublishedOnes()
    {
        QFETCH(const qint64, parameters);
        QFETCH(const QString, gigamacs);
        for (const CatalogueEntry& entry : catalogue()) {
            if (entry.name != currentDataTag())
                continue;
            QCOMPARE(entry.parameters, parameters);
            comparePrinted(entry.macs, gigamacs);
            return;
        }
        QFAIL("the catalogue has no such model");
    }

    void attentionChangesMultiplyAddsAsMeasured_data()
    {
        columns<int, int, QString, QString, QString>("width", "patch", "lara", "ra", "performer");
        row("tiny, patch 16", 192, 16, "1.211", "1.335", "1.186");
        row("small, patch 16", 384, 16, "4.503", "4.751", "4.452");
        row("base, patch 16", 768, 16, "17.330", "17.826", "17.228");
        row("tiny, patch 8", 192, 8, "4.664", "8.439", "4.655");
        row("small, patch 8", 384, 8, "17.653", "25.202", "17.634");
    }

    void attentionChangesMultiplyAddsAsMeasured()
    {
        QFETCH(const int, width);
        QFETCH(const int, patch);
        QFETCH(const QString, lara);
        QFETCH(const QString, ra);
        QFETCH(const QString, performer);
        const VitDescription d = evit(width, width / 64, patch);
        comparePrinted(multiplyAdds(d, "lara:samples=49,proposal=mixed", true), lara);
        comparePrinted(multiplyAdds(d, "ra", false), ra);
        comparePrinted(multiplyAdds(d, "performer:samples=64", false), performer);
    }

    void countedParametersEqualTheTensors()
    {
        for (const NamedVit& model : namedVits()) {
            if (model.description.width > 192)
                continue;  // the same code at another width; a gigabyte of random numbers proves no more
            int64_t elements = 0;
            VitWeights weights = randomVitWeights(model.description, 0);
            visitWeights(weights, model.description,
                         [&](const std::string&, const std::vector<int64_t>&, at::Tensor& x) {
                             elements += x.defined() ? x.numel() : 0;
                         });
            QCOMPARE(model.description.parameters(), elements);
        }
        VitDescription lara = evit(192, 3, 16);
        lara.landmarkMaps = true;
        QCOMPARE(lara.parameters(), 5'819'944);
    }
};

ATTNSCOPE_TEST(TestCatalogue)
#include "tst_catalogue.moc"
