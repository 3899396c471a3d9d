#pragma once

#include "core/base/limits.h"
#include "core/lab/attend/attend.h"
#include "core/run/compare.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What the laboratory measures attention on. Independent of torch.
namespace attnscope {

/// A network's own q, k and v: those of its exact forward pass on these inputs.
struct NetworkInputs {
    std::shared_ptr<const Classifier> classifier;
    std::vector<InputSource> inputs;
};

/// A file of q, k and v, each (layers, heads, tokens, channels).
struct TensorFile {
    std::filesystem::path file;
    std::optional<TokenGrid> grid;  ///< empty: the header's, else a square if the tokens form one
    double temperature = 1;         ///< factor of the logits
    std::string device = "cpu";     ///< or "auto"
    Limits limits;
};

/// Independent standard normal q, k and v: attention without structure, with the tokens on a square grid if they form one. The logits'
/// standard deviation is `temperature`.
struct RandomTensors {
    int64_t tokens = 196;
    int64_t width = 64;  ///< head dimension
    int64_t heads = 8;   ///< independent of each other
    uint64_t seed = 0;
    double temperature = 1;
    std::string device = "cpu";  ///< or "auto"
};

using LabSubject = std::variant<NetworkInputs, TensorFile, RandomTensors>;

/// Whether the file's header has q, k and v of four dimensions. Reads only the header.
bool holdsTensors(const std::filesystem::path& file);

}
