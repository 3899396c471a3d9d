#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// A reader of ONNX files as small as the writer: it follows the format's own description, not our code.
namespace attnscope::test {

struct OnnxPort {
    std::string name;
    std::vector<std::string> shape;  ///< numbers, or names
};

struct OnnxNode {
    std::string name, op, domain;
    std::vector<std::string> inputs, outputs;
};

struct OnnxTensor {
    std::string name;
    std::map<std::string, std::string> external;
};

struct OnnxFile {
    int64_t irVersion = 0, opset = 0;
    std::vector<OnnxNode> nodes;
    std::vector<OnnxTensor> initializers;
    std::vector<OnnxPort> inputs, outputs;
    std::map<std::string, std::string> metadata;
};

/// One field of a message: a number, or bytes.
struct WireField {
    int id = 0;
    uint64_t number = 0;
    std::string_view bytes;
};

inline void forEachField(std::string_view message, const std::function<void(const WireField&)>& take)
{
    size_t at = 0;
    const auto varint = [&] {
        uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            if (at >= message.size() || shift > 63)
                throw std::runtime_error("a number of the file does not end");
            const auto byte = static_cast<unsigned char>(message[at++]);
            value |= uint64_t(byte & 0x7f) << shift;
            if ((byte & 0x80) == 0)
                return value;
        }
    };
    while (at < message.size()) {
        const uint64_t key = varint();
        WireField field{int(key >> 3), 0, {}};
        if ((key & 7) == 0) {
            field.number = varint();
        } else {
            const size_t length = (key & 7) == 2 ? size_t(varint()) : 4;
            if ((key & 7) != 2 && (key & 7) != 5)
                throw std::runtime_error("a field of the file is of an unknown kind");
            if (length > message.size() - at)
                throw std::runtime_error("a field of the file is longer than the file");
            field.bytes = message.substr(at, length);
            at += length;
        }
        take(field);
    }
}

inline void readEntry(std::string_view message, std::map<std::string, std::string>& entries)
{
    std::string key, value;
    forEachField(message,
                 [&](const WireField& field) { (field.id == 1 ? key : value) = std::string(field.bytes); });
    entries[key] = value;
}

inline OnnxPort readPort(std::string_view message)
{
    OnnxPort port;
    const auto dimension = [&](const WireField& one) {
        forEachField(one.bytes, [&](const WireField& size) {
            port.shape.push_back(size.id == 1 ? std::to_string(size.number) : std::string(size.bytes));
        });
    };
    forEachField(message, [&](const WireField& field) {
        if (field.id == 1)
            port.name = std::string(field.bytes);
        if (field.id != 2)
            return;
        forEachField(field.bytes, [&](const WireField& type) {
            forEachField(type.bytes, [&](const WireField& part) {
                if (part.id == 2)
                    forEachField(part.bytes, dimension);
            });
        });
    });
    return port;
}

inline OnnxNode readNode(std::string_view message)
{
    OnnxNode node;
    forEachField(message, [&](const WireField& field) {
        const std::string text(field.bytes);
        switch (field.id) {
        case 1:
            node.inputs.push_back(text);
            break;
        case 2:
            node.outputs.push_back(text);
            break;
        case 3:
            node.name = text;
            break;
        case 4:
            node.op = text;
            break;
        case 7:
            node.domain = text;
            break;
        default:
            break;
        }
    });
    return node;
}

inline OnnxTensor readTensor(std::string_view message)
{
    OnnxTensor tensor;
    forEachField(message, [&](const WireField& field) {
        if (field.id == 8)
            tensor.name = std::string(field.bytes);
        if (field.id == 13)
            readEntry(field.bytes, tensor.external);
    });
    return tensor;
}

inline OnnxFile readOnnx(std::string_view bytes)
{
    OnnxFile file;
    const auto graph = [&](const WireField& field) {
        switch (field.id) {
        case 1:
            file.nodes.push_back(readNode(field.bytes));
            break;
        case 5:
            file.initializers.push_back(readTensor(field.bytes));
            break;
        case 11:
            file.inputs.push_back(readPort(field.bytes));
            break;
        case 12:
            file.outputs.push_back(readPort(field.bytes));
            break;
        default:
            break;
        }
    };
    forEachField(bytes, [&](const WireField& field) {
        switch (field.id) {
        case 1:
            file.irVersion = int64_t(field.number);
            break;
        case 7:
            forEachField(field.bytes, graph);
            break;
        case 8:
            forEachField(field.bytes, [&](const WireField& set) {
                if (set.id == 2)
                    file.opset = int64_t(set.number);
            });
            break;
        case 14:
            readEntry(field.bytes, file.metadata);
            break;
        default:
            break;
        }
    });
    return file;
}

}
