#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// Open Neural Network Exchange: a network as data, and the file that runtimes read. Free of LibTorch and of protobuf: the format needs two
/// kinds of protobuf fields, which write themselves in a few lines.
namespace attnscope::onnx {

/// Values of onnx.TensorProto.DataType.
enum class ElementType : int32_t { Float = 1, Int64 = 7, Bool = 9 };

int64_t bytesOf(ElementType type);

using Attribute = std::variant<int64_t, float, std::string, std::vector<int64_t>>;

/// One operator. An empty input name leaves out an optional input.
struct Node {
    std::string name, op;
    std::vector<std::string> inputs, outputs;
    std::vector<std::pair<std::string, Attribute>> attributes;
};

/// A constant. The bytes are little-endian, row-major, and may belong to somebody else whom `owner` keeps alive.
struct Initializer {
    std::string name;
    ElementType type = ElementType::Float;
    std::vector<int64_t> shape;
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};

/// An input or output of the network. A dimension is a size, or the name of one that is free.
struct Port {
    std::string name;
    ElementType type = ElementType::Float;
    std::vector<std::variant<int64_t, std::string>> shape;
};

struct Model {
    static constexpr int64_t opset = 23, irVersion = 11;

    std::string name, producer, producerVersion, description;
    std::vector<Node> nodes;
    std::vector<Initializer> initializers;
    std::vector<Port> inputs, outputs;
    std::map<std::string, std::string> metadata;
};

/// What was written: one file, or with weights in a second one.
struct WrittenFiles {
    int64_t bytes = 0;               ///< of both
    std::filesystem::path external;  ///< empty: weights are in the file itself
};

/// Protobuf ends at 2 GiB: above this many bytes of weights they go to a second file.
inline constexpr int64_t externalAbove = 1'500'000'000;

/// Writes the model as `path`, completely or not at all. Initializers of a kilobyte or more go to `path` + ".data" if all of them have more
/// than `limit` bytes, each at a multiple of 4096. Throws FileError.
WrittenFiles write(const Model& model, const std::filesystem::path& path, int64_t limit = externalAbove);

}
