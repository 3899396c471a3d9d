// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace attnscope::cli {

/// What comes with Attnscope to try it on.
struct DemoFiles {
    std::string folder;  ///< share/attnscope/demo, or resources/demo of the source tree; empty: not found
    std::vector<std::string> photographs;  ///< by name
    std::vector<std::string> checkpoints;  ///< by name; none before demo models are trained
};

/// Looks next to the program (../share/attnscope/demo), then in the source tree that it was built from.
DemoFiles findDemoFiles();

}  // namespace attnscope::cli
