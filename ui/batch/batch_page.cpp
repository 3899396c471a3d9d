#include "ui/batch/batch_page.h"

#include "ui/batch/batch_details.h"
#include "ui/batch/batch_empty.h"
#include "ui/batch/data_bar.h"
#include "ui/batch/queue_view.h"
#include "ui/charts/figure_file.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/tab_strip.h"
#include "ui/widgets/table_text.h"

#include "core/base/format.h"
#include "core/data/dataset/protocol.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr int maxBatchSamples = 100'000'000;
constexpr qint64 detailsEveryMs = 2000;

QString layoutTitle(const LabelledSet& data)
{
    switch (data.layout) {
    case FolderLayout::ImageNet:
        return BatchPage::tr("class folders (images)");
    case FolderLayout::Kinetics:
        return BatchPage::tr("class folders (videos)");
    case FolderLayout::List:
        return BatchPage::tr("list");
    default:
        return toQt(folderLayoutName(data.layout));
    }
}

}

BatchPage::BatchPage(BatchSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_session(session)
{
    setContents(batchEmpty(), buildContent());
    connect(empty()->second(), &QPushButton::clicked, this, &BatchPage::askFiles);
    connect(empty()->first(), &QPushButton::clicked, this, &BatchPage::tryDemo);
    connectSession();
    connectQueue();
    refresh();
    offerUnfinished();
}

QWidget* BatchPage::buildContent()
{
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    column->addWidget(buildDataRow());
    column->addSpacing(Layout::gap);
    column->addWidget(buildQueue());
    column->addSpacing(Layout::gap);
    m_details = new BatchDetails(m_session.store(), m_session.backend().image, m_content);
    column->addWidget(m_details, 1);
    return m_content;
}

QWidget* BatchPage::buildHead()
{
    m_head = new PageHead(m_content);
    m_copy = m_head->addButton(u"copy"_s, tr("Copy as command"),
                               tr("The attnscope-cli command for the same evaluation"));
    connect(m_copy, &QPushButton::clicked, this, &Page::copyCommand);
    return m_head;
}

QWidget* BatchPage::buildDataRow()
{
    auto* made = new QWidget(m_content);
    auto* row = new QHBoxLayout(made);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_add = new ActionButton(u"plus"_s, tr("Add folder"), ActionButton::Look::Plain, made);
    m_data = new DataBar(made);
    m_limit = new CaptionSpin(tr("Limit"), made);
    m_limit->setAccessibleName(tr("Maximum number of samples"));
    m_limit->setToolTip(tr("Number of samples, spread evenly over the folder"));
    m_limit->setRange(0, maxBatchSamples);
    m_limit->setSpecialValueText(tr("All"));
    m_limit->setKeyboardTracking(false);
    m_protocol = new CaptionCombo(tr("Protocol"), made);
    m_protocol->setToolTip(
        tr("Evaluate as published: labels, classes among which is predicted, sampling and figures"));
    m_protocol->addItem(tr("None"), QString());
    for (const Protocol& protocol : protocols())
        if (protocol.name != "imagenet-o")  // needs a second folder
            m_protocol->addItem(toQt(protocol.title), toQt(protocol.name));
    row->addWidget(m_add);
    row->addWidget(m_data, 1);
    row->addWidget(m_protocol);
    row->addWidget(m_limit);
    connect(m_add, &QPushButton::clicked, this, &BatchPage::askFiles);
    connect(m_limit, &QSpinBox::valueChanged, this, [this](int limit) {
        m_session.changePlan(chosen(),
                             [&](EvaluationSetup& plan) { return std::exchange(plan.limit, limit) != limit; });
    });
    connect(m_protocol, &QComboBox::activated, this, [this] {
        m_session.changePlan(chosen(), [&](EvaluationSetup& plan) {
            const std::string name = fromQt(m_protocol->currentData().toString());
            return std::exchange(plan.protocol, name) != name;
        });
    });
    return made;
}

QWidget* BatchPage::buildQueue()
{
    m_queueCard = new QFrame(m_content);
    m_queueCard->setProperty("card", true);
    auto* inset = new QVBoxLayout(m_queueCard);
    inset->setContentsMargins(1, 1, 1, 1);
    m_table = new QueueView(m_queueCard);
    m_table->setModel(&m_session.queue());
    inset->addWidget(m_table);
    return m_queueCard;
}

void BatchPage::connectSession()
{
    connect(&m_session, &BatchSession::queueChanged, this, &BatchPage::refresh);
    connect(&m_session, &BatchSession::progressed, this, [this] {
        refreshWords();
        if (!m_sinceDetails.isValid() || m_sinceDetails.elapsed() > detailsEveryMs)
            refreshDetails();
    });
    connect(&m_session, &BatchSession::resultsGrew, this, [this](quint64 id) {
        if (id == chosen())
            refreshDetails();
    });
    connect(&m_session, &BatchSession::demoChanged, this,
            [this] { empty()->setBusy(m_session.isWritingDemo() ? m_session.progressText() : QString()); });
    connect(&m_session, &BatchSession::unfinishedFound, this, &BatchPage::offerUnfinished);
    followMessages(m_session);
    connect(&m_session.store(), &StoreReader::failed, this, &Page::showProblem);
}

void BatchPage::connectQueue()
{
    connect(m_table, &QueueView::pauseRequested, this, &BatchPage::toggle);
    connect(m_table, &QueueView::removeRequested, &m_session, &BatchSession::remove);
    connect(m_table, &QueueView::moveRequested, &m_session, &BatchSession::move);
    connect(m_table, &QueueView::unreadableRequested, this,
            [this] { m_details->showTab(BatchDetails::Unreadable); });
    connect(m_table, &QueueView::menuRequested, this, [this](quint64 evaluation, const QPoint& at) {
        QMenu* menu = menuFor(evaluation);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(at);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        refreshWords();
        refreshData();
        refreshDetails();
    });
    // A sample of an evaluation, under its attentions, as somebody looks into it.
    connect(m_details, &BatchDetails::compareRequested, this,
            [this](const QString& path, const QStringList& attention) {
                for (const QString& spec : attention)
                    m_workspace.backends().tick(AttentionSpec::parse(fromQt(spec)));
                m_workspace.showScreen(u"compare"_s, {path});
            });
}

quint64 BatchPage::chosen() const
{
    return m_table->currentIndex().data(QueueModel::EvaluationRole).toULongLong();
}

int BatchPage::chosenAttention() const
{
    return m_table->currentIndex().data(QueueModel::AttentionRole).toInt();
}

void BatchPage::select(quint64 evaluation, int attention)
{
    const int row = m_session.queue().rowOf(evaluation, attention);
    if (row >= 0)
        m_table->setCurrentIndex(m_session.queue().index(row, 0));
}

void BatchPage::openFolder(const QString& folder)
{
    if (!m_session.isBuilt())
        return;
    const quint64 id = m_session.addFolder(folder);
    if (id != 0)
        select(id);
}

void BatchPage::askFiles()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder to evaluate"));
    if (!folder.isEmpty())
        openFolder(folder);
}

