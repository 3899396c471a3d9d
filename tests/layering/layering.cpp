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
#include <map>
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
    return pascal || startsWith(header, "Qt")
           || (header[0] == 'q' && hasSuffix(header, ".h") && header.find('/') == std::string::npos);
}

bool isTorch(const std::string& header)
{
    return isUnder(header, {"ATen", "torch", "c10", "caffe2"});
}

bool isDecoder(const std::string& header)
{
    return isUnder(header, {"opencv2", "libavcodec", "libavformat", "libavutil", "libavfilter", "libavdevice",
                            "libswscale", "libswresample"});
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
         [](const std::string& path) {
             return isUnder(path, {"core", "models", "app/cli"});
         },
         isQt},
        {"decoders stay inside core/media",
         [](const std::string& path) {
             return isUnder(path, {"core", "models", "ui", "app"}) && !isUnder(path, {"core/media"});
         },
         isDecoder},
        {"ui sees no torch",
         [](const std::string& path) {
             return isUnder(path, {"ui", "app/attnscope"});
         },
         isTorch},
        {"kernels see no torch",
         [](const std::string& path) { return hasSuffix(path, ".cu") || isUnder(path, {"core/kernels"}); },
         isTorch},
        {"base, checkpoints, figures and media are free of torch",
         [](const std::string& path) {
             return isUnder(path, {"core/base", "core/checkpoint", "core/figure", "core/media"});
         },
         isTorch},
        {"what makes samples is free of torch",
         [](const std::string& path) { return isUnder(path, {"core/data"}); }, isTorch},
        {"what plays is free of torch",
         [](const std::string& path) {
             return isUnder(path, {"core/live"}) && !startsWith(path, "core/live/live_classifier");
         },
         isTorch},
        {"what stores results is free of torch",
         [](const std::string& path) {
             return isUnder(path, {"core/store", "core/report"});
         },
         isTorch},
        {"fmt is included in .cpp files only: LibTorch ships another version of it",
         [](const std::string& path) {
             return isHeader(path) && isUnder(path, {"core", "models", "ui", "app"});
         },
         [](const std::string& header) {
             return isUnder(header, {"fmt", "spdlog"});
         }},
        {"item models know no widgets and no threads",
         [](const std::string& path) {
             return isUnder(path, {"ui"}) && (hasSuffix(path, "_model.h") || hasSuffix(path, "_model.cpp"));
         },
         [](const std::string& header) {
             return header == "QWidget" || header == "QThread" || header == "thread";
         }},
    };
    return rules;
}

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// How lines begin that declare no function of this program.
constexpr const char* otherStatements[] = {"inline",  "template", "constexpr", "using",     "static", "namespace",
                                           "struct",  "class",    "enum",      "Q_",        "extern", "friend",
                                           "typedef", "public",   "private",   "protected", "signals"};

/// The lines of rooms.txt: a folder's place in the order, and the room that it belongs to.
class Rooms {
public:
    explicit Rooms(std::istream& text)
    {
        int level = 0;
        for (std::string line; std::getline(text, line);) {
            if (line.empty() || line.front() == '#')
                continue;
            std::istringstream words(line);
            for (std::string room; words >> room;) {
                std::istringstream folders(room);
                for (std::string folder; std::getline(folders, folder, '+');)
                    m_places[folder] = {level, room};
            }
            ++level;
        }
    }

    /// Null for a folder that is not listed, nor inside one of tests.
    const auto* find(const std::string& folder) const
    {
        const auto found = m_places.find(isUnder(folder, {"tests"}) ? "tests" : folder);
        return found == m_places.end() ? nullptr : &found->second;
    }

private:
    struct Place {
        int level = 0;
        std::string room;
    };
    std::map<std::string, Place> m_places;
};

std::string folderOf(const std::string& path)
{
    return path.substr(0, path.rfind('/'));
}

