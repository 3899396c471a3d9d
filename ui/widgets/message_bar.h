#pragma once

#include <QFrame>

#include <functional>

class QHBoxLayout;
class QLabel;

namespace attnscope::ui {

class LinkButton;

/// One sentence above the place it concerns, with at most two text actions. Wraps; is never elided.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Info, Warning, Error };
    MessageBar(Kind kind, const QString& sentence, QWidget* parent = nullptr);

    void addAction(const QString& text, std::function<void()> act);
    void setSentence(const QString& sentence);
    /// A link for what is folded behind this bar ("and 2 more"); empty: none.
    void setFold(const QString& text);
    QString sentence() const;
    Kind kind() const { return m_kind; }

signals:
    void closed();
    void foldRequested();

protected:
    void paintEvent(QPaintEvent*) override;
    void showEvent(QShowEvent* event) override;

private:
    void announce();

    Kind m_kind;
    QLabel* m_label;
    QHBoxLayout* m_row;
    LinkButton* m_fold = nullptr;
};

}