void BatchPage::askExport()
{
    const QString csv = u"csv"_s;
    const QString path = QFileDialog::getSaveFileName(this, tr("Export"), exportName({u"batch"_s}, csv),
                                                      tr("Table as CSV (*.csv)"));
    if (path.isEmpty())
        return;
    QString problem = refusedFormat(path, {csv});
    if (problem.isEmpty())
        problem = writeBytes(path, tableAsCsv(*shownTable()).toUtf8());
    showProblem(problem);
}

void BatchPage::toggle(quint64 evaluation)
{
    const QueuedEvaluation* each = m_session.queue().find(evaluation);
    if (each == nullptr)
        return;
    if (each->canGoOn() || each->state == QueueState::NoSpace || each->state == QueueState::Ready)
        m_session.resume(evaluation);
    else
        m_session.pause(evaluation);
}

QMenu* BatchPage::menuFor(quint64 evaluation)
{
    auto* menu = new QMenu(this);
    const QueuedEvaluation* each = m_session.queue().find(evaluation);
    if (each == nullptr)
        return menu;
    const bool goes = each->canGoOn() || each->state == QueueState::NoSpace || each->state == QueueState::Ready;
    QAction* pause = menu->addAction(goes ? each->done() > 0 ? tr("Continue from %1").arg(countText(each->done()))
                                                             : tr("Start")
                                          : tr("Pause after this batch"),
                                     this, [this, evaluation] { toggle(evaluation); });
    pause->setEnabled(goes || each->isActive() || each->state == QueueState::Waiting);
    menu->addAction(tr("Move up"), this, [this, evaluation] { m_session.move(evaluation, -1); });
    menu->addAction(tr("Move down"), this, [this, evaluation] { m_session.move(evaluation, 1); });
    menu->addAction(tr("Copy as command"), this,
                    [this, evaluation] { QGuiApplication::clipboard()->setText(m_session.command(evaluation)); });
    menu->addAction(tr("Show in Results"), this,
                    [this] { m_workspace.showScreen(u"results"_s, {m_session.store().file()}); });
    menu->addSeparator();
    QAction* remove = menu->addAction(each->isActive() ? tr("Stop and remove from the queue")
                                                       : tr("Remove from the queue"),
                                      this, [this, evaluation] { m_session.remove(evaluation); });
    remove->setToolTip(tr("Results so far stay in the store"));
    return menu;
}

void BatchPage::offerUnfinished()
{
    const auto& evaluations = m_session.unfinished();
    for (const StoredEvaluation& each : evaluations) {
        MessageBar* bar = showMessage(
            MessageBar::Kind::Info,
            tr("%1 was stopped after %2 of %3 (%4).")
                .arg(dataTitle(toQt(each.dataRoot)), countText(each.done), countText(each.samples),
                     counted(each.runs.size(), [](int n) { return tr("%1 backend(s)", nullptr, n); })));
        bar->addAction(tr("Continue from %1").arg(countText(each.done)), [this, each, bar] {
            select(m_session.continueStored(each));
            bar->hide();
            bar->deleteLater();
        });
        if (&each - evaluations.data() == 1)
            break;  // two bars; the others are in Results
    }
}

