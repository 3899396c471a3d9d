#include "checkpoint_files.h"
#include "tests/support/test_class.h"

using namespace attnscope;
using namespace attnscope::test;
using namespace attnscope::test::pickle;

namespace {

/// One value of a dictionary.
std::string entry(const std::string& key, const std::string& value)
{
    return text(key) + value;
}

std::string dict(const std::string& entries)
{
    return "}(" + entries + "u";
}

/// A dictionary of tensors, of which one has this name.
std::string weightsCalled(const std::string& name)
{
    return dict(entry(name, tensor()) + entry("other", tensor()));
}

std::string file(const std::string& entries)
{
    return torchZip(program(dict(entries)));
}

}

class TestWeightChoice : public QObject {
    Q_OBJECT
private slots:
    void weightsAreFoundWhereverTheyAre_data()
    {
        columns<QByteArray, QString>("bytes", "nesting");
        const auto row = [](const char* name, const std::string& entries, const char* nesting) {
            QTest::newRow(name) << QByteArray::fromStdString(file(entries)) << nesting;
        };
        const std::string want = weightsCalled("w"), not_ = weightsCalled("v");
        row("flat", entry("w", tensor()), "");
        row("flat with a number", entry("w", tensor()) + entry("epoch", "K\x03"), "");
        row("flat with a dictionary", entry("w", tensor()) + entry("u", tensor()) + entry("running", not_), "");
        row("model", entry("model", want), "model");
        row("model before state_dict", entry("state_dict", not_) + entry("model", want), "model");
        row("model before its average", entry("model_ema", not_) + entry("model", want), "model");
        row("model before the others", entry("net", not_) + entry("teacher", not_) + entry("model", want),
            "model");
        row("model with one tensor",
            entry("model", dict(entry("w", tensor()) + entry("a", "N") + entry("b", "N") + entry("c", "N"))),
            "model");
        row("state_dict within model", entry("model", dict(entry("state_dict", want))), "model.state_dict");
        row("model before model.state_dict",
            entry("model", dict(entry("w", tensor()) + entry("state_dict", not_))), "model");
        row("model_state", entry("model_state", want), "model_state");
        row("another key", entry("net", want), "net");
        row("another key beside a tensor", entry("net", want) + entry("rng", tensor()) + entry("seed", "K\x01"),
            "net");
        row("another key three deep", entry("a", dict(entry("b", dict(entry("c", want))))), "a.b.c");
        row("another key before averages", entry("ema", not_) + entry("net", want), "net");
        row("an average alone", entry("ema", dict(entry("state_dict", want))), "ema.state_dict");
        row("beside the optimizer", entry("optimizer", dict(entry("state", not_))) + entry("net", want), "net");
        row("beside the optimizers",
            entry("optimizer_states", not_) + entry("lr_schedulers", not_) + entry("net", want), "net");
        std::string history;
        for (int i = 0; i < 10'000; ++i)
            history += entry("step " + std::to_string(i), "}");
        row("behind ten thousand other dictionaries", entry("history", dict(history)) + entry("model", want),
            "model");
        row("key that is no ASCII", entry("größe", want), "größe");
    }

    void weightsAreFoundWhereverTheyAre()
    {
        QFETCH(QByteArray, bytes);
        FETCH_TEXT(nesting);
        const StateDict state = read(bytes.toStdString());
        QVERIFY(state.tensors.contains("w"));
        QCOMPARE(state.nesting, nesting);
    }

    void whatCannotBeDecidedIsRefusedByName_data()
    {
        columns<QByteArray, QString>("bytes", "sentence");
        const auto row = [](const char* name, const std::string& entries, const char* sentence) {
            QTest::newRow(name) << QByteArray::fromStdString(file(entries)) << sentence;
        };
        const std::string some = weightsCalled("w");
        row("teacher and student", entry("teacher", some) + entry("student", some),
            "weights under `teacher` and `student`");
        row("two averages", entry("ema", some) + entry("model_ema", some), "weights under `ema` and `model_ema`");
        row("two within one", entry("nets", dict(entry("a", some) + entry("b", some))), "`nets.a` and `nets.b`");
        row("four deep", entry("a", dict(entry("b", dict(entry("c", dict(entry("d", some))))))), "no weights");
        row("only an optimizer", entry("optimizer", some), "no weights");
        row("key that forges output", entry("a\x1b[2J", some), "no weights");
        row("model is an object", entry("model", global("timm", "Model") + ")\x81}b"),
            "its `model` is an object of class `timm.Model`");
    }

    void whatCannotBeDecidedIsRefusedByName()
    {
        QFETCH(QByteArray, bytes);
        FETCH_TEXT(sentence);
        const QString reason = said(bytes.toStdString());
        SAYS(reason, sentence);
        if (sentence.starts_with("weights under"))
            SAYS(reason, "--checkpoint-key KEY");
    }

    void aKeyChooses_data()
    {
        columns<QString, QString>("key", "nesting");
        row("an average", "model_ema", "model_ema");
        row("the preferred", "model", "model");
        row("a path", "deep.er.net", "deep.er.net");
        row("the beginning of a path", "deep", "deep.er.net");
        row("a key with a dot", "a.b", "a.b");
    }

    void aKeyChooses()
    {
        FETCH_TEXT(key);
        FETCH_TEXT(nesting);
        const StateDict state = read(
            file(entry("model", weightsCalled("model")) + entry("model_ema", weightsCalled("model_ema"))
                 + entry("a.b", weightsCalled("a.b"))
                 + entry("deep", dict(entry("er", dict(entry("net", weightsCalled("deep.er.net"))))))),
            key);
        QCOMPARE(state.nesting, nesting);
        QVERIFY(state.tensors.contains(nesting));
        QCOMPARE(state.alternatives.size(), 3);
        QVERIFY(std::find(state.alternatives.begin(), state.alternatives.end(), nesting)
                == state.alternatives.end());
    }

    void aKeyThatHoldsNoWeightsIsRefused_data()
    {
        columns<QString, QString>("key", "sentence");
        row("unknown", "ema", "no weights under `ema`; weights are under `model`, `nets.a` and `nets.b`.");
        row("a value", "epoch", "no weights under `epoch`");
        row("the optimizer", "optimizer", "no weights under `optimizer`");
        row("two below", "nets", "several sets of weights under `nets` (`nets.a` and `nets.b`)");
        row("part of a key", "mod", "no weights under `mod`");
        row("control characters", "\x1b[2J", "no weights under `\\x1b[2J`");
    }

    void aKeyThatHoldsNoWeightsIsRefused()
    {
        FETCH_TEXT(key);
        FETCH_TEXT(sentence);
        const std::string some = weightsCalled("w");
        const QString reason = said(file(entry("model", some) + entry("epoch", "K\x03") + entry("optimizer", some)
                                         + entry("nets", dict(entry("a", some) + entry("b", some)))),
                                    key);
        SAYS(reason, sentence);
    }

    void safetensorsHaveNoKeys()
    {
        const std::string header = R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})";
        const QString reason = said(littleEndian(header.size(), 8) + header + fourFloats, "model");
        SAYS(reason, "are not nested under a key such as `model`; remove --checkpoint-key");
        QVERIFY(
            said(file(entry("w", tensor())), "model").contains("has no nested weights; remove --checkpoint-key"));
    }

    void alternativesAndMetadataAreTold()
    {
        const std::string some = weightsCalled("w");
        const StateDict state = read(file(entry("model", some) + entry("model_ema", some)
                                          + entry("ema", dict(entry("net", some))) + entry("epoch", "K\x03")));
        QCOMPARE(state.alternatives, (std::vector<std::string>{"model_ema", "ema.net"}));
        QCOMPARE(state.notes.front(),
                 "the weights under `model` were read, those under `model_ema` and `ema.net` were not");
        QCOMPARE(state.metadata.dump(), std::string(R"({"epoch":3})"));
        QCOMPARE(read(file(entry("net", some))).notes.front(),
                 "the weights under `net` were read because there are no others");
        QVERIFY(read(file(entry("model", some))).notes.empty());
    }

    void anObjectBesideTheWeightsIsInert()
    {
        const StateDict state = read(
            file(entry("state_dict", weightsCalled("w")) + entry("model", global("timm", "Model") + ")\x81}b")));
        QCOMPARE(state.nesting, "state_dict");
    }

    /// Each of a hundred dictionaries holds the next a hundred times: a walk over all paths would never end.
    void manySharedDictionariesTakeNoTime()
    {
        std::string inner = "}", entries;
        for (int level = 0; level < 4; ++level) {
            inner += "q" + std::string(1, char(level)) + "0}(";
            for (int i = 0; i < 100; ++i)
                inner += entry("k" + std::to_string(i), "h" + std::string(1, char(level)));
            inner += "u";
        }
        QElapsedTimer timer;
        timer.start();
        QVERIFY(said(file(entry("a", inner))).contains("no weights"));
        QCOMPARE_LT(timer.elapsed(), 1000);
    }

private:
    StateDict read(const std::string& bytes, const std::string& under = {}) const
    {
        return readCheckpoint(m_folder.put("f", bytes), {.under = under});
    }
    QString said(const std::string& bytes, const std::string& under = {}) const
    {
        try {
            read(bytes, under);
            return {};
        } catch (const FileError& error) {
            return QString::fromStdString(error.reason());
        }
    }

    Folder m_folder;
};

ATTNSCOPE_TEST(TestWeightChoice)
#include "tst_weight_choice.moc"
