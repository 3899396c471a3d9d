#pragma once

#include <QFocusFrame>
#include <QPointer>
#include <QProxyStyle>

namespace attnscope::ui {

/// Fusion with flat panels, hairlines and our metrics; all colours from Theme.
class AttnStyle : public QProxyStyle {
    Q_OBJECT
public:
    AttnStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
};

/// A 2 px ring outside the control that has the keyboard focus; none after a click.
class FocusRing : public QObject {
    Q_OBJECT
public:
    explicit FocusRing(QObject* parent);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPointer<QFocusFrame> m_frame;
};

}
