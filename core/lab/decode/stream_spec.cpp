#include "core/lab/decode/stream_spec.h"

#include "core/attention/backend_info.h"
#include "core/attention/common_options.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr int64_t maxLength = 1 << 20;

OptionInfo length(std::string name, std::string help, int64_t value, int64_t min)
{
    return integerOption(std::move(name), std::move(help), value, min, maxLength);
}

OptionInfo features()
{
    return integerOption("samples", "random features", 64, 1, 16384);
}

std::vector<StreamInfo> makeInfos()
{
    const OptionInfo window = length("window", "tokens that are kept, the present one included", 64, 1);
    const OptionInfo segment = length("segment", "tokens of a segment", 64, 1);
    const OptionInfo memory = length("memory", "tokens before the segment that are kept", 64, 0);
    return {
        {.kind = StreamKind::Cache,
         .name = "cache",
         .title = "softmax with a cache",
         .help = "exact causal attention: keeps every key and value",
         .citation = "Vaswani et al., NeurIPS 2017",
         .look = std::string(referenceBackend)},
        {.kind = StreamKind::Rfa,
         .name = "rfa",
         .title = "causal RFA",
         .help = "random sin/cos features; with a gate, the state forgets",
         .citation = "Peng et al., ICLR 2021",
         .options =
             {features(),
              choiceOption(
                  "norm", "how the norms of q and k are handled",
                  {{"unit", "q and k are scaled to length 1 (the paper's)", {}},
                   {"exact", "keys are weighted by exp(½‖k‖²) under a running maximum: estimates softmax", {}}}),
              realOption("gate", "what is kept of the state at every step, where no gate is recorded; 1: no gate",
                         1, 0, 1),
              choiceOption(
                  "gate_form", "how a gate g forgets",
                  {{"average", "S ← g S + (1 − g) φ(k) vᵀ (the paper's)", {}}, {"sum", "S ← g S + φ(k) vᵀ", {}}}),
              advanced(realOption("floor", "minimum of the denominator, relative to the largest key weight so far",
                                  1e-6, 0, 1)),
              seedOption()},
         .random = true,
         .constantState = true},
        {.kind = StreamKind::Performer,
         .name = "performer",
         .title = "causal Performer",
         .help = "random positive features, each under a running maximum of its own",
         .citation = "Choromanski et al., ICLR 2021",
         .options = {features(), featuresOption(), seedOption()},
         .random = true,
         .constantState = true},
        {.kind = StreamKind::Elu,
         .name = "elu",
         .title = "linear attention (elu + 1)",
         .help = "features elu(x) + 1, without a scale",
         .citation = "Katharopoulos et al., ICML 2020",
         .options = {advanced(realOption("eps", "added to the normaliser", 1e-6, 0, 1))},
         .constantState = true},
        {.kind = StreamKind::Alibi,
         .name = "alibi",
         .title = "softmax with ALiBi",
         .help = "keeps every key and value; logits fall linearly with the distance",
         .citation = "Press et al., ICLR 2022",
         .options = {realOption("slope", "factor of the slopes of all heads; 0: cache", 1, 0, 1024)}},
        {.kind = StreamKind::TransformerXl,
         .name = "xl",
         .title = "Transformer-XL memory",
         .help = "the segment so far and the last tokens before it",
         .citation = "Dai et al., ACL 2019",
         .options = {segment, memory},
         .look = "longformer"},
        {.kind = StreamKind::Compressive,
         .name = "compressive",
         .title = "compressive memory",
         .help = "what leaves the memory is compressed into slots",
         .citation = "Rae et al., ICLR 2020",
         .options = {segment, memory, length("compressed", "slots of compressed tokens", 64, 0),
                     integerOption("rate", "tokens that become one slot", 3, 1, 64),
                     choiceOption(
                         "function", "how tokens are compressed",
                         {{"mean", "mean of k and of v", {}},
                          {"max", "maximum by channel, of k and of v", {}},
                          {"dilated", "the first token of every group", {}},
                          {"most-used", "the tokens with the highest mean attention since they came", {}}}),
                     flagOption("counted", "adds the log of a slot's number of tokens to its logit")},
         .look = "pooled-sra"},
        {.kind = StreamKind::Window,
         .name = "window",
         .title = "sliding window",
         .help = "the last tokens",
         .citation = "Beltagy et al., 2020",
         .options = {window},
         .look = "local"},
        {.kind = StreamKind::Retrieval,
         .name = "retrieval",
         .title = "retrieval of the top k",
         .help = "the last tokens, and the best of the older ones by exact search",
         .citation = "Wu et al., ICLR 2022",
         .options = {window, length("topk", "older tokens that are retrieved", 32, 1),
                     length("capacity", "older tokens that are kept, the newest of them", 8192, 0),
                     realOption("gate", "weight of what is retrieved, where no gate is recorded; 0: window", 0.5,
                                0, 1),
                     choiceOption("combine", "how what is retrieved joins the window",
                                  {{"gate", "a softmax over each, mixed by the gate", {}},
                                   {"joint", "one softmax over both", {}}})},
         .look = "topk"},
    };
}

