#include "checkpoint_files.h"
#include "tests/support/test_class.h"

using namespace attnscope;
using namespace attnscope::test;
using namespace attnscope::test::pickle;

namespace {

std::string repeated(const std::string& text, int count)
{
    std::string result;
    for (int i = 0; i < count; ++i)
        result += text;
    return result;
}

/// Weights, and next to them a value made by these operations.
std::string beside(const std::string& operations)
{
    return weights(text("args") + operations);
}

std::string shortText(const std::string& value)
{
    return "\x8c" + littleEndian(value.size(), 1) + value;
}

}

class TestHostilePickles : public QObject {
    Q_OBJECT
private slots:
    void callsAreRefusedByName_data()
    {
        columns<QByteArray, QString>("program", "name");
        const auto row = [](const char* title, const std::string& program, const char* name) {
            QTest::newRow(title) << QByteArray::fromStdString(program) << name;
        };
        const std::string run = tuple(text("touch pwned"));
        row("REDUCE", beside(global("os", "system") + run + "R"), "os.system");
        row("REDUCE of posix", beside(global("posix", "system") + run + "R"), "os.system");
        row("STACK_GLOBAL", beside(shortText("os") + shortText("system") + "\x93" + run + "R"), "os.system");
        row("STACK_GLOBAL from the memo",
            beside(shortText("system")
                   + "q\x05"
                     "0"
                   + shortText("os") + "h\x05\x93" + run + "R"),
            "os.system");
        row("INST", beside("(" + text("touch pwned") + "ios\nsystem\n"), "os.system");
        row("OBJ", beside("(" + global("os", "system") + text("touch pwned") + "o"), "os.system");
        row("eval", beside(global("builtins", "eval") + run + "R"), "eval");
        row("exec of Python 2", beside(global("__builtin__", "exec") + run + "R"), "exec");
        row("getattr", beside(global("builtins", "getattr") + tuple(global("os", "x") + text("system")) + "R"),
            "getattr");
        row("import", beside(global("importlib", "import_module") + run + "R"), "importlib.import_module");
        row("operator", beside(global("operator", "attrgetter") + run + "R"), "operator.attrgetter");
        row("nested pickle", beside(global("pickle", "loads") + tuple("C\x01.") + "R"), "pickle.loads");
        row("torch.load", beside(global("torch", "load") + run + "R"), "torch.load");
        row("dotted name within torch", beside(global("torch", "serialization.os.system") + run + "R"),
            "torch.serialization.os.system");
        row("dotted module", beside(global("torch._utils._rebuild_tensor_v2", "__globals__") + run + "R"),
            "__globals__");
        row("network", beside(global("urllib.request", "urlopen") + run + "R"), "urllib.request.urlopen");
        row("code in a type's arguments",
            beside(global("torch._tensor", "_rebuild_from_type_v2")
                   + tuple(global("os", "system") + global("torch", "Tensor") + run + "}") + "R"),
            "os.system");
        row("fields of a function", beside(global("collections", "OrderedDict") + "}b"),
            "collections.OrderedDict");
        row("name with an escape", beside(global("os\x1b[2J", "system") + run + "R"), "os\\x1b[2J.system");
        row("after the weights", program("}(" + text("w") + tensor() + "u0" + global("os", "system") + run + "R"),
            "os.system");
    }

    void callsAreRefusedByName()
    {
        QFETCH(QByteArray, program);
        FETCH_TEXT(name);
        const QString said = refusal(m_folder.put("f", torchZip(program.toStdString())));
        SAYS(said, name);
        SAYS(said, "which Attnscope never does");
        const QString bare = refusal(m_folder.put("f", program.toStdString()));
        SAYS(bare, name);
        QCOMPARE(namesIn(m_folder), QStringList{"f"});
        QVERIFY(!QFile::exists("pwned"));
    }

