#include "core/run/classifier.h"
#include "models/open_model.h"
#include "models/vit/vit_models.h"
#include "models/vit/vit_weights.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace attnscope;

namespace {

/// Equal to the printed digit.
void comparePrinted(double macs, const char* gigamacs)
{
    QCOMPARE(QString::number(macs / 1e9, 'f', 3), QString(gigamacs));
}

VitDescription evit(std::int64_t width, std::int64_t heads, std::int64_t patch)
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
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<QByteArray>("gigamacs");
        const auto row = [](const char* name, qint64 parameters, const char* macs) {
            QTest::newRow(name) << parameters << QByteArray(macs);
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
    }

    void parametersAndMultiplyAddsAreThePublishedOnes()
    {
        QFETCH(const qint64, parameters);
        QFETCH(const QByteArray, gigamacs);
        for (const CatalogueEntry& entry : catalogue()) {
            if (entry.name != QTest::currentDataTag())
                continue;
            QCOMPARE(entry.parameters, parameters);
            comparePrinted(entry.macs, gigamacs.constData());
            return;
        }
        QFAIL("the catalogue has no such model");
    }

    void attentionChangesMultiplyAddsAsMeasured_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("patch");
        QTest::addColumn<QByteArray>("lara");
        QTest::addColumn<QByteArray>("ra");
        QTest::addColumn<QByteArray>("performer");
        QTest::newRow("tiny, patch 16")
            << 192 << 16 << QByteArray("1.211") << QByteArray("1.335") << QByteArray("1.186");
        QTest::newRow("small, patch 16")
            << 384 << 16 << QByteArray("4.503") << QByteArray("4.751") << QByteArray("4.452");
        QTest::newRow("base, patch 16")
            << 768 << 16 << QByteArray("17.330") << QByteArray("17.826") << QByteArray("17.228");
        QTest::newRow("tiny, patch 8") << 192 << 8 << QByteArray("4.664") << QByteArray("8.439")
                                       << QByteArray("4.655");
        QTest::newRow("small, patch 8")
            << 384 << 8 << QByteArray("17.653") << QByteArray("25.202") << QByteArray("17.634");
    }

    void attentionChangesMultiplyAddsAsMeasured()
    {
        QFETCH(const int, width);
        QFETCH(const int, patch);
        QFETCH(const QByteArray, lara);
        QFETCH(const QByteArray, ra);
        QFETCH(const QByteArray, performer);
        const VitDescription d = evit(width, width / 64, patch);
        comparePrinted(multiplyAdds(d, "lara:samples=49,proposal=mixed", true), lara.constData());
        comparePrinted(multiplyAdds(d, "ra", false), ra.constData());
        comparePrinted(multiplyAdds(d, "performer:samples=64", false), performer.constData());
    }

    void countedParametersEqualTheTensors()
    {
        for (const NamedVit& model : namedVits()) {
            if (model.description.width > 192)
                continue;  // the same code at another width; a gigabyte of random numbers proves no more
            std::int64_t elements = 0;
            VitWeights weights = randomVitWeights(model.description, 0);
            visitWeights(weights, model.description,
                         [&](const std::string&, const std::vector<std::int64_t>&, at::Tensor& x) {
                             elements += x.defined() ? x.numel() : 0;
                         });
            QCOMPARE(model.description.parameters(), elements);
        }
        VitDescription lara = evit(192, 3, 16);
        lara.landmarkMaps = true;
        QCOMPARE(lara.parameters(), std::int64_t{5'819'944});
    }
};

ATTNSCOPE_TEST(TestCatalogue)
#include "tst_catalogue.moc"
