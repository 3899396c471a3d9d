// SPDX-License-Identifier: Apache-2.0
#include "core/lab/scale/scale.h"

#include <map>

namespace attnscope {

/// Time and memory relative to softmax's at 1024 to 8192 tokens; 16 landmarks or samples, RA with one. As printed in the table.
std::vector<PublishedRatio> publishedRatios(const std::string& backend)
{
    static const std::map<std::string, std::vector<PublishedRatio>> table{
        {"nystrom",
         {{1024, 3.98, 0.45}, {2048, 1.85, 0.2}, {3072, 0.88, 0.12}, {4096, 0.54, 0.08}, {8192, 0.14, 0.03}}},
        {"linformer",
         {{1024, 1.36, 0.46}, {2048, 0.63, 0.2}, {3072, 0.3, 0.12}, {4096, 0.18, 0.09}, {8192, 0.07, 0.04}}},
        {"performer",
         {{1024, 1.99, 0.44}, {2048, 0.94, 0.19}, {3072, 0.45, 0.11}, {4096, 0.27, 0.08}, {8192, 0.12, 0.03}}},
        {"lara",
         {{1024, 2.11, 0.51}, {2048, 0.99, 0.24}, {3072, 0.47, 0.15}, {4096, 0.29, 0.1}, {8192, 0.12, 0.04}}},
        {"ra",
         {{1024, 1.81, 2.1}, {2048, 2.68, 2.45}, {3072, 2.55, 2.55}, {4096, 2.64, 2.59}, {8192, 2.79, 2.64}}},
    };
    const auto found = table.find(backend);
    return found == table.end() ? std::vector<PublishedRatio>{} : found->second;
}

}  // namespace attnscope
