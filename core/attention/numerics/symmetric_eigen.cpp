#include "core/attention/numerics/symmetric_eigen.h"

#include <tuple>

namespace attnscope {

SymmetricEigen symmetricEigen(const at::Tensor& matrices, FallenHeads& notFinite)
{
    const auto finite = matrices.isfinite().flatten(-2).all(-1);  // (B,H)
    notFinite.where([&] { return finite.logical_not(); });
    const auto given = at::where(finite.unsqueeze(-1).unsqueeze(-1), matrices,
                                 at::eye(matrices.size(-1), matrices.options()));
    const auto [values, vectors] = at::linalg_eigh(given);
    return {values, vectors};
}

}
