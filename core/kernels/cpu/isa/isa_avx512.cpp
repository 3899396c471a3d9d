#define ATTNSCOPE_ISA avx512
#include "core/kernels/cpu/isa/isa_kernels.h"
