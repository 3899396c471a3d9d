// SPDX-License-Identifier: Apache-2.0
// Precompiled for the command line.
#pragma once

#include "core/base/json.h"
#include "core/torch_headers.h"

#include <CLI/CLI.hpp>
