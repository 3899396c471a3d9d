#include "ui/scale/scale_words.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/backend_info.h"
#include "core/base/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>

namespace attnscope::ui {

namespace {

double asDouble(std::int64_t value)
{
    return double(value);
}

QString count(double value)
{
    return countText(std::llround(value));
}

/// Two digits, as a length between two that were measured deserves: 1 432 → 1 400.
double rounded(double value)
{
    const double step = std::pow(10, std::max(0.0, std::floor(std::log10(value)) - 1));
    return std::round(value / step) * step;
}

bool isMeasured(const ScalePoint& point)
{
    return point.stopped.empty();
}

/// Whether the row is cheaper at the first length already.
bool fromTheFirst(const ScaleRow& row, double from)
{
    for (const ScalePoint& point : row.points)
        if (isMeasured(point))
            return asDouble(point.tokens) >= from;
    return false;
}

const ScalePoint* lastMeasured(const ScaleRow& row)
{
    const auto found = std::ranges::find_if(std::views::reverse(row.points), isMeasured);
    return found == row.points.rend() ? nullptr : &*found;
}

struct Winner {
    QString name;
    double from = 0;
    bool always = false;
};

/// "performer 64 beats fused softmax from N ≈ 1 200, lara 49 from 1 400".
QString winnersText(std::vector<Winner> winners, const QString& than)
{
    constexpr std::size_t most = 2;
    std::ranges::sort(winners, [](const Winner& a, const Winner& b) { return a.from < b.from; });
    QStringList parts;
    for (std::size_t i = 0; i < std::min(winners.size(), most); ++i) {
        const Winner& one = winners[i];
        const QString where = one.always ? tr("at every length")
                              : i == 0   ? tr("from N ≈ %1").arg(count(rounded(one.from)))
                                         : tr("from %1").arg(count(rounded(one.from)));
        parts << (i == 0 ? tr("%1 beats %2 %3").arg(one.name, than, where) : tr("%1 %2").arg(one.name, where));
    }
    if (winners.size() > most)
        parts << tr("%1 more at longer lengths").arg(countText(std::int64_t(winners.size() - most)));
    return parts.join(u", "_s);
}

/// The speed that the guesses assume, multiply-adds a second.
double speed(std::int64_t threads, bool gpu)
{
    return gpu ? 4e12 : 1.2e10 * asDouble(std::max<std::int64_t>(1, threads));
}

double passSeconds(const ScaleRequest& r, const AttentionSpec& spec, std::int64_t tokens, double rate)
{
    const BackendInfo* info = findBackend(spec.backend());
    const bool quadratic = info == nullptr || info->tokenComplexity.time > 1;
    const double n = asDouble(tokens), width = asDouble(r.width);
    const double attention = n * width * (quadratic ? 4 * n : 6 * asDouble(spec.samples().value_or(64)));
    const double layer = 12 * n * width * width + attention;
    return asDouble(r.layers) * layer * (r.backward ? 3 : 1) / rate + 0.0003 * asDouble(r.layers);
}

/// "88.3 % ±5.8": few samples leave wide intervals.
QString planAccuracy(const Plan& plan, const PlanReport& report)
{
    const Fraction fraction = fractionOf(std::llround(*plan.accuracy * asDouble(report.labelled)),
                                         report.labelled);
    return tr("%1 % ±%2").arg(100 * fraction.value, 0, 'f', 1).arg(50 * (fraction.high - fraction.low), 0, 'f', 1);
}

/// Exact softmax in every layer.
const Plan* exactPlan(const PlanReport& report)
{
    for (const Plan& plan : report.uniform)
        if (!report.candidates.empty() && plan.attention == report.candidates.front() && plan.latency)
            return &plan;
    return nullptr;
}

/// What a budget asks for.
QString budgetWords(const PlanRequest& request)
{
    switch (request.kind) {
    case PlanBudget::Speed:
        return tr("%1 times as fast as explicit softmax");
    case PlanBudget::Latency:
        return tr("within %1 ms");
    case PlanBudget::Error:
        return tr("with a relative error of at most %1");
    case PlanBudget::Divergence:
        return tr("with a KL of at most %1 nats");
    case PlanBudget::Accuracy:
        return tr("with a top-1 accuracy of at least %1 %");
    case PlanBudget::Drop:
        break;
    }
    return request.budget == 0.01 ? tr("with a top-1 loss of at most %1 point")
                                  : tr("with a top-1 loss of at most %1 points");
}

QString budgetNumber(const PlanRequest& request)
{
    return QString::number(needsLabels(request.kind) ? 100 * request.budget : request.budget);
}

const CurvePoint* lastOf(const Curve& curve)
{
    for (const auto& point : curve.points | std::views::reverse)
        if (point.unavailable.empty() && std::isfinite(point.error.mse))
            return &point;
    return nullptr;
}

}

QString scaleTitle(const std::string& attention)
{
    if (attention == AttentionSpec::explicitReference().canonical())
        return tr("softmax, explicit");
    return attention == referenceBackend ? tr("softmax, fused") : titleOfSpec(toQt(attention));
}

QString curveTitle(const Curve& curve)
{
    const QString behind = u" · "_s;
    QString title = titleOfSpec(toQt(curve.attention));
    if (curve.flat)
        return title;
    const QString options = title.section(behind, 1);
    const QString name = backendOfSpec(toQt(curve.attention));
    return options.isEmpty() ? name : name + behind + options;
}

QString fewNames(const QStringList& names)
{
    constexpr int most = 3;
    if (names.size() > most)
        return tr("%1 and %2 others").arg(names.mid(0, most - 1).join(u", "_s)).arg(names.size() - most + 1);
    return names.size() < 2 ? names.join(QString())
                            : tr("%1 and %2").arg(names.mid(0, names.size() - 1).join(u", "_s), names.back());
}

std::vector<std::int64_t> parseCounts(const QString& text, std::int64_t most, QString& problem)
{
    std::vector<std::int64_t> counts;
    problem.clear();
    for (QString word : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        word.remove(QChar(0x202f)).remove(QLatin1Char(' '));
        if (word.isEmpty())
            continue;
        bool isNumber = false;
        const std::int64_t value = word.toLongLong(&isNumber);
        if (!isNumber || value < 1 || value > most)
            problem = tr("“%1” is not a whole number from 1 to %2.").arg(word.trimmed(), count(asDouble(most)));
        else if (!counts.empty() && value <= counts.back())
            problem = tr("%1 comes after %2; list the numbers in ascending order without repeats.")
                          .arg(value)
                          .arg(counts.back());
        if (!problem.isEmpty())
            return {};
        counts.push_back(value);
    }
    if (counts.empty())
        problem = tr("No numbers given; enter some separated by commas, such as 256,512,1024.");
    return counts;
}

std::vector<AttentionSpec> scalable(const QStringList& specs, QStringList& leftOut)
{
    std::vector<AttentionSpec> taken;
    for (const QString& text : specs) {
        const AttentionSpec spec = AttentionSpec::parse(fromQt(text));
        const BackendInfo* info = findBackend(spec.backend());
        if (info == nullptr || info->needsReduction)
            leftOut << titleOfSpec(text);
        else
            taken.push_back(spec);
    }
    return taken;
}

std::vector<AttentionSpec> approximating(const QStringList& specs)
{
    std::vector<AttentionSpec> taken;
    for (const QString& text : specs) {
        const AttentionSpec spec = AttentionSpec::parse(fromQt(text));
        const BackendInfo* info = findBackend(spec.backend());
        const bool approximates = spec.isMixed() || (info != nullptr && info->kind != AttentionKind::Exact);
        if (approximates && spec == spec.alone())  // what else a network does is not seen at the same q, k and v
            taken.push_back(spec);
    }
    return taken;
}

double guessedSeconds(const ScaleRequest& r, std::int64_t threads, bool gpu)
{
    const double rate = speed(threads, gpu);
    double seconds = 0;
    for (const std::int64_t tokens : r.lengths)
        for (const AttentionSpec& spec : scaleRows(r)) {
            const double pass = passSeconds(r, spec, tokens, rate);
            if (pass > r.passBudgetSeconds)
                continue;
            const double wanted = std::max(pass * asDouble(r.minimumRepetitions), r.minimumSeconds);
            seconds += pass + std::min(wanted, std::max(r.pointBudgetSeconds, 3 * pass));
        }
    return seconds;
}

double guessedSeconds(const ApproximateJob& job, const ModelSummary* model, std::int64_t threads, bool gpu)
{
    const ModelSummary unknown{.layers = 12, .heads = 6, .width = 384, .tokens = 197};
    ModelSummary m = model == nullptr || !job.subject.isModel() ? unknown : *model;
    if (const auto& random = job.subject.random)
        m = {
            .layers = 1, .heads = random->heads, .width = random->heads * random->width, .tokens = random->tokens};
    double tokens = asDouble(m.tokens);
    if (const InputSize size = job.subject.model.imageSize; !size.isOwn() && m.input.size() > 1)
        tokens *= asDouble(size.width * size.height) / asDouble(m.input.back() * m.input[m.input.size() - 2]);
    double work = 0;
    const auto add = [&](double samples) {
        work += asDouble(job.request.seeds)
                * (tokens * asDouble(m.width) * 12 * samples / speed(threads, gpu) + 0.004);
    };
    for (const AttentionSpec& spec : job.request.attention) {
        const BackendInfo* info = findBackend(spec.backend());
        for (const std::int64_t samples : job.request.samples)
            add(info != nullptr && info->samplesPerQuery ? tokens * asDouble(samples) : asDouble(samples));
    }
    return work * asDouble(m.layers) * asDouble(std::max<std::size_t>(1, job.subject.inputs.size()));
}

bool clearlyFaster(const ScaleRow& row, const ScaleRow& other)
{
    const ScalePoint *a = lastMeasured(row), *b = lastMeasured(other);
    if (a == nullptr || b == nullptr || a->tokens != b->tokens)
        return a != nullptr && b != nullptr && a->tokens > b->tokens;
    // By the longest length with enough rounds for a verdict.
    for (const ScalePoint& ours : std::views::reverse(row.points))
        for (const ScalePoint& theirs : other.points)
            if (const SpeedVerdict verdict = compareSpeed(ours.latency, theirs.latency);
                ours.tokens == theirs.tokens && verdict.ratio)
                return verdict.speed == Speed::Faster;
    return false;
}

QString scaleVerdict(const ScaleReport& report)
{
    std::vector<Winner> overFused, overExplicit;
    bool overlap = false;  // medians differ, but not clearly: nobody wins
    std::int64_t longest = 0;
    for (const ScaleRow& row : report.rows) {
        for (const ScalePoint& point : row.points)
            longest = isMeasured(point) ? std::max(longest, point.tokens) : longest;
        const auto take = [&](std::vector<Winner>& winners, const std::optional<double>& from,
                              const ScaleRow& than) {
            if (!from || (row.backend == referenceBackend && isAttentionAlone(row.attention)))
                return;
            if (clearlyFaster(row, than))
                winners.push_back({scaleTitle(row.attention), *from, fromTheFirst(row, *from)});
            else
                overlap = true;
        };
        take(overFused, row.breakEvenFused, report.rows[1]);
        take(overExplicit, row.breakEvenExplicit, report.rows[0]);
    }
    if (longest == 0)
        return tr("No measurements yet");
    if (!overFused.empty())
        return winnersText(overFused, tr("fused softmax"));
    if (!overExplicit.empty())
        return tr("%1; nothing beats fused softmax").arg(winnersText(overExplicit, tr("explicit softmax")));
    if (overlap)
        return tr("No difference beyond measurement noise up to %1 tokens").arg(count(asDouble(longest)));
    return report.rows.size() < 3
               ? tr("Only softmax was measured; select other backends to see where they pay off")
               : tr("Nothing is faster than softmax up to %1 tokens").arg(count(asDouble(longest)));
}

QString loadWarning(const Environment& environment, std::int64_t threads)
{
    // What this window itself measured a minute ago counts, too, but is not more than its threads.
    if (!(environment.loadAverage > 1.25 * asDouble(std::max<std::int64_t>(1, threads))))
        return {};
    return tr("Under load: the load average was %1 on %2 threads at the start; on an idle machine it may be "
              "faster.")
        .arg(environment.loadAverage, 0, 'f', 1)
        .arg(threads);
}

QString scaleDetail(const ScaleReport& report)
{
    const ScaleRequest& r = report.request;
    QStringList parts{tr("encoder with random weights, %1 layers, dim %2, %3 heads, batch size 1")
                          .arg(r.layers)
                          .arg(r.width)
                          .arg(r.heads),
                      r.backward ? tr("forward and backward") : tr("forward"), toQt(r.dtype),
                      toQt(report.device.description),
                      tr("load %1").arg(report.environment.loadAverage, 0, 'f', 1)};
    return parts.join(u" · "_s);
}

QString approximateVerdict(const ApproximateReport& report)
{
    const Curve* best = nullptr;
    const CurvePoint* least = nullptr;
    for (const Curve& curve : report.curves)
        if (const CurvePoint* last = lastOf(curve);
            last != nullptr && (least == nullptr || last->error.mse < least->error.mse))
            best = &curve, least = last;
    if (best == nullptr)
        return tr("None of these backends could be measured");
    const QString mse = errorText(least->error.mse);
    QString words =
        best->flat
            ? tr("%1 is closest to softmax: MSE %2").arg(titleOfSpec(toQt(best->attention)), mse)
            : tr("%1 with %2 samples is closest: MSE %3").arg(curveTitle(*best)).arg(least->samples).arg(mse);
    if (best->power)
        words += tr(", scales as samples^%1")
                     .arg(QString::number(*best->power, 'f', 2).replace(QLatin1Char('-'), QChar(0x2212)));
    return report.meanOfValues.mse > 0 && least->error.mse > report.meanOfValues.mse
               ? tr("%1, worse than the mean-of-values baseline").arg(words)
               : words;
}

QString approximateDetail(const ApproximateReport& report)
{
    QStringList parts{
        toQt(report.source),
        counted(report.inputs,
                [](int n) { return QCoreApplication::translate("attnscope::ui", "%1 input(s)", nullptr, n); }),
        counted(report.layers,
                [](int n) { return QCoreApplication::translate("attnscope::ui", "%1 layer(s)", nullptr, n); })
            + u", "_s
            + counted(report.heads,
                      [](int n) { return QCoreApplication::translate("attnscope::ui", "%1 head(s)", nullptr, n); })
            + u", "_s
            + counted(
                report.tokens,
                [](int n) { return QCoreApplication::translate("attnscope::ui", "%1 token(s)", nullptr, n); }),
        tr("exact: %1").arg(toQt(report.exact))};
    if (report.model)
        parts << toQt(report.model->device.description);
    return parts.join(u" · "_s);
}

QString budgetText(const PlanRequest& request)
{
    return budgetWords(request).arg(budgetNumber(request));
}

QString planVerdict(const PlanReport& report)
{
    if (!report.complete)
        return tr("No plan was chosen");
    if (!report.chosen) {
        double fastest = 1e300;
        for (const auto* list : {&report.front, &report.uniform})
            for (const Plan& plan : *list)
                fastest = plan.latency ? std::min(fastest, plan.latency->medianMs) : fastest;
        return fastest < 1e300 ? tr("No plan meets the budget; the fastest takes %1")
                                     .arg(toQt(formatMilliseconds(fastest).text()))
                               : tr("No plan meets the budget");
    }
    const Plan& plan = *report.chosen;
    QString words =
        plan.uniform
            ? tr("%1 in every layer").arg(titleOfSpec(toQt(plan.attention)))
            : tr("A plan mixing %1 backends").arg(std::set(plan.choice.begin(), plan.choice.end()).size());
    if (plan.latency && plan.accuracy && needsLabels(report.kind))
        words += tr(": %1, top-1 %2")
                     .arg(toQt(formatMilliseconds(plan.latency->medianMs).text()), planAccuracy(plan, report));
    else if (plan.latency && plan.error)
        words += tr(": %1, relative error %2")
                     .arg(toQt(formatMilliseconds(plan.latency->medianMs).text()), errorText(*plan.error));
    if (const Plan* exact = exactPlan(report); exact != nullptr && exact->accuracy && needsLabels(report.kind))
        return plan.attention == exact->attention
                   ? tr("%1: nothing faster meets the budget").arg(words)
                   : tr("%1; softmax: %2, %3")
                         .arg(words, toQt(formatMilliseconds(exact->latency->medianMs).text()),
                              planAccuracy(*exact, report));
    return report.explicitMs > 0 && plan.latency
               ? tr("%1; explicit: %2").arg(words, toQt(formatMilliseconds(report.explicitMs).text()))
               : words;
}

QString planDetail(const PlanReport& report)
{
    QStringList parts{
        toQt(report.model.model.name),
        counted(report.model.inputs.size(),
                [](int n) { return QCoreApplication::translate("attnscope::ui", "%1 input(s)", nullptr, n); }),
        toQt(report.model.dtype),
        toQt(report.model.device.description),
        tr("load %1").arg(report.model.environment.loadAverage, 0, 'f', 1),
        toQt(report.advice)};
    if (report.labelled > 0)
        parts.insert(1, tr("top-1 on %1 labelled samples").arg(count(asDouble(report.labelled))));
    return parts.join(u" · "_s);
}

}
