#include "ui/compare/table/record_figures.h"

#include "ui/compare/table/run_table_model.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"
#include "core/run/feature_kind.h"
#include "core/run/worst_layer.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

QString featuresTitle(const std::string& kind)
{
    switch (parseFeatureKind(kind)) {
    case FeatureKind::Pooled:
        return RunTableModel::tr("pooled");
    case FeatureKind::Token:
        return RunTableModel::tr("class token");
    case FeatureKind::Avg:
        return RunTableModel::tr("patch mean");
    case FeatureKind::TokenAvg:
        return RunTableModel::tr("token and mean");
    }
    return {};
}

}

bool isExact(const RunRecord& record)
{
    return record.error && record.error->deterministic && record.error->error.relative == 0;
}

QString predictionName(const Prediction& prediction, WeightsKind weights)
{
    if (weights == WeightsKind::Untrained || prediction.label.empty())
        return RunTableModel::tr("class %1").arg(prediction.index);
    return toQt(prediction.label);
}

std::optional<double> figure(Row row, const RunRecord& record)
{
    switch (row) {
    case Row::Predictions:
        return record.top.empty() ? std::nullopt : std::optional(record.top.front().probability);
    case Row::WholeModel:
        return record.latency ? std::optional(record.latency->medianMs) : std::nullopt;
    case Row::AttentionOnly:
        return record.latency ? std::optional(record.latency->attentionMedianMs) : std::nullopt;
    case Row::PeakMemory:
        return record.memory ? std::optional(double(record.memory->peakBytes)) : std::nullopt;
    case Row::RelativeError:
        return record.error ? std::optional(record.error->error.relative) : std::nullopt;
    case Row::Features:
        return record.featureDrift && std::isfinite(record.featureDrift->cosine)
                   ? std::optional(record.featureDrift->cosine)
                   : std::nullopt;
    }
    return std::nullopt;
}

QString cosineText(double cosine)
{
    if (!std::isfinite(cosine))
        return RunTableModel::tr("not finite");
    return QString::number(cosine, 'f', 4).replace(QLatin1Char('-'), u"−"_s);
}

QVector<PredictionLine> featureLines(const FeatureDrift& drift)
{
    QVector<PredictionLine> lines;
    const auto add = [&](const QString& name, const std::optional<double>& cosine) {
        if (cosine)
            lines.push_back({name, cosineText(*cosine), *cosine, false});
    };
    add(featuresTitle(drift.kind), drift.cosine);
    add(RunTableModel::tr("token"), drift.token);
    add(RunTableModel::tr("mean"), drift.avg);
    if (drift.patches) {
        add(RunTableModel::tr("each patch"), drift.patches->mean);
        add(RunTableModel::tr("5th percentile"), drift.patches->p05);
    }
    return lines;
}

QImage patchImage(const Clip& colours)
{
    if (colours.pixels.empty())
        return {};
    const auto width = int(colours.width), height = int(colours.height), frames = int(colours.frames);
    const int across = std::clamp(int(std::lround(std::sqrt(double(frames) * height / width))), 1, frames);
    QImage image(across * width, (frames + across - 1) / across * height, QImage::Format_RGB888);
    image.fill(Qt::black);
    for (int frame = 0; frame < frames; ++frame)
        for (int y = 0; y < height; ++y)
            std::copy_n(colours.frame(frame) + std::ptrdiff_t(y) * width * 3, width * 3,
                        image.scanLine(frame / across * height + y) + std::ptrdiff_t(frame % across) * width * 3);
    return image;
}

std::optional<std::pair<double, double>> bounds(Row row, const RunRecord& record)
{
    const auto value = figure(row, record);
    if (!value)
        return std::nullopt;
    if (row == Row::WholeModel)
        return std::pair(record.latency->p05Ms, record.latency->p95Ms);
    if (row == Row::AttentionOnly)
        return std::pair(record.latency->attentionP05Ms, record.latency->attentionP95Ms);
    if (row == Row::RelativeError)
        return std::pair(*value - record.error->error.relativeStddev, *value + record.error->error.relativeStddev);
    return std::pair(*value, *value);
}

QString weightsWord(WeightsKind kind)
{
    switch (kind) {
    case WeightsKind::Trained:
        return RunTableModel::tr("trained");
    case WeightsKind::Swapped:
        return RunTableModel::tr("swapped");
    case WeightsKind::Untrained:
        return RunTableModel::tr("untrained");
    }
    return {};
}

