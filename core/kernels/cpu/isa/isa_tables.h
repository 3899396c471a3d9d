#pragma once

namespace attnscope::kernels {

struct CpuKernels;

#if defined(__x86_64__)
namespace amx {
const CpuKernels& kernels();
}
namespace avx512bf16 {
const CpuKernels& kernels();
}
namespace avx512 {
const CpuKernels& kernels();
}
namespace avx2 {
const CpuKernels& kernels();
}
#endif
namespace portable {
const CpuKernels& kernels();
}

}
