#pragma once

#include "core/lab/lab_charts.h"

#include <QAbstractTableModel>

namespace attnscope::ui {

/// The error map as a table: a row a layer, a column a head, and the mean over heads last. Each cell says in words what it is.
class LayerCells : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        ValueRole = Qt::UserRole + 1,  ///< double; invalid where the layer has no such head
        FractionRole,                  ///< 0 … 1 on the logarithmic scale of all heads
        MeanRole,                      ///< bool: of the last column
        PartRole,                      ///< of the largest mean, 0 … 1: its bar
        GroupRole,                     ///< bool: the first row of a stage
        UselessRole,  ///< bool: its output is further from the exact one than the mean of the values, the same for every query
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// `alone`: what each layer does by itself, by layer; empty: not to be shown.
    void setLayers(const std::vector<InspectedLayer>& layers, HeadMetric figure,
                   const std::vector<LayerAlone>& alone);

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_layers.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() || m_layers.empty() ? 0 : m_heads + 1;
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    int heads() const { return m_heads; }
    bool isGroupStart(int row) const;
    bool flips(int row) const;
    /// Ends of the colour scale; 0 where there is nothing to show.
    double low() const { return m_low; }
    double high() const { return m_high; }

private:
    const HeadErrors* errors(const QModelIndex& index) const;
    void findScale();
    double fraction(double value) const;

    std::vector<InspectedLayer> m_layers;
    std::vector<LayerAlone> m_alone;
    HeadMetric m_figure = HeadMetric::Relative;
    int m_heads = 0;
    double m_low = 0, m_high = 0, m_largestMean = 0;
};

}
