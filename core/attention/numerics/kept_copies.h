#pragma once

#include <ATen/ATen.h>

#include <vector>

namespace attnscope {

/// Copies of host tensors on a GPU, kept for passes of equal content. While a pass is captured as a CUDA graph, nothing can be copied from
/// the host: the copies of the passes before are used, and have to live as long as the graph. While it lives, `copiedTo` of its thread
/// takes them; scopes do not nest.
class KeptCopies {
public:
    KeptCopies();
    ~KeptCopies();
    KeptCopies(const KeptCopies&) = delete;
    KeptCopies& operator=(const KeptCopies&) = delete;
    /// From now on copies are made anew; those that were made stay.
    void close();

    at::Tensor of(const at::Tensor& host, const at::TensorOptions& options);

private:
    struct Copy {
        at::Tensor host, there;
    };
    std::vector<Copy> m_copies;
};

/// A tensor of the host as one of these options (device and type): what passes compute on the host from shapes, layouts and seeds.
at::Tensor copiedTo(const at::Tensor& host, const at::TensorOptions& options);
/// int64, on the device of `options`.
at::Tensor indicesOn(at::IntArrayRef indices, const at::TensorOptions& options);

}
