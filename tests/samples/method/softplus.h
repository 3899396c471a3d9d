#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Attention with softplus in the place of the exponential: y_n = Σ_m w_nm v_m / Σ_m w_nm with w_nm = log(1 + exp(t·s·q_nᵀk_m)), t being
/// the option `sharpness`.
/// A method that is only here to be added: tests/samples/tst_samples.cpp.
BackendInfo softplusInfo();

}
