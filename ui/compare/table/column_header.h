#pragma once

#include <QHeaderView>

namespace attnscope::ui {

/// Headings of backends: mark, name, samples, ★ and the weights tag, of several networks with the short name of theirs. Upright as columns, or at the side of a table. A drag moves
/// a backend; the order itself is the model's.
class BackendHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit BackendHeader(Qt::Orientation orientation, QWidget* parent = nullptr);
    static int sectionHeight();
    QSize sizeHint() const override;
    void setChosen(int section);
    /// Of a heading's mark, name, samples and star, from its left edge: what they need, and what they have.
    double nameWidth(int section) const;
    double nameRoom(int section) const;

signals:
    void moved(int from, int to);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;

private:
    /// The weights tag, behind the network's name where there are several.
    QString tagOf(int section) const;
    /// Whether a heading's name and weights tag do not fit side by side, or networks are named: then all have the tag below the name.
    bool isStacked() const;

    int m_chosen = -1;
    bool m_restoring = false;
};

}
