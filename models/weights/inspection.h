#pragma once

#include "core/base/json.h"
#include "core/run/attention_fraction.h"
#include "core/run/load_report.h"
#include "core/run/run_record.h"
#include "models/open_model.h"
#include "models/weights/checkpoint_identity.h"
#include "models/weights/header_description.h"

#include <optional>
#include <string>

/// What a checkpoint contains, for `attnscope-cli inspect` and the window. Its users are independent of torch.
namespace attnscope {

struct Inspection {
    std::string file;
    StateDict state;
    CheckpointIdentity identity;
    std::optional<HeaderDescription> header;  ///< in our own checkpoints
    std::string sha256;                       ///< empty if not computed
    /// The first digits in the name of a published file ("a1311bcf" in deit_tiny_patch16_224-a1311bcf.pth), if any: `sha256` should start
    /// with them.
    std::string publishedDigits;
    std::optional<LoadReport> fit;      ///< with the requested model, or the recognised one
    std::optional<ModelSummary> model;  ///< which it then becomes, if it fits
    std::optional<AttentionFraction> arithmetic;
    std::string undecided;  ///< one sentence: why it can't be run as it is

    bool digitsAgree() const { return sha256.starts_with(publishedDigits); }
};

/// The hash requires reading the whole file, everything else a few kilobytes: by default it is computed only if it can be checked against
/// the name.
enum class Hash { WhereNamed, Always };

/// Reads names, shapes and the values next to the weights, but not the weights. Throws FileError for a file in an unknown container.
Inspection inspectCheckpoint(const ModelRequest& request, Hash hash = Hash::WhereNamed);

/// "DeiT, distilled (it has `dist_token` …), the sizes of deit_tiny_distilled_patch16_224"; says so if nothing is known.
std::string describeIdentity(const CheckpointIdentity& identity);

Json toJson(const CheckpointIdentity& identity);

}
