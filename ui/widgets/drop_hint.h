#pragma once

#include <QWidget>

namespace attnscope::ui {

/// Says over the window what a drop will do.
class DropHint : public QWidget {
    Q_OBJECT
public:
    explicit DropHint(QWidget* parent);
    /// Over the whole parent.
    void announce(const QString& text);
    QString text() const { return m_text; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
};

}
