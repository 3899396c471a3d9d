#pragma once

#include "ui/layers/layers_session.h"

#include <QWidget>

#include <array>

class QGridLayout;
class QLabel;

namespace attnscope::ui {

class ColourLegend;
class ElidedLabel;
class MapView;

/// What the chosen query's logits in the first layer are made of: a map for every product of content and position, and what part of what
/// softmax sees it is. It belongs to the network and its weights, whatever attention follows.
class LayerTerms : public QWidget {
    Q_OBJECT
public:
    explicit LayerTerms(LayersSession& session, QWidget* parent = nullptr);

    static constexpr size_t shownTerms = logitTermCount - 1;  // softmax does not see the last one
    MapView* map(LogitTerm term) const { return m_maps[size_t(term)]; }
    QString note() const;
    /// Maps side by side.
    void setAcross(int across);

private:
    void refresh();
    void showTerms(const LogitTermReport& report);
    void showNotice(const QString& notice);
    size_t head(const LogitTermReport& report) const;

    LayersSession& m_session;
    QGridLayout* m_grid;
    std::array<ElidedLabel*, shownTerms> m_captions;
    std::array<MapView*, shownTerms> m_maps;
    ColourLegend* m_legend;
    QLabel* m_note;
};

}
