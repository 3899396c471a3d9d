#pragma once

#include "core/base/limits.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// Classes given as vectors (docs/features.md): networks without a head, and those whose head is a projection (CLIP, SigLIP), classify
/// without training by the cosine of their output with the embedding of each class's text. Independent of torch.
namespace attnscope {

class Classifier;

struct ClassEmbeddings {
    std::string file;
    std::vector<std::string> classes;  ///< K names
    int64_t width = 0;                 ///< D
    std::vector<float> values;         ///< (K,D), row by row
    double scale = 100;                ///< what cosines are multiplied by to be logits
};

/// A safetensors file with one tensor (K,D) of any real type. Its header has `classes`, a JSON list of K names, and may have `logit_scale`,
/// a positive number. Throws FileError: another number of tensors or names, values that are not finite, an embedding of length 0.
ClassEmbeddings readClassEmbeddings(const std::filesystem::path& file, const Limits& limits = {});

/// The network with those classes: logits are scale · cos(output, embedding), where the output is the pooled features of a network without
/// a head and else what its head returns. Throws UsageError if the output has another width, Unsupported for networks with two heads.
std::shared_ptr<const Classifier> withClassEmbeddings(std::shared_ptr<const Classifier> network,
                                                      const ClassEmbeddings& embeddings);

}