    void damageIsRefused_data()
    {
        columns<QByteArray, QString>("program", "sentence");
        const auto row = [](const char* title, const std::string& program, const char* sentence) {
            QTest::newRow(title) << QByteArray::fromStdString(program) << sentence;
        };
        row("nothing", "", "is truncated");
        row("no STOP", "\x80\x02}", "is truncated");
        row("STOP on an empty stack", "\x80\x02.", "empty stack");
        row("protocol 0", "\x80" + std::string(1, '\0') + "}.", "protocol 0");
        row("protocol 6", "\x80\x06}.", "protocol 6");
        row("text opcode", beside("I1\n"), "operation 0x49");
        row("extension registry", beside("\x82\x01"), "operation 0x82");
        row("out-of-band buffer", beside("\x97"), "operation 0x97");
        row("persistent id as a line", beside("Pstorage\n"), "operation 0x50");
        row("memo that was never written", beside("h\x07"), "never stored");
        row("memo beyond 32 bits of slots", beside("j\xff\xff\xff\xff"), "never stored");
        row("tuple without a mark", program("t"), "never started");
        row("append to a text", beside(text("a") + "Na"), "not a list");
        row("item of a list", beside("]NNs"), "not a dictionary");
        row("key without a value", beside("}(Nu"), "without a value");
        row("taking below the mark", program("}N(0000"), "empty stack");
        row("fields of a number", beside("K\x01}b"), "fields of something");
        row("call of a text", beside(text("os.system") + ")R"), "not a name");
        row("call without a tuple", beside(global("collections", "OrderedDict") + "]R"), "not a name");
        row("call of an object", beside(global("a", "B") + ")\x81)R"), "call an object");
        row("object of a text", beside(text("os") + ")\x81"), "without a class");
        row("STACK_GLOBAL of numbers", beside("K\x01K\x02\x93"), "not text");
        row("nested tuples", beside("N" + repeated("\x85", 60'000)), "nested more than 64 deep");
        row("nested lists", beside(repeated("]", 60'000) + repeated("a", 59'999)), "nested more than 64 deep");
        row("list within itself, often",
            beside("]q\x01"
                   + repeated("h\x01"
                              "a",
                              100)),
            "nested more than 64 deep");
        row("length of 2 GiB", beside("X\xff\xff\xff\x7f"), "more than the file has");
        row("length of 16 EiB", beside("\x8d" + std::string(8, '\xff')), "more than the file has");
        row("bytes of 16 EiB", beside("\x8e" + std::string(8, '\xff')), "more than the file has");
        row("integer of 2 GiB", beside("\x8b\xff\xff\xff\x7f"), "more than the file has");
        row("frame of 16 EiB", "\x80\x04\x95" + std::string(8, '\xff') + "}.", "frame larger than the file");
        row("name without an end", beside("c" + std::string(5000, 'a')), "a name of more than");
        row("persistent id is a text", beside(text("0") + "Q"), "unknown way");
        row("persistent id without a key", beside(tuple(text("storage") + global("torch", "FloatStorage")) + "Q"),
            "unknown way");
        row("persistent id of a module",
            beside(tuple(text("module") + global("torch", "FloatStorage") + text("0") + text("cpu") + integer(4))
                   + "Q"),
            "unknown way");
        row("storage of a function",
            beside(tuple(text("storage") + global("os", "system") + text("0") + text("cpu") + integer(4)) + "Q"),
            "unknown type");
        row("one storage in two types", beside(storage(4, "0", "IntStorage")), "in two ways");
        row("one storage in two sizes", beside(storage(5)), "in two ways");
        row("tensor of a number",
            beside(global("torch._utils", "_rebuild_tensor_v2") + tuple("K\x01K\x01))\x89}") + "R"),
            "not a storage");
        row("tensor without arguments", beside(global("torch._utils", "_rebuild_tensor_v2") + ")R"),
            "not a storage");
        row("shape of texts",
            beside(global("torch._utils", "_rebuild_tensor_v2")
                   + tuple(storage(4) + "K" + std::string(1, '\0') + tuple(text("4")) + numbers({1}) + "\x89}")
                   + "R"),
            "not a list of integers");
        row("parameter of a number",
            beside(global("torch._utils", "_rebuild_parameter") + tuple("K\x01\x89}") + "R"), "not a tensor");
        row("unknown dtype",
            beside(global("torch._utils", "_rebuild_tensor_v3")
                   + tuple(storage(4) + integer(0) + numbers({4}) + numbers({1}) + "\x89}"
                           + global("torch", "float3"))
                   + "R"),
            "unknown type");
        row("dictionary of numbers",
            beside(global("collections", "OrderedDict")
                   + tuple("](K\x01K\x02"
                           "e")
                   + "R"),
            "other than pairs");
    }

    void damageIsRefused()
    {
        QFETCH(QByteArray, program);
        FETCH_TEXT(sentence);
        const QString said = refusal(m_folder.put("f", torchZip(program.toStdString())));
        SAYS(said, sentence);
    }

    void strangeButInertValuesAreIgnored_data()
    {
        columns<QByteArray, QString>("operations", "json");
        const auto row = [](const char* title, const std::string& operations, const char* json) {
            QTest::newRow(title) << QByteArray::fromStdString(operations) << json;
        };
        row("object of an unknown class", global("subprocess", "Popen") + ")\x81}(" + text("x") + "K\x01ub",
            R"({"x":1,"__class__":"subprocess.Popen"})");
        row("its arguments", global("subprocess", "Popen") + tuple(text("id")) + "\x81",
            R"({"__arguments__":["id"],"__class__":"subprocess.Popen"})");
        row("a name", global("os", "system"), R"("os.system")");
        row("list within itself",
            "]q\x01h\x01"
            "a",
            "");
        row("dictionary within itself", "}q\x01(" + text("x") + "h\x01u", "");
        row("large integer", "\x8a\x0a" + std::string(10, '\x01'), "");
        row("negative integer", "\x8a\x01\xff", "-1");
        row("numpy scalar",
            global("numpy.core.multiarray", "scalar")
                + tuple(global("numpy", "dtype") + tuple(text("f8"))
                        + "R"
                          "C\x01x")
                + "R",
            "");
        row("default dictionary",
            global("collections", "defaultdict") + tuple(global("os", "system")) + "R(" + text("x") + "Nu",
            R"({"x":null})");
        row("text that is no UTF-8", text("\xff"), "\"\xef\xbf\xbd\"");
        row("path", global("pathlib", "PosixPath") + tuple(text("/etc/passwd")) + "R",
            R"({"__arguments__":["/etc/passwd"],"__class__":"pathlib.PosixPath"})");
    }

    void strangeButInertValuesAreIgnored()
    {
        QFETCH(QByteArray, operations);
        QFETCH(QString, json);
        const std::string nested = program("}(" + text("model") + "}" + text("w") + tensor() + "s" + text("args")
                                           + operations.toStdString() + "u");
        const StateDict state = readCheckpoint(m_folder.put("f", torchZip(nested)));
        QVERIFY(state.tensors.at("w").readFloat() == (std::vector<float>{1, 2, 3, 4}));
        QCOMPARE(QString::fromStdString(state.metadata.contains("args") ? state.metadata.at("args").dump()
                                                                        : std::string()),
                 json);
    }

    /// Forty lists of two references to the one before would be 2⁴⁰ values when written out.
    void sharedValuesDoNotMultiply()
    {
        const std::string nested = program("}(" + text("model") + "}" + text("w") + tensor() + "s" + text("args")
                                           + "N" + repeated("q\x01h\x01\x86", 40) + "u");
        QElapsedTimer timer;
        timer.start();
        const StateDict state = readCheckpoint(m_folder.put("f", torchZip(nested)));
        QVERIFY(!state.metadata.contains("args"));
        QVERIFY(timer.elapsed() < 2000);
        const std::string pairs = "](" + repeated("NN\x86", 1000) + "e";
        const QString said = refusal(m_folder.put(
            "f", torchZip(beside(pairs
                                 + "q\x01\x85q\x02"
                                   "0"
                                 + repeated(global("collections", "OrderedDict") + "h\x02R0", 10'000) + "N"))));
        SAYS(said, "again and again");
    }

    /// Five bytes that join two recalled texts of 1000 bytes: a file of 20 MB could ask for 8 GB.
    void recalledTextsDoNotMultiply()
    {
        const std::string recalled = text(std::string(1000, 'a'))
                                     + "q\x01"
                                       "0";
        const std::string joins = repeated("h\x01h\x01\x93"
                                           "0",
                                           70'000);
        const QString said = refusal(m_folder.put("f", torchZip(beside(recalled + joins + "N"))));
        SAYS(said, "more than 134217728 bytes of text");
    }

    /// Ten thousand calls of five bytes over the same ten thousand arguments are a hundred million steps.
    void callsDoNotWalkOverTheSameArgumentsAgainAndAgain()
    {
        const std::string arguments = "(" + repeated("N", 10'000)
                                      + "tq\x01"
                                        "0"
                                      + global("collections", "OrderedDict")
                                      + "q\x02"
                                        "0";
        const QString said = refusal(
            m_folder.put("f", torchZip(beside(arguments + repeated("h\x02h\x01R0", 10'000) + "N"))));
        SAYS(said, "again and again");
    }

    /// Each of the entries next to the weights refers to one list of 4,000 values that cannot be written as JSON.
    void valuesBesideTheWeightsAreTriedOnlySoOften()
    {
        const std::string list = "](" + repeated("N", 4000)
                                 + "]q\x07"
                                   "h\x07"
                                   "a"
                                   "e";
        const std::string nested = program("}(" + text("model") + "}" + text("w") + tensor() + "s" + text("args")
                                           + list + "q\x01" + text("again") + "q\x02h\x01"
                                           + repeated("h\x02h\x01", 30'000) + "u");
        QElapsedTimer timer;
        timer.start();
        const StateDict state = readCheckpoint(m_folder.put("f", torchZip(nested)));
        QCOMPARE_LT(timer.elapsed(), 2000);
        QVERIFY(state.metadata.empty());
        SAYS(state.notes.back(), "skipped");
    }

    void limitsHold()
    {
        const auto refusedWith = [&](const Limits& limits, const std::string& program) {
            try {
                readCheckpoint(m_folder.put("f", torchZip(program)), {.limits = limits});
                return QString();
            } catch (const FileError& error) {
                return QString::fromStdString(error.reason());
            }
        };
        Limits operations, memo, strings, tensors;
        operations.pickleOperations = 10;
        memo.pickleMemo = 10;
        strings.pickleStringBytes = 100;
        tensors.tensors = 1;
        QVERIFY(refusedWith(operations, weights()).contains("too many operations"));
        QVERIFY(refusedWith(memo, "\x80\x04N" + repeated("\x94", 11) + ".").contains("remembers more than 10"));
        QVERIFY(refusedWith(strings, beside(text(std::string(101, 'a')))).contains("over the limit of 100"));
        QVERIFY(refusedWith(tensors, weights(text("v") + tensor())).contains("more than 1 tensors"));
        QCOMPARE(refusedWith({}, weights()), QString());
    }

private:
    Folder m_folder;
};

ATTNSCOPE_TEST(TestHostilePickles)
#include "tst_hostile_pickles.moc"
