// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/labelled_folder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// The names of a model's classes.
struct ModelClasses {
    std::string model;  ///< for messages
    std::int64_t count = 0;
    std::vector<std::string> names;  ///< by index; empty: none
    std::vector<std::string> keys;   ///< synset identifiers, by index; empty: none
    bool trained = true;             ///< random weights know no classes: a mismatch is harmless
};

/// The spelling by which names are compared: it ignores case, blanks, underscores and hyphens, quotes and [brackets].
[[nodiscard]] std::string comparableName(const std::string& name);

/// `set` with labels converted to indices of the model's classes, and with those classes' names.
///
/// Numbers in a list are class indices of the model. Names are matched by synset ("n01440764") if the model knows them, else by name
/// (`comparableName`); so a subset of the classes is matched correctly whatever their number. Only if the model has no names, or random
/// weights, do the sorted names of the set stand for classes 0, 1, …, with a note; these classes then have the set's names, and the model's
/// further classes have numbers. Throws FileError saying which names are unknown, and what to do,
/// UsageError for a model without classes.
[[nodiscard]] LabelledSet matchClasses(LabelledSet set, const ModelClasses& model);

}  // namespace attnscope
