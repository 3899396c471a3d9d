#include "core/attention/numerics/kept_copies.h"

#include <algorithm>
#include <cstring>

namespace attnscope {

namespace {

thread_local KeptCopies* current = nullptr;

bool same(const at::Tensor& a, const at::Tensor& b)
{
    return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes()
           && std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
}

}

KeptCopies::KeptCopies()
{
    current = this;
}

KeptCopies::~KeptCopies()
{
    close();
}

void KeptCopies::close()
{
    if (current == this)
        current = nullptr;
}

at::Tensor KeptCopies::of(const at::Tensor& given, const at::TensorOptions& options)
{
    const at::Tensor host = given.contiguous();
    const auto found = std::ranges::find_if(m_copies, [&](const Copy& copy) {
        return copy.there.scalar_type() == options.dtype().toScalarType()
               && copy.there.device() == options.device() && same(copy.host, host);
    });
    if (found != m_copies.end())
        return found->there;
    // A copy here too: the caller may write to its own.
    m_copies.push_back({host.clone(), host.to(options)});
    return m_copies.back().there;
}

at::Tensor copiedTo(const at::Tensor& host, const at::TensorOptions& options)
{
    return current == nullptr || options.device().is_cpu() || !host.is_cpu() ? host.to(options)
                                                                             : current->of(host, options);
}

at::Tensor indicesOn(at::IntArrayRef indices, const at::TensorOptions& options)
{
    return copiedTo(at::tensor(indices), options.dtype(at::kLong));
}

}