void BatchPage::refresh()
{
    const bool any = !m_session.queue().evaluations().empty();
    showContents(any);
    if (any && !m_table->currentIndex().isValid())
        m_table->setCurrentIndex(m_session.queue().index(0, 0));
    refreshWords();
    refreshData();
    reportNotes();
    arrange();
    emit changed();
}

void BatchPage::refreshWords()
{
    m_head->setHeadline(m_session.headline(chosen(), chosenAttention()), m_session.detail(chosen()));
    m_copy->setEnabled(chosen() != 0);
}

void BatchPage::refreshData()
{
    const QueuedEvaluation* each = m_session.queue().find(chosen());
    if (each == nullptr)
        return;
    const QSignalBlocker quiet(m_limit);
    m_limit->setValue(int(std::min<int64_t>(each->plan.limit, maxBatchSamples)));
    m_protocol->setCurrentIndex(std::max(0, m_protocol->findData(toQt(each->plan.protocol))));
    for (QWidget* const widget : {static_cast<QWidget*>(m_limit), static_cast<QWidget*>(m_protocol)})
        widget->setEnabled(!each->isBegun() && each->state != QueueState::Finished);
    QStringList settings;
    if (each->check) {
        const LabelledSet& data = *each->check->data;
        settings << layoutTitle(data) << counted(data.classes.size(), [](int n) {
            return tr("%1 class(es)", nullptr, n);
        }) << tr("%1 %2").arg(countText(int64_t(data.files.size())), data.video ? tr("videos") : tr("images"));
        const size_t bad = each->check->estimate.unreadable.size();
        m_data->show(each->title(), settings, bad == 0 ? DataBar::Outcome::Good : DataBar::Outcome::Bad,
                     bad == 0 ? tr("all sampled files can be read") : counted(bad, [](int n) {
                         return tr("%1 sampled file(s) cannot be read", nullptr, n);
                     }));
        return;
    }
    if (each->stored)
        settings << counted(each->stored->samples, [](int n) { return tr("%1 sample(s)", nullptr, n); });
    m_data->show(each->title(), settings,
                 each->state == QueueState::Refused ? DataBar::Outcome::Bad : DataBar::Outcome::None,
                 each->state == QueueState::Refused ? tr("Cannot be evaluated") : tr("Scanning…"));
}

/// What the look into a folder found odd is said once, above the screen.
void BatchPage::reportNotes()
{
    for (const QueuedEvaluation& each : m_session.queue().evaluations()) {
        if (each.state == QueueState::NoSpace && m_full == nullptr) {
            m_full = showMessage(MessageBar::Kind::Warning, each.sentence);
            m_full->addAction(tr("Continue"), [this, id = each.id] { m_session.resume(id); });
        } else if (each.state != QueueState::NoSpace && each.isActive() && m_full != nullptr) {
            m_full->hide();
            m_full->deleteLater();
        }
        if (!each.check || m_noted.contains(each.id))
            continue;
        m_noted.insert(each.id);
        std::vector<std::string> notes = each.check->data->notes;
        notes.insert(notes.end(), each.check->estimate.notes.begin(), each.check->estimate.notes.end());
        if (notes.empty())
            continue;
        QStringList all;
        for (const std::string& note : notes)
            if (!all.contains(toQt(note)))  // the estimate repeats those of the data
                all << toQt(note);
        MessageBar* bar = showMessage(MessageBar::Kind::Warning, all.mid(0, 3).join(QLatin1Char('\n')));
        bar->setToolTip(all.join(QLatin1Char('\n')));
    }
}

void BatchPage::refreshDetails()
{
    m_sinceDetails.start();
    const QueuedEvaluation* each = m_session.queue().find(chosen());
    if (each == nullptr || !each->stored) {
        m_details->setSubject({}, 0);
        return;
    }
    m_details->setSubject(each->stored, chosenAttention());
    m_details->refresh();
}

QLabel* BatchPage::headline() const
{
    return m_head->headline();
}

QLabel* BatchPage::detail() const
{
    return m_head->detail();
}

const QAbstractItemModel* BatchPage::shownTable() const
{
    const QAbstractItemModel* details = m_details->isAncestorOf(focusWidget()) ? m_details->shownTable() : nullptr;
    return details != nullptr ? details : &m_session.queue();
}

bool BatchPage::tryDemo()
{
    m_session.tryDemo();
    return true;
}

void BatchPage::arrange()
{
    const bool compact = isCompact();
    m_head->setCompact(compact);
    m_details->setCompact(compact);
    // The queue is as high as its rows, up to what leaves room for the details.
    const int rows = m_session.queue().rowCount(), row = m_table->verticalHeader()->defaultSectionSize();
    const int most = std::max(2, (m_content->height() - (compact ? 345 : 470)) / std::max(1, row));
    m_queueCard->setFixedHeight(std::max(34, m_table->horizontalHeader()->sizeHint().height())
                                + row * std::clamp(rows, 1, most) + 4);
    m_table->fitColumns();
}

}
