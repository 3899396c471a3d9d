#include "ui/scale/scale_words.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/backend_info.h"
#include "core/base/format.h"
#include "core/lab/lab_tables.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>

namespace attnscope::ui {

namespace {

double asDouble(int64_t value)
{
    return double(value);
}

QString count(double value)
{
    return countText(std::llround(value));
}

/// The speed that the guesses assume, multiply-adds a second.
double speed(int64_t threads, bool gpu)
{
    return gpu ? 4e12 : 1.2e10 * asDouble(std::max<int64_t>(1, threads));
}

double passSeconds(const ScaleRequest& r, const AttentionSpec& spec, int64_t tokens, double rate)
{
    const BackendInfo* info = findBackend(spec.backend());
    const bool quadratic = info == nullptr || info->tokenComplexity.time > 1;
    const double n = asDouble(tokens), width = asDouble(r.width);
    const double attention = n * width * (quadratic ? 4 * n : 6 * asDouble(spec.samples().value_or(64)));
    const double layer = 12 * n * width * width + attention;
    return asDouble(r.layers) * layer * (r.backward ? 3 : 1) / rate + 0.0003 * asDouble(r.layers);
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

}

QString scaleTitle(const std::string& attention)
{
    return translated(attnscope::scaleTitle(attention));
}

QString fewNames(const QStringList& names)
{
    constexpr int most = 3;
    if (names.size() > most)
        return tr("%1 and %2 others").arg(names.mid(0, most - 1).join(u", "_s)).arg(names.size() - most + 1);
    return names.size() < 2 ? names.join(QString())
                            : tr("%1 and %2").arg(names.mid(0, names.size() - 1).join(u", "_s), names.back());
}

Counts parseCounts(const QString& text, int64_t most)
{
    Counts counts;
    for (QString word : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        word.remove(QChar(0x202f)).remove(QLatin1Char(' '));
        if (word.isEmpty())
            continue;
        bool isNumber = false;
        const int64_t value = word.toLongLong(&isNumber);
        if (!isNumber || value < 1 || value > most)
            counts.problem =
                tr("“%1” is not a whole number from 1 to %2.").arg(word.trimmed(), count(asDouble(most)));
        else if (!counts.numbers.empty() && value <= counts.numbers.back())
            counts.problem = tr("%1 comes after %2; list the numbers in ascending order without repeats.")
                                 .arg(value)
                                 .arg(counts.numbers.back());
        if (!counts.problem.isEmpty())
            return {{}, counts.problem};
        counts.numbers.push_back(value);
    }
    if (counts.numbers.empty())
        counts.problem = tr("No numbers given; enter some separated by commas, such as 256,512,1024.");
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

double guessedSeconds(const ScaleRequest& r, int64_t threads, bool gpu)
{
    const double rate = speed(threads, gpu);
    double seconds = 0;
    for (const int64_t tokens : r.lengths)
        for (const AttentionSpec& spec : scaleRows(r)) {
            const double pass = passSeconds(r, spec, tokens, rate);
            if (pass > r.passBudgetSeconds)
                continue;
            const double wanted = std::max(pass * asDouble(r.minimumRepetitions), r.minimumSeconds);
            seconds += pass + std::min(wanted, std::max(r.pointBudgetSeconds, 3 * pass));
        }
    return seconds;
}

double guessedSeconds(const ApproximateJob& job, const ModelSummary* model, int64_t threads, bool gpu)
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
        for (const int64_t samples : job.request.samples)
            add(info != nullptr && info->samplesPerQuery ? tokens * asDouble(samples) : asDouble(samples));
    }
    return work * asDouble(m.layers) * asDouble(std::max<size_t>(1, job.subject.inputs.size()));
}

QString loadWarning(const Environment& environment, int64_t threads)
{
    // What this window itself measured a minute ago counts, too, but is not more than its threads.
    if (!(environment.loadAverage > 1.25 * asDouble(std::max<int64_t>(1, threads))))
        return {};
    return tr("Under load: the load average was %1 on %2 threads at the start; on an idle machine it may be "
              "faster.")
        .arg(environment.loadAverage, 0, 'f', 1)
        .arg(threads);
}

QString budgetText(const PlanRequest& request)
{
    return budgetWords(request).arg(budgetNumber(request));
}

}
