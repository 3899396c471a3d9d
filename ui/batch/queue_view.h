#pragma once

#include <QTableView>

namespace attnscope::ui {

/// The queue as a table that keys act on: Space pauses and continues, Delete removes, Ctrl+Up and Ctrl+Down reorder, Return opens the
/// menu.
class QueueView : public QTableView {
    Q_OBJECT
public:
    explicit QueueView(QWidget* parent = nullptr);
    void fitColumns();

signals:
    void pauseRequested(quint64 evaluation);
    void removeRequested(quint64 evaluation);
    void moveRequested(quint64 evaluation, int steps);
    void menuRequested(quint64 evaluation, const QPoint& globalPosition);
    void unreadableRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

}
