#pragma once

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

class QBoxLayout;
class QVBoxLayout;

namespace attnscope::ui {

/// A push button with icon, text and its key in a lighter tone. Primary: the one filled button of a window.
class ActionButton : public QPushButton {
    Q_OBJECT
public:
    enum class Look { Primary, Plain, Flat };
    ActionButton(const QString& iconName, const QString& text, Look look, QWidget* parent = nullptr);

    void setHint(const QString& hint);
    void setIconName(const QString& name);
    void setLook(Look look);
    /// 28 px, or 36 for the two of an empty state.
    void setHeight(int height) { m_height = height; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    int contentWidth() const;

    QString m_iconName, m_hint;
    Look m_look;
    int m_height = 28;
};

/// A text that acts: accText, underlined under the pointer.
class LinkButton : public QPushButton {
    Q_OBJECT
public:
    explicit LinkButton(const QString& text, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override;
};

/// Icon alone, 24×24, with an accessible name and tooltip.
class IconButton : public QAbstractButton {
    Q_OBJECT
public:
    IconButton(const QString& iconName, const QString& name, QWidget* parent = nullptr);
    void setIconName(const QString& name);
    void setAccented(bool accented);
    QSize sizeHint() const override { return {24, 24}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QString m_iconName;
    bool m_accented = false;
};

/// A combo box that shows what it is for inside its field.
class CaptionCombo : public QComboBox {
    Q_OBJECT
public:
    explicit CaptionCombo(const QString& caption, QWidget* parent = nullptr);
    enum class Captions { Shown, Dropped };
    void setCaptions(Captions captions);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QString m_caption;
    bool m_shown = true;
};

/// A spin box without buttons and with its caption inside.
class CaptionSpin : public QSpinBox {
    Q_OBJECT
public:
    explicit CaptionSpin(const QString& caption, QWidget* parent = nullptr);
    CaptionSpin(const QString& caption, int low, int high, int value, QWidget* parent);

private:
    QLabel* m_label;
};

/// A row of choices of which one is taken.
class Segments : public QWidget {
    Q_OBJECT
public:
    Segments(const QString& name, const QStringList& choices, QWidget* parent = nullptr);
    int current() const { return m_current; }
    void setCurrent(int choice);
    int count() const { return int(m_choices.size()); }
    /// Others to choose from; the current one stays where it is among them, else becomes the first.
    void setChoices(const QStringList& choices);
    QString text(int choice) const { return m_choices[choice]; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void chosen(int choice);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRect segment(int choice) const;
    void announce();
    QStringList m_choices;
    int m_current = 0;
};

/// A label whose text keeps within its width: elided in the middle, whole in the tooltip.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }
    bool isElided() const;
    void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    Qt::TextElideMode m_mode = Qt::ElideMiddle;
};

/// A frame with a surface of its own as a further part of `into`: what stands in it, from above.
QVBoxLayout* addCard(QBoxLayout& into, QWidget* parent, int stretch = 0);
/// The heading of a card, and small print.
QLabel* newHeading(const QString& text, QWidget* parent);
QLabel* newHint(const QString& text, QWidget* parent);

}
