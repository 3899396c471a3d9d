// How the window is put together: context bar, rail, screens, dock and status, and as it was left.
#include "ui/style/icons.h"
#include "ui/style/language.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/drop_hint.h"
#include "ui/widgets/message_stack.h"
#include "ui/widgets/page_stack.h"
#include "ui/window/command_palette.h"
#include "ui/window/context_bar.h"
#include "ui/window/jobs_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/rail.h"
#include "ui/workspace/accuracy_text.h"
#include "ui/workspace/backends_panel.h"

#include "core/attention/backend_info.h"

#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace attnscope::ui {

namespace {

constexpr int titleBarHeight = 32;           // about; it is not known before the window is shown
constexpr int dockWidth = 280;               // holds the longest name of an option's choices
constexpr const char* demoPrefix = "demo_";  // of the names of the models that come along
constexpr const char* longDemoModel = "demo_vit";

QString whatItKnows(const ModelSummary& model)
{
    return model.input.size() == 4
               ? MainWindow::tr("A small demo model that knows only eight camera moves over the demo photographs.")
               : MainWindow::tr("A small demo model that knows only twelve scenes of the demo photographs.");
}

}

void MainWindow::buildFrame()
{
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    QList<Rail::Entry> rail;
    for (const Entry& entry : m_entries)
        rail << Rail::Entry{entry.screen.icon, withoutMnemonic(entry.screen.title), entry.screen.key};
    m_rail = new Rail(rail, centre);
    m_pages = new PageStack(centre);
    connect(m_pages, &QStackedWidget::currentChanged, this, &MainWindow::followNotices);
    middle->addWidget(m_rail);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(0);
    m_notices = new QVBoxLayout;
    m_notices->setContentsMargins(16, 0, 16, 0);
    right->addLayout(m_notices);
    right->addWidget(m_pages, 1);
    middle->addLayout(right, 1);
    column->addLayout(middle, 1);
    setCentralWidget(centre);
    m_dropHint = new DropHint(this);
    buildTop();
}

void MainWindow::buildTop()
{
    // The context bar spans the window, above the docks: as the row below the menu bar.
    auto* top = new QWidget(this);
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* menus = new QMenuBar(top);
    rows->addWidget(menus);
    m_context = new ContextBar(m_workspace, top);
    rows->addWidget(m_context);
    setMenuWidget(top);
    auto* find = new ActionButton(u"search"_s, tr("Find a command"), ActionButton::Look::Plain, menus);
    find->setHint(u"Ctrl+K"_s);
    find->setFont(fontFor(Type::Body));
    find->setHeight(24);
    find->setFixedHeight(std::max(24, QFontMetrics(find->font()).height() + 6));
    auto* corner = new QWidget(menus);
    auto* cornerRow = new QHBoxLayout(corner);
    cornerRow->setContentsMargins(8, 0, 12, 0);
    cornerRow->addWidget(find);
    menus->setCornerWidget(corner);
    menus->setObjectName(u"menus"_s);
    connect(find, &QPushButton::clicked, this, &MainWindow::openPalette);
}

