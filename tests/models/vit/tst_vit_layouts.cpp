// Published layouts of keys and timm's names, opened as a user opens them: by their tensors and the config.json next to them.
#include "core/base/error.h"
#include "models/vit/formats/plain_vits.h"
#include "models/vit/formats/recognise_plain_vit.h"
#include "models/vit/formats/timm_storage.h"
#include "models/weights/described_checkpoint.h"
#include "tests/models/vit/timm_tensors.h"
#include "tests/models/vit/vit_cases.h"
#include "tests/support/folder.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <ATen/Parallel.h>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double likeTimm = 1e-5;

at::Tensor imagesOf(const std::vector<int64_t>& shape)
{
    return at::randn({1, shape[0], shape[1], shape[2]}, at::make_generator<at::CPUGeneratorImpl>(3));
}

at::Tensor outputOf(const Classifier& network, const at::Tensor& images)
{
    return network.logits(images, network.prepare(AttentionSpec::native(), 0));
}

}

class TestVitLayouts : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { at::set_num_threads(1); }  // tiny tensors
    void layoutsGiveTimmsFeatures_data()
    {
        columns<QString, QString>("name", "layout");
        for (const auto& file : fs::directory_iterator(vitFolder)) {
            const std::string name = file.path().stem().string();
            if (file.path().extension() != ".json"
                || (!name.starts_with("s1") && !name.starts_with("s2") && !name.starts_with("s3")))
                continue;
            const Json golden = vitCase(name);
            for (const auto& [layout, weights] : golden.at("weights_files").items())
                row(name + " " + layout, name, layout);
        }
    }

    /// The same network from the keys of each code, with the config.json of that code where it has one; what neither tells is given.
    void layoutsGiveTimmsFeatures()
    {
        FETCH_TEXT(name);
        FETCH_TEXT(layout);
        const c10::InferenceMode guard;
        const Json golden = vitCase(name), expected = golden.at("config");
        const std::string file = golden.at("weights_files").at(layout).get<std::string>();
        const Folder folder;
        const fs::path place = folder.path();
        fs::create_symlink(fs::absolute(vitFolder + file), place / "model.safetensors");
        const Json config = layout == "timm"
                                ? golden.at("hf_config")
                                : golden.value("library_configs", Json::object()).value(layout, Json());
        if (config.is_object())
            std::ofstream(place / "config.json") << config;
        ModelRequest request{.weights = place.string()};
        if (const auto identity = recognisePlainVit(readCheckpoint(vitFolder + file), {config, nullptr});
            identity && identity->family == "vit")
            for (const std::string& key : identity->undecided)
                request.given.push_back(key + "=" + expected.value(key, vitDefaults().at(key)).dump());
        else
            request.heads = config.is_object() ? 0 : expected.at("num_heads").get<int64_t>();

        const auto network = describeCheckpoint(request).load({});
        const auto timm = openVit(name);
        const at::Tensor images = imagesOf(timm->describe().input);
        const at::Tensor found = outputOf(*network, images), wanted = outputOf(*timm, images);
        if (found.sizes() != wanted.sizes()) {
            QVERIFY(layout == "transformers_dinov3");  // the library's class has no head
            return;
        }
        QCOMPARE_LT(difference(found, wanted), likeTimm);
    }

    void namesRunAtTheirOwnAndAtOtherSizes_data()
    {
        columns<QString>("name");
        for (const PlainVit& vit : plainVits())
            if (vit.runs())
                row(vit.name, vit.name);
    }

    /// Two blocks of each of timm's names, of zeros; the widest ones, and long sequences, at a small size alone.
    void namesRunAtTheirOwnAndAtOtherSizes()
    {
        FETCH_TEXT(name);
        const c10::InferenceMode guard;
        const PlainVit& vit = *findPlainVit(name);
        const StateDict state = stateOf(timmStorage(vit, canonicalTensors(reducedDescription(vit, 2))));
        auto identity = recognisePlainVit(state, {{{"architecture", name}}, nullptr});
        QVERIFY(identity);
        const auto description = parseDescription(identity->config, name);
        const auto opened = [&] {
            WeightLoader loader(identity->tensors, {});
            return description->load(loader, {});
        };
        const auto runs = [](const Classifier& network, const std::vector<int64_t>& shape) {
            network.checkInput(shape);
            const at::Tensor output = outputOf(network, imagesOf(shape));
            return output.dim() == 2 && output.size(0) == 1 && isFinite(output);
        };
        const auto own = opened();
        QCOMPARE(own->describe().load.resized.size(), 0);
        const bool affordable = double(own->describe().tokens) * double(vit.width) * double(vit.width) < 5e8;
        if (affordable)
            QVERIFY(runs(*own, own->describe().input));
        const InputSize other{3 * vit.patch, 2 * vit.patch};
        if (identity->config.contains("rel_pos") && identity->config["rel_pos"].value("type", "") == "table") {
            THROWS(UsageError, description->setImageSize(other));
            return;
        }
        description->setImageSize(other);
        const auto small = opened();
        QCOMPARE(small->describe().input, (std::vector<int64_t>{3, other.height, other.width}));
        QVERIFY(runs(*small, small->describe().input));
    }
};

ATTNSCOPE_TEST(TestVitLayouts)
#include "tst_vit_layouts.moc"
