#include "core/base/archive.h"

#include <cstdlib>

/// What the window has kept of its results, behind a checksum that is right.
namespace {

using namespace attnscope;

enum class Kind { First, Second };

struct Part {
    double value = 0;
    std::optional<float> maybe;
    std::array<bool, 3> flags{};
    std::string text;
};

struct Whole {
    Kind kind = Kind::First;
    std::vector<Part> parts;
    std::vector<float> numbers;
    std::map<std::string, std::vector<int32_t>> lists;
    std::optional<Part> part;
    std::filesystem::path path;
    std::vector<std::vector<std::string>> texts;
};

}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    try {
        archive::Reader reader({reinterpret_cast<const char*>(data), size});
        const auto whole = reader.read<Whole>();
        // What was read is written in a way that reads to the same.
        const std::string bytes = archived(whole);
        if (archived(unarchived<Whole>(bytes)) != bytes)
            std::abort();
    } catch (const FileError& error) {
        if (!error.reason().ends_with('.'))
            std::abort();
    }
    return 0;
}
