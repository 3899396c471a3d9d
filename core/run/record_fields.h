#pragma once

#include "core/base/json.h"
#include "core/device/environment.h"
#include "core/measure/measurements.h"

/// What was measured, and where, under the keys that every JSON of ours has for it (docs/cli.md): see core/base/json.h.
namespace attnscope {

void visitFields(MaybeConst<Latency> auto& latency, auto& visit)
{
    visit("median", latency.medianMs);
    visit("p05", latency.p05Ms);
    visit("p95", latency.p95Ms);
    visit("repetitions", latency.repetitions);
    visit("attention_median", latency.attentionMedianMs);
    visit("attention_p05", latency.attentionP05Ms);
    visit("attention_p95", latency.attentionP95Ms);
    visit.optional("rounds", latency.roundsMs);
    visit.optional("attention_rounds", latency.attentionRoundsMs);
    visit.optional("session", latency.session);
}

void visitFields(MaybeConst<Memory> auto& memory, auto& visit)
{
    visit("peak", memory.peakBytes);
    visit("weights", memory.weightsBytes);
    visit("attention_peak", memory.attentionPeakBytes);
}

void visitFields(MaybeConst<DeviceSummary> auto& device, auto& visit)
{
    visit("name", device.name);
    visit("description", device.description);
    visit("threads", device.threads);
    visit.optional("clock_mhz", device.clockMhz);
    visit.optional("power_limit_watts", device.powerLimitWatts);
}

void visitFields(MaybeConst<Environment> auto& environment, auto& visit)
{
    visit("attnscope", environment.attnscope);
    visit("torch", environment.torch);
    visit("compiler", environment.compiler);
    visit("instruction_set", environment.instructionSet);
    visit("kernels", environment.kernels);
    visit("started", environment.started);
    visit("load_average", environment.loadAverage);
}

void visitFields(MaybeConst<ErrorValue> auto& error, auto& visit)
{
    visit("mse", error.mse);
    visit("mse_sd", error.mseStddev);
    visit("relative", error.relative);
    visit("relative_sd", error.relativeStddev);
}

template <typename Value, typename... Types>
concept OneOf = std::disjunction_v<std::is_same<Value, Types>...>;

template <OneOf<Latency, Memory, ErrorValue> Value>
Json toJson(const Value& value)
{
    return writeFields(value);
}

}
