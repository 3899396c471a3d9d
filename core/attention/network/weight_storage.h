#pragma once

#include <string>
#include <string_view>
#include <vector>

/// How a network stores the linear layers of its blocks while it runs. Independent of torch.
namespace attnscope {

enum class WeightStorage {
    Own,   ///< in the type that the network computes in
    Int8,  ///< in 8 bits, one scale for each output; their inputs are rounded to 8 bits as well (core/nn/int8.h)
};

/// "own", "int8".
std::string toText(WeightStorage storage);
/// Throws UsageError, naming the alternatives.
WeightStorage weightStorageOf(std::string_view text);
std::vector<std::string> weightStorageNames();
/// The names of the types that networks compute in: "float32" first.
const std::vector<std::string>& computationTypes();

/// What of a canonical specification describes the network around the attention: "tome:r=13" and "int8" of
/// "softmax;tokens=tome:r=13;weights=int8". Empty without such a part.
std::string tokensOf(std::string_view attention);
std::string weightsOf(std::string_view attention);
/// The type that this network computes in: "bfloat16" of "lara;dtype=bfloat16".
std::string dtypeOf(std::string_view attention);
/// Whether it describes attention alone.
bool isAttentionAlone(std::string_view attention);

}
