// SPDX-License-Identifier: Apache-2.0
// Precompiled for the files that speak to LibTorch: its headers cost 15 to 20 s a file otherwise.
#pragma once

#include <ATen/ATen.h>
#include <torch/nn/module.h>
