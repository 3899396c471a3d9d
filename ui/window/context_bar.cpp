#include "ui/window/context_bar.h"

#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"
#include "ui/workspace/workspace.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QStandardItemModel>
#include <QWidgetAction>

#include <algorithm>
#include <functional>
#include <utility>

namespace attnscope::ui {

namespace {

const QString openItem = u"\x01open"_s;
const QString furtherItem = u"\x01further"_s;
const QString gpusItem = u"\x01gpus"_s;
const QString embeddingsItem = u"\x01embeddings"_s;
const QString noEmbeddingsItem = u"\x01no embeddings"_s;

/// Under which weights figures come about, with a glyph: never by colour alone.
class WeightsTag : public QWidget {
public:
    using QWidget::QWidget;
    void show(const QString& text, bool good, const QString& tooltip)
    {
        m_text = text;
        m_good = good;
        setToolTip(tooltip);
        setAccessibleName(text);
        setVisible(!text.isEmpty());
        updateGeometry();
        update();
    }
    QString text() const { return m_text; }
    QSize sizeHint() const override
    {
        return {QFontMetrics(fontFor(Type::SmallMedium)).horizontalAdvance(m_text) + 24, 28};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = Theme::of(palette());
        const QColor colour = m_good ? theme.ok : theme.warn;
        drawIcon(painter, m_good ? u"check"_s : u"warn"_s, QRectF(0, height() / 2.0 - 7, 14, 14), colour);
        drawLine(painter, QRectF(18, 0, width() - 18, height()), m_text, fontFor(Type::SmallMedium), colour);
    }

private:
    QString m_text;
    bool m_good = false;
};

/// What a pass costs, in two small lines: whole, or shorter where there is less room.
class ArithmeticNote : public QWidget {
public:
    struct Lines {
        QString upper, lower;  ///< `lower` may be empty
    };
    ArithmeticNote(std::function<void()> chosen, QWidget* parent)
        : QWidget(parent)
        , m_chosen(std::move(chosen))
    {
        setCursor(Qt::PointingHandCursor);
    }
    void show(const Lines& whole, const Lines& brief, const QString& tooltip)
    {
        m_whole = whole;
        m_brief = brief;
        setToolTip(tooltip);
        setAccessibleName(text());
        setBrief(false);
    }
    void setBrief(bool brief)
    {
        m_isBrief = brief;
        updateGeometry();
        update();
    }
    QString text() const
    {
        return m_whole.lower.isEmpty() ? m_whole.upper : m_whole.upper + QLatin1Char('\n') + m_whole.lower;
    }
    QSize sizeHint() const override
    {
        const QFontMetrics metrics(fontFor(Type::Small));
        return {std::max(metrics.horizontalAdvance(lines().upper), metrics.horizontalAdvance(lines().lower)) + 4,
                28};
    }
    QSize minimumSizeHint() const override { return {0, 28}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = Theme::of(palette());
        const QFont font = fontFor(Type::Small);
        const double line = QFontMetricsF(font).height(),
                     top = (height() - (lines().lower.isEmpty() ? 1 : 2) * line) / 2;
        drawLine(painter, QRectF(0, top, width(), line), lines().upper, font, theme.text2);
        drawLine(painter, QRectF(0, top + line, width(), line), lines().lower, font, theme.text3);
    }
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
            m_chosen();
    }

private:
    const Lines& lines() const { return m_isBrief ? m_brief : m_whole; }

    std::function<void()> m_chosen;
    Lines m_whole, m_brief;
    bool m_isBrief = false;
};

QString weightsTitle(const QString& weights)
{
    if (weights == "untrained"_L1)
        return ContextBar::tr("untrained, seed 0");
    if (weights.startsWith("untrained:"_L1))
        return ContextBar::tr("untrained, seed %1").arg(weights.mid(10));
    return QFileInfo(weights).fileName();
}

}

