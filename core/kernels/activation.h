#pragma once

namespace attnscope::kernels {

/// The function of an MLP's inner layer, applied to each number.
enum class Activation {
    None,
    Gelu,       ///< ½ x (1 + erf(x/√2))
    GeluTanh,   ///< ½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))
    QuickGelu,  ///< x σ(1.702 x)
    Silu,       ///< x σ(x)
};

}
