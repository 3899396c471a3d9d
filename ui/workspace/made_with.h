#pragma once

#include "ui/engine/compare_types.h"

namespace attnscope::ui {

/// In what the context of a figure differs from the present one, as its label: "made with seed 3"; empty: in nothing. Views count for
/// videos alone.
QString madeWith(const RunContext& was, const RunContext& now, bool video);

/// "made with 2 threads"; 0: one a core.
QString madeWithThreads(int threads);

/// "made with 3 seeds"
QString madeWithSeeds(int64_t seeds);

/// The same of what was spent: times depend on threads and repetitions, errors on the draws they are averaged over.
QString timesMadeWith(const RunEffort& was, const RunEffort& now);
QString errorsMadeWith(const RunEffort& was, const RunEffort& now);

/// The headline of what was measured; says so where a stop left it incomplete.
QString headlineOf(const QString& text, bool complete);

}
