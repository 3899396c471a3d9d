#include "ui/layers/layer_cells.h"

#include "ui/layers/layer_words.h"
#include "ui/style/qt_text.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr double widestScale = 1e4;  // of the colours; what is smaller has the first one

/// "stage 2" of "stage 2 block 1".
std::string groupOf(const InspectedLayer& layer)
{
    const size_t cut = layer.name.rfind(" block");
    return cut == std::string::npos ? std::string() : layer.name.substr(0, cut);
}

}

void LayerCells::setLayers(const std::vector<InspectedLayer>& layers, HeadMetric figure,
                           const std::vector<LayerAlone>& alone)
{
    int heads = 0;
    for (const InspectedLayer& layer : layers)
        heads = std::max(heads, int(layer.heads.size()));
    const bool sameShape = layers.size() == m_layers.size() && heads == m_heads;
    if (!sameShape)
        beginResetModel();
    m_layers = layers, m_figure = figure, m_alone = alone, m_heads = heads;
    findScale();
    if (!sameShape) {
        endResetModel();  // else the current cell stays
    } else if (!m_layers.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
    }
}

void LayerCells::findScale()
{
    m_low = m_high = m_largestMean = 0;
    std::vector<double> values;
    for (const InspectedLayer& layer : m_layers) {
        for (const HeadErrors& head : layer.heads)
            if (const double value = valueOf(head, m_figure); std::isfinite(value) && value > 0)
                values.push_back(value);
        if (const double mean = valueOf(layer.mean, m_figure); std::isfinite(mean))
            m_largestMean = std::max(m_largestMean, mean);
    }
    if (values.empty())
        return;
    const auto [low, high] = std::ranges::minmax_element(values);
    m_high = *high;
    m_low = std::max(*low, m_high / widestScale);
}

double LayerCells::fraction(double value) const
{
    if (!(value > m_low) || m_high <= m_low)
        return m_high > m_low || value <= 0 ? 0 : 0.5;
    return std::min(1.0, std::log(value / m_low) / std::log(m_high / m_low));
}

const HeadErrors* LayerCells::errors(const QModelIndex& index) const
{
    const InspectedLayer& layer = m_layers[size_t(index.row())];
    if (index.column() == m_heads)
        return &layer.mean;
    return index.column() < int(layer.heads.size()) ? &layer.heads[size_t(index.column())] : nullptr;
}

bool LayerCells::isGroupStart(int row) const
{
    const auto at = size_t(row);
    return row > 0 && groupOf(m_layers[at]) != groupOf(m_layers[at - 1]);
}

bool LayerCells::flips(int row) const
{
    const auto at = size_t(row);
    return at < m_alone.size() && !m_alone[at].top1Agrees;
}

Qt::ItemFlags LayerCells::flags(const QModelIndex& index) const
{
    return index.isValid() && errors(index) == nullptr ? Qt::NoItemFlags : QAbstractTableModel::flags(index);
}

QVariant LayerCells::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == GroupRole)
        return isGroupStart(index.row());
    if (role == MeanRole)
        return index.column() == m_heads;
    const HeadErrors* cell = errors(index);
    if (cell == nullptr)
        return {};
    const double value = valueOf(*cell, m_figure), ignorant = m_layers[size_t(index.row())].meanOfValues.relative;
    const bool useless = ignorant > 0 && cell->error.relative > ignorant;
    const bool absent = (m_figure == HeadMetric::ClassToken && !cell->classToken)
                        || (m_figure == HeadMetric::Patches && !cell->patches);
    const QString text = absent ? tr("none") : errorText(value);
    switch (role) {
    case Qt::DisplayRole:
        return absent ? QString() : std::isfinite(value) ? text : tr("NaN");
    case ValueRole:
        return value;
    case FractionRole:
        return fraction(value);
    case UselessRole:
        return useless;
    case PartRole:
        return m_largestMean > 0 && std::isfinite(value) ? std::clamp(value / m_largestMean, 0.0, 1.0) : 0.0;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        const QString layer = layerText(m_layers[size_t(index.row())]);
        const QString where = index.column() == m_heads ? tr("%1, mean over heads").arg(layer)
                                                        : tr("%1, head %2").arg(layer).arg(index.column());
        QString words = tr("%1, %2 %3").arg(where, metricText(m_figure), text);
        if (useless)
            words = tr("%1, worse than the mean of the values (relative error %2), which ignores the query")
                        .arg(words, errorText(ignorant));
        return flips(index.row()) ? tr("%1, replacing this layer alone changes the prediction").arg(words) : words;
    }
    default:
        return {};
    }
}

QVariant LayerCells::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(orientation == Qt::Horizontal ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    if (orientation == Qt::Horizontal)
        return section == m_heads ? tr("mean") : section == 0 ? tr("head 0") : QString::number(section);
    const InspectedLayer& layer = m_layers[size_t(section)];
    const QString name = layer.name.empty() ? QString::number(layer.layer) : toQt(layer.name);
    return flips(section) ? u"≠ "_s + name : name;
}

}
