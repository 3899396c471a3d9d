#pragma once

#include "core/lab/decode/decode.h"
#include "core/run/run_options.h"

namespace attnscope {

struct DecodeOptions : RunOptions {
    DecodeRequest request;
    std::vector<std::string> mechanisms;  ///< specifications
    double memoryGib = 0;
};

void visitOptions(MaybeConst<DecodeOptions> auto& options, auto& visit)
{
    auto& request = options.request;
    visit("QKV", request.file, anyText(""),
          "Safetensors file with q, k, v (layers, heads, tokens, channels); without it, tokens are made");
    std::vector<std::string> names;
    for (const StreamInfo& info : streamInfos())
        names.push_back(info.name);
    visit("--mechanism", options.mechanisms, repeatedText("MECHANISM"),
          "A mechanism, name[:key=value,…], of " + joined(names, ", ") + " (default: each of them)");
    visit("--positions", request.positions, listOf(),
          "Positions in ascending order, separated by commas (default: 1024,4096,16384,65536, or what the file "
          "has)");
    visit("--layer", request.layer, within(0, 65535), "Layer of the file");
    visit("--tokens", request.tokens, oneOf({"normal", "smooth", "recall"}, "KIND"),
          "Made tokens: independent normal numbers, neighbours alike, or queries for what came 128 tokens ago");
    visit("--heads", request.heads, within(1, 4096), "Heads of made tokens");
    visit("--head-size", request.width, within(1, 4096), "Channels of a head of made tokens");
    visit("--tau", request.temperature, within(1e-6, 1e6),
          "Multiply the logits by X: q and k are each multiplied by its square root");
    visit("--repetitions", request.minimumRepetitions, within(1, 65536),
          "Minimum number of timed tokens at each position");
    visit("--memory-budget", options.memoryGib, within(0, 1e6),
          "Refuse what needs more than this many GiB of state; 0: the free memory");
    visit("--out", options.out, anyText(),
          "Write figures (.svg) or their data (.csv): FILE, FILE-state, FILE-error, FILE-impulse");
    visitDeviceAndOutput(options, visit, {"float32", "float64"});
}

}
