#pragma once

#include <QCheckBox>

#include <algorithm>

namespace attnscope::ui {

/// A check box with a backend's mark between box and name; a name that finds no room is elided.
class MarkCheckBox : public QCheckBox {
    Q_OBJECT
public:
    MarkCheckBox(const QString& name, const QString& look, QWidget* parent = nullptr);

    /// Where the name begins.
    static constexpr int indent = 44;

    /// Of the mark: of several attentions of one backend each has its own.
    void setLook(const QString& look);
    void setName(const QString& name);
    QString name() const { return m_name; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {std::min(sizeHint().width(), 120), sizeHint().height()}; }

protected:
    bool hitButton(const QPoint& point) const override { return rect().contains(point); }
    void paintEvent(QPaintEvent*) override;

private:
    QString m_name, m_look;
};

}