ContextBar::ContextBar(Workspace& workspace, QWidget* parent)
    : QWidget(parent)
    , m_workspace(workspace)
{
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(12, 8, 12, 9);
    m_row->setSpacing(8);
    m_model = new CaptionCombo(tr("Model"), this);
    m_weights = new CaptionCombo(tr("Weights"), this);
    m_device = new CaptionCombo(tr("Device"), this);
    m_dtype = new CaptionCombo(tr("dtype"), this);
    m_dtype->addItems({u"float32"_s, u"bfloat16"_s, u"float16"_s});
    m_seed = new CaptionSpin(tr("Seed"), this);
    m_seed->setRange(0, 999'999'999);
    m_seed->setKeyboardTracking(false);
    m_tag = new WeightsTag(this);
    m_arithmetic = new ArithmeticNote([this] { emit imageSizeRequested(); }, this);
    m_more = new IconButton(u"more"_s, tr("dtype and seed"), this);
    m_moreMenu = new QMenu(this);
    auto* holder = new QWidget(m_moreMenu);
    m_moreLayout = new QVBoxLayout(holder);
    auto* action = new QWidgetAction(m_moreMenu);
    action->setDefaultWidget(holder);
    m_moreMenu->addAction(action);
    m_backends = new ActionButton(QString(), tr("Backends"), ActionButton::Look::Plain, this);
    m_run = new ActionButton(u"run"_s, tr("Run"), ActionButton::Look::Primary, this);
    for (QWidget* part : {static_cast<QWidget*>(m_model), static_cast<QWidget*>(m_weights),
                          static_cast<QWidget*>(m_device), static_cast<QWidget*>(m_dtype),
                          static_cast<QWidget*>(m_seed), static_cast<QWidget*>(m_more), m_tag, m_arithmetic})
        m_row->addWidget(part);
    m_row->addStretch(1);
    m_row->addWidget(m_backends);
    m_row->addWidget(m_run);
    for (CaptionCombo* combo : {m_model, m_weights, m_device, m_dtype})
        connect(combo, &QComboBox::activated, this, &ContextBar::takeFields);
    connect(m_seed, &QSpinBox::valueChanged, this, &ContextBar::takeFields);
    connect(m_more, &IconButton::clicked, this,
            [this] { m_moreMenu->popup(m_more->mapToGlobal(QPoint(0, m_more->height() + 4))); });
    connect(m_backends, &QPushButton::clicked, this, &ContextBar::backendsRequested);
    connect(m_run, &QPushButton::clicked, this,
            [this] { m_stoppable ? emit stopRequested() : emit runRequested(); });
    connect(&workspace, &Workspace::surroundingsChanged, this, &ContextBar::fillFromSurroundings);
    connect(&workspace, &Workspace::contextChanged, this, &ContextBar::showContext);
    connect(&workspace.backends(), &BackendList::selectionChanged, this, &ContextBar::fillWeights);
    connect(&workspace, &Workspace::modelChanged, this, &ContextBar::showTag);
    connect(&workspace, &Workspace::modelChanged, this, &ContextBar::showArithmetic);
    setDensity(Density::Roomy);
    fillWeights();
    showContext();
    showTag();
    showArithmetic();
    showRun();
}

void ContextBar::fillFromSurroundings()
{
    const auto known = m_workspace.surroundings();
    const QScopedValueRollback filling(m_filling, true);
    m_model->clear();
    for (const CatalogueEntry& entry : known->models) {
        m_model->addItem(toQt(entry.name), toQt(entry.name));
        m_model->setItemData(m_model->count() - 1, toQt(entry.title), Qt::ToolTipRole);
    }
    m_device->clear();
    for (const DeviceInfo& device : known->devices) {
        const QString name = toQt(device.name);
        const QString text = device.name == "cpu"
                                 ? (known->threads == 1 ? tr("CPU, 1 thread")
                                                        : tr("CPU, %1 threads").arg(known->threads))
                                 : name;
        m_device->addItem(text, name);
        const int row = m_device->count() - 1;
        m_device->setItemData(row, toQt(device.available ? device.description : device.reason), Qt::ToolTipRole);
        if (!device.available)
            if (auto* items = qobject_cast<QStandardItemModel*>(m_device->model()))
                items->item(row)->setEnabled(false);
    }
    m_device->addItem(tr("GPUs…"), gpusItem);
    m_device->setItemData(m_device->count() - 1,
                          tr("Which GPUs can be used, what is missing, and its installation"), Qt::ToolTipRole);
    showContext();
}

