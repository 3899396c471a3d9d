#include "ui/compare/table/record_figures.h"

#include "ui/compare/table/run_table_model.h"
#include "ui/style/qt_text.h"

#include "core/run/features/feature_kind.h"
#include "core/run/record_tables.h"

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
    return translated(attnscope::predictionName(
        weights == WeightsKind::Untrained ? Prediction{.index = prediction.index} : prediction));
}

std::optional<bool> sameClass(const RunRecord& ours, const RunRecord& theirs, size_t place)
{
    if (place >= ours.top.size() || place >= theirs.top.size())
        return false;
    const Prediction &own = ours.top[place], &other = theirs.top[place];
    if (ours.checkpoint.path == theirs.checkpoint.path)
        return own.index == other.index;
    return own.label.empty() || other.label.empty() ? std::nullopt : std::optional(own.label == other.label);
}

const Measure* measureOf(Row row)
{
    switch (row) {
    case Row::WholeModel:
        return &measure("latency");
    case Row::AttentionOnly:
        return &measure("attention_latency");
    case Row::PeakMemory:
        return &measure("memory");
    case Row::RelativeError:
        return &measure("error");
    default:
        return nullptr;
    }
}

std::optional<Measured> figure(Row row, const RunRecord& record)
{
    if (const Measure* measure = measureOf(row))
        return measure->of(measurementsOf(record));
    const auto exactly = [](double value) { return std::optional<Measured>({value, value, value}); };
    if (row == Row::Predictions)
        return record.top.empty() ? std::nullopt : exactly(record.top.front().probability);
    return record.featureDrift && std::isfinite(record.featureDrift->cosine) ? exactly(record.featureDrift->cosine)
                                                                             : std::nullopt;
}

QString cosineText(double cosine)
{
    return translated(cosineCell(cosine).text);
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
            std::copy_n(colours.frame(frame) + ptrdiff_t(y) * width * 3, width * 3,
                        image.scanLine(frame / across * height + y) + ptrdiff_t(frame % across) * width * 3);
    return image;
}

QString rowTitle(Row row)
{
    if (const Measure* measure = measureOf(row))
        return translated(measure->title);
    return row == Row::Predictions ? RunTableModel::tr("Prediction") : RunTableModel::tr("Features");
}

QString rowCaption(Row row)
{
    if (const Measure* measure = measureOf(row))
        return translated(measure->caption);
    return row == Row::Predictions ? RunTableModel::tr("top 5")
                                   : RunTableModel::tr("cosine with exact attention's");
}

QString rowHelp(Row row)
{
    const Measure* measure = measureOf(row);
    return measure == nullptr ? QString() : translated(measure->help);
}

Quantity quantityText(Row row, const RunRecord& record)
{
    const Measure* measure = measureOf(row);
    if (measure == nullptr || (row == Row::RelativeError && isExact(record)))
        return {};
    const Measurements run = measurementsOf(record);
    Quantity quantity = quantityOf(measure->unit, measure->of(run)->mid);
    if (row == Row::RelativeError)
        quantity.unit = fromQt(translated(cellOf(*measure, run).small));
    return quantity;
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

}
