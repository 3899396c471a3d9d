// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// Names of the classes of a well-known data set, which the program ships with.
struct KnownLabels {
    std::string dataset;               ///< "ImageNet-1k", "Kinetics-400"
    std::vector<std::string> keys;     ///< synset numbers; empty where the names themselves are unique
    std::vector<std::string> names;    ///< for people; a repeated one carries its key: "crane (n02012849)"
};

const KnownLabels& imageNetLabels();
const KnownLabels& kineticsLabels();

/// Those that a network with so many classes most likely has: 1000 for pictures, 400 for videos. Null when there are none.
const KnownLabels* knownLabels(std::int64_t classes, bool video);

}  // namespace attnscope
