#include "models/weights/unwrapped.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace attnscope {

namespace {

/// A patch embedding and a first block, as the known codes name them.
constexpr std::array<std::pair<std::string_view, const char*>, 8> anchors{
    {{"patch_embed.proj.weight", "blocks.0."},
     {"patch_embed.proj.weight", "stages.0."},
     {"patch_embed1.proj.weight", "block1.0."},
     {"embeddings.patch_embeddings.projection.weight", "encoder.layer.0."},
     {"embeddings.patch_embeddings.weight", "layer.0."},
     {"embeddings.patch_embedding.weight", "encoder.layers.0."},
     {"conv1.weight", "transformer.resblocks.0."},
     {"conv_proj.weight", "encoder.layers.encoder_layer_0."}}};
/// Beginnings that are part of a layout; the last ones only of the Transformers library's names.
constexpr std::array<std::string_view, 9> ofLayouts{
    "visual.trunk.", "visual.", "vision_model.", "dinov2_with_registers.", "dinov2.", "dinov3_vit.",
    "beit.",         "deit.",   "vit."};
constexpr std::array<std::string_view, 5> copies{"ema_model.", "model_ema.", "ema.", "momentum_encoder.",
                                                 "target_encoder."};
constexpr std::array heads{
    "head.weight", "classifier.weight",        "cls_classifier.weight",  "heads.head.weight",
    "visual.proj", "visual_projection.weight", "visual.head.proj.weight"};

bool endsWith(std::string_view text, std::string_view part)
{
    return text.ends_with(part) && (text.size() == part.size() || text[text.size() - part.size() - 1] == '.');
}

bool isCopy(std::string_view name)
{
    return std::ranges::any_of(copies, [&](std::string_view each) { return name.starts_with(each); });
}

std::set<std::string> beginningsIn(const StateDict& state)
{
    std::set<std::string> found;
    for (const auto& [name, tensor] : state.tensors)
        for (const auto& [patches, block] : anchors) {
            if (tensor.shape.size() != 4 || !endsWith(name, patches))
                continue;
            std::string begins = name.substr(0, name.size() - patches.size());
            const auto first = state.tensors.lower_bound(begins + block);
            if (first == state.tensors.end() || !first->first.starts_with(begins + block))
                continue;
            const bool timms = patches.starts_with("patch_embed");
            const auto own = std::ranges::find_if(ofLayouts, [&](std::string_view each) {
                return endsWith(begins, each) && (!timms || each == ofLayouts.front());
            });
            found.insert(begins.substr(0, begins.size() - (own == ofLayouts.end() ? 0 : own->size())));
        }
    return found;
}

void leaveOut(const std::vector<std::string>& names, const std::string& what, Unwrapped& result)
{
    if (names.empty())
        return;
    result.ignored.push_back((names.size() == 1 ? "`" : std::to_string(names.size()) + " tensors like `")
                             + printable(names.front()) + "` (" + what + ")");
    result.state.notes.push_back("left out: " + result.ignored.back());
}

/// Leaves the tensors behind a beginning, without it. In pretraining a network has a projection for a head.
void take(const std::string& begins, bool pretraining, Unwrapped& result)
{
    std::map<std::string, StoredTensor> inner;
    std::vector<std::string> outside, projection;
    for (auto& [name, tensor] : result.state.tensors)
        if (!name.starts_with(begins) || name == begins || (begins.empty() && isCopy(name)))
            outside.push_back(name);
        else if (pretraining && name.starts_with(begins + "head."))
            projection.push_back(name);
        else
            inner.emplace(name.substr(begins.size()), std::move(tensor));
    result.state.tensors = std::move(inner);
    if (!begins.empty())
        result.state.notes.push_back("`" + printable(begins) + "` was removed from the names of "
                                     + counted(std::ssize(result.state.tensors), "tensor"));
    leaveOut(outside, begins.empty() ? "a copy" : "outside `" + printable(begins) + "`", result);
    leaveOut(projection, "a projection of pretraining", result);
}

/// The only matrix outside of a network without a head: it may be its classifier, or not; empty if there is none.
std::string matrixOutside(const std::string& begins, const StateDict& state)
{
    std::vector<std::string> matrices;
    for (const auto& [name, tensor] : state.tensors)
        if (!name.starts_with(begins) && tensor.shape.size() == 2)
            matrices.push_back(name);
    const bool head = std::ranges::any_of(heads,
                                          [&](const char* each) { return state.tensors.contains(begins + each); });
    return head || matrices.size() != 1 ? std::string() : printable(matrices.front());
}

}

Unwrapped unwrapped(const StateDict& state)
{
    Unwrapped result{state, {}, {}, {}};
    if (!state.prefix.empty())
        take(state.prefix + ".", false, result);
    std::set<std::string> found = beginningsIn(result.state);
    const bool copied = std::ranges::any_of(found, isCopy) && !std::ranges::all_of(found, isCopy);
    if (copied)
        std::erase_if(found, isCopy);
    if (found.empty() || (*found.rbegin() == "" && !copied))
        return result;
    const std::string& begins = *found.begin();
    const std::string last = printable(found.rbegin()->substr(0, found.rbegin()->size() - 1));
    const std::string neighbour = copied || !state.prefix.empty() ? "" : matrixOutside(begins, result.state);
    if (found.size() > 1) {
        std::vector<std::string> names;
        for (const std::string& each : found)
            names.push_back("`" + printable(each) + "`");
        result.problem = "it has several networks, whose names begin with " + joinWords(names, "and");
        result.remedy = "choose one with --checkpoint-key " + last;
    } else if (!neighbour.empty()) {
        result.problem = "under `" + last + ".` it has a vision transformer without a head, and beside it `"
                         + neighbour + "`, whose part is not known";
        result.remedy = "name a classifier of the class token `" + last
                        + ".head`, or open the network alone with --checkpoint-key " + last;
    } else {
        take(begins, copied && !result.state.tensors.contains(begins + "head.weight"), result);
    }
    return result;
}

}
