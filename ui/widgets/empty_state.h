// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

namespace attnscope::ui {

class ActionButton;

/// What Compare answers, said with a picture, before there is an input: two buttons and nothing else.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);
    /// The backends that are ticked, for the picture.
    void setBackends(const QStringList& backends);

signals:
    void openAsked();
    void demoAsked();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void paintPicture(QPainter& painter, const QRectF& area) const;
    double pictureHeight() const;
    double top() const;

    QStringList m_backends;
    QPixmap m_photo;
    ActionButton* m_demo;
    ActionButton* m_open;
};

}  // namespace attnscope::ui
