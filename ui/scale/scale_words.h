#pragma once

#include "core/lab/scale/scale.h"
#include "ui/scale/scale_jobs.h"

#include <QStringList>

#include <vector>

namespace attnscope::ui {

/// "softmax, explicit", "softmax, fused", "lara 16": the two ways of softmax are rows of their own.
QString scaleTitle(const std::string& attention);

/// "lara 16, performer 16 and 4 others": as many as fit into a sentence.
QString fewNames(const QStringList& names);

/// "256, 512, 1024" as numbers that grow; with a problem, as one sentence, there are none.
struct Counts {
    std::vector<int64_t> numbers;
    QString problem;
};
Counts parseCounts(const QString& text, int64_t most);

/// Attentions that the encoder of random weights can have, as the request takes them; the others are named in `leftOut`.
std::vector<AttentionSpec> scalable(const QStringList& specs, QStringList& leftOut);
/// Attentions that have an error against softmax.
std::vector<AttentionSpec> approximating(const QStringList& specs);

/// Seconds that the request will take, by counting multiply-adds: a guess until the first points are there.
double guessedSeconds(const ScaleRequest& request, int64_t threads, bool gpu);
double guessedSeconds(const ApproximateJob& job, const ModelSummary* model, int64_t threads, bool gpu);

/// "1.5 times as fast as explicit softmax": what plans are made for.
QString budgetText(const PlanRequest& request);
/// One sentence where more ran on the machine than it has threads; else empty.
QString loadWarning(const Environment& environment, int64_t threads);

}
