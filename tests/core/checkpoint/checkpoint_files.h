#pragma once

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/state_dict.h"
#include "tests/support/folder.h"

#include <QDir>
#include <QFile>
#include <QtTest>

#include <string>
#include <vector>

/// Checkpoints made by hand, byte by byte: what no library would write.
namespace attnscope::test {

inline std::string littleEndian(uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += i < 8 ? char(value >> (8 * i)) : '\0';
    return text;
}

inline std::string fileBytes(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

inline std::string golden(const std::string& name)
{
    return TEST_DATA_DIR "/checkpoints/" + name;
}

inline QStringList namesIn(const Folder& folder)
{
    return QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
}

/// The sentence of the refusal, without the file's name; empty when the file is read. Every tensor is read as
/// well.
inline QString refusal(const std::string& path)
{
    try {
        for (const auto& [name, tensor] : readCheckpoint(path).tensors)
            tensor.read();
        return {};
    } catch (const Error& error) {
        return QString::fromStdString(error.reason());
    }
}

namespace pickle {

inline std::string text(const std::string& value)
{
    return "X" + littleEndian(value.size(), 4) + value;
}
inline std::string global(const std::string& module, const std::string& name)
{
    return "c" + module + "\n" + name + "\n";
}
inline std::string integer(int64_t value)
{
    return "\x8a\x08" + littleEndian(uint64_t(value), 8);
}
inline std::string tuple(const std::string& items)
{
    return "(" + items + "t";
}
inline std::string program(const std::string& operations)
{
    return "\x80\x02" + operations + ".";
}

inline std::string numbers(const std::vector<int64_t>& values)
{
    std::string items;
    for (const int64_t value : values)
        items += integer(value);
    return tuple(items);
}

inline std::string storage(int64_t elements, const std::string& key = "0",
                           const std::string& type = "FloatStorage")
{
    return tuple(text("storage") + global("torch", type) + text(key) + text("cpu") + integer(elements)) + "Q";
}

struct View {
    int64_t elements = 4;
    int64_t first = 0;
    std::vector<int64_t> shape{4};
    std::vector<int64_t> strides{1};
};

inline std::string tensor(const View& view = {})
{
    return global("torch._utils", "_rebuild_tensor_v2")
           + tuple(storage(view.elements) + integer(view.first) + numbers(view.shape) + numbers(view.strides)
                   + "\x89" + "}")
           + "R";
}

/// {"w": tensor, more…}
inline std::string weights(const std::string& more = {})
{
    return program("}(" + text("w") + tensor() + more + "u");
}

}

struct ZipEntry {
    std::string name;
    std::string bytes;
    uint16_t method = 0;
    uint16_t flags = 0;
    std::string localName;  ///< when it lies
    int64_t size = -1;      ///< in the directory, when it lies
    int64_t offset = -1;    ///< in the directory, when it lies
};

inline std::string zip(const std::vector<ZipEntry>& entries, int64_t count = -1, const std::string& comment = {})
{
    std::string file, directory;
    for (const ZipEntry& entry : entries) {
        const std::string local = entry.localName.empty() ? entry.name : entry.localName;
        const auto offset = entry.offset < 0 ? file.size() : size_t(entry.offset);
        const auto size = entry.size < 0 ? entry.bytes.size() : size_t(entry.size);
        const std::string sizes = littleEndian(size, 4) + littleEndian(size, 4);
        file += "PK\x03\x04" + littleEndian(20, 2) + littleEndian(entry.flags, 2) + littleEndian(entry.method, 2)
                + littleEndian(0, 8) + sizes + littleEndian(local.size(), 2) + littleEndian(0, 2) + local
                + entry.bytes;
        directory += "PK\x01\x02" + littleEndian(20, 2) + littleEndian(20, 2) + littleEndian(entry.flags, 2)
                     + littleEndian(entry.method, 2) + littleEndian(0, 8) + sizes
                     + littleEndian(entry.name.size(), 2) + littleEndian(0, 12) + littleEndian(offset, 4)
                     + entry.name;
    }
    const uint64_t number = count < 0 ? entries.size() : uint64_t(count);
    return file + directory + "PK\x05\x06" + littleEndian(0, 4) + littleEndian(number, 2) + littleEndian(number, 2)
           + littleEndian(directory.size(), 4) + littleEndian(file.size(), 4) + littleEndian(comment.size(), 2)
           + comment;
}

inline const std::string fourFloats = std::string("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40",
                                                  16);  // 1 2 3 4

/// A file of torch.save with this pickle and one storage of four floats.
inline std::string torchZip(const std::string& pickle)
{
    return zip({{"a/data.pkl", pickle}, {"a/byteorder", "little"}, {"a/data/0", fourFloats}});
}

}
