#pragma once

#include "core/lab/leaderboard/leaderboard.h"
#include "core/lab/leaderboard/leaderboard_ranking.h"
#include "core/run/record_fields.h"

/// The keys of a leaderboard's JSON, listed once for writing and for continuing it: see core/base/json.h.
namespace attnscope {

void visitFields(MaybeConst<LeaderboardEffect> auto& effect, auto& visit)
{
    visit("kl", effect.kl);
    visit("agreement", effect.agreement);
    visit("cosine", effect.cosine);
}

void visitFields(MaybeConst<LeaderboardOmission> auto& omission, auto& visit)
{
    visit("attention", omission.attention);
    visit("reason", omission.reason);
}

void visitFields(MaybeConst<LeaderboardRow> auto& row, auto& visit)
{
    visit("attention", row.attention);
    visit("backend", row.backend);
    visit.countOrNull("samples", row.samples);
    visit.optional("failure", row.failure);
    if (!row.failure.empty())
        return;
    visit("seeds", row.seeds);
    visit("deterministic", row.deterministic);
    visit("relative", row.relative);
    visit("relative_sd", row.relativeStddev);
    visit("median_relative", row.medianRelative);
    visit("layers", row.layers);
    visit("not_finite", row.notFinite);
    visit.optional("end_to_end", row.effect);
    visit("latency_ms", row.latency);
    visit("exact_latency_ms", row.exactLatency);
    visit.object("memory_bytes", [&](auto& memory) {
        memory("attention_peak", row.peakBytes);
        memory("exact_attention_peak", row.exactPeakBytes);
    });
    visit("macs", row.macs);
    visit("exact_macs", row.exactMacs);
    visit.derived("relative_cost", [&] {
        return Json{{"time", finiteOrNull(row.timeRatio())},
                    {"speed", toText(compareSpeed(row.latency, row.exactLatency).speed)},
                    {"memory", finiteOrNull(row.memoryRatio())},
                    {"macs", finiteOrNull(row.macs / row.exactMacs)}};
    });
    visit.derived("front", Json{{"time", row.timeFront}, {"memory", row.memoryFront}});
    visit.optional("notes", row.notes);
}

/// How it was made, but for `source`, `model` and `temperature`.
void visitSetup(MaybeConst<LeaderboardReport> auto& report, auto& visit)
{
    visit("exact", report.exact);
    visit.derived("exact_meaning", report.exactMeaning);
    visit.derived("error", [&] { return nameOf(report, report.error()); });
    visit.derived("layers", report.layers);
    visit.derived("heads", report.heads);
    visit("tokens", report.tokens);
    visit.derived("prefix", report.prefix);
    visit.derived("width", report.width);
    visit.derived("inputs", report.inputs);
    visit.derived("timed_layers", report.timedLayers);
    visit("seed", report.seed);
    visit("seeds", report.seeds);
    visit("has_classes", report.hasClasses);
    visit.derived("candidates", report.candidates);
    visit.derived("complete", report.complete());
    visit.derived("seconds", report.seconds);
}

}
