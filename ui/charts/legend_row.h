#pragma once

#include <QStringList>
#include <QWidget>

class QAbstractButton;

namespace attnscope::ui {

/// The names of series with their line and mark, in as many rows as they need; a click leaves a series out, or takes it in again.
class LegendRow : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString key;      ///< what `hidden` names
        QString name;     ///< what is read
        QString backend;  ///< "": a thin line without a mark
        bool published = false;
        bool joined = true;  ///< its points are: a segment of the line stands behind the mark
        QString help;

        bool operator==(const Entry&) const = default;
    };

    explicit LegendRow(QWidget* parent = nullptr);
    /// What was left out stays left out.
    void setEntries(const QList<Entry>& entries);
    const QList<Entry>& entries() const { return m_entries; }
    QStringList hidden() const;
    void setShown(const QString& key, bool shown);

signals:
    void hiddenChanged();

protected:
    bool event(QEvent* event) override;

private:
    void arrange();

    QList<Entry> m_entries;
    QList<QAbstractButton*> m_buttons;
};

}
