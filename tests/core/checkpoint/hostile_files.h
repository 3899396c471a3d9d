#pragma once

#include "checkpoint_files.h"

/// One file for each way that is publicly known to get past scanners and loaders of checkpoints. Each tries to create a file
/// `pwned`, where it can try anything at all.
namespace attnscope::test {

struct HostileFile {
    std::string name;  ///< of the way, and with a suffix of the file
    std::string bytes;
    std::string sentence;  ///< part of the refusal; empty: its weights are read, and the rest stays inert
};

namespace hostile {

inline const std::string run = pickle::tuple(pickle::text("touch pwned"));

/// A call next to the weights.
inline std::string call(const std::string& module, const std::string& name)
{
    return pickle::weights(pickle::text("x") + pickle::global(module, name) + run + "R");
}

inline std::string nested(const std::string& beside)
{
    return pickle::program("}(" + pickle::text("model") + "}" + pickle::text("w") + pickle::tensor() + "s"
                           + pickle::text("args") + beside + "u");
}

/// `torchZip` with another byte somewhere: at `distance` behind the last of the marks.
inline std::string zipWith(const std::string& pickle, const char* mark, size_t distance, const std::string& bytes)
{
    std::string file = torchZip(pickle);
    return file.replace(file.find(mark) + distance, bytes.size(), bytes);
}

inline std::string safetensors(const std::string& header, const std::string& data = fourFloats)
{
    return littleEndian(header.size(), 8) + header + data;
}

inline const std::string plainHeader = R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})";

}

/// Functions that deny-lists have missed, most of them with an advisory of their own: an allow-list needs none of them.
inline void addCalls(std::vector<HostileFile>& files)
{
    struct Name {
        const char* module;
        const char* name;
    };
    // clang-format off
    constexpr Name names[] = {
        {"os", "system"}, {"os", "popen"}, {"os", "execv"}, {"os", "posix_spawn"}, {"posix", "system"}, {"nt", "system"},
        {"subprocess", "Popen"}, {"subprocess", "check_output"}, {"builtins", "eval"}, {"builtins", "exec"},
        {"builtins", "compile"}, {"builtins", "open"}, {"builtins", "getattr"}, {"builtins", "__import__"},
        {"__builtin__", "apply"}, {"runpy", "run_path"}, {"shutil", "rmtree"}, {"webbrowser", "open"}, {"pty", "spawn"},
        {"timeit", "timeit"}, {"cProfile", "run"}, {"profile", "Profile.run"}, {"pdb", "set_trace"}, {"bdb", "Bdb.run"},
        {"code", "InteractiveInterpreter.runcode"}, {"functools", "partial"}, {"operator", "methodcaller"},
        {"types", "CodeType"}, {"types", "FunctionType"}, {"marshal", "loads"}, {"pickle", "loads"}, {"_pickle", "loads"},
        {"dill", "loads"}, {"cloudpickle", "loads"}, {"joblib", "load"}, {"codecs", "decode"}, {"ctypes", "CDLL"},
        {"socket", "create_connection"}, {"ssl", "get_server_certificate"}, {"urllib.request", "urlretrieve"},
        {"requests.api", "get"}, {"logging.config", "listen"}, {"pip", "main"}, {"pip._internal.cli.main", "main"},
        {"venv", "create"}, {"ensurepip", "_run_pip"}, {"lib2to3.pgen2.grammar", "Grammar.loads"},
        {"lib2to3.pgen2.pgen", "ParserGenerator.make_label"}, {"idlelib.pyshell", "ModifiedInterpreter.runcode"},
        {"idlelib.autocomplete", "AutoComplete.get_entity"}, {"trace", "Trace.run"}, {"doctest", "debug_script"},
        {"test.support.script_helper", "assert_python_ok"}, {"multiprocessing.util", "spawnv_passfds"},
        {"asyncio.unix_events", "_UnixSubprocessTransport._start"}, {"imaplib", "IMAP4_stream"}, {"aifc", "open"},
        {"numpy.testing._private.utils", "runstring"}, {"numpy.f2py.crackfortran", "getlincoef"},
        {"pandas.io.pickle", "read_pickle"}, {"torch", "load"}, {"torch.storage", "_load_from_bytes"},
        {"torch.serialization", "load"}, {"torch.jit", "load"}, {"torch.hub", "load"},
        {"torch._inductor.codecache", "compile_file"}, {"torch._dynamo.guards", "GuardBuilder.get"},
        {"torch.fx.experimental.symbolic_shapes", "ShapeEnv.evaluate_guards_expression"},
        {"torch.utils._config_module", "ConfigModule.load_config"}, {"torch.utils.bottleneck.__main__", "run_cprofile"},
        {"torch.utils.collect_env", "run"}, {"torch.utils.data.datapipes.utils.decoder", "basichandlers"},
        {"torch.distributed.rpc", "rpc_sync"}, {"torch._utils", "_rebuild_tensor_v2.__globals__"},
        {"torch.nn.modules.module", "Module"}, {"collections", "OrderedDict.__init__"}, {"collections", "abc.sys.modules"},
        {"argparse", "FileType"}, {"pathlib", "Path.unlink"},
    };
    // clang-format on
    for (const Name& name : names)
        files.push_back({std::string("call of ") + name.module + " " + name.name + ".pth",
                         torchZip(hostile::call(name.module, name.name)), "which Attnscope never does"});
}