std::vector<std::string> roomComplaints(const IncludeGraph& graph, const Rooms& rooms)
{
    std::vector<std::string> found;
    for (const auto& [path, file] : graph.files()) {
        if (hasSuffix(path, ".txt"))
            continue;
        const auto* mine = rooms.find(folderOf(path));
        if (!mine) {
            found.push_back("tests/layering/rooms.txt does not list the folder of " + path);
            continue;
        }
        for (const std::string& other : file.ours) {
            const auto* theirs = rooms.find(folderOf(other));
            if (theirs && theirs->room != mine->room && theirs->level >= mine->level)
                found.push_back("a folder includes only itself and those before it: " + path + " → " + other);
        }
    }
    return found;
}

constexpr size_t largestFolder = 30;

std::vector<std::string> crowdedFolders(const Tree& tree)
{
    std::map<std::string, size_t> files;
    for (const auto& [path, text] : tree)
        ++files[folderOf(path)];
    std::vector<std::string> found;
    for (const auto& [folder, count] : files)
        if (count > largestFolder)
            found.push_back("a folder has at most " + std::to_string(largestFolder) + " files: " + folder + " has "
                            + std::to_string(count));
    return found;
}

/// "core/run/compare" of "core/run/compare.cpp".
std::string withoutSuffix(const std::string& path)
{
    return path.substr(0, path.rfind('.'));
}

/// Whether a file is `stem`.cpp, or one of the several that a large header has: `stem`_part.cpp.
bool implements(const std::string& source, const std::string& stem)
{
    const std::string name = withoutSuffix(source);
    return name == stem || startsWith(name, stem + "_");
}

/// Whether a header declares functions outside classes that it does not define.
bool declaresFunctions(const std::string& text)
{
    std::istringstream lines(text);
    std::string statement;
    for (std::string line; std::getline(lines, line);) {
        if (statement.empty()) {
            const bool begins = !line.empty() && isNameCharacter(line.front());
            const bool other = std::any_of(std::begin(otherStatements), std::end(otherStatements),
                                           [&](const char* word) { return startsWith(line, word); });
            if (!begins || other)
                continue;
        }
        statement += line;
        if (statement.find('{') != std::string::npos)
            statement.clear();
        else if (statement.back() == ';' && statement.find('(') != std::string::npos)
            return true;
        else if (statement.find(';') != std::string::npos)
            statement.clear();
    }
    return false;
}

/// What is declared in x.h is defined in x.cpp or x_part.cpp, what is declared in x_part.h perhaps in x.cpp. Programs' main.cpp and the
/// kernels' sources for each instruction set have no header, and the functions that plug-ins define no source.
std::vector<std::string> unpairedFiles(const Tree& tree)
{
    std::vector<std::string> headers, sources, found;
    for (const auto& [path, text] : tree) {
        if (!isUnder(path, {"core", "models", "ui", "app"}))
            continue;
        if (isHeader(path))
            headers.push_back(path);
        else if ((hasSuffix(path, ".cpp") || hasSuffix(path, ".cu")) && !hasSuffix(path, "/main.cpp")
                 && path.find("/isa_") == std::string::npos)
            sources.push_back(path);
    }
    for (const std::string& source : sources)
        if (std::none_of(headers.begin(), headers.end(),
                         [&](const std::string& header) { return implements(source, withoutSuffix(header)); }))
            found.push_back("a source has a header of its name: " + source);
    for (const std::string& header : headers)
        if (hasSuffix(header, ".h") && declaresFunctions(tree.at(header))
            && header.find("/isa_") == std::string::npos && !hasSuffix(header, "/attnscope_plugin.h")
            && std::none_of(sources.begin(), sources.end(), [&](const std::string& source) {
                   return implements(source, withoutSuffix(header)) || implements(header, withoutSuffix(source));
               }))
            found.push_back("a header whose functions are defined elsewhere has a source of its name: " + header);
    return found;
}

std::string joined(const std::vector<std::string>& way)
{
    std::string text;
    for (const std::string& step : way)
        text += (text.empty() ? "" : " → ") + step;
    return text;
}

