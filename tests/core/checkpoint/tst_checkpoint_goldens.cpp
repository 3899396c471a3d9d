#include "checkpoint_files.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

/// Files whose contents are sound, but do not fit the model: refused by whoever loads them into one.
bool concernsTheModel(const QString& name)
{
    return name == "missing_key.pth" || name == "wrong_shape.pth";
}

}

class TestCheckpointGoldens : public QObject {
    Q_OBJECT
private slots:
    void everyFileDoesAsExpected_data()
    {
        columns<QString, QString, double>("name", "expect", "tolerance");
        const Json expected = Json::parse(fileBytes(golden("expected.json")));
        for (const auto& [name, entry] : expected.at("files").items())
            row(name, name, entry.at("expect").get<std::string>(),
                (name == "half.safetensors"       ? 0x1p-11
                 : name == "bfloat16.safetensors" ? 0x1p-8
                                                  : 0.0));
    }

    /// Half the distance of neighbours of the stored type, relative; exact where nothing was rounded.
    void everyFileDoesAsExpected()
    {
        QFETCH(QString, name);
        FETCH_TEXT(expect);
        QFETCH(double, tolerance);
        const QString said = refusal(golden(name.toStdString()));
        if (expect == "refuse" && !concernsTheModel(name)) {
            QVERIFY2(!said.isEmpty() && said.endsWith('.'), qPrintable(said));
            return;
        }
        if (expect == "refuse_or_skip_object") {
            SAYS(said, "asks to run `os.system`, which Attnscope never does");
            return;
        }
        QVERIFY2(said.isEmpty(), qPrintable(said));
        if (expect != "load")
            return;
        const StateDict reference = readCheckpoint(golden("plain.safetensors")),
                        state = readCheckpoint(golden(name.toStdString()));
        QCOMPARE(state.tensors.size(), reference.tensors.size());
        for (const auto& [key, tensor] : reference.tensors) {
            QVERIFY2(state.tensors.contains(key), key.c_str());
            QCOMPARE(state.tensors.at(key).shape, tensor.shape);
            const auto want = tensor.readFloat(), got = state.tensors.at(key).readFloat();
            QCOMPARE(got.size(), want.size());
            for (size_t i = 0; i < want.size(); ++i)
                QVERIFY2(std::abs(got[i] - want[i])
                             <= tolerance * std::abs(want[i]) + (tolerance > 0 ? 0x1p-25 : 0),
                         key.c_str());
        }
    }

    void nestingAndChoicesAreTold()
    {
        QCOMPARE(readCheckpoint(golden("flat_zip.pth")).nesting, std::string());
        QCOMPARE(readCheckpoint(golden("model_state.pyth")).nesting, "model_state");
        const StateDict training = readCheckpoint(golden("training_namespace_zip.pth"));
        QCOMPARE(training.nesting, "model");
        QCOMPARE(training.container, "torch zip");
        SAYS(training.notes.at(0), "`model_ema` were not");
        QCOMPARE(readCheckpoint(golden("state_dict_ema_zip.pth")).nesting, "state_dict");
        SAYS(readCheckpoint(golden("ddp_prefix_zip.pth")).notes.at(0), "`module.` was removed");
        QCOMPARE(readCheckpoint(golden("flat_legacy.pth")).container, "torch legacy");
    }

    void settingsBesideTheWeightsAreKept()
    {
        const Json args = readCheckpoint(golden("lara_nested_namespace_zip.pth")).metadata.at("args");
        QCOMPARE(args.at("__class__").get<std::string>(), "efficient_attention.NestedNamespace");
        QCOMPARE(args.at("attn_name").get<std::string>(), "lara");
        QCOMPARE(args.at("attn_args").at("num_landmarks").get<int>(), 49);
        QCOMPARE(readCheckpoint(golden("model_state.pyth")).metadata.at("cfg").get<std::string>(),
                 "TRAIN:\n  DATASET: Kinetics\nVIT:\n  DEPTH: 1\n");
        QCOMPARE(readCheckpoint(golden("training_namespace_legacy.pth")).metadata.at("epoch").get<int>(), 299);
    }

    void nothingWasRun()
    {
        QVERIFY(!refusal(golden("evil_pickle.pth")).isEmpty());
        QVERIFY(!QFile::exists("pwned") && !QFile::exists(QString(TEST_DATA_DIR) + "/checkpoints/pwned"));
    }
};

ATTNSCOPE_TEST(TestCheckpointGoldens)
#include "tst_checkpoint_goldens.moc"
