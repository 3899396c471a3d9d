#pragma once

#include "core/figure/chart.h"
#include "core/figure/outlines.h"

#include <QImage>
#include <QWidget>

#include <optional>
#include <vector>

namespace attnscope::ui {

struct Theme;

/// What an attention summarises the keys by, and how much of it the query takes.
struct MapLandmark {
    QPointF at;  ///< in patches, from the corner
    double weight = 0;
    QString name;  ///< "landmark (2, 3)"
};

/// What one query makes of the patches of the image that it belongs to, or all queries of theirs. A click, or the arrow keys, choose another
/// query.
class MapView : public QWidget {
    Q_OBJECT
public:
    explicit MapView(const QString& name, QWidget* parent = nullptr);

    void setImage(const QImage& image) { set(m_image, image); }
    enum class Quantity {
        Weight,
        Seen,     ///< how much of a patch the query may see: what it does not see is covered
        Mass,     ///< of each query; NaN: it saw no key
        Number,   ///< of each token; NaN: a token that it does not concern, which is covered
        Category  ///< of each token, likewise; lines part the classes
    };
    /// Nothing is drawn without a map. Colours go from `low` to `limit`; the sign counts where they are those of a difference.
    void setMap(std::optional<HeatMap> map, HeatColours colours, double limit,
                Quantity quantity = Quantity::Weight, double low = 0);
    /// In patches; empty: a token without a place, or one of another frame.
    void setQuery(std::optional<QPoint> query);
    /// `cells`: how many of them lie side by side; 0: they have no borders.
    void setLandmarks(std::vector<MapLandmark> landmarks, int cells);
    /// Patches that have become one token, of the map's size, row-major: an outline in a colour of its own around each token's. Empty: none.
    void setMerged(const std::vector<int32_t>& tokens);
    const std::vector<GroupOutline>& merged() const { return m_merged; }
    void setOpacity(double opacity) { set(m_opacity, opacity); }
    /// Stands where the map will be.
    void setNotice(const QString& notice);
    QString notice() const { return m_notice; }

    const std::optional<HeatMap>& map() const { return m_map; }
    HeatColours colours() const { return m_colours; }
    const std::vector<MapLandmark>& landmarks() const { return m_landmarks; }
    /// Patches; 0 without a map.
    int rows() const { return m_map ? int(m_map->rows.size()) : 0; }
    int columns() const { return m_map ? int(m_map->columns.size()) : 0; }
    QSize sizeHint() const override { return {164, 164}; }
    QSize minimumSizeHint() const override { return {72, 72}; }
    /// Where the image lies in the widget, and a patch in it.
    QRectF area() const;
    QRectF patchRect(int row, int column) const;

signals:
    void patchChosen(int row, int column);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    template <typename Value>
    void set(Value& held, const Value& value)
    {
        held = value;
        update();
    }
    std::optional<QPoint> patchAt(QPointF position) const;
    double value(int row, int column) const
    {
        return m_map->values[size_t(row) * size_t(columns()) + size_t(column)];
    }
    QColor colourOf(double value, const Theme& theme) const;
    QImage overlay() const;
    QString summary() const;
    QString numberSummary() const;
    QString valueText(double value) const;
    void paintEdges(QPainter& painter) const;
    void paintMissing(QPainter& painter) const;
    void paintLandmarks(QPainter& painter) const;
    void paintQuery(QPainter& painter) const;
    void describe();
    QString words(QPointF position) const;

    QImage m_image;
    std::optional<HeatMap> m_map;
    HeatColours m_colours = HeatColours::Magnitude;
    Quantity m_quantity = Quantity::Weight;
    double m_low = 0, m_limit = 1, m_opacity = 0.8;
    std::optional<QPoint> m_query;
    std::vector<MapLandmark> m_landmarks;
    std::vector<GroupOutline> m_merged;
    int m_cells = 0;
    QString m_notice;
};

}
