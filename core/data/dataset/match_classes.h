#pragma once

#include "core/data/dataset/labelled_folder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// The names of a model's classes.
struct ModelClasses {
    std::string model;  ///< for messages
    int64_t count = 0;
    std::vector<std::string> names;  ///< by index; empty: none
    std::vector<std::string> keys;   ///< synset identifiers, by index; empty: none
    bool trained = true;             ///< random weights know no classes: a mismatch is harmless
};

/// The spelling by which names are compared: it ignores case, blanks, underscores and hyphens, quotes and [brackets].
std::string comparableName(const std::string& name);

/// For each class of `first` the same one of `second`, by synset where both know theirs, else by name like `matchClasses`; −1 where there is
/// none, or several. Empty if either has no names, or no class is in both.
std::vector<int64_t> sameClasses(const ModelClasses& first, const ModelClasses& second);

/// The model's classes of these names or keys, like `matchClasses`; −1 where there is none, or several.
std::vector<int64_t> numbersOf(const std::vector<std::string>& names, const ModelClasses& model);

/// `set` with labels converted to indices of the model's classes, and with those classes' names.
///
/// Numbers in a list are class indices of the model. Names are matched by synset ("n01440764") if the model knows them, else by name
/// (`comparableName`), also by one of several ("Irish setter, red setter"); so a subset of the classes is matched correctly whatever their
/// number. For a model of ImageNet's classes folders may also be named by their numbers (ImageNet-V2), with a note. Only if the model has no
/// names do the sorted names of the set, or the set's own numbers, stand for classes 0, 1, …, with a note, and only if they are exactly as
/// many as the model's classes and everybody sorts them alike; for random weights, which know no classes, always. These classes then have the
/// set's names. Throws FileError saying which names are unknown or ambiguous, and what to do, UsageError for a model without classes.
LabelledSet matchClasses(LabelledSet set, const ModelClasses& model);

}
