// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/run/load_report.h"
#include "models/open_model.h"
#include "models/weights/checkpoint_identity.h"
#include "models/weights/header_description.h"

#include <optional>
#include <string>

/// Free of torch for its users: what a checkpoint is, for `attnscope-cli inspect` and the window.
namespace attnscope {

struct Inspection {
    std::string file;
    StateDict state;
    CheckpointIdentity identity;
    std::optional<HeaderDescription> header;  ///< of our own checkpoints
    std::string sha256;                       ///< empty when it was not taken
    /// The first digits that a published file carries in its name ("a1311bcf" of deit_tiny_patch16_224-a1311bcf.pth), when there
    /// are any: `sha256` should begin so.
    std::string publishedDigits;
    std::optional<LoadReport> fit;            ///< with the model asked for, or the one that it is taken for
    std::string undecided;                    ///< one sentence: why it cannot be run as it is

    bool digitsAgree() const { return sha256.starts_with(publishedDigits); }
};

/// The hash needs every byte of the file, the rest a few kilobytes: by default it is taken where a name can be checked by it.
enum class Hash { WhereNamed, Always };

/// Reads names, shapes and what lies beside the weights; of the values nothing. Throws FileError for a file that is none of the
/// known containers.
Inspection inspectCheckpoint(const ModelRequest& request, Hash hash = Hash::WhereNamed);

/// "DeiT, distilled (it has `dist_token` …), the sizes of deit_tiny_distilled_patch16_224"; says so when nothing is known.
std::string describeIdentity(const CheckpointIdentity& identity);

Json toJson(const CheckpointIdentity& identity);

}  // namespace attnscope
