#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/json.h"

#include <string>

namespace attnscope {

struct NativeAttention {
    AttentionSpec spec;
    bool landmarkMaps = false;  ///< the layer has learned landmark maps
};

/// Translates the LARA authors' `attn` and `attn_args` (num_landmarks, proposal_gen, mis_type, alpha_coeff, approx_attn_dim, num_samples …)
/// into a specification that reproduces their evaluation. Throws UsageError for anything without an equivalent here.
NativeAttention nativeAttention(const std::string& name, const Json& arguments, const std::string& subject);

}
