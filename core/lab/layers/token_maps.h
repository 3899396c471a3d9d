#pragma once

#include "core/attention/attention_backend.h"
#include "core/lab/layers/inspect.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attnscope {

/// What the attention chose for batch element 0 (AttentionBackend::tokenMaps), in the order of its BackendInfo, with the places of the tokens.
std::vector<LayerTokenMap> layerTokenMaps(const AttentionBackend& attention, const AttentionInput& in,
                                          NoiseSource& noise, std::optional<int64_t> query = {});

/// `queryErrorMap` of batch element 0: outputs (B,H,N,Dv) or (B,H,N,G,Dv) of the queries of `in`.
LayerTokenMap queryErrors(const at::Tensor& output, const at::Tensor& exact, const AttentionInput& in);

}
