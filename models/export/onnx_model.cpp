#include "models/export/onnx_model.h"

#include "core/base/atomic_file.h"
#include "models/export/wire_format.h"

#include <optional>
#include <string_view>

namespace attnscope::onnx {

namespace {

constexpr int64_t page = 4096, smallest = 1024;

/// Where the bytes of a constant are in the second file.
struct Place {
    std::string file;
    int64_t offset = 0;
};

Message entry(std::string_view key, std::string_view value)
{
    Message pair;
    pair.text(1, key);
    pair.text(2, value);
    return pair;
}

Message attributeMessage(const std::string& name, const Attribute& value)
{
    Message attribute;
    attribute.text(1, name);
    if (const auto* integer = std::get_if<int64_t>(&value)) {
        attribute.number(3, *integer);
        attribute.number(20, 2);
    } else if (const auto* real = std::get_if<float>(&value)) {
        attribute.real(2, *real);
        attribute.number(20, 1);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        attribute.text(4, *text);
        attribute.number(20, 3);
    } else {
        for (const int64_t one : std::get<std::vector<int64_t>>(value))
            attribute.number(8, one);
        attribute.number(20, 7);
    }
    return attribute;
}

Message nodeMessage(const Node& node)
{
    Message message;
    for (const std::string& input : node.inputs)
        message.text(1, input);
    for (const std::string& output : node.outputs)
        message.text(2, output);
    message.text(3, node.name);
    message.text(4, node.op);
    for (const auto& [name, value] : node.attributes)
        message.part(5, attributeMessage(name, value));
    return message;
}

/// All of a tensor but the bytes that stand in the same file.
Message tensorMessage(const Initializer& tensor, const std::optional<Place>& place)
{
    Message message;
    message.packed(1, tensor.shape);
    message.number(2, int64_t(tensor.type));
    message.text(8, tensor.name);
    if (place) {
        message.part(13, entry("location", place->file));
        message.part(13, entry("offset", std::to_string(place->offset)));
        message.part(13, entry("length", std::to_string(tensor.bytes.size())));
        message.number(14, 1);
    } else {
        message.begin(9, tensor.bytes.size());
    }
    return message;
}

Message portMessage(const Port& port)
{
    Message shape;
    for (const auto& size : port.shape) {
        Message dimension;
        if (const auto* known = std::get_if<int64_t>(&size))
            dimension.number(1, *known);
        else
            dimension.text(2, std::get<std::string>(size));
        shape.part(1, dimension);
    }
    Message tensor, type, message;
    tensor.number(1, int64_t(port.type));
    tensor.part(2, shape);
    type.part(1, tensor);
    message.text(1, port.name);
    message.part(2, type);
    return message;
}

std::span<const std::byte> bytesOf(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

/// Parts of the file in their order; constants are not copied.
class Parts {
public:
    void add(const Message& message)
    {
        m_own.push_back(std::make_unique<std::string>(message.bytes()));
        addForeign(bytesOf(*m_own.back()));
    }
    void addForeign(std::span<const std::byte> bytes)
    {
        m_parts.push_back(bytes);
        m_size += bytes.size();
    }
    uint64_t size() const { return m_size; }
    void write(AtomicFile& file) const
    {
        for (const auto& part : m_parts)
            file.write(part);
    }

private:
    std::vector<std::unique_ptr<std::string>> m_own;
    std::vector<std::span<const std::byte>> m_parts;
    uint64_t m_size = 0;
};

/// Writes the constants that go to a second file, and returns where each of the model's is.
std::vector<std::optional<Place>> writeExternal(const Model& model, const std::filesystem::path& path,
                                                int64_t& size)
{
    std::vector<std::optional<Place>> places;
    AtomicFile file(path);
    const std::vector<std::byte> zeros(page);
    for (const Initializer& tensor : model.initializers) {
        const auto length = int64_t(tensor.bytes.size());
        if (length < smallest) {
            places.emplace_back();
            continue;
        }
        const int64_t gap = (page - size % page) % page;
        file.write(std::span(zeros).first(size_t(gap)));
        size += gap;
        places.emplace_back(Place{path.filename().string(), size});
        file.write(tensor.bytes);
        size += length;
    }
    file.commit();
    return places;
}

Parts graphParts(const Model& model, const std::vector<std::optional<Place>>& places)
{
    Parts graph;
    Message first;
    for (const Node& node : model.nodes)
        first.part(1, nodeMessage(node));
    first.text(2, model.name);
    graph.add(first);
    for (size_t i = 0; i < model.initializers.size(); ++i) {
        const Initializer& tensor = model.initializers[i];
        const uint64_t inside = places[i] ? 0 : tensor.bytes.size();
        const Message message = tensorMessage(tensor, places[i]);
        Message head;
        head.begin(5, message.bytes().size() + inside);
        graph.add(head);
        graph.add(message);
        if (inside > 0)
            graph.addForeign(tensor.bytes);
    }
    Message last;
    for (const Port& input : model.inputs)
        last.part(11, portMessage(input));
    for (const Port& output : model.outputs)
        last.part(12, portMessage(output));
    graph.add(last);
    return graph;
}

}

int64_t bytesOf(ElementType type)
{
    return type == ElementType::Bool ? 1 : type == ElementType::Int64 ? 8 : 4;
}

WrittenFiles write(const Model& model, const std::filesystem::path& path, int64_t limit)
{
    int64_t weights = 0;
    for (const Initializer& tensor : model.initializers)
        weights += int64_t(tensor.bytes.size());
    WrittenFiles written;
    std::vector<std::optional<Place>> places(model.initializers.size());
    if (weights > limit) {
        written.external = path.string() + ".data";
        places = writeExternal(model, written.external, written.bytes);
    }
    const Parts graph = graphParts(model, places);
    Message head, tail, opset;
    head.number(1, Model::irVersion);
    head.text(2, model.producer);
    head.text(3, model.producerVersion);
    head.text(6, model.description);
    head.begin(7, graph.size());
    opset.text(1, "");
    opset.number(2, Model::opset);
    tail.part(8, opset);
    for (const auto& [key, value] : model.metadata)
        tail.part(14, entry(key, value));
    AtomicFile file(path);
    file.write(bytesOf(head.bytes()));
    graph.write(file);
    file.write(bytesOf(tail.bytes()));
    file.commit();
    written.bytes += int64_t(head.bytes().size() + graph.size() + tail.bytes().size());
    return written;
}

}
