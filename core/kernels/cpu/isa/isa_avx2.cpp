#define ATTNSCOPE_ISA avx2
#include "core/kernels/cpu/isa/isa_kernels.h"
