#include "core/base/options/options.h"

#include "core/base/text.h"

namespace attnscope {

OptionRule within(double low, double high, std::string type)
{
    return {.low = low, .high = high, .type = std::move(type)};
}

OptionRule optionalWithin(double low, double high, std::string type)
{
    return {.low = low, .high = high, .type = std::move(type), .showsDefault = false};
}

OptionRule oneOf(std::vector<std::string> words, std::string type)
{
    return {.words = std::move(words), .type = std::move(type)};
}

OptionRule anyText(std::string type)
{
    return {.type = std::move(type), .showsDefault = false};
}

OptionRule requiredText(std::string type)
{
    return {.type = std::move(type), .showsDefault = false, .required = true};
}

OptionRule repeatedText(std::string type)
{
    return {.type = std::move(type), .showsDefault = false, .repeats = true};
}

OptionRule listWithin(double low, double high, std::string type)
{
    return {.low = low, .high = high, .type = std::move(type), .showsDefault = false};
}

OptionRule listOf(std::string type)
{
    return listWithin(0, 0, std::move(type));
}

void OptionReader::add(const char* name, std::vector<std::string> values, bool isGiven)
{
    if (isGiven)
        m_given.push_back({name, std::move(values)});
}

std::string OptionReader::commaSeparated(const std::vector<std::string>& values)
{
    return joined(values, ",");
}

}
