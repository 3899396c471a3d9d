// SPDX-License-Identifier: Apache-2.0
// Precompiled for the command line.
#pragma once

// Nothing of ours that defines functions: a header of another time than the precompiled one is taken in twice.
#include "core/torch_headers.h"

#include <nlohmann/json.hpp>

#include <CLI/CLI.hpp>
