// Runs the test class that the first word names; what follows goes to Qt Test.
#include "tests/support/test_class.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace attnscope::testing {

namespace {

std::map<std::string, TestClass::Run>& testClasses()
{
    static std::map<std::string, TestClass::Run> classes;
    return classes;
}

}

TestClass::TestClass(const char* file, Run run)
{
    testClasses()[fs::path(file).stem().string()] = run;
}

}

int main(int count, char** words)
{
    const auto& classes = attnscope::testing::testClasses();
    const auto found = count > 1 ? classes.find(words[1]) : classes.end();
    if (found == classes.end()) {
        std::fprintf(stderr, "usage: %s CLASS [option of Qt Test]...\nThe classes are:\n", words[0]);
        for (const auto& [name, run] : classes)
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    words[1] = words[0];
    return found->second(count - 1, words + 1);
}
