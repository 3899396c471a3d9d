#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"
#include "core/attention/common_options.h"
#include "core/base/error.h"

#include <cstdlib>

/// The grammar of attention specifications, over a table of our own that has every kind of option: the real one needs
/// LibTorch, and its parser is this one.
namespace attnscope {

const std::vector<BackendInfo>& backends()
{
    static const std::vector<BackendInfo> table = [] {
        BackendInfo plain, full;
        plain.name = "softmax";
        full.name = "lara";
        full.options = {integerOption("samples", "", 49, 1, 4096), realOption("scale", "", 0.5, -1e6, 1e6),
                        flagOption("orthogonal", ""),
                        choiceOption("proposal", "", {{"mean", "", {"segment", "avg"}}, {"mix", "", {}}}),
                        seedOption()};
        return std::vector<BackendInfo>{plain, full};
    }();
    return table;
}

}

using namespace attnscope;

namespace {

void requireThat(bool holds)
{
    if (!holds)
        std::abort();
}

/// What was parsed is spelled in a way that parses to the same, and all its values can be asked for.
void checkSpec(const AttentionSpec& spec)
{
    const AttentionSpec again = AttentionSpec::parse(spec.canonical());
    requireThat(again == spec && again.canonical() == spec.canonical());
    requireThat(again.tokens() == spec.tokens() && spec.withTokens({}).tokens().isNone());
    if (spec.backend() != "lara")
        return;
    const int64_t samples = spec.integer("samples");
    const double scale = spec.real("scale");
    requireThat(samples >= 1 && samples <= 4096 && scale >= -1e6 && scale <= 1e6);
    requireThat(again.integer("samples") == samples && again.real("scale") == scale
                && again.flag("orthogonal") == spec.flag("orthogonal")
                && again.choice("proposal") == spec.choice("proposal") && again.seedOr(1) == spec.seedOr(1));
    requireThat(spec.with("samples", int64_t{7}).integer("samples") == 7);
}

}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    try {
        checkSpec(AttentionSpec::parse({reinterpret_cast<const char*>(data), size}));
    } catch (const UsageError& error) {
        requireThat(error.reason().ends_with('.'));
    }
    return 0;
}
