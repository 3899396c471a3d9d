#include "core/checkpoint/state_dict.h"
#include "models/pvt/pvt_names.h"
#include "tests/support/test_class.h"

#include <set>

using namespace attnscope;

class TestPvtNames : public QObject {
    Q_OBJECT

private slots:
    void everyTimmNameHasItsOriginal_data()
    {
        columns<QString>("name");
        row("sra", "pvtv2_sra_tiny_cfg");
        row("linear sra", "pvtv2_linear_tiny_cfg");
    }

    void everyTimmNameHasItsOriginal()
    {
        FETCH_TEXT(name);
        const std::string path = TEST_DATA_DIR "/models/" + name + ".weights.";
        std::set<std::string> expected, mapped;
        for (const auto& [original, tensor] : readCheckpoint(path + "official.safetensors").tensors) {
            expected.insert(original);
            QCOMPARE(pvtOriginalName(original), original);
        }
        for (const auto& [timm, tensor] : readCheckpoint(path + "timm.safetensors").tensors)
            mapped.insert(pvtOriginalName(timm));
        QCOMPARE(mapped.size(), expected.size());
        QVERIFY(mapped == expected);
    }

    void stageNormIsNotTheNormOfABlock()
    {
        QCOMPARE(pvtOriginalName("stages.0.norm.weight"), "norm1.weight");
        QCOMPARE(pvtOriginalName("stages.0.blocks.0.norm1.weight"), "block1.0.norm1.weight");
        QCOMPARE(pvtOriginalName("stages.2.blocks.26.attn.norm.bias"), "block3.26.attn.norm.bias");
        QCOMPARE(pvtOriginalName("stages.3.downsample.norm.bias"), "patch_embed4.norm.bias");
        QCOMPARE(pvtOriginalName("patch_embed.norm.bias"), "patch_embed1.norm.bias");
    }

    void whatTimmDoesNotUseStaysAsItIs_data()
    {
        columns<QString>("name");
        for (const char* name :
             {"", "head.weight", "norm1.weight", "stages", "stages.", "stages.x.norm.weight",
              "stages.-1.norm.weight", "stages.99999999999999999999.norm.weight", "stages.0", "stages.0.",
              "stages.0.other.weight", "stages.0.blocks.", "stages.0.blocks.1", "stages.0.blocks.x.norm1.weight",
              "my.stages.0.norm.weight", "patch_embed1.proj.weight", "block1.0.mlp.dwconv.dwconv.weight"})
            addRow("%s", *name == '\0' ? "empty" : name) << name;
    }

    void whatTimmDoesNotUseStaysAsItIs()
    {
        FETCH_TEXT(name);
        QCOMPARE(pvtOriginalName(name), name);
    }
};

ATTNSCOPE_TEST(TestPvtNames)
#include "tst_pvt_names.moc"
