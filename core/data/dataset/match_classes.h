// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/labelled_folder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// What a model calls its classes.
struct ModelClasses {
    std::string model;  ///< for messages
    std::int64_t count = 0;
    std::vector<std::string> names;  ///< by index; empty: it has none
    std::vector<std::string> keys;   ///< synset numbers, by index; empty: it has none
    bool trained = true;             ///< random weights know no class: a mismatch harms nothing
};

/// Names that differ in case, in blanks, underscores and hyphens, in quotes or in [brackets] are the same; so it
/// goes by this spelling.
std::string comparableName(const std::string& name);

/// `set` with labels that are indices of the model's classes, and with those classes' names.
///
/// Lists of numbers mean the model's classes themselves. Names are matched by synset ("n01440764") where the model
/// knows them, else by name (`comparableName`); so a subset of the classes is right whatever their number. Only
/// where the model has no names, or random weights, do the sorted names of the set stand for classes 0, 1, …, which a note says; these
/// classes then have the set's names, and what the model has beyond them numbers.
/// Throws FileError that says which names are unknown, and what to do.
LabelledSet matchClasses(LabelledSet set, const ModelClasses& model);

}  // namespace attnscope
