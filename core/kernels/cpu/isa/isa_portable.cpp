#define ATTNSCOPE_ISA portable
#include "core/kernels/cpu/isa/isa_kernels.h"
