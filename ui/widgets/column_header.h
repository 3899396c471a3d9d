// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace attnscope::ui {

/// Headings of backends: mark, name, samples, ★ and the weights tag. Upright as columns, or at the side of a table. A drag moves
/// a backend; the order itself is the model's.
class BackendHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit BackendHeader(Qt::Orientation orientation, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    void setChosen(int section);

signals:
    void moved(int from, int to);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;

private:
    int m_chosen = -1;
    bool m_restoring = false;
};

}  // namespace attnscope::ui
