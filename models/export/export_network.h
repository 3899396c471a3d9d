#pragma once

#include "core/base/json.h"
#include "models/export/onnx_model.h"
#include "models/open_model.h"

#include <cstdint>
#include <string>
#include <vector>

/// Networks for other programs. Its users are independent of torch.
namespace attnscope {

struct ExportRequest {
    ModelRequest model;
    std::string attention = "native";  ///< a specification, or a mixed one: what a plan found
    uint64_t seed = 0;                 ///< of what is drawn once and becomes constants
    std::string output;                ///< the file to write: network.onnx
    bool overwrite = false;
    /// Bytes of weights beyond which they go to a file of their own.
    int64_t externalAbove = onnx::externalAbove;
};

struct ExportReport {
    std::string output, external;  ///< external: the file with weights, if there is one
    int64_t bytes = 0;             ///< of both
    std::string model, attention;  ///< canonical
    uint64_t seed = 0;
    std::string outputName;      ///< "logits", or "features" of a network without a head
    int64_t outputs = 0;         ///< their number
    std::vector<int64_t> input;  ///< (C,H,W); the batch is free
    int64_t operators = 0, parameters = 0;
    /// Largest difference between network and recorded operators on an image not seen before, over the largest
    /// output.
    double recordingError = 0;
    std::vector<std::string> notes;
};

/// Writes an image network with one attention as ONNX of opset 23: one input `image` (batch,3,H,W) of preprocessed float32 pixels and one
/// output. The operators are those that LibTorch computes it with, recorded in two passes over random images, of two and of three; a third
/// pass checks that they compute the network for other images too. Throws UsageError for an attention or network that cannot be exported,
/// naming the nearest that can, FileError (also if the output exists), and whatever `openModel` throws.
ExportReport exportNetwork(const ExportRequest& request);

/// The names of the operators that would be written: "blocks.3.attn/attention/MatMul_2". Throws what `exportNetwork` throws.
std::vector<std::string> exportedOperators(const ExportRequest& request);

Json toJson(const ExportReport& report);

}