void ContextBar::fillWeights()
{
    const QScopedValueRollback filling(m_filling, true);
    const QString now = m_workspace.context().weights;
    if (m_weights->findData(u"untrained"_s) < 0)
        m_weights->addItem(weightsTitle(u"untrained"_s), u"untrained"_s);
    if (m_weights->findData(now) < 0)
        m_weights->insertItem(1, weightsTitle(now), now);
    for (int row = m_weights->count() - 1; row >= 0; --row)
        if (const QVariant item = m_weights->itemData(row);
            item.typeId() == QMetaType::Int
            || QStringList{openItem, furtherItem, embeddingsItem, noEmbeddingsItem}.contains(item.toString()))
            m_weights->removeItem(row);
    const QString classes = m_workspace.context().classEmbeddings;
    m_weights->addItem(tr("Open a checkpoint…"), openItem);
    m_weights->addItem(tr("Add a checkpoint…"), furtherItem);
    const QStringList networks = m_workspace.backends().networks();
    for (int network = 2; network <= int(networks.size()); ++network)
        m_weights->addItem(tr("Without %1").arg(networks[network - 1]), network);
    m_weights->addItem(tr("Open class embeddings…"), embeddingsItem);
    if (!classes.isEmpty())
        m_weights->addItem(tr("Without class embeddings"), noEmbeddingsItem);
    m_weights->setCurrentIndex(m_weights->findData(now));
    m_weights->setToolTip(classes.isEmpty() ? now : tr("%1\nclasses of %2").arg(now, classes));
}

void ContextBar::showContext()
{
    const QScopedValueRollback filling(m_filling, true);
    const RunContext& context = m_workspace.context();
    fillWeights();
    if (context.model.isEmpty() && m_model->findData(QString()) < 0)
        m_model->insertItem(0, tr("From the checkpoint"), QString());
    const int model = m_model->findData(context.model);
    if (model >= 0)
        m_model->setCurrentIndex(model);
    else if (!context.model.isEmpty()) {
        m_model->addItem(QFileInfo(context.model).fileName(), context.model);
        m_model->setCurrentIndex(m_model->count() - 1);
    }
    // "auto" stands for the first GPU, else the processor: show what it comes to.
    int device = m_device->findData(context.device);
    if (const DeviceInfo* shown = m_workspace.device(); device < 0 && shown != nullptr)
        device = m_device->findData(toQt(shown->name));
    m_device->setCurrentIndex(device);
    m_dtype->setCurrentText(context.dtype);
    m_seed->setValue(int(context.seed));
}

void ContextBar::takeFields()
{
    if (m_filling)
        return;
    if (m_weights->currentData() == openItem) {
        fillWeights();
        emit checkpointRequested();
        return;
    }
    if (m_weights->currentData() == furtherItem) {
        fillWeights();
        emit furtherCheckpointRequested();
        return;
    }
    if (m_device->currentData() == gpusItem) {
        showContext();
        emit gpusRequested();
        return;
    }
    if (const QVariant network = m_weights->currentData(); network.typeId() == QMetaType::Int) {
        m_workspace.backends().removeCheckpoint(network.toInt());
        return;
    }
    RunContext context = m_workspace.context();
    if (m_weights->currentData() == embeddingsItem) {
        fillWeights();
        emit classEmbeddingsRequested();
        return;
    }
    if (m_weights->currentData() == noEmbeddingsItem) {
        context.classEmbeddings.clear();
        m_workspace.setContext(context);
        return;
    }
    if (sender() == m_model || sender() == m_weights) {  // of another network
        context.classEmbeddings.clear();
        context.imageSize = {};
    }
    context.model = m_model->currentData().toString();
    if (!context.model.isEmpty())
        context.heads = 0;
    context.weights = m_weights->currentData().toString();
    if (m_device->currentIndex() >= 0 && sender() == m_device)
        context.device = m_device->currentData().toString();
    context.dtype = m_dtype->currentText();
    context.seed = quint64(m_seed->value());
    m_workspace.setContext(context);
}

void ContextBar::showTag()
{
    auto* tag = static_cast<WeightsTag*>(m_tag);
    const auto model = m_workspace.model();
    if (!model || m_fields == Fields::WithoutWeights) {
        tag->show({}, false, {});
        return;
    }
    const ModelSummary& summary = model->summary;
    QStringList notes{toQt(summary.weightsSource)};
    for (const std::string& note : lines(summary.load))
        notes << toQt(note);
    if (summary.weights == WeightsKind::Untrained)
        tag->show(tr("untrained"), false, tr("Random weights; costs are meaningful, predictions are not."));
    else
        tag->show(tr("trained with %1").arg(toQt(summary.nativeAttention)), true, notes.join(QLatin1Char('\n')));
}

QString ContextBar::arithmetic() const
{
    return static_cast<const ArithmeticNote*>(m_arithmetic)->text();
}