void MainWindow::buildDock()
{
    m_panel = new BackendsPanel(m_workspace.backends());
    m_dock = new QDockWidget(tr("Backends"), this);
    m_dock->setObjectName(u"backends"_s);
    m_dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    auto* title = new QWidget(m_dock);
    title->setAutoFillBackground(true);
    title->setBackgroundRole(QPalette::Base);
    auto* row = new QHBoxLayout(title);
    row->setContentsMargins(14, 8, 8, 2);
    row->setSpacing(2);
    auto* name = new QLabel(tr("Backends"), title);
    name->setFont(fontFor(Type::Value));
    auto* plus = new IconButton(u"plus"_s, tr("Add another backend"), title);
    auto* close = new IconButton(u"close"_s, tr("Hide backends"), title);
    row->addWidget(name, 1);
    row->addWidget(plus);
    row->addWidget(close);
    m_dock->setTitleBarWidget(title);
    m_panel->setMinimumWidth(dockWidth - 1);
    m_dock->setWidget(m_panel);
    setAnimated(false);  // an animation arranges the page anew at each of its steps
    addDockWidget(Qt::RightDockWidgetArea, m_dock);
    m_overlay = new QFrame(this);
    m_overlay->setProperty("card", true);
    auto* overlayColumn = new QVBoxLayout(m_overlay);
    overlayColumn->setContentsMargins(1, 6, 1, 6);
    m_overlay->hide();
    buildBackendActions();
    connect(plus, &IconButton::clicked, this,
            [this, plus] { chooseBackend(plus->mapToGlobal(QPoint(plus->width(), plus->height()))); });
    connect(close, &IconButton::clicked, this, [this] {
        m_dockWanted = false;
        m_dock->hide();
        applyDensity();
    });
}

/// Each with its kind, what it is and its paper; by kind.
void MainWindow::buildBackendActions()
{
    std::vector<const BackendInfo*> infos;
    for (const BackendInfo& info : attnscope::backends())
        infos.push_back(&info);
    std::ranges::stable_sort(infos, {}, &BackendInfo::kind);
    for (const BackendInfo* info : infos) {
        auto* action = new QAction(toQt(info->name), m_dock);
        action->setWhatsThis(u"%1 · %2: %3\n%4"_s.arg(toQt(toText(info->kind)), toQt(info->title),
                                                      toQt(info->help), toQt(info->citation)));
        connect(action, &QAction::triggered, this,
                [this, info] { m_workspace.backends().add(AttentionSpec::parse(info->name)); });
        m_backendActions << action;
    }
}

/// A list with its right edge at `below`.
void MainWindow::chooseBackend(const QPoint& below)
{
    auto* choice = new CommandPalette(m_backendActions, tr("Find a backend"), this);
    choice->setAttribute(Qt::WA_DeleteOnClose);
    choice->resize(560, std::min(560, height() - 120));
    choice->move(below - QPoint(choice->width(), 0));
    choice->show();
    choice->field()->setFocus();
}

void MainWindow::buildStatus()
{
    m_status = new QLabel(this);
    m_showUnreadable = new LinkButton(tr("Show"), this);
    m_showUnreadable->setAccessibleName(tr("Show unreadable files"));
    m_memory = new QLabel(this);
    m_status->setFont(fontFor(Type::Small));
    m_memory->setFont(fontFor(Type::Small));
    m_memory->setForegroundRole(QPalette::PlaceholderText);
    m_status->setForegroundRole(QPalette::PlaceholderText);
    m_showUnreadable->setFont(fontFor(Type::SmallMedium));
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(10, 0, 10, 0);
    statusBar()->addWidget(m_status);
    statusBar()->addWidget(m_showUnreadable);
    statusBar()->addPermanentWidget(m_memory);
    connect(m_showUnreadable, &QPushButton::clicked, this, &MainWindow::showUnreadable);
    m_jobs = new JobsBar(this);
    // Between page and status bar, over the full width: the last row of the centre.
    static_cast<QVBoxLayout*>(centralWidget()->layout())->addWidget(m_jobs);
    m_jobs->hide();
    connect(m_jobs, &JobsBar::stopRequested, this, &MainWindow::stopJob);
    connect(m_jobs, &JobsBar::pauseRequested, this, [this] {
        if (Session* running = runningSession(); running != nullptr)
            running->pauseJob();
    });
}

