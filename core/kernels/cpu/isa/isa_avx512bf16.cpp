#define ATTNSCOPE_ISA avx512bf16
#include "core/kernels/cpu/isa/isa_kernels.h"
