#include "core/archive/file_archive.h"
#include "tests/fuzz/fuzz_sentence.h"
#include "tests/support/packed_files.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

/// The bytes as a file, without a disk.
std::string fileOf(const std::string& bytes)
{
    static const int file = ::memfd_create("packed", 0);
    requireThat(::ftruncate(file, 0) == 0
                && ::pwrite(file, bytes.data(), bytes.size(), 0) == ssize_t(bytes.size()));
    return "/proc/self/fd/" + std::to_string(file);
}

/// Whatever the sums of tar headers were, they are right.
std::string withSums(std::string tar)
{
    for (size_t at = 0; at + 512 <= tar.size(); at += 512) {
        if (tar.compare(at + 257, 5, "ustar") != 0)
            continue;
        tar.replace(at + 148, 8, "        ");
        unsigned sum = 0;
        for (size_t i = 0; i < 512; ++i)
            sum += static_cast<unsigned char>(tar[at + i]);
        std::array<char, 8> text{};
        std::snprintf(text.data(), text.size(), "%06o", sum & 0777777U);
        tar.replace(at + 148, 7, std::string(text.data(), 7));
    }
    return tar;
}

}

/// An archive as it is, or with right sums, or that in a gzip file: the first byte chooses.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0)
        return 0;
    std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 3 > 0)
        bytes = withSums(std::move(bytes));
    if (data[0] % 3 == 2)
        bytes = gzipOf(bytes, 1);
    const std::string path = fileOf(bytes);
    expectSentence([&] {
        const auto archive = fileArchive(path, listArchive(path));
        int64_t left = int64_t{16} << 20;
        for (size_t i = 0; i < archive->entries().size(); ++i) {
            const PackedEntry& entry = archive->entries()[i];
            requireThat(!entry.name.empty() && !entry.name.starts_with('/')
                        && ("/" + entry.name + "/").find("/../") == std::string::npos);
            left -= entry.bytes;
            if (left > 0)
                expectSentence([&] { requireThat(int64_t(archive->read(i).size()) == entry.bytes); });
        }
    });
    return 0;
}
