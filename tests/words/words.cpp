// SPDX-License-Identifier: Apache-2.0
// The words of docs/glossary.md and of the field as a test: no identifier, comment, document or translatable string uses a word that
// words.txt forbids.
//
//     words TREE           prints each hit with its place and what to write instead; exit code 1 when there is one
//     words TREE --counts  prints how often each rule is broken in each folder
//     words --self-test    checks that every kind of rule fires in a small tree of its own, and that exceptions hold
#include "tests/words/word_list.h"
#include "tests/words/word_stream.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <vector>

using namespace attnscope::words;

namespace {

bool hasSuffix(const std::string& path, const std::string& suffix)
{
    return path.size() > suffix.size() && path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

bool isSource(const std::string& path)
{
    return hasSuffix(path, ".h") || hasSuffix(path, ".cpp") || hasSuffix(path, ".cu") || hasSuffix(path, ".cuh");
}

/// The words of the path itself: names of folders and files are names, too.
WordStream pathWords(const std::string& path)
{
    WordStream stream{Scope::Identifiers, {}, path};
    for (std::string& word : identifierWords(path.substr(0, path.rfind('.'))))
        stream.words.push_back({std::move(word), 1});
    return stream;
}

std::vector<Hit> checkFile(const WordList& list, const std::string& path, const std::string& text)
{
    std::vector<Hit> hits = list.check(path, pathWords(path));
    for (const WordStream& stream : isSource(path) ? readSource(text) : readDocument(text))
        for (Hit& hit : list.check(path, stream))
            hits.push_back(std::move(hit));
    return hits;
}

std::string readText(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Path from the root → text, of everything that is checked.
std::map<std::string, std::string> readTree(const std::filesystem::path& root)
{
    std::map<std::string, std::string> tree{{"README.md", readText(root / "README.md")}};
    for (const char* top : {"core", "models", "ui", "app", "docs"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
            const std::string path = entry.path().lexically_relative(root).generic_string();
            if (entry.is_regular_file() && (isSource(path) || hasSuffix(path, ".md")))
                tree[path] = readText(entry.path());
        }
    return tree;
}

/// "core/attention" of "core/attention/methods/lara.h"; "README.md".
std::string roomOf(const std::string& path)
{
    const std::size_t first = path.find('/');
    if (first == std::string::npos || path.rfind("docs/", 0) == 0)
        return path.substr(0, first);
    const std::size_t second = path.find('/', first + 1);
    return path.substr(0, second == std::string::npos ? first : second);
}

void printCounts(const std::vector<Hit>& hits)
{
    std::map<std::string, std::map<std::string, int>> counts;
    std::map<std::string, int> totals;
    for (const Hit& hit : hits) {
        ++counts[hit.rule][roomOf(hit.path) + " " + toText(hit.scope)];
        ++totals[hit.rule];
    }
    for (const auto& [rule, rooms] : counts) {
        std::printf("%5d  %s:", totals[rule], rule.c_str());
        for (const auto& [room, count] : rooms)
            std::printf(" %s %d;", room.c_str(), count);
        std::printf("\n");
    }
}

int checkTree(const std::filesystem::path& root, bool countsAlone)
{
    std::ifstream text(root / "tests/words/words.txt");
    const WordList list(text);
    const auto tree = readTree(root);
    std::vector<Hit> hits;
    for (const auto& [path, content] : tree)
        for (Hit& hit : checkFile(list, path, content))
            hits.push_back(std::move(hit));
    if (countsAlone)
        printCounts(hits);
    else
        for (const Hit& hit : hits)
            std::printf("%s:%d: %s: \"%s\": write %s\n", hit.path.c_str(), hit.line, toText(hit.scope), hit.found.c_str(),
                        hit.advice.c_str());
    std::printf("%zu files, %zu hits\n", tree.size(), hits.size());
    return hits.empty() && tree.size() > 100 ? 0 : 1;  // fewer files: this is not the tree
}

constexpr const char* sampleList = "# comment\n"
                                   "picture|pictures ; all ; * ; image\n"
                                   "yardstick* ; all ; * ; baseline\n"
                                   "gate ; identifiers comments ; core/media ; validator\n"
                                   "width ; identifiers ; core/attention ; headDim\n"
                                   "the|a share ; comments docs ; * ; fraction\n"
                                   "deviation ; comments ; * ; standard deviation\n"
                                   "is no ; docs strings ; * ; is not a\n"
                                   "allow group of pictures ; comments ; core/media/video ; a term of video coding\n"
                                   "allow standard deviation ; comments ; * ; the full term\n"
                                   "allow there is no ; docs strings ; * ; plain English\n"
                                   "allow image width ; identifiers ; * ; an image has a width\n";

/// A file and what its only hit is expected to say (nothing: it is allowed).
struct Trial {
    const char* path;
    const char* text;
    const char* expected;
};

constexpr Trial trials[] = {
    {"core/run/a.h", "int pictureCount;\n", "1 pictureCount"},
    {"core/run/a.h", "int x;\nstruct PICTURE_SIZE {};\n", "2 PICTURE_SIZE"},
    {"core/run/a.h", "int a = pictureCount + pictureCount;\n", "1 pictureCount"},
    {"core/run/a.h", "// of every\n// picture\n", "2 picture"},
    {"core/run/a.h", "/* one\n   picture */ int x;\n", "2 picture"},
    {"core/run/a.h", "const char* key = \"pictures\";  // `pictures`, a_picture, pictureOf()\n", ""},
    {"core/run/a.h", "const char* key = R\"(pictures)\"; int n = 1'000; char c = '\\''; // fine\n", ""},
    {"core/run/picture_file.h", "", "1 core/run/picture_file.h"},
    {"core/run/a.h", "#include \"core/run/picture_file.h\"\n", ""},
    {"core/run/a.cu", "float yardstickOf(float x);\n", "1 yardstickOf"},
    {"core/media/format/a.h", "class ImageGate;\n", "1 ImageGate"},
    {"ui/engine/a.h", "class MeasuringGate;\n", ""},
    {"core/attention/a.h", "int width = 1;\n", "1 width"},
    {"core/attention/a.h", "int imageWidth = 1;\n", ""},
    {"core/nn/a.h", "int width = 1;\n", ""},
    {"core/run/a.h", "// The share of the time; shared_ptr shares it.\n", "1 the share"},
    {"core/run/a.h", "// They share the work. A shared memory.\n", ""},
    {"core/run/a.h", "// The standard\n// deviation.\n", ""},
    {"core/run/a.h", "int x;  // its deviation\n", "1 deviation"},
    {"core/media/video/a.h", "// A group of pictures is open.\n", ""},
    {"core/run/a.h", "// A group of pictures is open.\n", "1 pictures"},
    {"ui/a.cpp", "label->setText(tr(\"No picture\"));\n", "1 picture"},
    {"ui/a.cpp", "label->setText(tr(\"%1 of %2\").arg(QString(\"picture\")));\n", ""},
    {"ui/a.cpp", "tr(\"This is no file\");\n", "1 is no"},
    {"ui/a.cpp", "tr(\"There is no file\");\n", ""},
    {"docs/a.md", "Text.\n\n    picture in code\n\nA `picture` and [a link](picture.md).\n", ""},
    {"docs/a.md", "# Title\n\nThat is. No more.\n\nA picture\n", "5 picture"},
    {"docs/a.md", "```\npicture\n```\nand\nwhat is\nno number\n", "5 is no"},
};

int selfTest()
{
    std::istringstream text(sampleList);
    const WordList list(text);
    int wrong = 0;
    for (const Trial& trial : trials) {
        std::string all;
        for (const Hit& hit : checkFile(list, trial.path, trial.text))
            all += (all.empty() ? "" : ", ") + std::to_string(hit.line) + " " + hit.found;
        if (all == trial.expected)
            continue;
        std::printf("%s \"%s\": expected \"%s\", found \"%s\"\n", trial.path, trial.text, trial.expected, all.c_str());
        ++wrong;
    }
    for (const char* bad : {"picture ; image\n", "picture ; everywhere ; * ; image\n"}) {
        std::istringstream badText(bad);
        try {
            const WordList refused(badText);
            std::printf("accepted: %s", bad);
            ++wrong;
        } catch (const std::exception&) {
        }
    }
    std::printf("%zu trials, %d wrong\n", std::size(trials) + 2, wrong);
    return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
    const bool countsAlone = argc == 3 && std::strcmp(argv[2], "--counts") == 0;
    if (argc != 2 && !countsAlone) {
        std::printf("usage: words TREE [--counts] | words --self-test\n");
        return 2;
    }
    try {
        return std::strcmp(argv[1], "--self-test") == 0 ? selfTest() : checkTree(argv[1], countsAlone);
    } catch (const std::exception& error) {
        std::printf("words.txt: %s\n", error.what());
        return 1;
    }
}