/// All of them, to scroll through and to copy.
void MainWindow::showUnreadable()
{
    QStringList lines;
    for (const UnreadableInput& file : m_workspace.unreadable())
        lines << toQt(file.path) + u": "_s + toQt(file.reason);
    QDialog dialog(this);
    dialog.setObjectName(u"unreadable"_s);
    dialog.setWindowTitle(tr("Unreadable files"));
    dialog.resize(720, 380);
    auto* column = new QVBoxLayout(&dialog);
    column->setContentsMargins(16, 16, 16, 12);
    column->setSpacing(10);
    auto* head = new QLabel(
        counted(lines.size(),
                [](int n) {
                    return tr("%1 file(s) could not be read. Such files count as neither correct nor wrong.",
                              nullptr, n);
                }),
        &dialog);
    head->setWordWrap(true);
    auto* list = new QPlainTextEdit(lines.join(QLatin1Char('\n')), &dialog);
    list->setReadOnly(true);
    list->setAccessibleName(tr("Unreadable files"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    connect(buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole), &QPushButton::clicked, &dialog,
            [&lines] { QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n'))); });
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    column->addWidget(head);
    column->addWidget(list, 1);
    column->addWidget(buttons);
    dialog.exec();
}

void MainWindow::refreshDemoBar()
{
    const auto model = m_workspace.model();
    const bool demo = model && model->summary.name.starts_with(demoPrefix) && m_options.loaded.settings.demoBar;
    if (!demo) {
        delete m_demoBar;
        return;
    }
    const QString words = whatItKnows(model->summary);
    const bool offersLong = !m_workspace.demoNetwork(longDemoNetwork).isEmpty()
                            && toQt(model->summary.name) != QLatin1String(longDemoModel);
    if (m_demoBar && m_demoBar->property("offersLong").toBool() == offersLong) {
        m_demoBar->setSentence(words);
        return;
    }
    delete m_demoBar;
    m_demoBar = new MessageBar(MessageBar::Kind::Info, words, centralWidget());
    m_demoBar->setProperty("offersLong", offersLong);
    if (offersLong)
        m_demoBar->addAction(tr("Compare at 1 028 tokens"), [this] { compareDemo(longDemoNetwork); });
    m_demoBar->addAction(tr("Open a checkpoint…"), [this] { askCheckpoint(); });
    connect(m_demoBar, &MessageBar::closed, this, [this] { m_options.loaded.settings.demoBar = false; });
    connect(m_demoBar, &QObject::destroyed, m_notices,
            [notices = m_notices] { notices->setContentsMargins(16, 0, 16, 0); });
    m_notices->addWidget(m_demoBar);
    arrangeNotices();
}

void MainWindow::followNotices()
{
    if (page() == nullptr)
        return;
    connect(page()->messages(), &MessageStack::rearranged, this, &MainWindow::arrangeNotices,
            Qt::UniqueConnection);
    arrangeNotices();
}

void MainWindow::arrangeNotices()
{
    if (!m_demoBar)
        return;
    const bool shown = page()->uses().weights && page()->messages()->isEmpty();
    m_demoBar->setVisible(shown);
    m_notices->setContentsMargins(16, shown ? 10 : 0, 16, 0);
}

void MainWindow::restore()
{
    resizeToScreen();
    const Settings& settings = m_options.loaded.settings;
    restoreGeometry(settings.geometry);
    restoreState(settings.state);
    if (!settings.furtherCheckpoints.empty())
        m_workspace.backends().setFurtherCheckpoints(settings.furtherCheckpoints);
    if (!settings.specs.isEmpty()) {
        std::vector<AttentionSpec> specs;
        for (const QString& spec : settings.specs)
            specs.push_back(AttentionSpec::parse(fromQt(spec)));
        m_workspace.backends().setSpecs(specs);
    }
    resizeDocks({m_dock}, {dockWidth}, Qt::Horizontal);
}

/// As designed, or as large as the screen is: letters twice as large leave room for a window of half the size.
void MainWindow::resizeToScreen()
{
    const QSize room = QWidget::screen()->availableGeometry().size() - QSize(0, titleBarHeight);
    setMinimumSize(QSize(900, 560).boundedTo(room));
    resize(QSize(1280, 800).boundedTo(room));
}

}
