#include "ui/window/recent_files.h"

#include "ui/style/qt_text.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

#include <algorithm>
#include <ranges>

namespace attnscope::ui {

namespace {

constexpr QLatin1String recentKey("recent/files");

/// The name, with its folder where another entry has the same name. Ampersands would be mnemonics.
QString entryText(const QString& path, const QStringList& all)
{
    const QFileInfo file(path);
    const auto sameName = [&file](const QString& other) { return QFileInfo(other).fileName() == file.fileName(); };
    const QString text = std::ranges::count_if(all, sameName) > 1
                             ? file.dir().dirName() + QLatin1Char('/') + file.fileName()
                             : file.fileName();
    return QString(text).replace(QLatin1Char('&'), u"&&"_s);
}

}

RecentFiles::RecentFiles(const QString& settingsPath, QObject* parent)
    : QObject(parent)
    , m_settingsPath(settingsPath)
{
    if (!settingsPath.isEmpty())
        m_paths = QSettings(settingsPath, QSettings::IniFormat).value(recentKey).toStringList().mid(0, maxCount);
}

void RecentFiles::add(const QStringList& paths)
{
    for (const QString& path : std::views::reverse(paths))
        if (const QFileInfo file(path); file.exists()) {
            m_paths.removeAll(file.absoluteFilePath());
            m_paths.prepend(file.absoluteFilePath());
        }
    m_paths = m_paths.mid(0, maxCount);
    save();
}

void RecentFiles::remove(const QString& path)
{
    m_paths.removeAll(path);
    save();
}

void RecentFiles::clear()
{
    m_paths.clear();
    save();
}

void RecentFiles::listIn(QMenu& menu)
{
    menu.setToolTipsVisible(true);
    connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { fill(menu); });
    fill(menu);
}

void RecentFiles::fill(QMenu& menu)
{
    menu.clear();
    for (qsizetype i = 0; i < m_paths.size(); ++i) {
        const QString text = entryText(m_paths[i], m_paths);
        QAction* action = menu.addAction(i < 9 ? u"&%1  %2"_s.arg(i + 1).arg(text) : text);
        action->setToolTip(m_paths[i]);
        connect(action, &QAction::triggered, this, [this, path = m_paths[i]] { emit chosen(path); });
    }
    if (m_paths.isEmpty()) {
        menu.addAction(tr("Nothing has been opened yet"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    connect(menu.addAction(tr("&Clear the list")), &QAction::triggered, this, &RecentFiles::clear);
}

void RecentFiles::save() const
{
    if (!m_settingsPath.isEmpty())
        QSettings(m_settingsPath, QSettings::IniFormat).setValue(recentKey, m_paths);
}

}