/// Whether a line of the program, outside comments, calls a function of that name.
bool calls(const std::string& line, const std::string& function)
{
    const size_t end = std::min(line.find("//"), line.size());
    for (size_t at = line.find(function + "("); at < end; at = line.find(function + "(", at + 1))
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
                    found.push_back("numbers are read by parseNumber (core/base/number.h), whatever the locale: "
                                    + path + " calls " + function);
    }
    return found;
}

std::vector<std::string> complaints(const Tree& tree, const Rooms& rooms)
{
    const IncludeGraph graph(tree);
    std::vector<std::string> found = localeComplaints(tree);
    for (const auto& [path, file] : graph.files()) {
        for (const ReachRule& rule : reachRules())
            if (rule.files(path))
                if (const auto way = graph.wayTo(path, rule.headers); !way.empty())
                    found.push_back(std::string(rule.sentence) + ": " + joined(way));
        for (const std::string& name : file.unknown)
            found.push_back("\"" + name + "\" is not in the tree and cannot be followed: " + path);
    }
    for (const auto& more : {roomComplaints(graph, rooms), crowdedFolders(tree), unpairedFiles(tree)})
        found.insert(found.end(), more.begin(), more.end());
    return found;
}

/// Code with its text, other files as names; data of tests are left out.
Tree readTree(const std::filesystem::path& root)
{
    Tree tree;
    for (const char* top : {"core", "models", "ui", "app", "tests"}) {
        if (!std::filesystem::is_directory(root / top))
            continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
            const std::string path = entry.path().lexically_relative(root).generic_string();
            if (!entry.is_regular_file() || isUnder(path, {"tests/data", "tests/fuzz/corpus"}))
                continue;
            tree[path];
            if (isHeader(path) || hasSuffix(path, ".cpp") || hasSuffix(path, ".cu")) {
                std::ifstream stream(entry.path(), std::ios::binary);
                tree[path] = {std::istreambuf_iterator<char>(stream), {}};
            }
        }
    }
    return tree;
}

