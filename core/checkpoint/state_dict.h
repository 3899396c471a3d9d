// SPDX-License-Identifier: Apache-2.0
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

/// Checkpoints as data, free of torch. Files come from strangers: nothing in them is executed, sizes are checked before
/// anything is allocated, and only what is asked for is read.
namespace attnscope {

enum class ElementType { Float64, Float32, Float16, BFloat16, Int64, Int32, Int16, Int8, UInt8, Bool, Complex64, Complex128,
                         Float8E4M3, Float8E5M2, UInt16, UInt32, UInt64,
                         Float8E4M3Fnuz, Float8E5M2Fnuz, Float8E8M0, Complex32 };

std::size_t elementSize(ElementType type);
const char* toText(ElementType type);  ///< "float32"
bool isComplex(ElementType type);

/// The file behind a checkpoint: reads by offset, so that a file that shrinks meanwhile is an error and not a signal.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual std::int64_t size() const = 0;
    /// Fills `out` from `offset`. Throws FileError when the source ends before that.
    virtual void read(std::int64_t offset, std::span<std::byte> out) const = 0;
    virtual const std::string& name() const = 0;
};

/// A regular file. Throws FileError for anything else (missing, folder, pipe).
std::shared_ptr<const ByteSource> openFile(const std::filesystem::path& path);

/// A tensor in a file: a checked view (shape, strides, offset) of a stretch of its bytes.
struct StoredTensor {
    ElementType type = ElementType::Float32;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;  ///< in elements
    std::int64_t storageOffset = 0;     ///< in bytes from the beginning of the file: where the storage begins
    std::int64_t storageBytes = 0;
    std::int64_t firstElement = 0;      ///< in elements from the beginning of the storage
    bool bigEndian = false;
    std::shared_ptr<const ByteSource> source;

    std::int64_t elements() const;
    /// The elements in row-major order, little-endian, without gaps. Throws FileError when the file ends early.
    std::vector<std::byte> read() const;
    /// The elements as float32, whatever they are stored as (integers and Bool included; complex types throw FileError).
    std::vector<float> readFloat() const;
};

struct StateDict {
    std::map<std::string, StoredTensor> tensors;
    std::string container;               ///< "safetensors", "torch zip", "torch legacy"
    std::string nesting;                 ///< "model", "ema.state_dict" … the key that the tensors were under; empty when flat
    std::vector<std::string> alternatives;  ///< the other keys under which weights lie ("model_ema"), as `under` takes them
    Json metadata = Json::object();      ///< safetensors' __metadata__; inert values found beside the weights (epoch, args)
    std::vector<std::string> notes;      ///< what was chosen or ignored, in words
};

struct CheckpointOptions {
    Limits limits;
    std::string under;  ///< key that the weights are under ("model_ema", "ema.state_dict"); empty: the preferred one
};

/// Reads a checkpoint, going by its content. Throws FileError (one sentence: what is wrong, what would be right): also
/// where `under` names no weights, and where several keys hold weights and none of them is the usual one.
StateDict readCheckpoint(const std::filesystem::path& path, const CheckpointOptions& options = {});

}  // namespace attnscope
