#include "ui/train/train_form.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/train/train_more.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/attention_choice.h"
#include "ui/workspace/settings.h"

#include "core/attention/attention_spec.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

namespace attnscope::ui {

namespace {

const QString contextItem = u"\x01"
                            "context"_s;
const QString openTeacherItem = u"\x01"
                                "open"_s;
const QString untrained = u"untrained"_s;

QString fileName(const std::string& path)
{
    return QFileInfo(toQt(path)).fileName();
}

bool isUntrained(const std::string& weights)
{
    return weights.empty() || weights.starts_with("untrained");
}

/// The item for a checkpoint, made where there is none yet; the only other one is the last.
void chooseItem(QComboBox& box, const QString& item, const QString& path)
{
    if (box.findData(item) < 0)
        box.insertItem(box.count() - 1, QFileInfo(path).fileName(), item);
    box.setCurrentIndex(box.findData(item));
    box.setToolTip(item == path ? path : QString());
}

/// What an existing output is to become.
enum class Existing { Refuse, Continue, Replace };

}

TrainForm::TrainForm(QWidget* parent)
    : QFrame(parent)
{
    setProperty("card", true);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(1, 4, 1, 12);
    whole->setSpacing(0);
    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_inner = new QWidget(m_scroll);
    m_inner->setBackgroundRole(QPalette::Base);
    m_inner->setAutoFillBackground(true);
    m_column = new QVBoxLayout(m_inner);
    m_column->setContentsMargins(13, 8, 13, 10);
    m_column->setSpacing(14);
    buildData();
    buildNetwork();
    buildSchedule();
    buildOutput();
    m_column->addStretch(1);
    m_scroll->setWidget(m_inner);
    m_scroll->viewport()->setBackgroundRole(QPalette::Base);
    whole->addWidget(m_scroll, 1);
    m_go = new ActionButton(u"run"_s, tr("Start training"), ActionButton::Look::Primary, this);
    m_go->setHint(u"F5"_s);
    m_go->setHeight(36);
    auto* foot = new QVBoxLayout;
    foot->setContentsMargins(12, 10, 12, 0);
    auto* rule = new QFrame(this);
    rule->setFixedHeight(1);
    rule->setAutoFillBackground(true);
    rule->setBackgroundRole(QPalette::Shadow);
    whole->addWidget(rule);
    foot->addWidget(m_go);
    whole->addLayout(foot);
    connect(m_go, &QPushButton::clicked, this, &TrainForm::startRequested);
    for (QWidget* field : m_inner->findChildren<QWidget*>())
        if (field->focusPolicy() & Qt::TabFocus)
            field->installEventFilter(this);
    takeStart();
}

/// A field that the keyboard reaches is scrolled to.
bool TrainForm::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn)
        reveal(static_cast<QWidget*>(watched));
    return QFrame::eventFilter(watched, event);
}

void TrainForm::reveal(QWidget* field)
{
    m_scroll->ensureWidgetVisible(field, 0, 24);
    m_scroll->horizontalScrollBar()->setValue(0);
}

QVBoxLayout* TrainForm::section(const QString& title)
{
    auto* column = new QVBoxLayout;
    column->setSpacing(6);
    auto* label = new QLabel(title, m_inner);
    label->setFont(fontFor(Type::BodyStrong));
    column->addWidget(label);
    m_column->addLayout(column);
    return column;
}

FieldRow* TrainForm::add(TrainField field, QVBoxLayout* column, const QString& label, QWidget* widget,
                         const QString& help)
{
    auto* row = new FieldRow(label, widget, help, m_inner);
    column->addWidget(row);
    m_rows[field] = row;
    return row;
}

void TrainForm::buildData()
{
    m_folder = new PathField(PathField::Kind::Folder, tr("Data folder"), {}, m_inner);
    m_folder->edit()->setPlaceholderText(tr("Drop a folder here"));
    add(TrainField::Folder, section(tr("Data")), tr("Folder"), m_folder,
        tr("With the folders train and val, each with one subfolder per class; or class folders only."));
    connect(m_folder, &PathField::pathChanged, this, [this] {
        m_samples = 0;
        m_rows.at(TrainField::Folder)->setHint({});
        touched();
        emit dataChanged();
    });
}

