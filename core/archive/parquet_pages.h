#pragma once

#include "core/checkpoint/state_dict.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

/// The pages of Apache Parquet's columns (parquet-format 2.11), as far as data sets of images need them: columns without repetition, plain or
/// with a dictionary.
namespace attnscope::parquet {

/// Physical types by their numbers in parquet.thrift; of all others nothing is read.
enum Type : int64_t { Int32 = 1, Int64 = 2, ByteArray = 6 };
enum Encoding : int64_t { Plain = 0, PlainDictionary = 2, Rle = 3, RleDictionary = 8 };

/// The values of a column in a group of rows.
struct Chunk {
    int64_t type = ByteArray;
    int64_t codec = 0;
    int64_t levels = 0;  ///< how many of the column and the structures around it may be null
    int64_t rows = 0;
    int64_t begin = 0;  ///< in the file
    int64_t end = 0;
};

enum class PageKind { Data = 0, Index = 1, Dictionary = 2, DataV2 = 3 };

/// A page of a chunk by its header, whose figures are checked.
struct Page {
    PageKind kind = PageKind::Data;
    int64_t offset = 0;      ///< of what follows the header
    int64_t packed = 0;      ///< bytes in the file
    int64_t unpacked = 0;    ///< bytes
    int64_t levelBytes = 0;  ///< of version 2: they come first and are not packed
    int64_t values = 0;
    int64_t encoding = 0;
    bool isPacked = true;
};

/// What a page contains: little-endian numbers or bytes; null values have no data.
struct Values {
    std::vector<std::string_view> values;
    std::vector<uint8_t> bytes;
    std::shared_ptr<const Values> dictionary;
};

/// Throws FileError.
[[noreturn]] void refuse(const ByteSource& file, const std::string& problem,
                         std::string_view remedy = "it is damaged; copy or download it again");

/// Bytes of the file. Throws FileError if it ends before.
std::vector<uint8_t> bytesAt(const ByteSource& file, int64_t offset, int64_t count);

/// A chunk's dictionary, if it has one, and pages of data, together as many values as the chunk has rows. Only headers are read. Throws
/// FileError if the chunk ends before or has pages of another kind.
std::vector<Page> pagesOf(const ByteSource& file, const Chunk& chunk);

/// Throws FileError if the page is damaged, and Unsupported for a codec that this build lacks.
std::shared_ptr<const Values> valuesOf(const ByteSource& file, const Chunk& chunk, const Page& page,
                                       std::shared_ptr<const Values> dictionary);

}
