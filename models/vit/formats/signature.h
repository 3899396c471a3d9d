#pragma once

#include "models/vit/formats/findings.h"
#include "models/vit/formats/plain_vits.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// How much of timm's networks agrees with what the tensors show. The depth never counts.
enum class Likeness {
    Same,       ///< structure, widths, patch and image size
    OtherSize,  ///< structure, widths and patch
    Structure,  ///< only which tensors there are
    None,
};

/// timm's names whose tensors would look like these.
struct Candidates {
    Likeness likeness = Likeness::None;
    std::vector<const PlainVit*> names;

    /// "as in all 3 of timm's models with such tensors", "as in vit_small_patch14_dinov2".
    std::string witness() const;
};

/// The closest ones. `gammas`: layer scale is stored as `gamma_1`; `mark`: part of their names, if the layout shows one.
Candidates candidatesFor(const Findings& findings, bool gammas, const std::string& mark);

/// Gives `findings` the keys that no tensor shows, where all candidates agree.
void takeAgreed(const Candidates& candidates, Findings& findings);

/// The values of a key in the candidates, each once, as JSON texts.
std::vector<std::string> valuesOf(const Candidates& candidates, const std::string& key);

/// The value that a name of timm has for a key, its default included.
Json valueOf(const PlainVit& vit, const std::string& key);

/// The first key that both know, that names and tensors decide, and in which they differ; empty if there is none. Sizes are left out.
std::string contradiction(const Findings& findings, const PlainVit& vit);

}
