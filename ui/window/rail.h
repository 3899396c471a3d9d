#pragma once

#include <QAbstractButton>
#include <QList>
#include <QWidget>

namespace attnscope::ui {

/// The screens, at the left. Only those that exist are in it.
class Rail : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString icon, label;
        int key = 0;  ///< Ctrl and this digit
    };
    explicit Rail(const QList<Entry>& entries, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {72, 200}; }

    void setCurrent(int entry);

signals:
    void chosen(int entry);

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QList<QAbstractButton*> m_buttons;
};

}