void TrainForm::buildNetwork()
{
    QVBoxLayout* column = section(tr("Network"));
    m_model = new ElidedLabel(m_inner);
    m_model->setFont(fontFor(Type::BodyMedium));
    m_model->setMinimumHeight(28);
    column->addWidget(
        new FieldRow(tr("Model"), m_model, tr("Selected in the bar above, for all screens."), m_inner));
    m_start = new QComboBox(m_inner);
    guardWheel(m_start);
    m_start->addItem(tr("Random weights"), untrained);
    m_start->addItem(tr("Other checkpoint…"), openTeacherItem);
    add(TrainField::Start, column, tr("Start from"), m_start, tr("The weights that training starts from."));
    m_attention = new AttentionChoice(m_inner);
    add(TrainField::Attention, column, tr("Attention"), m_attention,
        tr("The attention that the weights are trained for."));
    m_teacher = new QComboBox(m_inner);
    guardWheel(m_teacher);
    m_teacher->addItem(tr("None"), QString());
    m_teacher->addItem(tr("Other checkpoint…"), openTeacherItem);
    add(TrainField::Teacher, column, tr("Teacher"), m_teacher,
        tr("A checkpoint whose attention outputs and predictions are distilled; usually the softmax model "
           "itself."));
    connect(m_start, &QComboBox::activated, this, [this] {
        if (m_start->currentData() == openTeacherItem)
            askCheckpoint(m_start, tr("Checkpoint to start from"), m_startIndex);
        takeStart();
    });
    connect(m_teacher, &QComboBox::activated, this, [this] {
        if (m_teacher->currentData() == openTeacherItem)
            askCheckpoint(m_teacher, tr("Teacher"), m_teacherIndex);
        takeTeacher();
    });
    connect(m_attention, &AttentionChoice::changed, this, [this] {
        suggestOutput();
        touched();
    });
}

