// SPDX-License-Identifier: Apache-2.0
#define ATTNSCOPE_ISA avx512_bf16
#include "core/kernels/cpu/isa_kernels.h"
