#pragma once

#include "core/checkpoint/state_dict.h"

#include <ATen/ATen.h>

#include <map>
#include <string>

namespace attnscope::test {

/// Every tensor of a file, as float32.
inline std::map<std::string, at::Tensor> readTensors(const std::string& path)
{
    std::map<std::string, at::Tensor> tensors;
    for (const auto& [name, stored] : readCheckpoint(path).tensors) {
        std::vector<float> values = stored.readFloat();
        tensors[name] = at::from_blob(values.data(), stored.shape, at::kFloat).clone();
    }
    return tensors;
}

}
