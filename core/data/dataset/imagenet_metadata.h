#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What is known of ImageNet and comes with the program; resources/imagenet/README.md names their sources.
namespace attnscope {

// The files of resources/imagenet, compiled into the program (imagenet_texts.cpp.in).
extern const std::string_view imageNetClassesText;
extern const std::string_view imageNetValidationText;
extern const std::string_view imageNetCorruptionsText;

/// The 1000 classes of ILSVRC 2012.
struct ImageNetClasses {
    std::vector<std::string> synsets;  ///< by class number, from 0
    std::vector<std::string> devkit;   ///< by the devkit's number less 1
    std::vector<int64_t> a, r;         ///< class numbers of ImageNet-A and ImageNet-R
};
const ImageNetClasses& imageNetClasses();

/// What is known of an image of ILSVRC 2012's validation set.
struct ValidationImage {
    int64_t label = 0;           ///< its class number
    std::vector<int64_t> right;  ///< its right classes according to ReaL; empty: it does not count there
};
/// ILSVRC2012_val_00000001 is the first.
const std::vector<ValidationImage>& validationImages();

/// The number of `ILSVRC2012_val_00000001…` or of the same without its path; 0 for other names.
int64_t validationNumber(std::string_view stem);

/// A corruption of ImageNet-C.
struct Corruption {
    std::string name;      ///< of its folder: "gaussian_noise"
    double reference = 0;  ///< AlexNet's top-1 error, the mean of the severities, from 0 to 1
};
const std::vector<Corruption>& corruptions();

}
