#pragma once

#include <string>
#include <vector>

namespace attnscope {

/// What to do with a checkpoint, from the names that do not fit a network, or from the name of its file; empty if they tell nothing.
std::string adviceFor(const std::vector<std::string>& names, const std::string& file);

/// A number of the training, not of the network: a counter of steps, or what a profiler left.
bool isCounter(const std::string& name);

}
