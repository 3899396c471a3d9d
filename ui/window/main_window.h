#pragma once

#include "ui/style/qt_text.h"
#include "ui/workspace/screen.h"

#include "models/export/export_network.h"

#include <QDeadlineTimer>
#include <QHash>
#include <QMainWindow>
#include <QPointer>

class QBoxLayout;
class QDockWidget;
class QFrame;
class QLabel;
class QMenu;
class QMimeData;
class QPrinter;
class QStackedWidget;

namespace attnscope::ui {

class BackendHistory;
class BackendsPanel;
class ChartView;
class ContextBar;
class DropHint;
class HelpWindow;
class JobsBar;
class LinkButton;
class Rail;
class RecentFiles;

/// The frame: menus, context bar, rail, Backends dock, jobs, status; and the screens in the middle, of which it knows no more than their
/// table says.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    struct Options {
        QString settingsPath;  ///< empty: nothing is remembered
        LoadedSettings loaded;
        QString demoImage;         ///< "Try the demo"
        QString manual = {};       ///< folder of its pages
        QString commandLine = {};  ///< attnscope-cli, for the Doctor and GPUs
        /// Ends this program and starts it with a further plug-in.
        std::function<void(const QString& file)> restartWithPlugin = {};
        /// Without it there is nothing to export with.
        std::function<ExportReport(const ExportRequest&)> exportNetwork = {};
    };
    MainWindow(Engine& engine, const Options& options, const std::vector<Screen>& screens,
               QWidget* parent = nullptr);
    ~MainWindow() override;

    /// False: there is no such screen.
    bool showScreen(const QString& name);
    QString screen() const { return m_entries[m_shown].screen.name; }
    /// The page that is shown.
    Page* page() const { return m_entries[m_shown].page; }
    /// The session or page of that type; a page is made when it is first asked for. Null where this window has none.
    template <std::derived_from<Session> Wanted>
    Wanted* session() const
    {
        for (const Entry& entry : m_entries)
            if (auto* found = qobject_cast<Wanted*>(entry.session); found != nullptr)
                return found;
        return nullptr;
    }
    template <std::derived_from<Page> Wanted>
    Wanted* page()
    {
        for (size_t i = 0; i < m_entries.size(); ++i)
            if (m_entries[i].screen.pageType == &Wanted::staticMetaObject)
                return static_cast<Wanted*>(pageAt(i));
        return nullptr;
    }
    Workspace& workspace() { return m_workspace; }

    /// Into Compare.
    void openPaths(const QStringList& paths);
    /// Where they belong: on this screen, if it takes them, else on the first one that does. By content; some after a moment.
    void takePaths(const QStringList& paths);
    /// The screen's own demo; else the demo photograph in a demo network: for a comparison that of 1,028 tokens, under attentions of
    /// which some are faster than softmax.
    void tryDemo();
    void setTheme(const QString& name);
    ContextBar* contextBar() const { return m_context; }
    BackendsPanel* backendsPanel() const { return m_panel; }
    /// Null: there is none of that name.
    QAction* action(const QString& name) const { return m_actions.value(name); }
    QLabel* statusText() const { return m_status; }
    /// Something runs on one of the screens.
    bool isRunning() const;
    void openPalette();
    /// The manual at the page of the screen.
    void showHelp();
    /// The charts of the screen, or an image of it where it has none.
    void print(QPrinter& printer);
    /// Tries the plug-in in a process of its own; if something is wrong with it, that is said and the window stays, else the program starts
    /// again with it.
    void tryPlugin(const QString& path);
    /// Inputs and screen as they were when the window was closed last. Files that are gone are listed as unreadable.
    void restoreSession();
    /// What Scale showed then, and Compare of the inputs and backends that are there now.
    void restoreResults();
    /// Closes without a question, as when the system ends the program: what runs is stopped, everything is written.
    void end();
    /// Made when it is first opened; null before.
    HelpWindow* help() const { return m_help; }
    RecentFiles& recentFiles() const { return *m_recent; }

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Entry {
        Screen screen;
        Session* session = nullptr;
        Page* page = nullptr;
        bool hasFirstAloneNote = false;  ///< that columns in other networks are left out
    };

    // main_window.cpp
    Page* pageAt(size_t entry);
    void showEntry(size_t entry);
    void connectAll();
    void connectSession(const Entry& entry);
    void refreshActions();
    void refreshStatus();
    void refreshJobs();
    /// Whose job the jobs bar shows: one that is stopped before one that is paused. Null: nothing runs.
    Session* runningSession() const;
    void stopJob();
    void arrangeAround(const Page& shown);
    void applyDensity();
    void followSize();
    bool isCrowded() const;
    Page::Density density() const;
    void refreshDock();
    void showBackends();
    void editSettings();
    void about();
    void resetLayout();
    void undo();
    void restore();

    // main_window_session.cpp
    struct ResultsFile;
    void beginKeeping();
    void keepSession();
    Settings settingsNow() const;
    void remember(const Settings& settings);
    std::function<QString()> resultsWriter();
    void showWriting(const QString& problem);
    bool mayClose();

    // main_window_frame.cpp
    void buildFrame();
    void buildTop();
    void buildDock();
    void buildStatus();
    void resizeToScreen();
    void buildBackendActions();
    void chooseBackend(const QPoint& below);
    void showUnreadable();
    /// What a demo model knows, above all screens, for as long as one is in use.
    void refreshDemoBar();
    /// One notice at a time: that bar makes room for what the screen has to say.
    void followNotices();
    void arrangeNotices();

    // main_window_menus.cpp
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildRunMenu();
    void buildHelpMenu();
    void openManual(const QString& page);
    void showDoctor();
    void showGpus();
    QMenu& addMenu(const QString& title);
    QAction* add(QMenu& menu, const QString& name, const QString& text, const QKeySequence& key,
                 std::function<void()> act);

    // main_window_output.cpp
    void listImages(QMenu& menu);
    /// Null: the whole window.
    void askImage(ChartView* chart);
    void askPrint();
    void askPlugin();
    void askExportNetwork();
    void exportNetwork(const QString& attention, const QString& path);

    // main_window_files.cpp
    static constexpr QLatin1String longDemoNetwork{"vit"}, shortDemoNetwork{"deit"};
    /// False: that network did not come along.
    bool compareDemo(const QString& network);
    bool takesHere(Content content) const { return m_entries[m_shown].screen.takes.contains(content); }
    /// Shows the first screen of the table that takes such content; null: none does.
    Page* showFirst(Content content);
    /// On this screen, if it takes such content, else on the first that does.
    void open(Content content, const QStringList& paths);
    /// From a dialog of that page, which takes them unless they are tensors.
    void takeChosen(Page& page, const QStringList& paths);
    /// One that was opened before, if it is still there.
    void openRecent(const QString& path);
    /// A safetensors file goes where its header says.
    void sortTensors(const QString& path);
    void takeSorted(const QStringList& paths, const QString& video);
    void takePasted(const QByteArray& bytes);
    void paste();
    /// An image without a file: copied, or dragged out of another program. False: there is none.
    bool takeImage(const QMimeData& data);
    void announceFolder(const QString& folder);
    void askCheckpoint(Workspace::Opened what = Workspace::Opened::Replaces);
    void askArchive();
    void askClassEmbeddings();
    void askImageSize();
    void showCheckpoint();

    Options m_options;
    Engine& m_engine;
    Workspace m_workspace;
    std::vector<Entry> m_entries;
    QHash<QString, QAction*> m_actions;  ///< of the menus, by name
    QList<QAction*> m_backendActions;    ///< add one each
    BackendHistory* m_history = nullptr;
    size_t m_shown = 0;
    QString m_theme = u"system"_s;
    bool m_switchingTheme = false, m_compact = false, m_dockWanted = true, m_usesBackends = true;
    ContextBar* m_context = nullptr;
    Rail* m_rail = nullptr;
    QPointer<MessageBar> m_demoBar;
    QBoxLayout* m_notices = nullptr;
    QStackedWidget* m_pages = nullptr;
    BackendsPanel* m_panel = nullptr;
    QDockWidget* m_dock = nullptr;
    QFrame* m_overlay = nullptr;
    JobsBar* m_jobs = nullptr;
    QLabel* m_status = nullptr;
    LinkButton* m_showUnreadable = nullptr;
    QLabel* m_memory = nullptr;
    DropHint* m_dropHint = nullptr;
    HelpWindow* m_help = nullptr;
    RecentFiles* m_recent = nullptr;
    Settings m_remembered;  ///< as they were written last
    std::shared_ptr<ResultsFile> m_resultsFile;
    QDeadlineTimer m_resultsPause;  ///< before they are written again
    bool m_resultsChanged = false, m_writingResults = false, m_writingFailed = false;
};

/// Puts the palette and the style sheet of a theme into force. "system" takes what the desktop has.
void applyTheme(const QString& name);

}
