#include "ui/workspace/page.h"

#include "ui/style/qt_text.h"
#include "ui/widgets/message_stack.h"
#include "ui/widgets/page_head.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/table_text.h"
#include "ui/workspace/instrument_tab.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QTimer>
#include <QVBoxLayout>

namespace attnscope::ui {

Page::Page(Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_column(new QVBoxLayout(this))
    , m_messages(new MessageStack(this))
{
    m_column->setContentsMargins(16, 0, 16, 12);
    m_column->setSpacing(0);
    m_column->addWidget(m_messages);
    connect(m_messages, &MessageStack::rearranged, this, &Page::arrangeLater);
    connect(m_messages, &MessageStack::checkpointRequested, this,
            [this] { emit actionRequested(u"checkpoint"_s); });
}

void Page::setContents(const EmptyScreen::Description& empty, QWidget* content)
{
    m_stack = new PageStack(this);
    auto* inset = new QWidget(m_stack);
    auto* layout = new QVBoxLayout(inset);
    layout->setContentsMargins(0, 12, 0, 4);
    m_empty = new EmptyScreen(empty, inset);
    layout->addWidget(m_empty);
    m_stack->addWidget(inset);
    m_stack->addWidget(content);
    m_column->addWidget(m_stack, 1);
    const auto showBackends = [this] {
        QStringList names;
        for (const ColumnSpec& backend : m_workspace.backends().columns())
            names << backend.backend;
        m_empty->setBackends(names);
    };
    connect(&m_workspace.backends(), &BackendList::selectionChanged, m_empty, showBackends);
    showBackends();
}

bool Page::showsContents() const
{
    return m_stack != nullptr && m_stack->currentIndex() == 1;
}

void Page::showContents(bool shown)
{
    m_stack->setCurrentIndex(shown ? 1 : 0);
}

void Page::followMessages(const Session& session)
{
    connect(&session, &Session::problem, this, &Page::showProblem);
    connect(&session, &Session::notice, this,
            [this](const QString& sentence) { showMessage(MessageBar::Kind::Info, sentence); });
}

ReportHead* Page::newReportHead(const QString& exportHelp)
{
    auto* head = new ReportHead(exportHelp, this);
    connect(head, &ReportHead::againRequested, this, &Page::run);
    connect(head, &ReportHead::copyRequested, this, &Page::copyCommand);
    return head;
}

void Page::followTab(const InstrumentTab& tab)
{
    connect(&tab, &InstrumentTab::copyRequested, this, &Page::copyCommand);
    connect(&tab, &InstrumentTab::problem, this, &Page::showProblem);
    connect(&tab, &InstrumentTab::attentionRequested, this, [this](const QString& attention) {
        m_workspace.backends().tick(AttentionSpec::parse(fromQt(attention)));
        showMessage(MessageBar::Kind::Info, tr("%1 was added to the Backends and selected.").arg(attention));
    });
}

void Page::followDemo(const DemoTask& demo, std::function<void(const QString& folder)> ready)
{
    connect(&demo, &TaskBase::progressed, this, [this, &demo] {
        empty()->setBusy(tr("%1 of %2 files").arg(demo.step().done).arg(demo.step().total));
    });
    connect(&demo, &TaskBase::failed, this, &Page::showProblem);
    connect(&demo, &TaskBase::ended, this, [this, &demo, ready = std::move(ready)] {
        empty()->setBusy({});
        if (demo.report())
            ready(toQt(*demo.report()));
    });
}

/// Warnings are about the program or what is in use; the rest about what was opened or asked for last.
MessageBar* Page::showMessage(MessageBar::Kind kind, const QString& sentence)
{
    return m_messages->add(kind, sentence,
                           kind == MessageBar::Kind::Warning ? MessageStack::Lasts::UntilClosed
                                                             : MessageStack::Lasts::UntilNextFile);
}

void Page::showProblem(const QString& sentence)
{
    if (!sentence.isEmpty())
        showMessage(MessageBar::Kind::Error, sentence);
}

void Page::copyCommand()
{
    if (const QString line = command(); !line.isEmpty()) {
        QGuiApplication::clipboard()->setText(line);
        MessageBar* done = showMessage(MessageBar::Kind::Info, tr("The command was copied."));
        QTimer::singleShot(4000, done, &QObject::deleteLater);
    } else
        showMessage(
            MessageBar::Kind::Info,
            m_workspace.input() != nullptr && m_workspace.input()->pasted()
                ? tr("A pasted image has no file name to use in a command; save it to a file and open that file.")
                : tr("There is nothing yet that a command could repeat."));
}

QString Page::videoFilter()
{
    return tr("Videos (*.mp4 *.m4v *.mov *.mkv *.webm *.avi *.gif *.mpg *.mpeg *.ts *.3gp *.ogv)");
}

void Page::askInputs()
{
    const QStringList filters{tr("Images (*.jpg *.jpeg *.png *.webp *.bmp *.ppm *.pgm *.pnm *.tif *.tiff)"),
                              videoFilter(), tr("q, k, v tensors (*.safetensors)"), tr("All files (*)")};
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Open images or videos"), {},
                                                            filters.join(u";;"_s));
    if (!paths.isEmpty())
        emit inputsChosen(paths);
}

void Page::copyTable() const
{
    if (const QAbstractItemModel* model = shownTable(); model != nullptr)
        QGuiApplication::clipboard()->setText(tableAsTsv(*model));
}

void Page::copyMarkdown() const
{
    if (const QAbstractItemModel* model = shownTable(); model != nullptr)
        QGuiApplication::clipboard()->setText(tableAsMarkdown(*model));
}

void Page::setDensity(Density density)
{
    if (isVisible() && density == m_density)
        return;  // another size arranges it anyway
    m_density = density;
    arrange();
}

void Page::arrangeLater()
{
    QTimer::singleShot(0, this, [this] { arrange(); });
}

void Page::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeLater();
}

void Page::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    arrangeLater();
}

}
