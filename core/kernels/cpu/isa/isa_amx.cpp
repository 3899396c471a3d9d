#define ATTNSCOPE_ISA amx
#include "core/kernels/cpu/isa/isa_tables.h"
#include "core/kernels/cpu/linear_tiles.h"
#include "core/kernels/cpu/softmax_bfloat16.h"

namespace attnscope::kernels::amx {

/// Those of avx512bf16 but for what tiles compute.
const CpuKernels& kernels()
{
    static const CpuKernels table = [] {
        CpuKernels own = avx512bf16::kernels();
        own.name = "amx";
        own.linearBfloat16 = linearBfloat16;
        own.softmaxBfloat16 = softmaxBfloat16;
        return own;
    }();
    return table;
}

}
