#include "core/attention/network/weight_storage.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace attnscope {

namespace {

std::string partOf(std::string_view attention, std::string_view key)
{
    const size_t at = attention.find(key);
    if (at == std::string_view::npos)
        return {};
    const std::string_view part = attention.substr(at + key.size());
    return std::string(part.substr(0, part.find(';')));
}

}

std::string toText(WeightStorage storage)
{
    return storage == WeightStorage::Own ? "own" : "int8";
}

WeightStorage weightStorageOf(std::string_view text)
{
    for (const WeightStorage storage : {WeightStorage::Own, WeightStorage::Int8})
        if (trim(text) == toText(storage))
            return storage;
    throw UsageError(text, "linear layers cannot be stored like this",
                     "write own (in the type of the computation) or int8");
}

std::vector<std::string> weightStorageNames()
{
    return {toText(WeightStorage::Own), toText(WeightStorage::Int8)};
}

const std::vector<std::string>& computationTypes()
{
    static const std::vector<std::string> types{"float32", "bfloat16", "float16"};
    return types;
}

std::string tokensOf(std::string_view attention)
{
    return partOf(attention, ";tokens=");
}

std::string weightsOf(std::string_view attention)
{
    return partOf(attention, ";weights=");
}

std::string dtypeOf(std::string_view attention)
{
    return partOf(attention, ";dtype=");
}

bool isAttentionAlone(std::string_view attention)
{
    return tokensOf(attention).empty() && weightsOf(attention).empty();
}

}
