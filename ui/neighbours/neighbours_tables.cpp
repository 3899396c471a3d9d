#include "ui/neighbours/neighbours_tables.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace attnscope::ui {

namespace {

using Cell = CellTable::Cell;

QString mixText(double mix)
{
    return QString::number(mix, 'g', 3);
}

QString topOne(const NeighbourAccuracy& accuracy, const NeighbourAccuracyPoint& point)
{
    return tr("%1 %").arg(percentText(accuracy.accuracy(point)));
}

/// λ = 0 is the model alone, whatever k.
const NeighbourAccuracyPoint* modelAlone(const NeighbourAccuracy& accuracy)
{
    const auto found = std::ranges::find_if(accuracy.points,
                                            [](const NeighbourAccuracyPoint& point) { return point.mix == 0; });
    return found == accuracy.points.end() ? nullptr : &*found;
}

/// "cosine similarity 0.93", "distance 12.4": what stands next to a neighbour's class, and how it is read.
double closeness(double distance, FeatureDistance kind)
{
    return kind == FeatureDistance::Cosine ? 1 - distance : distance;
}

CellTable::Row predictionRow(const QString& by, const std::vector<Prediction>& predictions,
                             const std::optional<QString>& truth)
{
    const Prediction& first = predictions.front();
    const QString name = first.label.empty() ? QString::number(first.index) : toQt(first.label);
    const bool wrong = truth && *truth != name;
    Cell predicted{.text = wrong ? u"≠ "_s + name : name, .fraction = first.probability};
    QStringList others;
    for (const Prediction& each : predictions)
        others << u"%1 %2"_s.arg(each.label.empty() ? QString::number(each.index) : toQt(each.label),
                                 toQt(formatProbability(each.probability)));
    predicted.help = others.join(QLatin1Char('\n'));
    return {
        {{.text = by}, predicted, {.text = toQt(formatProbability(first.probability)), .sort = first.probability}},
        {},
        by};
}

}

const NeighbourAccuracyPoint* bestOf(const NeighbourAccuracy& accuracy)
{
    const auto found = std::ranges::max_element(
        accuracy.points,
        [](const NeighbourAccuracyPoint& a, const NeighbourAccuracyPoint& b) { return a.correct < b.correct; });
    return found == accuracy.points.end() ? nullptr : &*found;
}

TableContents neighbourAccuracies(const NeighbourAccuracy& accuracy)
{
    TableContents table;
    table.columns = {{tr("k"), tr("Number of neighbours"), true},
                     {tr("λ"), tr("Weight of the neighbours: 0 is the model alone, 1 the neighbours alone"), true},
                     {tr("Top-1 %"), {}, true},
                     {tr("95 % interval"), tr("Wilson's interval"), true},
                     {tr("Gain"), tr("Difference to the model alone, in percentage points"), true}};
    const NeighbourAccuracyPoint* model = modelAlone(accuracy);
    for (const NeighbourAccuracyPoint& point : accuracy.points) {
        const Fraction fraction = fractionOf(point.correct, accuracy.samples);
        const Cell difference = model == nullptr || point.mix == 0
                                    ? Cell{.text = u"—"_s, .dim = true}
                                    : Cell{.text = pointsText(accuracy.accuracy(*model), fraction.value),
                                           .sort = fraction.value - accuracy.accuracy(*model)};
        table.rows << CellTable::Row{{{.text = countText(point.k), .sort = double(point.k)},
                                      {.text = mixText(point.mix), .sort = point.mix},
                                      {.text = percentText(fraction.value), .sort = fraction.value},
                                      {.text = intervalText(fraction), .sort = fraction.low},
                                      difference},
                                     {},
                                     tr("k %1, λ %2").arg(point.k).arg(mixText(point.mix))};
    }
    return table;
}

TableContents neighbourPredictions(const ImageNeighbours& image, const std::optional<QString>& truth)
{
    TableContents table;
    table.columns = {{tr("By"), {}, false}, {tr("Predicts"), {}, false}, {tr("Probability"), {}, true}};
    table.rows << predictionRow(
        counted(image.k,
                [](int n) { return QCoreApplication::translate("attnscope::ui", "%1 neighbour(s)", nullptr, n); }),
        image.retrieved, truth);
    if (!image.model.empty()) {
        table.rows.prepend(predictionRow(tr("model alone"), image.model, truth));
        table.rows << predictionRow(tr("mixed, λ = %1").arg(mixText(image.mix)), image.mixed, truth);
    }
    return table;
}

