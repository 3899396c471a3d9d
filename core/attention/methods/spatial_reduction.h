#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/backend_info.h"
#include "core/attention/methods/key_source.h"
#include "core/nn/layers.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// PVTv2's own attention: softmax over the keys of a smaller image. The network computes q, and k and v by its `SpatialReduction`; the
/// backend is then softmax over them. `sra:linear` is the variant with pooling to 7×7.
BackendInfo sraInfo();

/// The image from which SRA takes keys and values (Wang et al., PVTv2, CVMJ 2022).
///
/// Strided: y = LayerNorm(conv(x)), kernel = stride = R, no padding: rows and columns that do not fill a cell are ignored. Pooled ("linear
/// SRA"): y = GELU(LayerNorm(conv1×1(pool 7×7(x)))), adaptive average pooling, which enlarges as well as reduces.
struct SpatialReduction {
    LayerWeights convolution;  ///< `sr`: (C,C,R,R), R = 1 if pooled; (C)
    LayerWeights norm;         ///< `norm`: (C)
    int64_t ratio = 1;         ///< R
    double normEps = 1e-5;     ///< 1e-5 in all published code, even if the blocks have 1e-6
    bool pooled = false;

    bool defined() const { return convolution.defined(); }
    /// Form of the strided convolution.
    onednn::ConvolutionForm form() const { return {.stride = ratio}; }
    /// Packs the weights of the convolution, computed as one product, for layers of about that many tokens.
    void pack(const TokenLayout& tokens);
    /// The grid of y. Empty if the image is smaller than R.
    TokenLayout reduced(const TokenLayout& tokens) const;
    /// x (B,rows·columns,C), tokens row-major → y (B,M,C), row-major on `reduced(tokens)`.
    at::Tensor apply(const at::Tensor& x, const TokenLayout& tokens) const;
};

}
