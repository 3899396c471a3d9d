#include "core/base/json_text.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace attnscope {

namespace {

/// Builds a value event by event. The library's own builder looks for each key among all before it, and accepts any depth.
class JsonBuilder : public nlohmann::json_sax<Json> {
public:
    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(size_t /*size*/) override { return open(Json::object()); }
    bool start_array(size_t /*size*/) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(size_t /*at*/, const std::string& /*token*/, const Json::exception& /*error*/) override
    {
        return false;
    }

    bool key(string_t& key) override
    {
        m_open.back().key = std::move(key);
        return true;
    }

    Json take() { return std::move(m_root); }

private:
    /// An unfinished array or object.
    struct Container {
        Json value;
        std::string key;                                 ///< of an object's next member
        std::unordered_map<std::string, size_t> places;  ///< of an object's members
    };

    bool open(Json value)
    {
        if (m_open.size() == deepestJson)
            return false;
        m_open.push_back({std::move(value), {}, {}});
        return true;
    }

    bool close()
    {
        Json value = std::move(m_open.back().value);
        m_open.pop_back();
        return add(std::move(value));
    }

    bool add(Json value)
    {
        if (m_open.empty())
            m_root = std::move(value);
        else if (m_open.back().value.is_array())
            m_open.back().value.push_back(std::move(value));
        else
            addMember(m_open.back(), std::move(value));
        return true;
    }

    static void addMember(Container& container, Json value)
    {
        auto& members = container.value.get_ref<Json::object_t&>();
        const auto [place, isNew] = container.places.emplace(container.key, members.size());
        if (isNew)
            members.emplace_back(std::move(container.key), std::move(value));
        else
            members.data()[place->second].second = std::move(value);
    }

    std::vector<Container> m_open;
    Json m_root;
};

}

Json jsonFromText(std::string_view text)
{
    JsonBuilder builder;
    return Json::sax_parse(text, &builder) ? builder.take() : Json(Json::value_t::discarded);
}

}
