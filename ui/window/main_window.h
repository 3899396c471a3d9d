// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/batch/batch_session.h"
#include "ui/layers/layers_session.h"
#include "ui/live/live_session.h"
#include "ui/scale/scale_session.h"
#include "ui/train/train_session.h"
#include "ui/widgets/message_bar.h"
#include "ui/workspace/compare_session.h"

#include <QMainWindow>
#include <QPointer>

class QDockWidget;
class QFrame;
class QLabel;
class QBoxLayout;
class QStackedWidget;

namespace attnscope::ui {

class ActionButton;
class BackendsPanel;
class BatchPage;
class ComparePage;
class ContextBar;
class DropHint;
class JobsBar;
class LayersPage;
class LinkButton;
class LivePage;
class Rail;
class ResultsPage;
class ScalePage;
class TrainPage;

/// The frame: menus, context bar, rail, Backends dock, jobs, status; and the screens in the middle.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    struct Options {
        QString settingsPath;        ///< empty: nothing is remembered
        LoadedSettings loaded;
        QString demoImage;         ///< "Try the demo"
        std::shared_ptr<LiveBackend> live;  ///< empty: the real one
        std::shared_ptr<LayersBackend> layers;  ///< empty: the real one
        TrainingBackend training;      ///< without `train` there is no Train screen
        EvaluationBackend evaluation;  ///< without `evaluate` Batch says that it is not there
        OpenStore openStore;         ///< empty: no results are kept, and the screens say so
        QString storePath;           ///< of the results store
        ScaleBackend scale;            ///< without `scale` there is no Scale screen
    };
    MainWindow(Engine& engine, const Options& options, QWidget* parent = nullptr);
    ~MainWindow() override;

    enum class Screen { Compare, Live, Layers, Batch, Scale, Train, Results };
    void showScreen(Screen screen);
    Screen screen() const { return m_screen; }

    /// Into Compare.
    void openPaths(const QStringList& paths);
    /// Where they belong: a video to Live, images to Compare, a checkpoint to the weights, a results store to Results, a folder to
    /// Batch, or on the Train screen to its form. By content; videos after a moment.
    void takePaths(const QStringList& paths);
    void tryDemo();
    void setTheme(const QString& name);

    CompareSession& session() { return m_session; }
    BackendList& backends() { return m_backends; }
    RunTableModel& runs() { return m_runs; }
    ComparePage* page() const { return m_page; }
    LiveSession& live() { return m_live; }
    LiveRowsModel& liveRows() { return m_liveRows; }
    /// Made when it is first looked at.
    LivePage* livePage();
    LayersSession& layers() { return m_layers; }
    /// Made when it is first looked at.
    LayersPage* layersPage();
    TrainSession& training() { return m_train; }
    /// Made when it is first looked at.
    TrainPage* trainPage();
    BatchSession& batch() { return m_batch; }
    /// That Results shows; Batch has one of its own.
    StoreReader& store() { return m_store; }
    /// Made when they are first looked at.
    BatchPage* batchPage();
    ResultsPage* resultsPage();
    ScaleSession& scale() { return m_scale; }
    /// Made when it is first looked at.
    ScalePage* scalePage();
    void openStore(const QString& file);
    ContextBar* contextBar() const { return m_context; }
    BackendsPanel* backendsPanel() const { return m_panel; }
    QAction* action(const QString& name) const { return findChild<QAction*>(name); }
    QLabel* statusText() const { return m_status; }
    void openPalette();

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildFrame();
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildRunMenu();
    void buildHelpMenu();
    void connectTraining();
    void connectLayers();
    /// A safetensors file goes where its header says.
    void sortTensors(const QString& path);
    /// Dumped q, k and v: to Layers, or to the samples of Scale where one is there.
    void openTensors(const QString& path);
    /// What is opened on the Layers screen is inspected there; false: it belongs to another screen.
    bool inspectPaths(const QStringList& paths);
    void takePasted(const QByteArray& bytes);
    void connectBatch();
    void connectScale();
    void usePlan(const QString& spec);
    void runScreen();
    void stopScreen();
    /// Asks before a training or an evaluation is stopped for closing; true: close.
    bool mayClose();
    bool mayPauseEvaluation();
    void compareSample(const QString& path, const QStringList& attention);
    void offerUnfinished(const std::vector<StoredEvaluation>& evaluations);
    void refreshJobs();
    bool isEvaluationData(const QStringList& paths) const;
    bool isStore(const QStringList& paths) const;
    void announceFolder(const QString& folder);
    void askStore();
    void compareTrained(const QString& checkpoint, const QString& attention);
    QWidget* pageOf(Screen screen);
    MessageBar* showMessage(MessageBar::Kind kind, const QString& sentence);
    void buildDock();
    void buildStatus();
    void connectAll();
    void refreshActions();
    void refreshStatus();
    void applyDensity();
    void showBackends();
    bool isTrainingData(const QStringList& paths) const;
    QString interruptedOutput(const QStringList& paths) const;
    /// The form of the last session.
    void restoreTraining();
    void writeTrainingDemo();
    void fillTrainingDemo(const QString& folder);
    /// What a demo model knows, above all screens, for as long as one is in use.
    void refreshDemoBar();
    /// One notice at a time: that bar makes room for what the screen has to say.
    void followNotices();
    void arrangeNotices();
    void takeSorted(const QStringList& paths, const QString& video);
    void askFiles();
    void askImages();
    void askVideo();
    void askCheckpoint();
    void showCheckpoint();
    void paste();
    /// An image without a file: copied, or dragged out of another program. False: there is none.
    bool takeImage(const QMimeData& data);
    void showUnreadable();
    void cycleView();
    void editSettings();
    void saveChart();
    void about();
    void resetLayout();
    void remember();
    void restore();
    QAction* add(QMenu& menu, const QString& name, const QString& text, const QKeySequence& key, std::function<void()> act);

    Options m_options;
    Engine& m_engine;
    BackendList m_backends;
    RunTableModel m_runs;
    CompareSession m_session;
    LiveRowsModel m_liveRows;
    LiveSession m_live;
    LayersSession m_layers;
    TrainSession m_train;
    StoreReader m_batchStore, m_store;
    BatchSession m_batch;
    ScaleSession m_scale;
    Screen m_screen = Screen::Compare;
    QString m_theme = QStringLiteral("system");
    bool m_switchingTheme = false, m_compact = false, m_dockWanted = true;
    ContextBar* m_context = nullptr;
    Rail* m_rail = nullptr;
    QPointer<MessageBar> m_demoBar;
    QBoxLayout* m_notices = nullptr;
    QStackedWidget* m_screens = nullptr;
    ComparePage* m_page = nullptr;
    LivePage* m_livePage = nullptr;
    LayersPage* m_layersPage = nullptr;
    TrainPage* m_trainPage = nullptr;
    BatchPage* m_batchPage = nullptr;
    ResultsPage* m_resultsPage = nullptr;
    ScalePage* m_scalePage = nullptr;
    BackendsPanel* m_panel = nullptr;
    QDockWidget* m_dock = nullptr;
    QFrame* m_overlay = nullptr;
    JobsBar* m_jobs = nullptr;
    QLabel* m_status = nullptr;
    LinkButton* m_showUnreadable = nullptr;
    QLabel* m_memory = nullptr;
    DropHint* m_dropHint = nullptr;
    ActionButton* m_find = nullptr;
};

/// Puts the palette and the style sheet of a theme into force. "system" takes what the desktop has.
void applyTheme(const QString& name);

}  // namespace attnscope::ui
