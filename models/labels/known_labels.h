#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

// The unchanged files of resources/labels, compiled into the program (models/labels/label_texts.cpp.in).
extern const std::string_view imageNetText;
extern const std::string_view kineticsText;
extern const std::string_view wholeImageNetText;  // resources/imagenet/classes21k.tsv

/// Names of the classes of a well-known data set, included in the program.
struct KnownLabels {
    std::string dataset;             ///< "ImageNet-1k", "Kinetics-400"
    std::vector<std::string> keys;   ///< synset identifiers; empty if the names themselves are unique
    std::vector<std::string> names;  ///< for people; an ambiguous one includes its key: "crane (n02012849)"
};

const KnownLabels& imageNetLabels();
const KnownLabels& kineticsLabels();

/// The most likely ones for a network with this many classes: 1000 for images, or a number of classes with which networks are trained on
/// the whole of ImageNet (resources/imagenet/README.md), whose names are the synsets; 400 for videos. Null if there are none.
const KnownLabels* knownLabels(int64_t classes, bool video);

}
