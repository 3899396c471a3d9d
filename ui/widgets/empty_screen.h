#pragma once

#include <QStringList>
#include <QWidget>

#include <functional>

class QPainter;

namespace attnscope::ui {

class ActionButton;
class LinkButton;
struct Theme;

/// A screen before there is anything in it: a drawing of real parts, a title, a sentence, two buttons, and what is accepted. What a
/// screen shows is described by a value.
class EmptyScreen : public QWidget {
    Q_OBJECT
public:
    struct Words {
        QString title, line, small;
    };
    struct Action {
        QString icon, text, hint = {}, help = {};
    };
    /// A drawing without figures. Its height is what the words leave of the widget, within limits; its width follows from the height.
    struct Drawing {
        double extraHeight = 0;  ///< beyond what the words leave
        double minHeight = 0, maxHeight = 0;
        double width = 0, widthPerHeight = 0;
        int backends = 0;  ///< at most so many are passed to `paint`
        std::function<void(QPainter&, const QRectF& area, const Theme&, const QStringList& backends)> paint;
    };
    struct Description {
        Words words;
        Action first, second;  ///< the first one is the primary button
        Drawing drawing;
        QString link = {}, linkHelp = {};  ///< below everything else; empty: none
    };

    explicit EmptyScreen(Description description, QWidget* parent = nullptr);

    ActionButton* first() const { return m_first; }
    ActionButton* second() const { return m_second; }
    /// Null without a link.
    LinkButton* link() const { return m_link; }

    const Words& words() const { return m_words; }
    void setWords(const Words& words);
    /// The text and key of the first button.
    void setFirst(const QString& text, const QString& hint);
    /// The backends that are ticked, for the drawing.
    void setBackends(const QStringList& backends);
    /// While the first button's demo data are written: how far; else empty.
    void setBusy(const QString& progress);

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void place();
    double drawn() const;
    double top() const;
    double wordsTop() const;

    Description m_description;
    Words m_words;
    QStringList m_backends;
    ActionButton* m_first;
    ActionButton* m_second;
    LinkButton* m_link = nullptr;
};

}