QString rowTitle(Row row)
{
    switch (row) {
    case Row::Predictions:
        return RunTableModel::tr("Prediction");
    case Row::WholeModel:
        return RunTableModel::tr("Whole model");
    case Row::AttentionOnly:
        return RunTableModel::tr("Attention only");
    case Row::PeakMemory:
        return RunTableModel::tr("Peak memory");
    case Row::RelativeError:
        return RunTableModel::tr("Relative error");
    case Row::Features:
        return RunTableModel::tr("Features");
    }
    return {};
}

QString rowCaption(Row row)
{
    switch (row) {
    case Row::Predictions:
        return RunTableModel::tr("top 5");
    case Row::WholeModel:
    case Row::AttentionOnly:
        return RunTableModel::tr("median, p5–p95");
    case Row::PeakMemory:
        return RunTableModel::tr("activations");
    case Row::RelativeError:
        return RunTableModel::tr("on exact q, k, v");
    case Row::Features:
        return RunTableModel::tr("cosine with exact attention's");
    }
    return {};
}

QString rowHelp(Row row)
{
    if (row != Row::RelativeError)
        return {};
    return RunTableModel::tr("How far the attention's output is from that of exact attention, as a fraction of "
                             "it, where every layer gets the q, k and v of "
                             "the exact network (teacher-forced). \"mean\" is the error of using the mean of the "
                             "values for every query: an approximation "
                             "with an error that large ignores the queries.");
}

QString valueText(Row row, const RunRecord& record)
{
    if (row == Row::WholeModel)
        return toQt(formatMilliseconds(record.latency->medianMs).value);
    if (row == Row::AttentionOnly)
        return toQt(formatMilliseconds(record.latency->attentionMedianMs).value);
    if (row == Row::PeakMemory)
        return toQt(formatBytes(record.memory->peakBytes).value);
    if (row == Row::RelativeError && !isExact(record))
        return toQt(formatError(record.error->error.relative));
    return {};
}

QString unitText(Row row, const RunRecord& record)
{
    if (row == Row::WholeModel)
        return toQt(formatMilliseconds(record.latency->medianMs).unit);
    if (row == Row::AttentionOnly)
        return toQt(formatMilliseconds(record.latency->attentionMedianMs).unit);
    if (row == Row::PeakMemory)
        return toQt(formatBytes(record.memory->peakBytes).unit);
    if (row == Row::RelativeError && !record.error->deterministic && record.error->seeds > 1)
        return RunTableModel::tr("± %1").arg(toQt(formatError(record.error->error.relativeStddev)));
    return {};
}

QString largestErrorText(const RunRecord& record)
{
    const LayerError* worst = worstLayer(*record.error);
    return worst == nullptr ? QString()
                            : RunTableModel::tr(", largest in %1 (%2)")
                                  .arg(toQt(layerTitle(*worst)), toQt(formatError(worst->error.relative)));
}

Delta baselineNote(const RunRecord& record)
{
    const double base = record.error ? record.error->meanOfValues.relative : 0;
    if (!std::isfinite(base) || base <= 0 || isExact(record))
        return {};
    const QString text = errorText(base);
    const bool worse = record.error->error.relative >= base;
    return {worse ? Delta::Worse : Delta::Overlap,
            worse ? RunTableModel::tr("≥ mean %1").arg(text) : RunTableModel::tr("mean %1").arg(text),
            RunTableModel::tr("using the mean of the values for every query would have an error of %1").arg(text)};
}

Delta difference(Row row, const RunRecord& ours, const RunRecord& theirs, const QString& name)
{
    if (row == Row::Predictions || row == Row::Features || row == Row::RelativeError || !figure(row, ours)
        || !figure(row, theirs))
        return {};
    if (row == Row::PeakMemory) {
        const double value = *figure(row, ours), base = *figure(row, theirs);
        const QString change = toQt(formatChange(base, value));
        if (change == toQt(formatChange(base, base)))  // less than half a percent
            return {Delta::Overlap, RunTableModel::tr("same"), RunTableModel::tr("the same as %1").arg(name)};
        return {value < base ? Delta::Better : Delta::Worse, change,
                RunTableModel::tr("%1 vs. %2").arg(change, name)};
    }
    return speedDelta(*ours.latency, *theirs.latency,
                      row == Row::WholeModel ? TimedPart::Model : TimedPart::Attention, name);
}

}
