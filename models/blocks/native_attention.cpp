#include "models/blocks/native_attention.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <map>

namespace attnscope {

namespace {

[[noreturn]] void refuse(const std::string& subject, const std::string& key, const Json& value)
{
    throw UsageError(
        subject, "attn_args: `" + key + "` = " + printable(value.dump().substr(0, 60)) + " is not supported here",
        "describe the attention by `attention` with an attention specification");
}

std::string translated(const std::map<std::string, std::string>& table, const Json& arguments,
                       const std::string& key, const std::string& fallback, const std::string& subject)
{
    const Json value = arguments.value(key, Json(fallback));
    if (!value.is_string() || table.count(value.get<std::string>()) == 0)
        refuse(subject, key, value);
    return table.at(value.get<std::string>());
}

int64_t integer(const Json& arguments, const std::string& key, int64_t fallback, const std::string& subject)
{
    const Json value = arguments.value(key, Json(fallback));
    if (!value.is_number_integer())
        refuse(subject, key, value);
    return value.get<int64_t>();
}

NativeAttention lara(const Json& arguments, const std::string& subject)
{
    const std::string generator = translated({{"pool", "mean-query-key"},
                                              {"pool-mixed", "mixed"},
                                              {"pool-vmixed", "vmixed"},
                                              {"no-param-pool", "mean-query-key,map=none"},
                                              {"no-param-pool-mixed", "mixed,map=none"},
                                              {"no-param-pool-vmixed", "vmixed,map=none"},
                                              {"adaptive-1d", "mean-query-key,landmarks=segments"}},
                                             arguments, "proposal_gen", "pool", subject);
    const std::string weights = translated(
        {{"mis-bh", "balance"}, {"mis-opt", "decoupled"}, {"mis-biased", "query"}}, arguments, "mis_type",
        "mis-opt", subject);
    const Json beta = arguments.value("alpha_coeff", Json(1.0));
    if (!beta.is_number())
        refuse(subject, "alpha_coeff", beta);
    const auto count = integer(arguments, "num_landmarks", 49, subject);
    const auto spec = AttentionSpec::parse("lara:samples=" + std::to_string(count) + ",proposal=" + generator
                                           + ",weights=" + weights
                                           + ",beta=" + toText(OptionValue(beta.get<double>())));
    return {spec, generator.find("map=none") == std::string::npos};
}

NativeAttention performer(const Json& arguments, const std::string& subject)
{
    translated({{"favorp", ""}}, arguments, "proj_method", "favorp", subject);
    if (arguments.value("cos_weighting", Json(false)) != Json(false))
        refuse(subject, "cos_weighting", arguments["cos_weighting"]);
    const auto samples = integer(arguments, "approx_attn_dim", 64, subject);
    return {AttentionSpec::parse("performer:samples=" + std::to_string(samples) + ",floors=library"), false};
}

NativeAttention randomized(const Json& arguments, const std::string& subject)
{
    const auto samples = integer(arguments, "num_samples", -1, subject);
    if (samples == -1)
        return {AttentionSpec::parse("ra:mode=biased"), false};
    if (samples == 0)
        return {AttentionSpec::parse("ra:mode=mean-key"), false};
    // Whatever the number, that code samples one key index and no noise when evaluating.
    return {AttentionSpec::parse("ra:noise=none"), false};
}

}

NativeAttention nativeAttention(const std::string& name, const Json& arguments, const std::string& subject)
{
    const Json& args = arguments.is_object() ? arguments : Json::object();
    if (name == "softmax")
        return {AttentionSpec::parse("softmax"), false};
    if (name == "lara")
        return lara(args, subject);
    if (name == "performer")
        return performer(args, subject);
    if (name == "ra")
        return randomized(args, subject);
    throw UsageError(subject, "`attn` = \"" + printable(name.substr(0, 60)) + "\" is unknown",
                     "softmax, performer, ra and lara are supported");
}

}