void ContextBar::showArithmetic()
{
    auto* note = static_cast<ArithmeticNote*>(m_arithmetic);
    const auto model = m_workspace.model();
    if (!model || model->summary.input.size() < 3) {
        note->show({}, {}, {});
        fitArithmetic();
        return;
    }
    const ModelSummary& summary = model->summary;
    QStringList sides;
    if (summary.input.size() == 4)
        sides << QString::number(summary.input[1]);  // frames of a clip
    sides << QString::number(summary.input.back()) << QString::number(summary.input[summary.input.size() - 2]);
    const QString size = tr("%1 · %2 tokens").arg(sides.join(u"×"_s), countText(summary.tokens));
    ArithmeticNote::Lines brief{tr("%1 tokens").arg(countText(summary.tokens)), {}};
    QString fraction, tooltip;
    if (model->arithmetic) {
        const QString part = toQt(formatPercentage(model->arithmetic->fraction())),
                      gain = toQt(model->arithmetic->gainText());
        fraction = tr("attention %1 · ≤ %2").arg(part, gain);
        brief.lower = tr("at most %1 faster").arg(gain);
        tooltip = tr("Attention is %1 of the multiply-adds of a pass with the model's own attention, without the "
                     "projections around it. Another "
                     "attention makes a pass at most %2 as fast, as far as time follows arithmetic.")
                      .arg(part, gain);
    }
    const QString offer = tr("Click to choose another image size.");
    note->show({size, fraction}, brief, tooltip.isEmpty() ? offer : tooltip + QLatin1Char('\n') + offer);
    m_model->setToolTip(tooltip.isEmpty() ? size : size + QLatin1Char('\n') + tooltip);
    fitArithmetic();
}

/// Whole, shorter, or in the model's tool tip alone, as there is room.
void ContextBar::fitArithmetic()
{
    auto* note = static_cast<ArithmeticNote*>(m_arithmetic);
    const QMargins margins = m_row->contentsMargins();
    int others = margins.left() + margins.right();
    for (int i = 0; i < m_row->count(); ++i)
        if (const QWidget* part = m_row->itemAt(i)->widget(); part != nullptr && part != note && !part->isHidden())
            others += part->sizeHint().width() + m_row->spacing();
    const auto fits = [&](bool brief) {
        note->setBrief(brief);
        return others + note->sizeHint().width() <= width();
    };
    note->setVisible(!arithmetic().isEmpty() && m_fields == Fields::All && (fits(false) || fits(true)));
}

void ContextBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitArithmetic();
}

void ContextBar::setRunnable(bool runnable)
{
    m_runnable = runnable;
    showRun();
}

void ContextBar::setStoppable(bool stoppable)
{
    m_stoppable = stoppable;
    showRun();
}

void ContextBar::setPrimary(bool primary)
{
    m_primary = primary;
    showRun();
}

void ContextBar::showRun()
{
    const bool busy = m_stoppable;
    m_run->setText(busy ? tr("Stop") : tr("Run"));
    m_run->setAccessibleName(m_run->text());
    m_run->setIconName(busy ? u"stop"_s : u"run"_s);
    m_run->setHint(busy ? tr("Esc") : u"F5"_s);
    m_run->setLook(busy || !m_primary ? ActionButton::Look::Plain : ActionButton::Look::Primary);
    m_run->setEnabled(busy || m_runnable);
}

void ContextBar::setFields(Fields fields)
{
    m_fields = fields;
    setDensity(m_density);
    showTag();
}

void ContextBar::setBackendCount(int count)
{
    m_backends->setText(tr("Backends %1").arg(count));
}

void ContextBar::setDensity(Density density)
{
    m_density = density;
    const bool compact = density == Density::Compact;
    for (CaptionCombo* combo : {m_model, m_weights, m_device})
        combo->setCaptions(compact ? CaptionCombo::Captions::Dropped : CaptionCombo::Captions::Shown);
    m_backends->setVisible(compact);
    m_more->setVisible(compact);
    if (compact && m_moreLayout->indexOf(m_dtype) < 0) {
        m_moreLayout->addWidget(m_dtype);
        m_moreLayout->addWidget(m_seed);
    } else if (!compact && m_row->indexOf(m_dtype) < 0) {
        m_row->insertWidget(3, m_dtype);
        m_row->insertWidget(4, m_seed);
    }
    m_weights->setVisible(m_fields == Fields::All);
    m_dtype->setVisible(m_fields == Fields::All);
    m_seed->show();
    fitArithmetic();
}

void ContextBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.surface);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line);
}

}
