#include "models/weights/inspection.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_parts.h"
#include "core/checkpoint/sha256.h"
#include "models/blocks/position_embedding.h"
#include "models/weights/described_checkpoint.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <filesystem>

namespace attnscope {

namespace {

/// "name-0123abcd.pth" → "0123abcd", as torch.hub names its downloads.
std::string digitsInName(const std::string& path)
{
    const std::string stem = std::filesystem::path(path).stem().string();
    const size_t dash = stem.rfind('-');
    if (dash == std::string::npos || stem.size() - dash != 9)
        return {};
    const std::string digits = stem.substr(dash + 1);
    const bool hexadecimal = std::ranges::all_of(
        digits, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    return hexadecimal ? digits : std::string();
}

/// Of the network that the checkpoint becomes, made without its values.
void describeArithmetic(const ModelRequest& request, Inspection& inspection)
{
    const c10::InferenceMode guard;
    const auto network = describeCheckpoint(request).load(
        {.positionRule = parsePositionRule(request.positionRule)}, Values::LeftOut);
    inspection.model = network->describe();
    inspection.arithmetic = attentionFraction(*network);
}

}

Inspection inspectCheckpoint(const ModelRequest& request, Hash hash)
{
    Inspection inspection;
    inspection.file = checkpointFile(request.weights);
    inspection.state = readCheckpoint(inspection.file, {.limits = request.limits, .under = request.checkpointKey});
    inspection.identity = identify(inspection.state, companionFiles(inspection.file, request.limits));
    inspection.header = readHeaderDescription(inspection.state);
    inspection.publishedDigits = digitsInName(inspection.file);
    if (hash == Hash::Always || !inspection.publishedDigits.empty())
        inspection.sha256 = checkpointHash(inspection.file);
    try {
        inspection.fit = fitOf(request);
        if (inspection.fit->fits())
            describeArithmetic(request, inspection);
    } catch (const UsageError& error) {
        inspection.undecided = error.reason();
    } catch (const Unsupported& error) {
        inspection.undecided = error.reason();
    }
    return inspection;
}

std::string describeIdentity(const CheckpointIdentity& identity)
{
    if (identity.title.empty())
        return "of no known model family";
    return identity.title + (identity.reason.empty() ? "" : ": " + identity.reason);
}

Json toJson(const CheckpointIdentity& identity)
{
    const auto orNull = [](const std::string& text) {
        return text.empty() ? Json(nullptr) : Json(printable(text));
    };
    return {
        {"family", orNull(identity.family)},
        {"title", orNull(identity.title)},
        {"naming", orNull(identity.naming)},
        {"reason", orNull(identity.reason)},
        {"model", orNull(identity.model)},
        {"config", identity.config},
        {"undecided", identity.undecided},
        {"switches",
         jsonList(identity.switches,
                  [](const WitnessedKey& each) {
                      return Json{{"key", each.key}, {"value", each.value}, {"witness", printable(each.witness)}};
                  })},
        {"ignored", identity.ignored},
        {"notes", identity.notes}};
}

}
