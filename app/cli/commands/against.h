#pragma once

#include "app/cli/commands/command.h"
#include "models/lab_options.h"

#include <stop_token>

namespace attnscope::cli {

/// `layers --against`: two networks beside each other. `query`: whose attention is shown in both; empty: no maps.
ExitCode runAgainst(LayersOptions& options, const std::optional<TokenQuery>& query, std::stop_token stop);

}
