// Precompiled for the files that use LibTorch, whose headers otherwise take 15 to 20 s per file.
#pragma once

#include <ATen/ATen.h>
#include <torch/nn/module.h>
