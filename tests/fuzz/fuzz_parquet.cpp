#include "core/archive/parquet.h"
#include "tests/fuzz/fuzz_reader.h"
#include "tests/fuzz/fuzz_sentence.h"

using namespace attnscope;

/// A table is refused with a sentence, or each of its rows is read as long as it was listed, or refused in the same way.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz::expectSentence([&] {
        const auto archive = openParquet(
            std::make_shared<fuzz::MemorySource>(std::as_bytes(std::span(data, size))));
        fuzz::requireThat(archive->entries().size() <= size);
        for (size_t row = 0; row < archive->entries().size(); ++row)
            if (const int64_t bytes = archive->entries()[row].bytes; bytes > 0)
                fuzz::requireThat(int64_t(archive->read(row).size()) == bytes);
    });
    return 0;
}
