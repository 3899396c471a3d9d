#pragma once

#include "core/base/json.h"
#include "core/checkpoint/state_dict.h"
#include "tests/support/tensor_file.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace attnscope::test {

/// A golden case: tensors, options and the tolerance of its header.
struct Golden {
    explicit Golden(const std::string& file)
        : tensors(readTensors(file))
    {
        const Json metadata = readCheckpoint(file).metadata;
        options = Json::parse(metadata.at("options").get<std::string>());
        tolerance = std::stod(metadata.at("tolerance").get<std::string>());
    }
    const at::Tensor& operator[](const std::string& name) const { return tensors.at(name); }
    std::vector<int64_t> integers(const std::string& name) const
    {
        const at::Tensor values = tensors.at(name).to(at::kLong).contiguous();
        return {values.const_data_ptr<int64_t>(), values.const_data_ptr<int64_t>() + values.numel()};
    }

    std::map<std::string, at::Tensor> tensors;
    Json options;
    double tolerance = 0;
};

}
