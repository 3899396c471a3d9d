#pragma once

#include "app/cli/commands/command.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {
struct EvaluateOptions;
}

namespace attnscope::cli {

/// What `evaluate` is asked for with these words as its arguments, without tables. Throws CLI::ParseError.
EvaluateOptions evaluateOptionsOf(std::vector<std::string> words);
/// The store to which its results go.
std::filesystem::path storeOf(const EvaluateOptions& options);

/// Does what `evaluate` does for one data set. `evaluations` gets the numbers of what is in the store then, also where it throws: what
/// `evaluate` throws.
ExitCode evaluateWithoutTables(EvaluateOptions& options, std::vector<int64_t>& evaluations, std::stop_token stop);

/// Evaluates all that the file of `--from` lists, one after another, and shows and reports them together.
ExitCode evaluateStudy(const EvaluateOptions& given, std::stop_token stop);

}
