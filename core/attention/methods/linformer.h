#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// y_n = Σ_l softmax_l(scale · q_n·(E k)_l) (F v)_l with E, F (L,M), or (H,L,M) with one per head.
/// Source: Wang et al., Linformer, 2020, equation 7. E and F are learned for one number of tokens: tensors `e` and `f` (`e` alone serves as
/// both). Without them keys and values are means of L consecutive segments.
BackendInfo linformerInfo();

}
