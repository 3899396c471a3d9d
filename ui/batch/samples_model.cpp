#include "ui/batch/samples_model.h"

#include "ui/style/qt_text.h"

#include "core/base/format.h"
#include "core/data/dataset/video_segment.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace attnscope::ui {

namespace {

QString backendOfLook(const QString& look)
{
    return look.section(QLatin1Char('#'), 0, 0);
}

/// What is shown and opened of a sample that is a part of a video.
QString fileOf(const std::string& path)
{
    return toQt(segmentOf(path).file);
}

}

void SamplesModel::imageReady(const QString& path)
{
    for (size_t i = 0; i < m_samples.size(); ++i)
        if (fileOf(m_samples[i].path) == path)
            emit dataChanged(index(int(i)), index(int(i)), {GalleryImageRole, GalleryReadRole});
}

void SamplesModel::begin(const QString& referenceBackend, const QString& backend, std::vector<std::string> classes,
                         int64_t total)
{
    m_classes = std::move(classes);
    m_referenceBackend = referenceBackend;
    m_backend = backend;
    PagedModel::begin(total);
}

bool SamplesModel::holds(const std::vector<StoredSample>& first) const
{
    return first.size() <= m_samples.size()
           && std::equal(first.begin(), first.end(), m_samples.begin(),
                         [](const StoredSample& a, const StoredSample& b) { return a.sample == b.sample; });
}

QString SamplesModel::className(int64_t label) const
{
    return label >= 0 && label < int64_t(m_classes.size()) ? toQt(m_classes[size_t(label)])
                                                           : tr("class %1").arg(label);
}

QVariant SamplesModel::prediction(const StoredSample& sample, bool reference, int role) const
{
    // With a reference it comes first.
    const size_t at = reference || sample.predictions.size() < 2 ? 0 : 1;
    if (at >= sample.predictions.size() || !sample.predictions[at] || (reference && sample.predictions.size() < 2))
        return {};
    const SamplePrediction& prediction = *sample.predictions[at];
    switch (role) {
    case PredictionRole:
        return className(prediction.classes[0]);
    case ProbabilityRole:
        return toQt(formatProbability(double(prediction.probabilities[0])));
    case RightRole:
        return prediction.labelRank == 0;
    default:
        return {};
    }
}

GalleryLine SamplesModel::line(const StoredSample& sample, bool reference) const
{
    const auto said = [&](int role) { return prediction(sample, reference, role); };
    return {.backend = reference ? m_referenceBackend : m_backend,
            .text = said(PredictionRole).toString(),
            .figure = said(ProbabilityRole).toString(),
            .right = said(RightRole).toBool() ? std::nullopt : std::optional(false)};
}

QVariant SamplesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const StoredSample& sample = m_samples[size_t(index.row())];
    const QString path = toQt(sample.path);
    switch (role) {
    case Qt::DisplayRole:
        return QFileInfo(path).fileName();
    case PathRole:
        return fileOf(sample.path);
    case Qt::ToolTipRole:
        return tr("%1\n%2").arg(className(sample.label), path);
    case Qt::AccessibleTextRole: {
        QString words = tr("%1, true class %2").arg(QFileInfo(path).fileName(), className(sample.label));
        if (const QVariant said = prediction(sample, true, PredictionRole); said.isValid())
            words += tr(", %1 predicts %2").arg(backendOfLook(m_referenceBackend), said.toString());
        return words
               + tr(", %1 predicts %2")
                     .arg(backendOfLook(m_backend), prediction(sample, false, PredictionRole).toString());
    }
    case GalleryImageRole:
    case GalleryReadRole: {
        const QImage* known = imageOf ? imageOf(fileOf(sample.path)) : nullptr;
        return role == GalleryReadRole ? QVariant(known != nullptr)
               : known == nullptr      ? QVariant()
                                       : QVariant(*known);
    }
    case GalleryFirstRole:
        return QVariant::fromValue(prediction(sample, true, PredictionRole).isValid()
                                       ? line(sample, true)
                                       : GalleryLine{.backend = {},
                                                     .text = tr("true class: %1").arg(className(sample.label)),
                                                     .dim = true});
    case GallerySecondRole:
        return QVariant::fromValue(line(sample, false));
    case LabelRole:
        return className(sample.label);
    case ReferenceBackendRole:
        return m_referenceBackend;
    case BackendRole:
        return m_backend;
    case ReferencePredictionRole:
        return prediction(sample, true, PredictionRole);
    case ReferenceProbabilityRole:
        return prediction(sample, true, ProbabilityRole);
    case ReferenceRightRole:
        return prediction(sample, true, RightRole);
    default:
        return prediction(sample, false, role);
    }
}

UnreadableModel::UnreadableModel(QObject* parent)
    : PagedModel({{tr("File")}, {tr("Reason")}}, parent)
{}

QString UnreadableModel::pathOf(int row) const
{
    return fileOf(m_samples[size_t(row)].path);
}

CellModel::Cell UnreadableModel::cell(int row, int column) const
{
    const UnreadableSample& sample = m_samples[size_t(row)];
    Cell cell{toQt(column == FileColumn ? sample.path : sample.reason)};
    cell.help = cell.text;
    cell.spoken = tr("%1: %2").arg(toQt(sample.path), toQt(sample.reason));
    return cell;
}

}
