#pragma once

#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"
#include "core/lab/leaderboard/leaderboard.h"

#include <cstdint>
#include <string>
#include <vector>

/// What a leaderboard measures. Methods are taken from the registry by what their BackendInfo says, never by their names. Independent of torch.
namespace attnscope {

/// Why a method cannot replace softmax in a network that was not trained with it; empty if it can. Methods that need training take part if
/// the planner proposes them.
std::string whyOmittedFromLeaderboard(const BackendInfo& info);

/// Numbers of samples for so many patches: the squares nearest to 1/32, 1/16, 1/8 and 1/4 of them, from 4 on, so that methods whose landmarks
/// lie on a grid have them too.
std::vector<int64_t> leaderboardSamples(int64_t patches);

/// The specifications of one method: its default, its drop-in form and those that the planner tries, in all of `sizes` if their samples are a budget, each also
/// with exact rows of the prefix tokens if there are any. Smallest sizes first, none twice.
std::vector<AttentionSpec> methodCandidates(const BackendInfo& info, const std::vector<int64_t>& sizes,
                                            bool hasPrefix);

/// Of all methods, the smallest of each first, then their second ones, so that a run that is stopped has seen all methods; those left out go
/// to `omitted`.
std::vector<AttentionSpec> leaderboardCandidates(const std::vector<int64_t>& sizes, bool hasPrefix,
                                                 std::vector<LeaderboardOmission>& omitted);

}
