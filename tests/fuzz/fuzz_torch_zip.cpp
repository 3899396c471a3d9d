#include "core/checkpoint/torch_state.h"
#include "fuzz_reader.h"
#include "mutate_pickle.h"

using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

struct Entry {
    std::string name;
    std::string bytes;
};

/// The entries of an archive as its directory tells them; nothing where there is no directory.
std::vector<Entry> entriesOf(std::string_view file)
{
    std::vector<Entry> entries;
    const size_t end = file.rfind("PK\x05\x06");
    if (end == std::string_view::npos)
        return entries;
    size_t at = numberAt(file, end + 16, 4);
    while (at + 46 <= file.size() && file.substr(at, 4) == "PK\x01\x02") {
        const size_t nameBytes = numberAt(file, at + 28, 2), local = numberAt(file, at + 42, 4);
        const size_t data = local + 30 + numberAt(file, local + 26, 2) + numberAt(file, local + 28, 2);
        const size_t size = numberAt(file, at + 24, 4);
        if (local + 30 > file.size() || data > file.size())
            return entries;
        entries.push_back({std::string(file.substr(std::min(at + 46, file.size()), nameBytes)),
                           std::string(file.substr(data, size))});
        at += 46 + nameBytes + numberAt(file, at + 30, 2) + numberAt(file, at + 32, 2);
    }
    return entries;
}

/// A sound archive of these entries, stored, one behind the other.
std::string archiveOf(const std::vector<Entry>& entries)
{
    std::string file, directory;
    for (const Entry& entry : entries) {
        const std::string sizes = littleEndian(entry.bytes.size(), 4) + littleEndian(entry.bytes.size(), 4);
        const std::string names = littleEndian(entry.name.size(), 2);
        const std::string fixed = littleEndian(20, 2) + littleEndian(0, 4) + littleEndian(0, 8) + sizes + names;
        directory += "PK\x01\x02" + littleEndian(20, 2) + fixed + littleEndian(0, 12)
                     + littleEndian(file.size(), 4) + entry.name;
        file += "PK\x03\x04" + fixed + littleEndian(0, 2) + entry.name + entry.bytes;
    }
    return file + directory + "PK\x05\x06" + littleEndian(0, 4) + littleEndian(entries.size(), 2)
           + littleEndian(entries.size(), 2) + littleEndian(directory.size(), 4) + littleEndian(file.size(), 4)
           + littleEndian(0, 2);
}

void mutateEntries(std::vector<Entry>& entries, Mutator& mutator)
{
    const size_t at = mutator.below(entries.size());
    switch (mutator.below(8)) {
    case 0:
        entries.erase(entries.begin() + ptrdiff_t(at));
        return;
    case 1:
        entries.push_back(entries[at]);
        return;
    case 2:
        entries[at].name = mutator.oneOf(
            {"a/data.pkl", "a/data/0", "a/data/1", "a/byteorder", "../x", "/x", "a/constants.pkl"});
        return;
    case 3:
        mutator.bytes(entries[at].bytes, 64);
        return;
    default:
        break;
    }
    for (Entry& entry : entries)
        if (entry.name.ends_with("/data.pkl"))
            mutatePickle(entry.bytes, mutator);
}

/// A field of a record that begins with one of the marks.
void mutateField(std::string& file, Mutator& mutator)
{
    const std::string mark = mutator.oneOf({"PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "PK\x06\x06", "PK\x06\x07"});
    const size_t found = file.find(mark, mutator.below(file.size() + 1));
    const size_t at = (found == std::string::npos ? file.find(mark) : found);
    if (at == std::string::npos)
        return;
    const size_t bytes = size_t{1} << (1 + mutator.below(3)), field = at + 4 + mutator.below(44);
    if (field + bytes <= file.size())
        file.replace(field, bytes, littleEndian(mutator.number(), int(bytes)));
}

}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
    Mutator mutator(seed);
    std::string file(reinterpret_cast<const char*>(data), size);
    if (mutator.oneIn(8))
        mutator.bytes(file);
    else if (mutator.oneIn(4))
        mutateField(file, mutator);
    else if (std::vector<Entry> entries = entriesOf(file); !entries.empty()) {
        mutateEntries(entries, mutator);
        file = archiveOf(entries);
    } else {
        file = archiveOf({{"a/data.pkl", "\x80\x02}."}, {"a/data/0", std::string(16, '\0')}});
    }
    return store(file, data, size, maxSize);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    return check(data, size, [](const auto& source) { return readTorchZip(source); });
}
