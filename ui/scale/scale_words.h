#pragma once

#include "core/lab/scale/scale.h"
#include "ui/scale/scale_jobs.h"

#include <QStringList>

#include <vector>

namespace attnscope::ui {

/// "softmax, explicit", "softmax, fused", "lara 16": the two ways of softmax are rows of their own.
QString scaleTitle(const std::string& attention);

/// "lara" of a curve over samples: its own number of them says nothing there.
QString curveTitle(const Curve& curve);
/// "lara 16, performer 16 and 4 others": as many as fit into a sentence.
QString fewNames(const QStringList& names);

/// "256, 512, 1024" as numbers that grow; empty with `problem` as one sentence where they are none.
std::vector<std::int64_t> parseCounts(const QString& text, std::int64_t most, QString& problem);

/// Attentions that the encoder of random weights can have, as the request takes them; the others are named in `leftOut`.
std::vector<AttentionSpec> scalable(const QStringList& specs, QStringList& leftOut);
/// Attentions that have an error against softmax.
std::vector<AttentionSpec> approximating(const QStringList& specs);

/// Seconds that the request will take, by counting multiply-adds: a guess until the first points are there.
double guessedSeconds(const ScaleRequest& request, std::int64_t threads, bool gpu);
double guessedSeconds(const ApproximateJob& job, const ModelSummary* model, std::int64_t threads, bool gpu);

/// At the longest length of both, the slow passes of `row` are faster than the fast ones of `other`, or `other` was stopped before.
bool clearlyFaster(const ScaleRow& row, const ScaleRow& other);
/// What it comes to: "performer 16 beats fused softmax from N ≈ 1 200, lara 16 from 1 400"; where the difference is not clear, nobody wins.
QString scaleVerdict(const ScaleReport& report);
/// How it was measured, with the load of the machine.
QString scaleDetail(const ScaleReport& report);
QString approximateVerdict(const ApproximateReport& report);
QString approximateDetail(const ApproximateReport& report);
/// "1.5 times as fast as explicit softmax": what plans are made for.
QString budgetText(const PlanRequest& request);
QString planVerdict(const PlanReport& report);
QString planDetail(const PlanReport& report);
/// One sentence where more ran on the machine than it has threads; else empty.
QString loadWarning(const Environment& environment, std::int64_t threads);

}
