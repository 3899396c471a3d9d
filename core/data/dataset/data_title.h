#pragma once

#include <string>

namespace attnscope {

/// The last part of a data set's path, with the one before it where it only says the split: "imagenet/val".
std::string dataTitle(const std::string& root);

}