QList<GalleryList::Item> neighbourItems(const ImageNeighbours& image, FeatureDistance distance,
                                        const std::optional<QString>& truth)
{
    QList<GalleryList::Item> items;
    for (const ShownNeighbour& one : image.neighbours) {
        const QString path = toQt(one.path), name = toQt(one.className), file = QFileInfo(path).fileName();
        const QString close = errorText(closeness(one.distance, distance)),
                      weight = tr("%1 %").arg(100 * one.weight, 0, 'f', 1);
        const std::optional<bool> right = truth ? std::optional(*truth == name) : std::nullopt;
        const QString spoken =
            distance == FeatureDistance::Cosine
                ? tr("%1: %2, cosine similarity %3, weight %4").arg(items.size() + 1).arg(name, close, weight)
                : tr("%1: %2, distance %3, weight %4").arg(items.size() + 1).arg(name, close, weight);
        items << GalleryList::Item{
            path,
            {.backend = {}, .text = name, .figure = close, .right = right},
            {.backend = {}, .text = file, .figure = weight, .dim = true},
            right ? (*right ? tr("%1, the same class").arg(spoken) : tr("%1, another class").arg(spoken)) : spoken,
            spoken + QLatin1Char('\n') + path};
    }
    return items;
}

QList<GalleryList::Item> sampleItems(const EvaluatedSamples& samples)
{
    QList<GalleryList::Item> items;
    for (const LabelledFile& sample : samples.files) {
        const QString path = toQt(sample.path), file = QFileInfo(path).fileName();
        const QString name = toQt(samples.classes[std::size_t(sample.label)]);
        items << GalleryList::Item{path,
                                   {.backend = {}, .text = name},
                                   {.backend = {}, .text = file, .dim = true},
                                   tr("%1, %2").arg(name, file)};
    }
    return items;
}

QString neighboursVerdict(const NeighbourReport& report)
{
    if (!report.accuracy || report.accuracy->samples == 0)
        return tr("%1 features from %2").arg(countText(report.entries), dataTitle(toQt(report.origin.folder)));
    const NeighbourAccuracy& accuracy = *report.accuracy;
    const NeighbourAccuracyPoint *best = bestOf(accuracy), *model = modelAlone(accuracy);
    const QString where = tr("k = %1, λ = %2").arg(best->k).arg(mixText(best->mix));
    if (model == nullptr)
        return tr("Best with %1: %2").arg(where, topOne(accuracy, *best));
    if (best->correct == model->correct)
        return tr("Neighbours do not help: the model alone gets %1 right").arg(topOne(accuracy, *model));
    return accuracy.interval(*best).low > accuracy.interval(*model).high
               ? tr("Neighbours help: %1 gets %2 right, the model alone %3")
                     .arg(where, topOne(accuracy, *best), topOne(accuracy, *model))
               : tr("No clear gain: %1 gets %2 right, the model alone %3")
                     .arg(where, topOne(accuracy, *best), topOne(accuracy, *model));
}

QString neighboursDetail(const NeighbourReport& report)
{
    QStringList parts;
    if (report.accuracy)
        parts << tr("top-1 of %1 from %2")
                     .arg(counted(report.accuracy->samples,
                                  [](int n) {
                                      return QCoreApplication::translate("attnscope::ui", "%1 sample(s)", nullptr,
                                                                         n);
                                  }),
                          dataTitle(toQt(report.accuracy->folder)));
    if (report.accuracy && report.accuracy->leftOut > 0)
        parts << tr("%1 left themselves out").arg(countText(report.accuracy->leftOut));
    parts << tr("%1 features of %2 numbers from %3")
                 .arg(countText(report.entries))
                 .arg(report.origin.identity.width)
                 .arg(dataTitle(toQt(report.origin.folder)))
          << tr("%1 distance, temperature %2")
                 .arg(toQt(toText(report.distance)), QString::number(report.temperature, 'g', 4))
          << toQt(report.model.dtype) << toQt(report.model.device.description);
    for (const std::string& note : report.notes)
        parts << toQt(note);
    return parts.join(u" · "_s);
}

}
