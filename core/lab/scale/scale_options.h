#pragma once

#include "core/lab/scale/scale.h"
#include "core/run/run_options.h"

namespace attnscope {

struct ScaleOptions : RunOptions {
    ScaleRequest request{.lengths = {}};
    double memoryGib = 0;
    std::optional<double> timeBudget;  ///< s; empty: no limit, of the default lengths 30
};

void visitOptions(MaybeConst<ScaleOptions> auto& options, auto& visit)
{
    auto& request = options.request;
    visitAttention(options.attention, visit);
    visitOptions(options.around, visit);
    visit("--lengths", request.lengths, listOf(),
          "Numbers of tokens in ascending order, separated by commas (default: 512,1024,2048,4096)");
    visit("--layers", request.layers, within(1, 1000), "Encoder layers");
    visit("--dim", request.width, within(1, 65536), "Embedding dimension of the encoder");
    visit("--heads", request.heads, within(1, 4096), "Attention heads");
    visit("--backward", request.backward, "Measure a forward and backward pass, with activations kept for it");
    visit("--repetitions", request.minimumRepetitions, within(1, 1000000),
          "Minimum number of timed passes per attention and length");
    visit("--seconds", request.minimumSeconds, within(0, 3600), "Minimum time to spend on each");
    visit("--pass-budget", request.passBudgetSeconds, within(0.001, 1e6),
          "Stop an attention whose single pass would take longer than this, in seconds");
    visit("--point-budget", request.pointBudgetSeconds, within(0, 1e6),
          "End repetitions after this many seconds, but not before three of them");
    visit("--time-budget", options.timeBudget, optionalWithin(0, 1e6, "S"),
          "End after about this many seconds by using fewer repetitions and skipping lengths that would take "
          "longer; 0: no limit (default: 30, or no limit if --lengths is given)");
    visit("--memory-budget", options.memoryGib, within(0, 1e6),
          "Stop an attention that needs more than this many GiB of tensor memory; 0: the free memory");
    visit("--out", options.out, anyText(),
          "Write figures (.svg) or their data (.csv): FILE, FILE-memory, FILE-relative, …");
    visitDeviceAndOutput(options, visit);
}

}