void TrainForm::buildSchedule()
{
    QVBoxLayout* column = section(tr("Schedule"));
    m_epochs = newCountField(m_inner, 1, 100'000);
    m_batch = newCountField(m_inner, 1, 65'536);
    m_rate = newRealField(m_inner, 0, 10, 1e-4);
    m_warmup = newRealField(m_inner, 0, 100'000, 1);
    for (QWidget* field : std::initializer_list<QWidget*>{m_epochs, m_batch, m_rate, m_warmup})
        guardWheel(field);
    add(TrainField::Epochs, column, tr("Epochs"), m_epochs, tr("Number of passes over the training set."));
    add(TrainField::Batch, column, tr("Batch size"), m_batch, tr("Number of samples per step."));
    add(TrainField::Rate, column, tr("Learning rate"), m_rate,
        tr("Peak learning rate; the schedule is a linear warm-up followed by cosine decay."));
    add(TrainField::Warmup, column, tr("Warm-up"), m_warmup,
        tr("Number of epochs in which the learning rate rises from 0."));
    m_batch->setValue(int(TrainingPlan().batch));
    m_moreLink = new LinkButton(tr("More"), m_inner);
    m_moreLink->setAccessibleName(tr("More training settings"));
    m_more = new TrainMore(m_inner);
    m_more->hide();
    column->addWidget(m_moreLink, 0, Qt::AlignLeft);
    column->addWidget(m_more);
    connect(m_moreLink, &LinkButton::clicked, this, [this] {
        m_more->setVisible(m_more->isHidden());
        m_moreLink->setText(m_more->isHidden() ? tr("More") : tr("Less"));
    });
    const auto own = [this](bool& flag) {
        return [this, &flag] {
            flag = flag || !m_filling;
            touched();
        };
    };
    connect(m_epochs, &QSpinBox::valueChanged, this, own(m_ownEpochs));
    connect(m_rate, &QDoubleSpinBox::valueChanged, this, own(m_ownRate));
    connect(m_warmup, &QDoubleSpinBox::valueChanged, this, own(m_ownWarmup));
    connect(m_batch, &QSpinBox::valueChanged, this, &TrainForm::touched);
    connect(m_more, &TrainMore::changed, this, &TrainForm::touched);
    connect(m_more, &TrainMore::dataChanged, this, [this] {
        touched();
        emit dataChanged();
    });
}

void TrainForm::buildOutput()
{
    QVBoxLayout* column = section(tr("Result"));
    m_output = new PathField(PathField::Kind::SaveFile, tr("Trained weights"), tr("Checkpoints (*.safetensors)"),
                             m_inner);
    add(TrainField::Output, column, tr("Save to"), m_output,
        tr("The weights after each epoch; next to it, the best weights, the data needed to resume, and the "
           "history."));
    m_existing = new QComboBox(m_inner);
    guardWheel(m_existing);
    m_existingRow = new FieldRow(tr("If the file exists"), m_existing, tr("What to do with the existing file."),
                                 m_inner);
    column->addWidget(m_existingRow);
    m_existingRow->hide();
    m_restore = new LinkButton(tr("Restore training settings"), m_inner);
    m_restore->setAccessibleName(
        tr("Fill in the form with the settings of the training run saved next to this file"));
    m_restore->setToolTip(tr("Resuming needs the same data, attention, teacher and schedule"));
    column->addWidget(m_restore, 0, Qt::AlignLeft);
    m_restore->hide();
    connect(m_restore, &QPushButton::clicked, this, [this] { emit restoreRequested(m_output->path()); });
    connect(m_output, &PathField::pathChanged, this, [this] {
        refreshOutput();
        touched();
    });
    connect(m_existing, &QComboBox::activated, this, &TrainForm::touched);
}

void TrainForm::setContext(const RunContext& context, const ModelRequest& model)
{
    m_context = context;
    m_modelRequest = model;
    m_model->setText(context.model.isEmpty() ? tr("From the checkpoint") : QFileInfo(context.model).fileName());
    m_model->setToolTip(context.model);
    const bool had = m_start->findData(contextItem) >= 0, has = !isUntrained(model.weights);
    if (had && !has) {
        m_start->removeItem(m_start->findData(contextItem));
        const int taught = m_teacher->findData(contextItem);
        if (m_teacher->currentIndex() == taught)
            m_teacher->setCurrentIndex(0);
        m_teacher->removeItem(taught);
    } else if (has && !had) {
        m_start->insertItem(0, QString(), contextItem);
        m_start->setCurrentIndex(0);
        m_teacher->insertItem(1, QString(), contextItem);
    }
    if (has) {
        m_start->setItemText(m_start->findData(contextItem), fileName(model.weights));
        m_teacher->setItemText(m_teacher->findData(contextItem), fileName(model.weights));
    }
    takeStart();
    takeTeacher();
}

void TrainForm::askCheckpoint(QComboBox* box, const QString& title, int previous)
{
    const QString path = QFileDialog::getOpenFileName(
        this, title, {}, tr("Checkpoints (*.safetensors *.pth *.pt *.bin);;All files (*)"));
    if (path.isEmpty()) {
        box->setCurrentIndex(previous);
        return;
    }
    chooseItem(*box, path, path);
}

std::string TrainForm::startWeights() const
{
    const QString chosen = m_start->currentData().toString();
    if (chosen == contextItem)
        return m_modelRequest.weights;
    if (chosen == untrained)
        return m_context.seed == 0 ? "untrained" : "untrained:" + std::to_string(m_context.seed);
    return fromQt(chosen);
}

void TrainForm::takeStart()
{
    m_startIndex = m_start->currentIndex();
    const TrainingPlan usual = defaultPlan(isUntrained(startWeights()));
    {
        const QScopedValueRollback filling(m_filling, true);
        if (!m_ownEpochs)
            m_epochs->setValue(int(usual.epochs));
        if (!m_ownRate)
            m_rate->setValue(usual.optimizer.learningRate);
        if (!m_ownWarmup)
            m_warmup->setValue(usual.optimizer.warmupEpochs);
    }
    suggestOutput();
    touched();
}

void TrainForm::takeTeacher()
{
    m_teacherIndex = m_teacher->currentIndex();
    m_more->setTaught(!m_teacher->currentData().toString().isEmpty());
    touched();
}

/// A name that is free, for as long as no other is typed.
void TrainForm::suggestOutput()
{
    if (m_output->path() != m_suggested)
        return;
    const QString model = m_context.model.isEmpty() ? QFileInfo(toQt(startWeights())).completeBaseName()
                                                    : QFileInfo(m_context.model).completeBaseName();
    QString backend = m_attention->spec().section(QLatin1Char(';'), 0, 0).section(QLatin1Char(':'), 0, 0);
    QDir().mkpath(weightsFolder());  // ours, and trainings do not make folders
    const QString stem = weightsFolder() + QLatin1Char('/') + model + QLatin1Char('-') + backend;
    QString path = stem + u".safetensors"_s;
    for (int i = 2; QFileInfo::exists(path); ++i)
        path = u"%1-%2.safetensors"_s.arg(stem).arg(i);
    m_suggested = path;
    m_output->setPath(path);
}

void TrainForm::refreshOutput()
{
    const bool exists = QFileInfo(m_output->path()).isFile();
    m_existing->clear();
    if (exists && QFileInfo::exists(resumeFile(m_output->path())))
        m_existing->addItem(tr("Resume training"), int(Existing::Continue));
    m_existing->addItem(tr("Keep it"), int(Existing::Refuse));
    m_existing->setItemData(m_existing->count() - 1, tr("Choose another name for the new one."), Qt::ToolTipRole);
    m_existing->addItem(tr("Replace it"), int(Existing::Replace));
    m_existingRow->setVisible(exists);
    m_restore->setVisible(QFileInfo::exists(resumeFile(m_output->path())));
}

TrainRequest TrainForm::request() const
{
    TrainRequest request;
    request.folder = fromQt(folder());
    request.model = m_modelRequest;
    request.model.weights = startWeights();
    request.model.dtype = "float32";  // weights are trained in; bfloat16 inside layers is an option of its own
    request.attention = fromQt(m_attention->spec());
    const QString teacher = m_teacher->currentData().toString();
    request.teacher = teacher == contextItem ? m_modelRequest.weights : fromQt(teacher);
    request.output = fromQt(m_output->path());
    m_more->fill(request);
    request.plan.epochs = m_epochs->value();
    request.plan.batch = m_batch->value();
    request.plan.optimizer.learningRate = m_rate->value();
    request.plan.optimizer.warmupEpochs = m_warmup->value();
    request.plan.seed = m_context.seed;
    if (QFileInfo(m_output->path()).isFile()) {
        const auto existing = static_cast<Existing>(m_existing->currentData().toInt());
        request.resume = existing == Existing::Continue;
        request.overwrite = existing == Existing::Replace;
    }
    return request;
}

/// The item for these weights, made where there is none yet.
void TrainForm::chooseCheckpoint(QComboBox* box, const std::string& weights, const QString& none)
{
    const bool context = weights == m_modelRequest.weights && box->findData(contextItem) >= 0;
    chooseItem(*box, isUntrained(weights) ? none : context ? contextItem : toQt(weights), toQt(weights));
}

void TrainForm::setRequest(const TrainRequest& request)
{
    m_ownEpochs = m_ownRate = m_ownWarmup = true;
    chooseCheckpoint(m_start, request.model.weights, untrained);
    takeStart();
    if (request.attention != "native")
        m_attention->setSpec(toQt(request.attention));
    chooseCheckpoint(m_teacher, request.teacher, QString());
    takeTeacher();
    m_more->showRequest(request);
    m_epochs->setValue(int(request.plan.epochs));
    m_batch->setValue(int(request.plan.batch));
    m_rate->setValue(request.plan.optimizer.learningRate);
    m_warmup->setValue(request.plan.optimizer.warmupEpochs);
    if (!request.output.empty())
        m_output->setPath(toQt(request.output));
    refreshOutput();
    setFolder(toQt(request.folder));
    touched();
}

void TrainForm::showFolder(const DataFolder& folder)
{
    m_samples = folder.training;
    const QString kind = folder.video ? tr("videos") : tr("images");
    const QString layout = folder.layout == "imagenet"   ? tr("ImageNet folders")
                           : folder.layout == "kinetics" ? tr("Kinetics folders")
                                                         : tr("Lists");
    QString words = tr("%1: %2 classes, %3 training %4, ")
                        .arg(layout)
                        .arg(folder.classes)
                        .arg(countText(folder.training), kind);
    words += folder.validation > 0 ? tr("%1 for validation.").arg(countText(folder.validation))
                                   : tr("none for validation.");
    for (const std::string& note : folder.notes)
        words += QLatin1Char(' ') + toQt(note);
    m_rows.at(TrainField::Folder)->setHint(words);
    m_rows.at(TrainField::Folder)->setProblem({});
    touched();
}

void TrainForm::refuseFolder(const QString& sentence)
{
    m_samples = 0;
    m_rows.at(TrainField::Folder)->setHint({});
    m_rows.at(TrainField::Folder)->setProblem(sentence);
}

FieldRow* TrainForm::row(TrainField field) const
{
    const auto found = m_rows.find(field);
    return found != m_rows.end() ? found->second : m_more->row(field);
}

/// Once checked, sentences come and go as the fields change.
void TrainForm::touched()
{
    if (m_go == nullptr)
        return;  // still being built
    if (m_checked) {
        for (const auto& [field, row] : m_rows)
            row->setProblem({});
        for (const TrainField field : {TrainField::FinalRate, TrainField::Crop, TrainField::Weights})
            m_more->row(field)->setProblem({});
        for (const TrainProblem& problem : problemsOf(request(), m_samples))
            if (FieldRow* place = row(problem.field); place != nullptr && place->problem().isEmpty())
                place->setProblem(problem.sentence);
    }
    emit changed();
}

bool TrainForm::check()
{
    m_checked = true;
    touched();
    const std::vector<TrainProblem> problems = problemsOf(request(), m_samples);
    if (!m_attention->problem().isEmpty()) {
        m_attention->text()->setFocus();
        return false;
    }
    if (problems.empty())
        return true;
    FieldRow* first = row(problems.front().field);
    if (first == m_more->row(problems.front().field)) {
        m_more->show();
        m_moreLink->setText(tr("Less"));
    }
    first->field()->setFocus(Qt::ShortcutFocusReason);
    QTimer::singleShot(0, m_scroll, [this, first] { reveal(first); });
    return false;
}

void TrainForm::setRunning(bool running, bool resumable)
{
    m_go->setLook(running || resumable ? ActionButton::Look::Plain : ActionButton::Look::Primary);
    m_go->setHint(resumable ? QString() : u"F5"_s);
    if (running == m_running)
        return;
    m_running = running;
    m_inner->setEnabled(!running);
    m_go->setEnabled(!running);
    if (!running)
        refreshOutput();
}

}
