#pragma once

#include <QStringList>
#include <QTabBar>

namespace attnscope::ui {

/// Tabs as text alone: the chosen one underlined, a count in a lighter tone behind the name.
class TabStrip : public QTabBar {
    Q_OBJECT
public:
    TabStrip(const QString& name, const QStringList& titles, QWidget* parent = nullptr);
    /// Empty: none.
    void setCount(int tab, const QString& count);
    QString countOf(int tab) const { return m_counts[tab]; }

protected:
    void paintEvent(QPaintEvent*) override;
    QSize tabSizeHint(int tab) const override;
    QSize minimumTabSizeHint(int tab) const override { return tabSizeHint(tab); }

private:
    QStringList m_counts;
};

}
