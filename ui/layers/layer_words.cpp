#include "ui/layers/layer_words.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope::ui {

namespace {

// In the order of HeadMetric: here the translations' tool finds them.
constexpr const char* metricNames[]{QT_TRANSLATE_NOOP("attnscope::ui", "relative error"),
                                    QT_TRANSLATE_NOOP("attnscope::ui", "mean squared error"),
                                    QT_TRANSLATE_NOOP("attnscope::ui", "bias²"),
                                    QT_TRANSLATE_NOOP("attnscope::ui", "variance over seeds"),
                                    QT_TRANSLATE_NOOP("attnscope::ui", "relative error of the class token"),
                                    QT_TRANSLATE_NOOP("attnscope::ui", "relative error of the patches")};

QString layerTitle(const InspectedAttention& attention, size_t layer)
{
    return layerText(attention.teacherForced[layer]);
}

QString largestError(const std::vector<InspectedLayer>& layers, HeadMetric figure, const QString& name)
{
    const InspectedLayer* where = nullptr;
    size_t head = 0;
    double largest = 0;
    for (const InspectedLayer& layer : layers)
        for (size_t i = 0; i < layer.heads.size(); ++i)
            if (const double value = valueOf(layer.heads[i], figure); std::isfinite(value) && value > largest)
                largest = value, where = &layer, head = i;
    if (where == nullptr)
        return tr("%1 has no %2 in any layer").arg(name, metricText(figure));
    QString metric = metricText(figure);
    metric.front() = metric.front().toUpper();
    const QString what = figure == HeadMetric::Relative ? tr("Error is largest") : tr("%1 is largest").arg(metric);
    return tr("%1 in %2, head %3: %4").arg(what, layerText(*where)).arg(head).arg(errorText(largest))
           + (figure == HeadMetric::Relative ? tr(" relative") : QString());
}

QString flipping(const InspectedAttention& attention)
{
    QStringList names;
    for (size_t i = 0; i < attention.alone.size(); ++i)
        if (!attention.alone[i].top1Agrees)
            names << layerTitle(attention, i);
    if (names.size() > 3)
        return tr("%1 and %2 others").arg(names.mid(0, 2).join(u", "_s)).arg(names.size() - 2);
    return names.join(u", "_s);
}

QString layerPrediction(const InspectedAttention& attention, const QString& name)
{
    if (!attention.hasClasses)
        return tr("The network has no head: there is no prediction that %1 could change").arg(name);
    if (!std::isfinite(attention.kl))
        return tr("The logits with %1 or with exact attention are not finite, so there is no prediction to "
                  "compare")
            .arg(name);
    const auto ofMost = [](const LayerAlone& alone) {
        return std::isnan(alone.kl) ? std::numeric_limits<double>::infinity() : alone.kl;
    };
    const auto most = std::ranges::max_element(
        attention.alone, [&](const LayerAlone& a, const LayerAlone& b) { return ofMost(a) < ofMost(b); });
    if (most == attention.alone.end())
        return attention.top1Agrees ? tr("%1 keeps the prediction").arg(name)
                                    : tr("%1 changes the prediction").arg(name);
    const QString flips = flipping(attention);
    if (!flips.isEmpty())
        return (attention.top1Agrees ? tr("%1 keeps the prediction, although %2 alone would change it")
                                     : tr("%1 changes the prediction: %2 alone is enough"))
            .arg(name, flips);
    return (attention.top1Agrees ? tr("%1 keeps the prediction; %2 has the largest effect on its own, KL %3")
                                 : tr("%1 changes the prediction, but no single layer does; %2 has the largest "
                                      "effect on its own, KL %3"))
        .arg(name, layerTitle(attention, size_t(most - attention.alone.begin())), errorText(most->kl));
}

}

QString metricText(HeadMetric metric)
{
    return tr(metricNames[size_t(metric)]);
}

QString layerText(const InspectedLayer& layer)
{
    return layer.name.empty() ? tr("layer %1").arg(layer.layer) : toQt(layer.name);
}

LayerWords layerWords(const InspectedAttention& attention, InspectionMode mode, HeadMetric figure,
                      const QString& name, const QString& input)
{
    if (!attention.failure.empty())
        return {tr("%1 could not be run").arg(name), toQt(attention.failure)};
    const auto& layers = mode == InspectionMode::TeacherForced ? attention.teacherForced : attention.endToEnd;
    size_t heads = 0;
    for (const InspectedLayer& layer : layers)
        heads = std::max(heads, layer.heads.size());
    // What is usual needs no words.
    const QString exact = attention.exact == InspectedAttention().exact ? tr("softmax") : toQt(attention.exact);
    QStringList parts{
        tr("%1 vs. %2 on %3").arg(name, exact, input), tr("%1 layers × %2 heads").arg(layers.size()).arg(heads),
        attention.weights ? tr("%1 weights").arg(weightsText(*attention.weights)) : tr("tensors only"),
        attention.deterministic ? tr("deterministic") : counted(attention.seeds, [](int n) {
            return tr("mean over %1 seed(s)", nullptr, n);
        })};
    if (attention.emptyRows > 0.0)
        parts << tr("%1 of queries saw no key and used all").arg(toQt(formatPercentage(*attention.emptyRows)));
    return {mode == InspectionMode::TeacherForced ? largestError(layers, figure, name)
                                                  : layerPrediction(attention, name),
            parts.join(u" · "_s)};
}

}