/// Ways to spell a call, or to hide it from whoever looks for one.
inline void addSpellings(std::vector<HostileFile>& files)
{
    using namespace pickle;
    const std::string never = "which Attnscope never does", system = global("os", "system"), run = hostile::run;
    const auto shortText = [](const std::string& value) { return "\x8c" + littleEndian(value.size(), 1) + value; };
    const auto add = [&](const char* name, const std::string& operations, const std::string& sentence) {
        files.push_back({std::string(name) + ".pth", torchZip(weights(text("x") + operations)), sentence});
    };
    add("REDUCE", system + run + "R", never);
    add("INST", "(" + text("touch pwned") + "ios\nsystem\n", never);
    add("OBJ", "(" + system + text("touch pwned") + "o", never);
    add("STACK_GLOBAL", shortText("os") + shortText("system") + "\x93" + run + "R", never);
    add("STACK_GLOBAL of memoised texts",
        shortText("system") + "\x94" + "0" + shortText("os") + "h" + std::string(1, '\0') + "\x93" + run + "R",
        never);
    add("STACK_GLOBAL of Python 2 texts",
        "U\x02os"
        "U\x06system"
        "\x93"
            + run + "R",
        never);
    add("NEWOBJ is inert", system + run + "\x81", "");
    add("NEWOBJ_EX is inert", system + run + "}\x92", "");
    add("NEWOBJ and then REDUCE", system + run + "\x81)R", "call an object");
    add("EXT1", "\x82\x01)R", "operation 0x82");
    add("EXT2", std::string("\x83\x01\x00)R", 5), "operation 0x83");
    add("EXT4", std::string("\x84\x01\x00\x00\x00)R", 7), "operation 0x84");
    add("NEXT_BUFFER", "\x97", "operation 0x97");
    add("READONLY_BUFFER", "\x97\x98", "operation 0x97");
    add("PERSID as text", "Ptouch pwned\n", "operation 0x50");
    add("protocol 0 text", "S'touch pwned'\np0\n", "operation 0x53");
    add("BUILD of a class", system + "}b", "asks to change");
    add("BUILD with __setstate__ is inert",
        global("a", "B") + ")\x81}(" + text("__setstate__") + system + text("__reduce__") + system + "ub", "");
    add("BUILD with a pair of states is inert",
        global("a", "B") + ")\x81N}" + text("__class__") + system
            + "s\x86"
              "b",
        "");
    add("BUILD of a tensor is inert", tensor() + "}" + text("_backward_hooks") + system + "sb", "");
    add("copyreg reconstructor of a class is inert",
        global("copyreg", "_reconstructor") + tuple(system + global("builtins", "object") + "N") + "R}b", "");
    add("default factory is never asked",
        global("collections", "defaultdict") + tuple(system) + "R" + text("a") + text("touch pwned") + "s", "");
    add("OrderedDict of a call", global("collections", "OrderedDict") + tuple(system + run + "R") + "R", never);
    add("function of a tensor of a type",
        global("torch._tensor", "_rebuild_from_type_v2") + tuple(system + global("torch", "Tensor") + run + "}")
            + "R",
        never);
    add("getattr chain", global("builtins", "getattr") + tuple(global("os", "path") + text("os")) + "R", never);
    add("nested pickle as bytes is inert", "C\x0e" + global("os", "system") + ")R.", "");
    add("call before the damage", system + run + "R0X\xff\xff\xff\x7f", never);
    add(
        "call behind 40,000 innocent values",
        [] {
            std::string values = "](";
            for (int i = 0; i < 40'000; ++i)
                values += "K\x01";
            return values + "e0";
        }() + system
            + run + "R",
        never);
    add("name with a zero", global(std::string("os\0", 3), "system") + run + "R", never);
    add("name with a carriage return", global("os\r", "system") + run + "R", never);
    add("full-width letters", global("\xef\xbd\x8f\xef\xbd\x93", "system") + run + "R", never);
    files.push_back({"call behind the weights' STOP.pth", torchZip(weights() + program(system + run + "R")),
                     "bytes after its pickle"});
    files.push_back({"call in the key of a dictionary.pth",
                     torchZip(program("}(" + system + run + "R" + tensor() + "u")), never});
    files.push_back({"bare pickle.pth", program(system + run + "R"), never});
    files.push_back(
        {"bare pickle of protocol 0.pth", "cos\nsystem\n(S'touch pwned'\ntR.", "neither a safetensors file nor"});
}

/// Loops and repetitions that cost a reader its stack, its memory or its time.
inline void addLoops(std::vector<HostileFile>& files)
{
    using namespace pickle;
    const auto add = [&](const char* name, const std::string& program, const std::string& sentence) {
        files.push_back({std::string(name) + ".pth", torchZip(program), sentence});
    };
    add("dictionary within itself as model",
        program("}q\x01(" + text("model") + "h\x01" + text("w") + tensor() + "u"), "");
    add("list within itself",
        hostile::nested("]q\x01h\x01"
                        "a"),
        "");
    add("tuple within its own list",
        hostile::nested("]q\x01h\x01\x85q\x02"
                        "ah\x02"),
        "taking a value");
    files.back().sentence = "";
    files.back().bytes = torchZip(hostile::nested("]q\x01h\x01\x85"
                                                  "a"));
    add("record within its own state",
        hostile::nested(global("a", "B")
                        + ")\x81q\x01h\x01"
                          "b"),
        "");
    add("memo read before it is written", hostile::nested("h\x07"), "never stored");
    std::string lists = "N";
    for (int i = 0; i < 40; ++i)
        lists += "q\x01h\x01\x86";
    add("billion laughs", hostile::nested(lists), "");
    add("a thousand nested lists", hostile::nested(std::string(1000, ']') + std::string(999, 'a')),
        "nested more than 64 deep");
    add("a million marks", hostile::nested(std::string(1'000'000, '(')), "empty stack");
    std::string shared;
    for (int i = 0; i < 60; ++i)
        shared += text("k" + std::to_string(i)) + "h\x05";
    add("dictionaries shared three deep",
        program("}(" + text("a") + "}q\x05(" + text("w") + tensor() + text("v") + tensor() + "u" + shared + "u"),
        "");
    files.back().sentence = "none of these is a standard key";
}

/// Storages and tensors that are not what they say.
inline void addLies(std::vector<HostileFile>& files)
{
    using namespace pickle;
    constexpr int64_t huge = int64_t{1} << 62;
    const auto add = [&](const char* name, const std::string& program, const std::string& sentence) {
        files.push_back({std::string(name) + ".pth", torchZip(program), sentence});
    };
    const auto of = [](const std::string& storage) {
        return program("}" + text("w") + global("torch._utils", "_rebuild_tensor_v2")
                       + tuple(storage + integer(0) + numbers({4}) + numbers({1}) + "\x89}") + "Rs");
    };
    add("storage key is a path", of(storage(4, "../../../etc/passwd")), "is missing");
    add("storage key is an absolute path", of(storage(4, "/etc/passwd")), "is missing");
    add("storage key is a URL", of(storage(4, "file:///etc/passwd")), "is missing");
    add("storage key leads to the pickle", of(storage(4, "../data.pkl")), "is missing");
    add("storage key is empty", of(storage(4, "")), "is missing");
    add("storage key has a zero", of(storage(4, std::string("0\0", 2))), "is missing");
    add("storage of 2^62 elements", of(storage(huge)), "which does not match the pickle");
    add("storage of -1 elements", of(storage(-1)), "negative size");
    add("storage of another type", of(storage(4, "0", "DoubleStorage")), "which does not match the pickle");
    add("storage of an unknown class", of(storage(4, "0", "EvilStorage")), "unknown type");
    add("storage of a class elsewhere",
        of(tuple(text("storage") + global("os", "FloatStorage") + text("0") + text("cpu") + integer(4)) + "Q"),
        "unknown type");
    add("persistent id of a module",
        of(tuple(text("module") + global("os", "system") + text("0") + text("cpu") + integer(4)) + "Q"),
        "unknown way");
    add("persistent id of seven parts",
        of(tuple(text("storage") + global("torch", "FloatStorage") + text("0") + text("cpu") + integer(4) + "NN")
           + "Q"),
        "unknown way");
    add("persistent id is a number", of("K\x01Q"), "unknown way");
    add("view of 2^63 - 1 elements", program("}" + text("w") + tensor({4, 0, {INT64_MAX}, {1}}) + "s"),
        "outside its storage");
    add("view that begins before", program("}" + text("w") + tensor({4, INT64_MIN, {4}, {1}}) + "s"),
        "impossible shape");
    add("view that wraps", program("}" + text("w") + tensor({4, 0, {3, 3}, {huge, huge}}) + "s"),
        "outside its storage");
    add("expanded to a terabyte", program("}" + text("w") + tensor({4, 0, {huge / 16}, {0}}) + "s"),
        "repeats its values");
    std::string many;
    for (int i = 0; i < 200; ++i)
        many += text("w" + std::to_string(i)) + tensor({4, 0, {4096}, {0}});
    add("expanded two hundred times", program("}(" + many + "u"), "repeats its values");
    add("nine dimensions",
        program("}" + text("w") + tensor({4, 0, std::vector<int64_t>(9, 1), std::vector<int64_t>(9, 1)}) + "s"),
        "more than 8 dimensions");
    add("name that clears the screen", program("}" + text("w\x1b[2J") + tensor() + "s"), "called `w\\x1b[2J`");
    add("name that turns the text", program("}" + text("w\xe2\x80\xae") + tensor() + "s"), "called `w\\u202e`");
    add("two tensors of one name", program("}(" + text("w") + tensor() + text("w") + tensor() + "u"),
        "two tensors called `w`");
    add("two dictionaries of one name",
        program("}(" + text("model") + "}" + text("w") + tensor() + "s" + text("model") + "}" + text("w")
                + tensor() + "su"),
        "two entries called `model`");
}

/// Arguments that do not fit the function they are given to.
inline void addArguments(std::vector<HostileFile>& files)
{
    using namespace pickle;
    const std::string zero = integer(0), four = numbers({4}), one = numbers({1}), rest = "\x89}";
    const auto add = [&](const char* name, const std::string& operations, const std::string& sentence) {
        files.push_back({std::string(name) + ".pth", torchZip(weights(text("x") + operations)), sentence});
    };
    const auto call = [&](const char* function, const std::string& arguments) {
        return global("torch._utils", function) + tuple(arguments) + "R";
    };
    const auto viewed = [&](const std::string& view) {
        return tuple(text("storage") + global("torch", "FloatStorage") + text("0") + text("cpu") + integer(4)
                     + view)
               + "Q";
    };
    add("shape is a number", call("_rebuild_tensor_v2", storage(4) + zero + integer(4) + one + rest),
        "without a shape");
    add("shape is a list", call("_rebuild_tensor_v2", storage(4) + zero + "]" + integer(4) + "a" + one + rest),
        "");
    add("first element is a text", call("_rebuild_tensor_v2", storage(4) + text("0") + four + one + rest),
        "not a storage");
    add("typed tensor of six arguments", call("_rebuild_tensor_v3", storage(4) + zero + four + one + rest),
        "not a storage");
    add("typed tensor whose type is a text",
        call("_rebuild_tensor_v3", storage(4) + zero + four + one + rest + text("torch.float32")), "unknown type");
    add("typed tensor of packed bits",
        call("_rebuild_tensor_v3", storage(4) + zero + four + one + rest + global("torch", "uint4")),
        "less than a byte");
    add("typed tensor whose type is a function",
        call("_rebuild_tensor_v3", storage(4) + zero + four + one + rest + global("os", "system")),
        "unknown type");
    add("typed tensor with a pending mark",
        call("_rebuild_tensor_v3",
             storage(4) + zero + four + one + rest + global("torch", "float32") + "}" + text("neg") + "\x88s"),
        "pending negation");
    add("view of a storage is a number", viewed("K\x01"), "unknown form");
    add("view of a storage is of texts", viewed(tuple(text("v") + text("0") + text("4"))), "unknown form");
    add("view of a storage ends with a text", viewed(tuple(text("v") + zero + text("4"))), "unknown form");
    add("view of a storage begins before it", viewed(tuple(text("v") + integer(-1) + integer(2))),
        "reaches outside");
    add("storage whose size is a text",
        tuple(text("storage") + global("torch", "FloatStorage") + text("0") + text("cpu") + text("4")) + "Q",
        "unknown way");
    add("storage whose key is a number",
        tuple(text("storage") + global("torch", "FloatStorage") + zero + text("cpu") + integer(4)) + "Q",
        "unknown way");
    add("storage whose class is a text",
        tuple(text("storage") + text("torch") + text("0") + text("cpu") + integer(4)) + "Q", "unknown way");
    add("storage whose word is a number",
        tuple(zero + global("torch", "FloatStorage") + text("0") + text("cpu") + integer(4)) + "Q", "unknown way");
    add("parameter of nothing", call("_rebuild_parameter", ""), "not a tensor");
    const auto ofType = [&](const std::string& arguments) {
        return global("torch._tensor", "_rebuild_from_type_v2") + tuple(arguments) + "R";
    };
    add("tensor of a type with three arguments",
        ofType(global("torch._utils", "_rebuild_tensor_v2") + zero + zero), "not a storage");
    add("tensor of a type made by a text", ofType(text("os.system") + zero + ")" + "N"), "not a storage");
    add("tensor of a type with a list", ofType(global("torch._utils", "_rebuild_tensor_v2") + zero + "]" + "N"),
        "not a storage");
    add("tensor of a type made by a set", ofType(global("builtins", "set") + zero + ")" + "N"),
        "which Attnscope never does");
    add("tensor of a type that is sparse",
        ofType(global("torch._utils", "_rebuild_sparse_tensor") + zero + ")" + "N"), "is sparse");
    add("reconstructor of two arguments",
        global("copyreg", "_reconstructor") + tuple(global("a", "B") + zero) + "R", "without a class");
    add("reconstructor of a text", global("copyreg", "_reconstructor") + tuple(text("B") + zero + "N") + "R",
        "without a class");
    add("object with a list of arguments", global("a", "B") + "]\x81", "without a class");
    add("set of a number", global("builtins", "set") + tuple(zero) + "R", "not a list");
    add("set of two lists", global("builtins", "set") + tuple("]]") + "R", "not a list");
    add("set of nothing", global("builtins", "set") + ")R", "");
    add("set of a list with fields", global("builtins", "set") + tuple("]" + zero + "a") + "R}b", "");
    add("set of a set", global("builtins", "frozenset") + tuple("\x8f(" + zero + "\x90") + "R", "");
    add("list of a tuple", global("builtins", "list") + tuple(one) + "R", "");
    add("dictionary of a dictionary",
        global("collections", "OrderedDict") + tuple("}" + text("a") + zero + "s") + "R", "");
    add("dictionary of triples",
        global("collections", "OrderedDict") + tuple("]" + numbers({1, 2, 3}) + "a") + "R", "other than pairs");
    add("dictionary made as an object", global("collections", "OrderedDict") + ")\x81" + text("a") + zero + "s",
        "");
    add("object whose state is 64 deep",
        global("a", "B") + ")\x81" + std::string(64, ']') + std::string(63, 'a') + "b", "64 deep");
    add("elements of an object that is a list", global("a", "List") + ")\x81(" + zero + zero + "e", "");
}

/// Archives that two programs read in two ways, or that grow when they are read.
inline void addArchives(std::vector<HostileFile>& files)
{
    using namespace pickle;
    const std::string good = weights(), evil = hostile::call("os", "system"), never = "which Attnscope never does";
    const auto add = [&](const std::string& name, const std::string& bytes, const std::string& sentence) {
        files.push_back({name, bytes, sentence});
    };
    for (const char* suffix : {"safetensors", "png", "txt", "json", "bin", "py", "pt", "zip"})
        add(std::string("call under the suffix .") + suffix, torchZip(evil), never);
    add("no suffix at all", torchZip(evil), never);
    add("wrong CRC.pth", hostile::zipWith(evil, "PK\x03\x04", 14, "\xde\xad\xbe\xef"), never);
    add("wrong CRC in the directory.pth", hostile::zipWith(evil, "PK\x01\x02", 16, "\xde\xad\xbe\xef"), never);
    add("wrong version needed.pth", hostile::zipWith(evil, "PK\x01\x02", 6, "\xff\xff"), never);
    add("encrypted.pth", zip({{"a/data.pkl", good, 0, 1}, {"a/data/0", fourFloats}}), "is encrypted");
    add("encrypted in the local header alone.pth", hostile::zipWith(good, "PK\x03\x04", 6, "\x01"), "in two ways");
    add("strong encryption.pth", zip({{"a/data.pkl", good, 0, 0x40}, {"a/data/0", fourFloats}}), "has flags");
    add("masked headers.pth", zip({{"a/data.pkl", good, 0, 0x2000}, {"a/data/0", fourFloats}}), "has flags");
    add("sizes behind the data.pth", zip({{"a/data.pkl", good, 0, 8}, {"a/data/0", fourFloats, 0, 8}}), "");
    add("call with sizes behind the data.pth", zip({{"a/data.pkl", evil, 0, 8}, {"a/data/0", fourFloats}}), never);
    for (const int method : {1, 6, 8, 9, 12, 14, 93, 95, 98, 99})
        add("compressed by method " + std::to_string(method) + ".pth",
            zip({{"a/data.pkl", good, static_cast<uint16_t>(method)}, {"a/data/0", fourFloats}}), "is compressed");
    add("compressed in the local header alone.pth", hostile::zipWith(good, "PK\x03\x04", 8, "\x08"),
        "in two ways");
    add("bomb of nested archives.pth",
        zip({{"a/data.pkl", good}, {"lib 0.zip", std::string(4096, '\0'), 8}, {"a/data/0", fourFloats}}),
        "is compressed");
    add("entry that claims 4 GiB.pth", zip({{"a/data.pkl", good}, {"a/data/0", fourFloats, 0, 0, "", 0xfffffffe}}),
        "lies outside the file");
    add("two of one name.pth", zip({{"a/data.pkl", good}, {"a/data.pkl", evil}, {"a/data/0", fourFloats}}),
        "two entries called");
    add("two storages of one name.pth",
        zip({{"a/data.pkl", good}, {"a/data/0", fourFloats}, {"a/data/0", fourFloats}}), "two entries called");
    add("two pickles.pth", zip({{"a/data.pkl", good}, {"b/data.pkl", evil}, {"a/data/0", fourFloats}}),
        "two pickles");
    add("another name in the local header.pth",
        zip({{"a/data.pkl", good, 0, 0, "a/evil.pkl"}, {"a/data/0", fourFloats}}), "in two ways");
    files.back().sentence = "two different names";
    add("another size in the local header.pth", hostile::zipWith(good, "PK\x03\x04", 22, littleEndian(7, 4)),
        "in two ways");
    add("entries over each other.pth",
        zip({{"a/data.pkl", good}, {"a/data/0", fourFloats}, {"a/data.pkx", "", 0, 0, "a/data.pkl", 0, 0}}),
        "in two ways");
    for (const char* name : {"../../x", "/etc/cron.d/x", "a/../../x", "..\\x", "C:\\x", "a/./../../x", ".."})
        add(std::string("entry called ") + QString(name).replace('/', '_').toStdString() + ".pth",
            zip({{"a/data.pkl", good}, {name, "x"}, {"a/data/0", fourFloats}}), "which torch.save never writes");
    add("directory that points before the file.pth",
        hostile::zipWith(good, "PK\x05\x06", 16, littleEndian(0xfffffff0, 4)), "not where it should be");
    add("directory that counts 65,534 entries.pth",
        hostile::zipWith(good, "PK\x05\x06", 8, littleEndian(0xfffefffe, 4)), "does not match its entries");
    add("second end record in a comment.pth",
        zip({{"a/data.pkl", good}, {"a/data/0", fourFloats}}, -1, torchZip(evil)), "does not match its entries");
    files.back().sentence = "not where it should be";
    add("two archives in a row.pth", torchZip(good) + torchZip(evil), "not where it should be");
    add("volume of several.pth", hostile::zipWith(good, "PK\x05\x06", 4, littleEndian(1, 2)),
        "one volume of a multi-volume archive");
    add("picture in front.png", "\x89PNG\r\n\x1a\n" + torchZip(evil), "neither a safetensors file nor");
    add("program in front.pth",
        "\x7f"
        "ELF\x02\x01\x01"
            + torchZip(evil),
        "neither a safetensors file nor");
    add("PDF in front.pth", "%PDF-1.7\n" + torchZip(evil), "neither a safetensors file nor");
    add("script in front.pth", "#!/bin/sh\ntouch pwned\nexit\n" + torchZip(good),
        "neither a safetensors file nor");
    add("TorchScript.pt",
        zip({{"a/data.pkl", good},
             {"a/constants.pkl", evil},
             {"a/code/__torch__.py", "import os"},
             {"a/data/0", fourFloats}}),
        "TorchScript");
    add("code beside the pickle is not looked at.pth",
        zip({{"a/data.pkl", good},
             {"a/__init__.py", "import os; os.system('touch pwned')"},
             {"a/data/0", fourFloats}}),
        "");
    add("pickle beside the pickle is not looked at.pth",
        zip({{"a/data.pkl", good}, {"a/extra/data.pkl", evil}, {"a/other.pkl", evil}, {"a/data/0", fourFloats}}),
        "");
    add("numpy archive.npz", zip({{"w.npy", "\x93NUMPY"}}), "no data.pkl");
    add("GGUF.gguf", "GGUF" + littleEndian(3, 4) + littleEndian(~uint64_t{0}, 8),
        "neither a safetensors file nor");
    add("HDF5.h5", "\x89HDF\r\n\x1a\n", "neither a safetensors file nor");
    add("gzip.pth", "\x1f\x8b\x08", "neither a safetensors file nor");
}

/// Headers of safetensors that say two things, or that cost more than they weigh.
inline void addSafetensors(std::vector<HostileFile>& files)
{
    using hostile::safetensors;
    const auto add = [&](const char* name, const std::string& bytes, const std::string& sentence) {
        files.push_back({std::string(name) + ".safetensors", bytes, sentence});
    };
    const auto entry = [](const std::string& fields) { return "{\"w\":{" + fields + "}}"; };
    add("archive as data",
        safetensors(entry(R"("dtype":"U8","shape":[)"
                          + std::to_string(torchZip(hostile::call("os", "system")).size())
                          + R"(],"data_offsets":[0,)"
                          + std::to_string(torchZip(hostile::call("os", "system")).size()) + "]"),
                    torchZip(hostile::call("os", "system"))),
        "");
    add("archive behind the data", safetensors(hostile::plainHeader) + torchZip(hostile::call("os", "system")),
        "after the last tensor");
    add("pickle as metadata",
        safetensors(R"({"__metadata__":{"x":"cos\nsystem\n(S'touch pwned'\ntR."},)"
                    + hostile::plainHeader.substr(1)),
        "");
    add("length of 2^63", littleEndian(uint64_t{1} << 63, 8) + hostile::plainHeader + fourFloats,
        "more bytes than the file");
    add("length that wraps", littleEndian(~uint64_t{0} - 6, 8) + hostile::plainHeader + fourFloats,
        "more bytes than the file");
    add("length of 0", littleEndian(0, 8) + "{" + fourFloats, "does not start with {");
    add("zeros behind the header", safetensors(hostile::plainHeader + std::string(8, '\0')), "a zero byte");
    add("spaces behind the header", safetensors(hostile::plainHeader + "        "), "");
    add("byte order mark", safetensors("\xef\xbb\xbf" + hostile::plainHeader), "neither a safetensors file nor");
    add("comment", safetensors("{/**/" + hostile::plainHeader.substr(1)), "not a JSON object");
    add("NaN in the shape", safetensors(entry(R"("dtype":"F32","shape":[NaN],"data_offsets":[0,16])")),
        "not a JSON object");
    add("octal size", safetensors(entry(R"("dtype":"F32","shape":[04],"data_offsets":[0,16])")),
        "not a JSON object");
    add("size of -0", safetensors(entry(R"("dtype":"F32","shape":[-0],"data_offsets":[0,0])"), ""), "");
    add("true as a size",
        safetensors(entry(R"("dtype":"F32","shape":[true],"data_offsets":[0,4])"), fourFloats.substr(0, 4)),
        "not a count");
    add("shape that wraps to 4",
        safetensors(entry(R"("dtype":"F32","shape":[4611686018427387905,4],"data_offsets":[0,16])")),
        "larger than any file");
    add("bytes that wrap to 16",
        safetensors(entry(R"("dtype":"F32","shape":[4611686018427387908],"data_offsets":[0,16])")),
        "larger than any file");
    add("offsets the wrong way round", safetensors(entry(R"("dtype":"F32","shape":[4],"data_offsets":[16,0])")),
        "outside the file");
    add("offsets beyond 2^64",
        safetensors(entry(R"("dtype":"F32","shape":[4],"data_offsets":[18446744073709551616,16])")),
        "outside the file");
    add("tensors over each other",
        safetensors(
            R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]},"b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})"),
        "overlap");
    add("same bytes twice",
        safetensors(
            R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]},"b":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})"),
        "overlap");
    add("hole for something else", safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})"),
        "gap");
    add("one name twice",
        safetensors(hostile::plainHeader.substr(0, hostile::plainHeader.size() - 1) + ","
                    + hostile::plainHeader.substr(1)),
        "twice");
    add("one name twice in the metadata",
        safetensors(R"({"__metadata__":{"a":"1","a":"2"},)" + hostile::plainHeader.substr(1)), "twice");
    add("lower-case type", safetensors(entry(R"("dtype":"f32","shape":[4],"data_offsets":[0,16])")),
        "which is not supported");
    add("half a surrogate", safetensors("{\"\\ud800\":" + hostile::plainHeader.substr(5)), "not a JSON object");
    add("name that clears the screen", safetensors(R"({"\u001b[2J":)" + hostile::plainHeader.substr(5)),
        "called `\\x1b[2J`");
    add("name with a zero", safetensors(R"({"w\u0000":)" + hostile::plainHeader.substr(5)), "called `w\\x00`");
    add("no name", safetensors(R"({"":)" + hostile::plainHeader.substr(5)), "called ``");
    std::string many = "{";
    for (int i = 0; i < 70'000; ++i)
        many += "\"" + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)";
    add("70,000 tensors of nothing", safetensors(many.substr(0, many.size() - 1) + "}", ""),
        "more than 65536 tensors");
    std::string notes = R"({"__metadata__":{)";
    for (int i = 0; i < 5000; ++i)
        notes += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":\"\"";
    add("5,000 notes", safetensors(notes + "}}", ""), "object of more than 4096");
    add("ten thousand brackets", safetensors("{\"a\":" + std::string(10'000, '[')), "nested too deeply");
    add("list of two million values",
        safetensors("{\"a\":[" +
                    [] {
                        std::string zeros;
                        for (int i = 0; i < 2'200'000; ++i)
                            zeros += "0,";
                        return zeros;
                    }()
                    + "0]}"),
        "list of more than 64");
    add("object of a million values",
        safetensors("{\"a\":{" +
                    [] {
                        std::string zeros;
                        for (int i = 0; i < 1'100'000; ++i)
                            zeros += "\"" + std::to_string(i) + "\":0,";
                        return zeros;
                    }()
                    + "\"\":0}}"),
        "object of more than 4096");
    add("second header behind a zero",
        safetensors(hostile::plainHeader + std::string(1, '\0') + hostile::plainHeader), "a zero byte");
}

inline const std::vector<HostileFile>& hostileFiles()
{
    static const std::vector<HostileFile> files = [] {
        std::vector<HostileFile> made;
        addCalls(made);
        addSpellings(made);
        addLoops(made);
        addLies(made);
        addArguments(made);
        addArchives(made);
        addSafetensors(made);
        return made;
    }();
    return files;
}

}