int64_t ceilDivide(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/// Slots in use after `turns` segments have ended.
int64_t slotsAfter(const StreamSpec& spec, int64_t turns)
{
    const int64_t segment = spec.integer("segment"), memory = spec.integer("memory");
    const int64_t rate = spec.integer("rate"), limit = spec.integer("compressed");
    int64_t slots = 0;
    for (int64_t turn = 1; turn <= turns && slots < limit; ++turn) {
        const int64_t excess = std::min(memory, (turn - 1) * segment) + segment - memory;
        slots += excess > 0 ? ceilDivide(excess, rate) : 0;
    }
    return std::min(slots, limit);
}

StreamCost segmentCost(const StreamSpec& spec, int64_t row, int64_t t)
{
    const int64_t segment = spec.integer("segment"), turns = (t - 1) / segment;
    const int64_t recent = std::min(spec.integer("memory"), turns * segment) + (t - 1) % segment + 1;
    if (spec.kind() == StreamKind::TransformerXl)
        return {recent * row, recent * row};
    const int64_t kept = (slotsAfter(spec, turns) + recent) * row;
    return {kept + (spec.choice("function") == "most-used" ? recent : 0), kept};
}

}

const std::vector<StreamInfo>& streamInfos()
{
    static const std::vector<StreamInfo> infos = makeInfos();
    return infos;
}

const StreamInfo* findStream(std::string_view name)
{
    for (const StreamInfo& info : streamInfos())
        if (info.name == name)
            return &info;
    return nullptr;
}

std::vector<std::string> streamNames()
{
    return namesOf(streamInfos());
}

StreamSpec StreamSpec::parse(std::string_view given)
{
    const std::string_view text = trim(given), name = text.substr(0, text.find(':'));
    if (const StreamInfo* info = findStream(name))
        return {*info, text};
    throw UsageError(text, "unknown mechanism `" + printable(name) + "`",
                     "the mechanisms are " + joinWords(streamNames(), "and"));
}

StreamSpec StreamSpec::with(std::string_view option, const std::optional<OptionValue>& value) const
{
    StreamSpec changed = *this;
    changed.set(option, value);
    return changed;
}

StreamCost streamCost(const StreamSpec& spec, const StreamShape& shape, int64_t t)
{
    const int64_t d = shape.width, dv = shape.valueWidth, s = shape.samples;
    switch (spec.kind()) {
    case StreamKind::Cache:
    case StreamKind::Alibi:
        return {t * (d + dv), t * (d + dv)};
    case StreamKind::Window: {
        const int64_t kept = std::min(t, spec.integer("window")) * (d + dv);
        return {kept, kept};
    }
    case StreamKind::TransformerXl:
    case StreamKind::Compressive:
        return segmentCost(spec, d + dv, t);
    case StreamKind::Retrieval: {
        const int64_t recent = std::min(t, spec.integer("window"));
        const int64_t older = std::clamp<int64_t>(t - spec.integer("window"), 0, spec.integer("capacity"));
        return {(recent + older) * (d + dv),
                recent * (d + dv) + older * d + std::min(spec.integer("topk"), older) * dv};
    }
    case StreamKind::Elu:
        return {d * dv + d, d * dv + d * (dv + 1)};
    case StreamKind::Rfa:
        return {2 * s * dv + 2 * s + (spec.choice("norm") == "exact" ? 1 : 0), 2 * s * d + 4 * s * dv + 2 * s};
    case StreamKind::Performer:
        break;
    }
    const int64_t maps = spec.choice("features") == "hyperbolic" ? 2 * s : s;
    return {maps * (dv + 2), maps * (2 * d + 2 * dv + 1)};
}

}
