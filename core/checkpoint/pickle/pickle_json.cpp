#include "core/checkpoint/pickle/pickle.h"

namespace attnscope {

namespace {

/// Shared values are written once per use and cycles never end: hence the budget.
class JsonMaker {
public:
    explicit JsonMaker(const PickleGraph& graph)
        : m_graph(graph)
    {}

    std::optional<Json> make(PickleRef ref, int depth = 0)
    {
        if (depth > 16 || --m_values < 0)
            return std::nullopt;
        // clang-format off
        switch (m_graph.kind(ref)) {
        case PickleKind::None: return Json();
        case PickleKind::Bool: return Json(m_graph.integer(ref) != 0);
        case PickleKind::Int: return Json(m_graph.integer(ref));
        case PickleKind::Float: return Json(m_graph.real(ref));
        case PickleKind::Text:
        case PickleKind::Global: return text(ref);
        case PickleKind::Tuple:
        case PickleKind::List:
        case PickleKind::Set: return list(ref, depth);
        case PickleKind::Dict: return object(Json::object(), m_graph.items(ref), depth);
        case PickleKind::Record: return record(ref, depth);
        case PickleKind::BigInt:
        case PickleKind::Bytes:
        case PickleKind::Storage:
        case PickleKind::Tensor: break;
        }
        // clang-format on
        return std::nullopt;
    }

private:
    /// Line breaks are kept (Motionformer's settings are YAML in one text); invalid UTF-8 becomes U+FFFD.
    std::optional<Json> text(PickleRef ref)
    {
        const std::string_view raw = m_graph.text(ref);
        m_bytes -= int64_t(raw.size());
        if (m_bytes < 0)
            return std::nullopt;
        return Json::parse(Json(std::string(raw)).dump(-1, ' ', false, Json::error_handler_t::replace));
    }

    std::optional<Json> list(PickleRef ref, int depth)
    {
        Json result = Json::array();
        for (const PickleRef item : m_graph.items(ref)) {
            auto value = make(item, depth + 1);
            if (!value)
                return std::nullopt;
            result.push_back(std::move(*value));
        }
        return result;
    }

    std::optional<Json> object(Json result, std::span<const PickleRef> items, int depth)
    {
        for (size_t i = 0; i + 1 < items.size(); i += 2) {
            auto key = make(items[i], depth + 1);
            auto value = make(items[i + 1], depth + 1);
            if (!key || !value || key->is_structured())
                return std::nullopt;
            result[key->is_string() ? key->get<std::string>() : key->dump()] = std::move(*value);
        }
        return result;
    }

    std::optional<Json> record(PickleRef ref, int depth)
    {
        const auto items = m_graph.items(ref);  // class, arguments, state, entries
        auto result = object(Json::object(), items.subspan(3), depth);
        auto type = text(items[0]);
        if (!result || !type)
            return std::nullopt;
        if (m_graph.is(items[2], PickleKind::Dict))
            result = object(std::move(*result), m_graph.items(items[2]), depth);
        if (!result)
            return std::nullopt;
        auto arguments = list(items[1], depth);
        if (!arguments)
            return std::nullopt;
        if (!arguments->empty())
            (*result)["__arguments__"] = std::move(*arguments);
        (*result)["__class__"] = std::move(*type);
        return result;
    }

    const PickleGraph& m_graph;
    int64_t m_values = 4096;
    int64_t m_bytes = 262'144;
};

}

std::optional<Json> toJson(const PickleGraph& graph, PickleRef ref)
{
    return JsonMaker(graph).make(ref);
}

}
