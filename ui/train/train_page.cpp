#include "ui/train/train_page.h"

#include "ui/charts/chart_view.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/train/train_command.h"
#include "ui/train/train_demo.h"
#include "ui/train/train_empty.h"
#include "ui/train/train_form.h"
#include "ui/train/train_more.h"
#include "ui/train/train_progress.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/controls.h"
#include "ui/workspace/attention_choice.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/train/distillation_table.h"
#include "models/training/train_request_json.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <optional>

namespace attnscope::ui {

namespace {

constexpr int formWidth = 340, minTable = 120;

QString backendOf(const std::string& spec)
{
    return toQt(spec).section(QLatin1Char(':'), 0, 0);
}

/// The same values of each epoch that has them.
template <typename Get>
CurvePoints pointsOf(const std::vector<EpochRecord>& history, Get get)
{
    CurvePoints points;
    for (const EpochRecord& epoch : history) {
        const std::optional<double> value = get(epoch);
        if (value && std::isfinite(*value))
            points.x << double(epoch.epoch), points.y << *value;
    }
    return points;
}

}

TrainPage::TrainPage(TrainSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_session(session)
    , m_distillation(new CellTable(this))
{
    setContents(trainEmpty(), buildContent());
    connect(empty()->second(), &QPushButton::clicked, this, &TrainPage::askFiles);
    connect(empty()->link(), &QPushButton::clicked, this, &TrainPage::showForm);
    connect(empty()->first(), &QPushButton::clicked, this, &TrainPage::tryDemo);
    connectSession();
    takeContext();
    refresh();
    refreshCurves();
    refreshTables();
}

QWidget* TrainPage::buildContent()
{
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    auto* body = new QHBoxLayout;
    body->setSpacing(Layout::gap);
    m_form = new TrainForm(m_content);
    m_form->setFixedWidth(formWidth);
    body->addWidget(m_form);
    auto* right = new QVBoxLayout;
    right->setSpacing(Layout::gap);
    m_progress = new TrainProgress(m_session, m_content);
    right->addWidget(m_progress);
    right->addWidget(buildCharts(), 3);
    right->addWidget(buildTables(), 2);
    body->addLayout(right, 1);
    column->addLayout(body, 1);
    return m_content;
}

QWidget* TrainPage::buildHead()
{
    m_head = new PageHead(m_content);
    m_copy = m_head->addButton(u"copy"_s, tr("Copy as command"),
                               tr("The attnscope-cli command for the same training run"));
    connect(m_copy, &QPushButton::clicked, this, &Page::copyCommand);
    return m_head;
}

QWidget* TrainPage::buildCharts()
{
    m_charts = new QFrame(m_content);
    m_charts->setProperty("card", true);
    auto* row = new QHBoxLayout(m_charts);
    row->setContentsMargins(11, 8, 11, 6);
    row->setSpacing(16);
    m_loss = addTitledChart(*row, tr("Loss"), m_charts, ChartView::Names::AtEnds).view;
    m_accuracy =
        addTitledChart(*row, tr("Top-1 on the validation set, %"), m_charts, ChartView::Names::AtEnds).view;
    for (ChartView* chart : {m_loss, m_accuracy})
        chart->setNotice(tr("Points appear as training progresses"));
    return m_charts;
}

QWidget* TrainPage::buildTables()
{
    m_lower = new QFrame(m_content);
    m_lower->setProperty("card", true);
    auto* column = new QVBoxLayout(m_lower);
    column->setContentsMargins(1, 8, 1, 4);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(10, 0, 12, 0);
    row->setSpacing(12);
    m_tables = new Segments(tr("Table"), {tr("Epochs"), tr("Distillation")}, m_lower);
    m_tableHint = newHint({}, m_lower);
    row->addWidget(m_tables);
    row->addWidget(m_tableHint, 1);
    column->addLayout(row);
    m_table = new QTableView(m_lower);
    plainTable(*m_table, {});
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->setDefaultSectionSize(std::max(28, QFontMetrics(font()).height() + 10));
    m_table->horizontalHeader()->setFont(fontFor(Type::SmallMedium));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setMinimumHeight(30);
    auto* inset = new QHBoxLayout;
    inset->setContentsMargins(6, 0, 6, 0);
    inset->addWidget(m_table);
    column->addLayout(inset, 1);
    connect(m_tables, &Segments::chosen, this, &TrainPage::refreshTables);
    return m_lower;
}

void TrainPage::connectSession()
{
    connect(&m_session, &TrainSession::stateChanged, this, &TrainPage::refresh);
    connect(&m_session, &TrainSession::resultsChanged, this, [this] {
        refresh();
        refreshCurves();
        refreshTables();
    });
    connect(&m_session, &TrainSession::progressed, this, [this] {
        refreshCurves();
        refresh();
    });
    connect(&m_session, &TrainSession::folderKnown, m_form, &TrainForm::showFolder);
    connect(&m_session, &TrainSession::folderRefused, m_form, &TrainForm::refuseFolder);
    followMessages(m_session);
    connect(m_form, &TrainForm::startRequested, this, &TrainPage::start);
    connect(m_form, &TrainForm::changed, this, [this] {
        refresh();
        if (m_session.state() == TrainSession::State::Idle)
            refreshCurves();
    });
    connect(m_form, &TrainForm::dataChanged, this, &TrainPage::look);
    connect(m_progress, &TrainProgress::compareRequested, this, &TrainPage::compareCheckpoint);
    connect(m_form, &TrainForm::restoreRequested, &m_session, &TrainSession::askInterrupted);
    connect(&m_session, &TrainSession::interruptedKnown, this, &TrainPage::takeInterrupted);
    followDemo(m_session.demo(), [this](const QString& folder) { takeDemo(folder); });
    empty()->first()->setEnabled(m_session.demo().isBuilt());
    connect(&m_workspace, &Workspace::contextChanged, this, &TrainPage::takeContext);
    connect(&m_workspace, &Workspace::surroundingsChanged, this, &TrainPage::takeContext);
}

void TrainPage::takeContext()
{
    m_form->setContext(m_workspace.context(), m_workspace.modelRequest());
}

void TrainPage::look()
{
    if (!m_form->folder().isEmpty())
        m_session.look(m_form->folder(), m_form->more()->layoutName(), m_form->more()->validation());
}

void TrainPage::openFolder(const QString& folder)
{
    showForm();
    if (m_session.isRunning())
        showMessage(MessageBar::Kind::Info,
                    tr("Training is in progress; pause or finish it before choosing another folder."));
    else
        m_form->setFolder(folder);
}

void TrainPage::showRequest(const TrainRequest& request)
{
    showForm();
    m_form->setRequest(request);
}

QString TrainPage::savedForm() const
{
    return m_form->folder().isEmpty()
               ? QString()
               : toQt(toJson(m_form->request()).dump(-1, ' ', false, Json::error_handler_t::replace));
}

void TrainPage::restore(const QString& output)
{
    m_session.askInterrupted(output);
}

void TrainPage::takeInterrupted(const TrainRequest& request)
{
    if (m_session.isRunning())
        return;
    RunContext context = m_workspace.context();
    context.model = toQt(request.model.model);
    context.heads = int(request.model.heads);
    context.seed = request.plan.seed;
    if (context != m_workspace.context())
        m_workspace.setContext(context);
    showRequest(request);
}

void TrainPage::askFiles()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder to train on"), m_form->folder());
    if (!folder.isEmpty())
        openFolder(folder);
}

void TrainPage::showForm()
{
    showContents(true);
    m_form->attention()->setFocus();
    arrange();
}

void TrainPage::run()
{
    if (m_session.canResume())
        m_session.resume();
    else
        start();
}

void TrainPage::start()
{
    if (m_session.isRunning())
        return;
    showForm();
    if (m_form->check())
        m_session.start(m_form->request(), m_workspace.settings().threads);
}

void TrainPage::refresh()
{
    using State = TrainSession::State;
    const State state = m_session.state();
    m_form->setRunning(m_session.isRunning(), m_session.canResume());
    m_progress->setVisible(state != State::Idle);
    if (state == State::Idle) {
        const TrainRequest request = m_form->request();
        m_head->setHeadline(request.teacher.empty()
                                ? tr("Train %1 with %2")
                                      .arg(QFileInfo(toQt(request.model.model.empty() ? request.model.weights
                                                                                      : request.model.model))
                                               .completeBaseName(),
                                           toQt(request.attention))
                                : tr("Distil %1 into %2")
                                      .arg(QFileInfo(toQt(request.teacher)).fileName(), toQt(request.attention)),
                            tr("Each epoch writes a self-describing checkpoint; training can be paused between "
                               "any two steps and resumed after any epoch."));
    } else {
        m_head->setHeadline(m_session.headline(), m_session.detail());
    }
    m_copy->setEnabled(!m_form->folder().isEmpty());
    emit changed();
}

void TrainPage::refreshCurves()
{
    const auto& history = m_session.epochs().history();
    const QString backend = backendOf(m_session.settings().attention.empty() ? m_session.request().attention
                                                                             : m_session.settings().attention);
    const bool idle = m_session.state() == TrainSession::State::Idle;
    const auto epochs = double(idle ? m_form->request().plan.epochs : m_session.request().plan.epochs);
    const auto curve = [&](const QString& name, const CurvePoints& points,
                           SeriesLine line = SeriesLine::OfBackend) {
        return curveSeries(name, line == SeriesLine::Level ? toQt(referenceBackend) : backend, tr("epoch"), points,
                           line);
    };
    Chart loss = curveChart(tr("Epochs"), epochs), accuracy = curveChart(tr("Epochs"), epochs, 100);
    loss.series = {
        curve(QString(), m_session.stepLosses().points(), SeriesLine::Faint),
        curve(tr("training"),
              pointsOf(history, [](const EpochRecord& epoch) { return std::optional(epoch.trainingLoss); }),
              SeriesLine::Dashed),
        curve(tr("validation"), pointsOf(history, [](const EpochRecord& epoch) {
                  const ValidationResult* kept = keptValidation(epoch);
                  return kept ? std::optional(kept->loss) : std::nullopt;
              }))};
    CurvePoints reached = pointsOf(history, [](const EpochRecord& epoch) {
        const ValidationResult* kept = keptValidation(epoch);
        return kept ? std::optional(100 * kept->value()) : std::nullopt;
    });
    if (m_session.before())
        reached.x.prepend(0), reached.y.prepend(100 * m_session.before()->student.value());
    accuracy.series.push_back(curve(backend, reached));
    if (m_session.teacher())
        accuracy.series.push_back(
            curve(tr("Teacher"), {{0}, {100 * m_session.teacher()->value()}}, SeriesLine::Level));
    m_loss->setChart(std::move(loss));
    m_accuracy->setChart(std::move(accuracy));
}

bool TrainPage::showsDistillation() const
{
    return m_tables->current() == 1;
}

void TrainPage::refreshTables()
{
    m_distillation->show(distillationTable(m_session.before(), m_session.after(), m_session.teacher()));
    const bool distilled = m_session.before() || m_session.after();
    m_tables->setVisible(distilled);
    QAbstractItemModel* model = distilled && showsDistillation() ? static_cast<QAbstractItemModel*>(m_distillation)
                                                                 : &m_session.epochs();
    if (m_table->model() != model) {
        m_table->setModel(model);
        m_table->setAccessibleName(model == m_distillation ? tr("Before and after distillation") : tr("Epochs"));
    }
    const auto count = m_session.epochs().history().size();
    m_tableHint->setText(model == m_distillation ? tr("on validation samples, compared with the teacher")
                         : count == 0            ? tr("One row per epoch: losses, accuracy, learning rate")
                                                 : tr("newest epoch first"));
    fitColumns();
}

/// As wide as their texts, and evenly over what room there is.
void TrainPage::fitColumns()
{
    const QAbstractItemModel* model = m_table->model();
    if (model == nullptr || !m_table->isVisible())
        return;
    const int columns = model->columnCount();
    const QFontMetrics heading(m_table->horizontalHeader()->font());
    std::vector<int> widths;
    int spare = m_table->viewport()->width();
    for (int column = 0; column < columns; ++column) {
        const int title = heading.horizontalAdvance(model->headerData(column, Qt::Horizontal).toString());
        widths.push_back(std::max(title, static_cast<QAbstractItemView*>(m_table)->sizeHintForColumn(column))
                         + 18);
        spare -= widths.back();
    }
    for (int column = 0; column < columns; ++column)
        m_table->setColumnWidth(column, widths[size_t(column)] + std::max(0, (spare + column) / columns));
}

QLabel* TrainPage::headline() const
{
    return m_head->headline();
}

QString TrainPage::command() const
{
    const bool known = m_session.isRunning() || m_session.canResume();
    return known ? trainCommand(m_session.request(), m_session.threads())
                 : trainCommand(m_form->request(), m_workspace.settings().threads);
}

void TrainPage::take(Content content, const QStringList& paths)
{
    if (content == Content::TrainingState)
        restore(paths.front().chopped(trainingStateSuffix.size()) + u".safetensors"_s);
    else
        openFolder(paths.front());
}

QString TrainPage::dropHint(Content content) const
{
    return content == Content::TrainingState ? tr("Resume this training run")
           : content == Content::Folder      ? tr("Train on this folder")
                                             : QString();
}

/// The checkpoint as weights of all screens, under its attention and the one that it stands for, on a sample where nothing is open.
void TrainPage::compareCheckpoint()
{
    const TrainRequest& request = m_session.request();
    if (const std::string softmax(referenceBackend); request.attention != "native")
        m_workspace.backends().setSpecs(
            request.attention == softmax
                ? std::vector{AttentionSpec::parse(softmax)}
                : std::vector{AttentionSpec::parse(softmax), AttentionSpec::parse(request.attention)});
    m_workspace.useCheckpoint(m_session.checkpoint(), {}, 0);
    QStringList samples;
    if (m_workspace.inputs().empty())
        samples << (m_session.sample().isEmpty() ? m_workspace.demoImage() : m_session.sample());
    samples.removeAll(QString());
    m_workspace.showScreen(u"compare"_s, samples);
    if (samples.isEmpty())
        emit actionRequested(u"run"_s);
    const QString folder = toQt(request.folder);
    emit m_workspace.nextStep(
        tr("One sample is an example; the accuracy of the trained network needs all of them."),
        tr("Evaluate on %1").arg(QFileInfo(folder).fileName()), u"batch"_s, folder);
}

bool TrainPage::tryDemo()
{
    if (m_session.demo().isBuilt() && !m_session.demo().isRunning())
        m_session.demo().start(demoFolder(u"demo-training"_s), 0);
    return m_session.demo().isBuilt();
}

void TrainPage::takeDemo(const QString& folder)
{
    if (m_session.isRunning())
        return;
    showRequest(trainingDemo(folder, m_workspace.demoImage()));
    MessageBar* bar = showMessage(
        MessageBar::Kind::Info,
        tr("Softmax weights lose most of their accuracy with Performer; two epochs of distillation, a minute or "
           "two, recover most of it. Press F5 to start."));
    connect(&m_session, &TrainSession::stateChanged, bar, [this, bar] {
        if (m_session.isRunning())
            bar->deleteLater();
    });
}

void TrainPage::restoreForm(const QString& text)
{
    try {
        const TrainRequest request = trainRequestFromJson(Json::parse(fromQt(text), nullptr, false),
                                                          fromQt(tr("the settings")));
        showRequest(request);
        if (const QString sentence = TrainSession::interruptedSentence(toQt(request.output));
            !sentence.isEmpty() && m_form->request().resume) {
            MessageBar* bar = showMessage(MessageBar::Kind::Info, sentence);
            bar->addAction(tr("Continue training"), [this, bar] {
                bar->deleteLater();
                start();
            });
        }
    } catch (const Error& error) {
        showMessage(MessageBar::Kind::Warning, toQt(error.what()));
    }
}

void TrainPage::arrange()
{
    m_head->setCompact(isCompact());
    m_lower->setMinimumHeight(minTable);
    m_progress->setCompact(isCompact());
    fitColumns();
}

}
