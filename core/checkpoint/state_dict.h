#pragma once

#include "core/base/json.h"
#include "core/base/limits.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Checkpoints as data, independent of torch. Files are untrusted: nothing in them is executed, sizes are checked before anything is
/// allocated, and only what is requested is read.
namespace attnscope {

enum class ElementType {
    Float64,
    Float32,
    Float16,
    BFloat16,
    Int64,
    Int32,
    Int16,
    Int8,
    UInt8,
    Bool,
    Complex64,
    Complex128,
    Float8E4M3,
    Float8E5M2,
    UInt16,
    UInt32,
    UInt64,
    Float8E4M3Fnuz,
    Float8E5M2Fnuz,
    Float8E8M0,
    Complex32
};

size_t elementSize(ElementType type);
const char* toText(ElementType type);  ///< "float32"
bool isComplex(ElementType type);

/// The file of a checkpoint: reads by offset, so that a file that shrinks meanwhile is an error and not a signal.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual int64_t size() const = 0;
    /// Fills `out` from `offset`. Throws FileError if the source ends before that.
    virtual void read(int64_t offset, std::span<std::byte> out) const = 0;
    virtual const std::string& name() const = 0;
};

/// A regular file. Throws FileError for anything else (missing, folder, pipe).
std::shared_ptr<const ByteSource> openFile(const std::filesystem::path& path);

/// A tensor in a file: a checked view (shape, strides, offset) of a range of its bytes.
struct StoredTensor {
    ElementType type = ElementType::Float32;
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;  ///< in elements
    int64_t storageOffset = 0;     ///< in bytes from the beginning of the file: where the storage starts
    int64_t storageBytes = 0;
    int64_t firstElement = 0;  ///< in elements from the beginning of the storage
    bool bigEndian = false;
    std::shared_ptr<const ByteSource> source;

    int64_t elements() const;
    /// The elements in row-major order, little-endian, contiguous. Throws FileError if the file ends early.
    std::vector<std::byte> read() const;
    /// The elements as float32, whatever their stored type (including integers and Bool; complex types throw FileError).
    std::vector<float> readFloat() const;
};

struct StateDict {
    std::map<std::string, StoredTensor> tensors;
    std::string container;  ///< "safetensors", "torch zip", "torch legacy"
    std::string nesting;    ///< "model", "ema.state_dict" … the key that contained the tensors; empty if flat
    /// Other keys that contain weights ("model_ema"), as accepted by `under`.
    std::vector<std::string> alternatives;
    std::string prefix;  ///< the beginning of names that `under` means, if it is not a key: "base_encoder"
    /// safetensors' __metadata__; plain values found next to the weights (epoch, args).
    Json metadata = Json::object();
    std::vector<std::string> notes;  ///< what was chosen or ignored, as text
};

struct CheckpointOptions {
    Limits limits;
    /// Key that contains the weights ("model_ema", "ema.state_dict"), a beginning of their names, or both;
    /// empty: the preferred one.
    std::string under;
};

/// Reads a checkpoint, recognised by its content. Throws FileError (one sentence: problem and remedy), also if `under` contains no weights,
/// or if several keys contain weights and none of them is a usual one.
StateDict readCheckpoint(const std::filesystem::path& path, const CheckpointOptions& options = {});

}
