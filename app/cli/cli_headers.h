// Precompiled for the command line.
#pragma once

// Only external headers: one of ours that is newer than the precompiled header would be included, and so defined, twice.
#include "core/torch_headers.h"

#include <nlohmann/json.hpp>

#include <CLI/CLI.hpp>
