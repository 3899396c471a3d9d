// SPDX-License-Identifier: Apache-2.0
// The direction of docs/architecture.md as a test: follows every #include line of the tree.
//
//     layering TREE          says what breaks a rule, with the chain of includes; exit code 1 when something does
//     layering --self-test   breaks every rule in a small tree of its own and checks that it is noticed
#include "tests/layering/include_graph.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

using namespace attnscope::layering;

namespace {

bool startsWith(const std::string& text, const std::string& prefix)
{
    return text.rfind(prefix, 0) == 0;
}

bool isUnder(const std::string& path, std::initializer_list<const char*> folders)
{
    for (const char* folder : folders)
        if (startsWith(path, std::string(folder) + "/"))
            return true;
    return false;
}

bool hasSuffix(const std::string& path, const std::string& suffix)
{
    return path.size() > suffix.size() && path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

bool isHeader(const std::string& path)
{
    return hasSuffix(path, ".h") || hasSuffix(path, ".cuh");
}

bool isQt(const std::string& header)
{
    const bool pascal = header.size() > 1 && header[0] == 'Q' && header[1] >= 'A' && header[1] <= 'Z';
    return pascal || startsWith(header, "Qt") || startsWith(header, "qcustomplot")
           || (header[0] == 'q' && hasSuffix(header, ".h") && header.find('/') == std::string::npos);
}

bool isTorch(const std::string& header)
{
    return isUnder(header, {"ATen", "torch", "c10", "caffe2"});
}

bool isDecoder(const std::string& header)
{
    return isUnder(header, {"opencv2", "libavcodec", "libavformat", "libavutil", "libavfilter", "libavdevice", "libswscale",
                            "libswresample"});
}

/// Which files may not reach which foreign headers.
struct ReachRule {
    const char* sentence;
    std::function<bool(const std::string&)> files;
    std::function<bool(const std::string&)> headers;
};

const std::vector<ReachRule>& reachRules()
{
    static const std::vector<ReachRule> rules{
        {"core, models and the command line are free of Qt",
         [](const std::string& path) { return isUnder(path, {"core", "models", "app/cli"}); }, isQt},
        {"decoders stay inside core/media",
         [](const std::string& path) { return isUnder(path, {"core", "models", "ui", "app"}) && !isUnder(path, {"core/media"}); },
         isDecoder},
        {"ui sees no torch", [](const std::string& path) { return isUnder(path, {"ui", "app/attnscope"}); }, isTorch},
        {"kernels see no torch",
         [](const std::string& path) { return hasSuffix(path, ".cu") || isUnder(path, {"core/kernels"}); }, isTorch},
        {"base, figures and media are free of torch",
         [](const std::string& path) { return isUnder(path, {"core/base", "core/figure", "core/media"}); }, isTorch},
        {"what makes samples is free of torch",
         [](const std::string& path) { return isUnder(path, {"core/data/dataset", "core/data/augment", "core/data/loading", "core/data/demo"}); }, isTorch},
        {"what plays is free of torch",
         [](const std::string& path) { return isUnder(path, {"core/live"}) && !startsWith(path, "core/live/live_classifier"); }, isTorch},
        {"what stores results is free of torch", [](const std::string& path) { return isUnder(path, {"core/store"}); }, isTorch},
        {"fmt is included in .cpp files only: LibTorch ships another version of it",
         [](const std::string& path) { return isHeader(path) && isUnder(path, {"core", "models", "ui", "app"}); },
         [](const std::string& header) { return isUnder(header, {"fmt", "spdlog"}); }},
        {"item models know no widgets and no threads", [](const std::string& path) { return isUnder(path, {"ui/data"}); },
         [](const std::string& header) { return header == "QWidget" || header == "QThread" || header == "thread"; }},
    };
    return rules;
}

/// Folders in the order in which they may include each other: one includes itself and what is listed above it.
const std::vector<std::vector<const char*>>& layers()
{
    static const std::vector<std::vector<const char*>> order{
        {"core/base"},     {"core/kernels", "core/checkpoint", "core/data/preprocess", "core/figure", "core/data/dataset"},
        {"core/media", "core/data/augment", "core/data/loading"},
        {"core/attention", "core/data/demo", "core/distributed"},
        {"core/measure"},  {"core/run"},
        {"core/live", "core/lab"},     {"core/store"},    {"core/train", "core/evaluate"},    {"models"},
        {"ui/data"},       {"ui/engine"},
        {"ui/widgets"},    {"ui/views"},
        {"app/attnscope", "app/cli", "app/decoder"}, {"tests"}};
    return order;
}

/// The place of a file in `layers()`, or −1 for one that belongs to none (core/torch_headers.h).
int layerOf(const std::string& path, std::string* folder)
{
    for (std::size_t i = 0; i < layers().size(); ++i) {
        for (const char* name : layers()[i]) {
            if (isUnder(path, {name})) {
                *folder = name;
                return static_cast<int>(i);
            }
        }
    }
    return -1;
}

/// Plain structs that several folders fill or read: what a measurement is belongs to the record, what augmentation is to the plan.
bool isSharedRecord(const std::string& path, const std::string& reader)
{
    return (path == "core/run/run_record.h" && reader == "core/measure")
           || (path == "core/train/training_plan.h" && reader == "core/data/augment");
}

bool mayInclude(const std::string& file, const std::string& other)
{
    std::string mine, theirs;
    const int here = layerOf(file, &mine), there = layerOf(other, &theirs);
    if (here < 0 || there < 0 || isSharedRecord(other, mine))
        return true;
    return mine == theirs || there < here;
}

std::string joined(const std::vector<std::string>& way)
{
    std::string text;
    for (const std::string& step : way)
        text += (text.empty() ? "" : " → ") + step;
    return text;
}

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether a line of the program, outside comments, calls a function of that name.
bool calls(const std::string& line, const std::string& function)
{
    const std::size_t end = std::min(line.find("//"), line.size());
    for (std::size_t at = line.find(function + "("); at < end; at = line.find(function + "(", at + 1))
        if (at == 0 || !isNameCharacter(line[at - 1]))
            return true;
    return false;
}

/// Under a locale with a decimal comma, as the window's toolkit sets it, these stop at the point.
std::vector<std::string> localeComplaints(const Tree& tree)
{
    std::vector<std::string> found;
    for (const auto& [path, text] : tree) {
        if (!isUnder(path, {"core", "models", "ui", "app"}))
            continue;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            for (const char* function : {"strtod", "strtof", "strtold", "stod", "stof", "stold", "atof", "sscanf"})
                if (calls(line, function))
                    found.push_back("numbers are read by parseNumber (core/base/number.h), whatever the locale: " + path + " calls " + function);
    }
    return found;
}

std::vector<std::string> complaints(const Tree& tree)
{
    const IncludeGraph graph(tree);
    std::vector<std::string> found = localeComplaints(tree);
    for (const auto& [path, file] : graph.files()) {
        for (const ReachRule& rule : reachRules())
            if (rule.files(path))
                if (const auto way = graph.wayTo(path, rule.headers); !way.empty())
                    found.push_back(std::string(rule.sentence) + ": " + joined(way));
        for (const std::string& other : file.ours)
            if (!mayInclude(path, other))
                found.push_back("a folder includes only itself and those before it: " + path + " → " + other);
        for (const std::string& name : file.unknown)
            found.push_back("\"" + name + "\" is not in the tree and cannot be followed: " + path);
    }
    return found;
}

Tree readTree(const std::filesystem::path& root)
{
    Tree tree;
    for (const char* top : {"core", "models", "ui", "app", "tests"}) {
        if (!std::filesystem::is_directory(root / top))
            continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
            const std::string path = entry.path().lexically_relative(root).generic_string();
            if (!entry.is_regular_file() || !(isHeader(path) || hasSuffix(path, ".cpp") || hasSuffix(path, ".cu")))
                continue;
            std::ifstream stream(entry.path(), std::ios::binary);
            tree[path] = {std::istreambuf_iterator<char>(stream), {}};
        }
    }
    return tree;
}

int checkTree(const std::filesystem::path& root)
{
    const Tree tree = readTree(root);
    const auto found = complaints(tree);
    for (const std::string& text : found)
        std::printf("%s\n", text.c_str());
    std::printf("%zu files, %zu complaints\n", tree.size(), found.size());
    return found.empty() && tree.size() > 100 ? 0 : 1;  // fewer files: this is not the tree
}

/// One file added to a clean tree, and what it must be told (nothing: it is allowed).
struct Trial {
    const char* path;
    const char* text;
    const char* expected;
};

Tree cleanTree()
{
    return {{"core/base/error.h", "#include <string>\n"},
            {"core/attention/backend.h", "#include <ATen/ATen.h>\n#include \"core/base/error.h\"\n"},
            {"core/media/frame.h", "#include <opencv2/core.hpp>\n"},
            {"core/run/run_record.h", "#include \"core/base/error.h\"\n"},
            {"models/model.h", "#include \"core/attention/backend.h\"\n"},
            {"ui/data/table.h", "#include <QAbstractTableModel>\n"}};
}

const std::vector<Trial>& trials()
{
    static const std::vector<Trial> all{
        {"core/run/bad.cpp", "#include <QString>\n", "free of Qt: core/run/bad.cpp → QString"},
        {"app/cli/bad.cpp", "#include <QtCore/qstring.h>\n", "free of Qt"},
        {"models/bad.cpp", "  #  include <qglobal.h>\n", "free of Qt"},
        {"models/worse.cpp", "#include \"ui/data/table.h\"\n", "→ ui/data/table.h → QAbstractTableModel"},
        {"core/run/decoder.cpp", "#include <libavformat/avformat.h>\n", "decoders stay"},
        {"ui/engine/frames.cpp", "#include \"core/media/frame.h\"\n", "core/media/frame.h → opencv2/core.hpp"},
        {"ui/views/page.cpp", "#if 0\n#include \"models/model.h\"\n#endif\n",
         "ui/views/page.cpp → models/model.h → core/attention/backend.h → ATen/ATen.h"},
        {"core/kernels/lara.cu", "#include \"../attention/backend.h\"\n", "kernels see no torch"},
        {"core/figure/axes.cpp", "#include <c10/util/Exception.h>\n", "free of torch"},
        {"core/live/player.cpp", "#include <ATen/ATen.h>\n", "what plays is free of torch"},
        {"core/data/augment/erase.cpp", "#include <ATen/ATen.h>\n", "what makes samples is free of torch"},
        {"core/live/live_classifier.cpp", "#include <ATen/ATen.h>\n", ""},
        {"core/run/text.h", "#include <fmt/format.h>\n", ".cpp files only"},
        {"ui/data/list.cpp", "#include <QWidget>\n", "no widgets"},
        {"core/run/uses_model.cpp", "#include \"models/model.h\"\n", "only itself and those before it"},
        {"core/checkpoint/reader.cpp", "#include \"core/run/run_record.h\"\n", "only itself and those before it"},
        {"models/window.cpp", "#include \"app/cli/gone.h\"\n", "cannot be followed"},
        {"core/run/text.cpp", "#include <fmt/format.h>\n// #include <QString>\n", ""},
        {"core/measure/latency.cpp", "#include \"core/run/run_record.h\"\n#include \"core/base/version.h\"\n", ""},
        {"core/figure/cells.cpp", "double x = std::strtod(text, nullptr);\n", "whatever the locale: core/figure/cells.cpp calls strtod"},
        {"ui/data/field.cpp", "return std::stod(text);\n", "field.cpp calls stod"},
        {"core/run/words.cpp", "// not strtod(text)\nauto a = my_atof(text);\n", ""},
        {"core/media/reader.cpp", "#include \"frame.h\"\n#include <queue>\n#include <opencv2/imgcodecs.hpp>\n", ""},
        {"app/cli/main.cpp", "#include \"models/model.h\"\n#include <cstdio>\n", ""}};
    return all;
}

int selfTest()
{
    int wrong = complaints(cleanTree()).empty() ? 0 : 1;
    for (const Trial& trial : trials()) {
        Tree tree = cleanTree();
        tree[trial.path] = trial.text;
        std::string all;
        for (const std::string& text : complaints(tree))
            all += text + "\n";
        const std::string expected = trial.expected;
        if (expected.empty() ? all.empty() : all.find(expected) != std::string::npos)
            continue;
        std::printf("%s: expected \"%s\", said \"%s\"\n", trial.path, trial.expected, all.c_str());
        ++wrong;
    }
    std::printf("%zu trials, %d wrong\n", trials().size(), wrong);
    return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: layering TREE | --self-test\n");
        return 2;
    }
    return std::string(argv[1]) == "--self-test" ? selfTest() : checkTree(argv[1]);
}
