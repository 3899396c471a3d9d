#pragma once

#include "ui/layers/layers_session.h"

#include <QWidget>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QBoxLayout;
class QGridLayout;
class QLabel;
class QSlider;
class QStackedWidget;

namespace attnscope::ui {

class ColourLegend;
class ElidedLabel;
class FrameChooser;
class LayerDepth;
class LayerSummary;
class LayerTerms;
class LinkButton;
class MapView;
class Segments;
struct TokenChoice;

/// The cell that was chosen in the error map: what its attention looks at, how its error is made up, and the way along depth.
class LayerDetails : public QWidget {
    Q_OBJECT
public:
    LayerDetails(LayersSession& session, QWidget* parent = nullptr);

    enum class Part { Maps, Tokens, Rollout, Terms, Depth };
    Part part() const;
    void setPart(Part part);
    enum class Density { Roomy, Compact };
    void setDensity(Density density);
    /// The keyboard goes on with the query.
    void focusMaps();

    MapView* exactMap() const { return m_maps[0]; }
    MapView* impliedMap() const { return m_maps[1]; }
    MapView* differenceMap() const { return m_maps[2]; }
    /// In the part Tokens the exact weights stand next to two maps that are chosen: what the attention chose, which keys it leaves out, or where
    /// it errs.
    static constexpr int tokenMapsShown = 2;
    MapView* tokenMap(int place) const { return m_maps[place + 1]; }
    QComboBox* tokenBox(int place) const { return m_tokenBoxes[place]; }
    LayerTerms* terms() const { return m_terms; }
    QString note() const;
    FrameChooser* frames() const { return m_frames; }
    QCheckBox* landmarks() const { return m_landmarks; }
    QSlider* opacity() const { return m_opacity; }
    LinkButton* classToken() const { return m_classToken; }
    LayerDepth* depth() const { return m_depth; }
    LayerSummary* info() const { return m_info; }
    /// The maps of the chosen cell, or the rollout if that is shown, as figures; empty while there are none.
    std::vector<HeatMap> figures() const;
    /// What the query sees, and the mass kept of every query; empty where no keys are left out.
    std::vector<HeatMap> keyFigures() const;
    /// The two maps of tokens while they are shown.
    std::vector<HeatMap> tokenFigures() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildMaps();
    void arrange();
    void refreshTitle();
    void refreshMaps();
    std::optional<LayerMaps> shownMaps() const;
    size_t shownHead() const;
    int64_t shownFrame(int64_t frames) const;
    void showMaps(const LayerMaps& maps, size_t head);
    std::optional<QPoint> queryPlace(const TokenGrid& grid, int64_t frames) const;
    std::vector<int32_t> mergedTokens() const;
    void buildTokens(QWidget* page);
    void offerTokens(const std::vector<TokenChoice>& choices);
    const TokenChoice& shownChoice(const std::vector<TokenChoice>& choices, int place) const;
    void showTokens(const LayerMaps& maps, size_t head, const std::vector<TokenChoice>& choices);
    void showLandmarks(const LayerMaps& maps, size_t head);
    void showFrames(const LayerMaps& maps, size_t head);
    void showNote(const LayerMaps& maps, size_t head);
    QString keysNote(const LayerMaps& maps, size_t head, const LayerKeys& keys) const;
    void showNotice(const QString& notice);

    LayersSession& m_session;
    Density m_density = Density::Roomy;
    QBoxLayout* m_head;
    QWidget* m_mark;
    ElidedLabel* m_title;
    QLabel* m_note;
    Segments* m_parts;
    QStackedWidget* m_stack;
    QGridLayout* m_grid;
    QLabel* m_captions[3];
    MapView* m_maps[3];
    FrameChooser* m_frames;
    QWidget* m_controls;
    QBoxLayout* m_controlRow;
    QCheckBox* m_landmarks;
    QSlider* m_opacity;
    ColourLegend* m_weightLegend;
    ColourLegend* m_differenceLegend;
    QComboBox* m_tokenBoxes[tokenMapsShown];
    ColourLegend* m_tokenLegends[tokenMapsShown];
    QString m_tokenKeys[tokenMapsShown];
    LinkButton* m_classToken;
    LayerSummary* m_info;
    LayerTerms* m_terms;
    LayerDepth* m_depth;
};

}
