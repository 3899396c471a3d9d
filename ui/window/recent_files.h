#pragma once

#include <QObject>
#include <QStringList>

class QMenu;

namespace attnscope::ui {

/// What was opened last, newest first. Kept in the settings file.
class RecentFiles : public QObject {
    Q_OBJECT
public:
    static constexpr int maxCount = 10;

    /// `settingsPath` empty: nothing is kept.
    explicit RecentFiles(const QString& settingsPath, QObject* parent = nullptr);

    const QStringList& paths() const { return m_paths; }
    /// Puts files and folders first, each listed once. What does not exist is ignored.
    void add(const QStringList& paths);
    void remove(const QString& path);
    void clear();
    /// Lists them in the menu each time it opens, the first nine under digits, and last *Clear the list*.
    void listIn(QMenu& menu);

signals:
    void chosen(const QString& path);

private:
    void fill(QMenu& menu);
    void save() const;

    QString m_settingsPath;
    QStringList m_paths;
};

}
