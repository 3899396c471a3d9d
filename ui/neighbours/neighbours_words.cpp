#include "ui/neighbours/neighbours_words.h"

#include "ui/style/qt_text.h"

#include <QFileInfo>

namespace attnscope::ui {

namespace {

/// "cosine similarity 0.93", "distance 12.4": what stands next to a neighbour's class, and how it is read.
double closeness(double distance, FeatureDistance kind)
{
    return kind == FeatureDistance::Cosine ? 1 - distance : distance;
}

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
        const QString name = toQt(samples.classes[size_t(sample.label)]);
        items << GalleryList::Item{path,
                                   {.backend = {}, .text = name},
                                   {.backend = {}, .text = file, .dim = true},
                                   tr("%1, %2").arg(name, file)};
    }
    return items;
}

}