int checkTree(const std::filesystem::path& root)
{
    const Tree tree = readTree(root);
    std::ifstream text(root / "tests/layering/rooms.txt");
    const auto found = complaints(tree, Rooms(text));
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

Rooms sampleRooms()
{
    std::istringstream text(
        "# order\ncore/base\ncore/checkpoint core/figure core/kernels "
        "core/data/augment\ncore/attention+core/attention/methods\n"
        "core/media core/run core/live\nmodels\nui/widgets\nui/batch ui/results\napp/cli\ntests\n");
    return Rooms(text);
}

Tree cleanTree()
{
    return {{"core/base/error.h", "#include <string>\n"},
            {"core/attention/backend.h", "#include <ATen/ATen.h>\n#include \"core/base/error.h\"\n"},
            {"core/attention/methods/lara.h", "#include \"core/attention/backend.h\"\nclass Lara;\n"},
            {"core/media/frame.h", "#include <opencv2/core.hpp>\n"},
            {"core/run/run_record.h", "#include \"core/base/error.h\"\n"},
            {"models/model.h", "#include \"core/attention/backend.h\"\n"},
            {"ui/widgets/table_model.h", "#include <QAbstractTableModel>\n"},
            {"ui/batch/page.h", "#include <QWidget>\n"}};
}

/// 31 files in one folder.
Tree crowdedTree()
{
    Tree tree = cleanTree();
    for (size_t i = 0; i <= largestFolder; ++i)
        tree["core/figure/part" + std::to_string(i) + ".h"];
    return tree;
}

const std::vector<Trial>& trials()
{
    static const std::vector<Trial> all{
        {"core/run/run_record_bad.cpp", "#include <QString>\n",
         "free of Qt: core/run/run_record_bad.cpp → QString"},
        {"app/cli/main.cpp", "#include <QtCore/qstring.h>\n", "free of Qt"},
        {"models/model_bad.cpp", "  #  include <qglobal.h>\n", "free of Qt"},
        {"models/model_worse.cpp", "#include \"ui/widgets/table_model.h\"\n",
         "→ ui/widgets/table_model.h → QAbstractTableModel"},
        {"core/run/decoder.h", "#include <libavformat/avformat.h>\n", "decoders stay"},
        {"ui/batch/frames.h", "#include \"core/media/frame.h\"\n", "core/media/frame.h → opencv2/core.hpp"},
        {"ui/batch/page.cpp", "#if 0\n#include \"models/model.h\"\n#endif\n",
         "ui/batch/page.cpp → models/model.h → core/attention/backend.h → ATen/ATen.h"},
        {"core/kernels/lara.h", "#include \"../attention/backend.h\"\n", "kernels see no torch"},
        {"core/figure/axes.h", "#include <c10/util/Exception.h>\n", "free of torch"},
        {"core/live/player.h", "#include <ATen/ATen.h>\n", "what plays is free of torch"},
        {"core/data/augment/erase.h", "#include <ATen/ATen.h>\n", "what makes samples is free of torch"},
        {"core/live/live_classifier.h", "#include <ATen/ATen.h>\n", ""},
        {"core/run/text.h", "#include <fmt/format.h>\n", ".cpp files only"},
        {"ui/widgets/list_model.h", "#include <QWidget>\n", "no widgets"},
        {"core/run/uses_model.h", "#include \"models/model.h\"\n", "only itself and those before it"},
        {"core/checkpoint/reader.h", "#include \"core/run/run_record.h\"\n", "only itself and those before it"},
        {"ui/results/page.h", "#include \"ui/batch/page.h\"\n", "only itself and those before it"},
        {"core/attention/table.h", "#include \"core/attention/methods/lara.h\"\n", ""},
        {"core/odds/end.h", "", "does not list the folder of core/odds/end.h"},
        {"models/window.h", "#include \"app/cli/gone.h\"\n", "cannot be followed"},
        {"core/run/run_record.cpp", "#include <fmt/format.h>\n// #include <QString>\n", ""},
        {"core/figure/cells.h", "double x = std::strtod(text, nullptr);\n",
         "whatever the locale: core/figure/cells.h calls strtod"},
        {"ui/widgets/field.h", "return std::stod(text);\n", "field.h calls stod"},
        {"core/run/words.h", "// not strtod(text)\ninline auto a = my_atof(text);\n", ""},
        {"core/media/frame_reader.cpp",
         "#include \"frame.h\"\n#include <queue>\n#include <opencv2/imgcodecs.hpp>\n", ""},
        {"core/run/lonely.cpp", "", "a source has a header of its name: core/run/lonely.cpp"},
        {"core/run/records.cpp", "", "a source has a header of its name: core/run/records.cpp"},
        {"core/kernels/isa_avx2.cpp", "", ""},
        {"core/run/report.h",
         "struct Report;\nstd::string toText(const Report& report,\n                   int digits);\n",
         "has a source of its name: core/run/report.h"},
        {"core/run/inline.h",
         "inline int twice(int x) { return 2 * x; }\nint half(int x)\n{\n    return x / 2;\n}\n", ""},
        {"app/cli/main.cpp", "#include \"models/model.h\"\n#include <cstdio>\n", ""}};
    return all;
}

int selfTest()
{
    int wrong = (complaints(cleanTree(), sampleRooms()).empty() ? 0 : 1)
                + (complaints(crowdedTree(), sampleRooms()).size() == 1 ? 0 : 1);
    for (const Trial& trial : trials()) {
        Tree tree = cleanTree();
        tree[trial.path] = trial.text;
        std::string all;
        for (const std::string& text : complaints(tree, sampleRooms()))
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

}

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: layering TREE | --self-test\n");
        return 2;
    }
    return std::string(argv[1]) == "--self-test" ? selfTest() : checkTree(argv[1]);
}
