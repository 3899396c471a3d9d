#pragma once

#include "core/archive/archive.h"

#include <memory>

namespace attnscope {

class ByteSource;

/// A data set of images in one file of Apache Parquet, as Hugging Face's Hub keeps them: an entry per row. Its bytes are the column `image`
/// (or img, jpg …) or the member `bytes` of it; its label is the column `label` (or labels, cls …), a number or a text, and empty where it is
/// null or negative, as in test sets. Its name is the last part of the member `path` where all rows have different ones, else the row's
/// number with the suffix of its kind of image. The names of the classes are those that the library `datasets` wrote.
///
/// Reads all images once to learn their sizes, and keeps none; later a page is unpacked when one of its rows is read, and the last pages
/// are kept. A row without image is refused when it is read. Throws FileError if the file is damaged or has no such columns, and Unsupported
/// for a codec that this build lacks.
std::shared_ptr<const Archive> openParquet(const std::filesystem::path& path);
/// Whether a file begins like one.
bool isParquet(const std::filesystem::path& path);
std::shared_ptr<const Archive> openParquet(std::shared_ptr<const ByteSource> file);

}
