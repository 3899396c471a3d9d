#include "ui/compare/views_panel.h"

#include "ui/compare/compare_session.h"
#include "ui/compare/frame_strip.h"
#include "ui/compare/table/run_table_model.h"
#include "ui/compare/table/views_model.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"

#include <QBoxLayout>
#include <QEvent>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>

#include <algorithm>

namespace attnscope::ui {

namespace {

/// Inputs whose frames are kept: some 6 MB each at 10×3 views.
constexpr size_t keptInputs = 8;

void paintViewName(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    drawMark(painter, index.data(ViewsModel::BackendRole).toString(), {cell.left() + 10, cell.center().y()}, 10,
             theme);
    drawLine(painter, cell.adjusted(22, 0, -4, 0), index.data().toString(), fontFor(Type::BodyMedium), theme.text);
}

void paintViewMean(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QVariant probability = index.data(ViewsModel::FractionRole);
    if (probability.isValid()) {
        const QString backend = index.data(ViewsModel::BackendRole).toString();
        const double width = std::max(2.0, (cell.width() - 8) * std::clamp(probability.toDouble(), 0.0, 1.0));
        painter.fillRect(QRectF(cell.left() + 2, cell.top() + 3, width, cell.height() - 6), theme.bar(backend));
        painter.fillRect(QRectF(cell.left() + 2, cell.top() + 3, 2, cell.height() - 6), theme.backend(backend));
    }
    drawLine(painter, cell.adjusted(9, 0, -6, 0), index.data().toString(), fontFor(Type::BodyMedium),
             probability.isValid() ? theme.text : theme.text3);
}

void paintView(QPainter& painter, const QRectF& cell, const QModelIndex& index, const Theme& theme)
{
    const QVariant probability = index.data(ViewsModel::FractionRole);
    const QRectF track = cell.adjusted(1, 2, -1, -1);
    painter.fillRect(track, theme.sunken);
    if (!probability.isValid())
        return;
    const QString backend = index.data(ViewsModel::BackendRole).toString();
    const double height = std::max(2.0, track.height() * std::clamp(probability.toDouble(), 0.0, 1.0));
    const QRectF bar(track.left(), track.bottom() - height, track.width(), height);
    painter.fillRect(bar, theme.bar(backend));
    painter.fillRect(QRectF(bar.left(), bar.top(), bar.width(), 2), theme.backend(backend));
    const bool differs = index.data(ViewsModel::DiffersRole).toBool();
    const QString figure = index.data().toString();
    const QFont font = fontFor(Type::Small);
    const bool roomy = cell.width() >= numberWidth(font, figure) + (differs ? 18 : 6);
    if (roomy)
        drawLine(painter, cell.adjusted(differs ? 14 : 0, 0, 0, 0), figure, font, theme.text, Qt::AlignHCenter);
    if (differs)
        drawLine(painter, roomy ? cell.adjusted(3, 0, 0, 0) : cell, u"≠"_s, fontFor(Type::BodyStrong), theme.warn,
                 roomy ? Qt::AlignLeft : Qt::AlignHCenter);
}

int viewRowHeight()
{
    return std::max(26, QFontMetrics(fontFor(Type::Body)).height() + 9);
}

/// Cells of a ViewsModel: a bar as high as the probability, in the backend's colour, so that a row reads as a curve over the views;
/// ≠ where the view's own first class is another.
class ViewDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {40, viewRowHeight()};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = Theme::of(option.palette);
        const QRectF cell = option.rect;
        painter->save();
        painter->setClipRect(cell);
        if (index.column() == ViewsModel::NameColumn)
            paintViewName(*painter, cell, index, theme);
        else if (index.column() == ViewsModel::MeanColumn)
            paintViewMean(*painter, cell, index, theme);
        else
            paintView(*painter, cell, index, theme);
        if (option.state.testFlag(QStyle::State_Selected) && index.column() >= ViewsModel::FirstView) {
            painter->setPen(QPen(theme.text, 1));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(cell.adjusted(0.5, 1.5, -0.5, -0.5));
        }
        painter->restore();
    }
};

}

ViewsPanel::ViewsPanel(CompareSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_runs(session.runs())
    , m_model(new ViewsModel(m_runs, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    m_title = new ElidedLabel(this);
    m_title->setForegroundRole(QPalette::PlaceholderText);
    m_title->setFont(fontFor(Type::Small));
    m_title->setElideMode(Qt::ElideRight);
    m_grids = new CaptionCombo(tr("Views"), this);
    m_grids->setAccessibleName(tr("Temporal clips times spatial crops"));
    m_grids->setToolTip(tr("Temporal clips × spatial crops; published Kinetics-400 accuracies use 10×3"));
    m_grids->addItems({u"1x1"_s, u"1x3"_s, u"3x1"_s, u"5x1"_s, u"10x1"_s, u"10x3"_s});
    head->addWidget(m_title, 1);
    head->addWidget(m_grids);
    column->addLayout(head);
    m_strip = new FrameStrip(this);
    m_strip->setFixedHeight(m_strip->sizeHint().height());
    column->addWidget(m_strip);
    m_table = new QTableView(this);
    connectTable();
    column->addWidget(m_table, 1);
    Workspace& workspace = session.workspace();
    m_grids->setCurrentText(workspace.context().views);
    connect(m_grids, &QComboBox::textActivated, this, [this, &workspace](const QString& grid) {
        RunContext context = workspace.context();
        context.views = grid;
        workspace.setContext(context);
        m_session.run();
    });
    connect(&workspace, &Workspace::contextChanged, this,
            [this, &workspace] { m_grids->setCurrentText(workspace.context().views); });
    connect(&session, &CompareSession::viewFramesReady, this, &ViewsPanel::takeFrames);
    connect(&workspace, &Workspace::inputsReplaced, this, [this] { m_frames.clear(); });
    connect(m_model, &QAbstractItemModel::modelReset, this, &ViewsPanel::refresh);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &ViewsPanel::refreshFrames);
    refresh();
}

void ViewsPanel::connectTable()
{
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ViewDelegate(m_table));
    plainTable(*m_table, tr("Prediction of each view"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->viewport()->installEventFilter(this);
    QHeaderView* top = m_table->horizontalHeader();
    top->setSectionResizeMode(QHeaderView::Fixed);
    top->setMinimumSectionSize(14);
    top->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    top->setAccessibleName(tr("Views"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (now.column() < ViewsModel::FirstView)
            return;
        m_view = now.column() - ViewsModel::FirstView;
        refreshFrames();
    });
}

bool ViewsPanel::any() const
{
    return m_any;
}

int ViewsPanel::chosenView() const
{
    return m_view >= 0 && m_view < m_model->views() ? m_view : m_model->measuredView();
}

void ViewsPanel::takeFrames(int input, int view, const QVector<QImage>& frames)
{
    m_frames[input][view] = frames;
    while (m_frames.size() > keptInputs)
        m_frames.erase(m_frames.begin()->first == m_runs.currentInput() ? std::next(m_frames.begin())
                                                                        : m_frames.begin());
    if (input == m_runs.currentInput() && view == chosenView())
        refreshFrames();
}

void ViewsPanel::refresh()
{
    m_view = -1;
    m_grids->setCurrentText(m_session.workspace().context().views);
    fitColumns();
    refreshFrames();
    if (m_any == m_model->any())
        return;
    m_any = m_model->any();
    emit anyChanged();
}

void ViewsPanel::refreshFrames()
{
    const QString title = m_model->title(chosenView());
    const InputRecord input = m_runs.inputRecord(m_runs.currentInput());
    QString words = title;
    if (chosenView() == m_model->measuredView() && m_model->views() > 1)
        words += tr(" · time, memory and error are measured on this view");
    if (!input.sampling.empty())
        words += u" · "_s + toQt(input.sampling);
    m_title->setText(words);
    m_title->setToolTip(words);
    const auto known = m_frames.find(m_runs.currentInput());
    QVector<QImage> frames;
    if (known != m_frames.end())
        if (const auto found = known->second.find(chosenView()); found != known->second.end())
            frames = found->second;
    m_strip->show(frames, title,
                  m_runs.isRunning() ? tr("Frames appear once the view has been decoded.")
                                     : tr("Run the comparison again to see the frames of this view."));
}

/// Names as wide as they need, views of 14 to 72 pixels, means what is left; below that it scrolls.
void ViewsPanel::fitColumns()
{
    if (!m_model->any())
        return;
    QHeaderView* top = m_table->horizontalHeader();
    int names = 90;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QString name = m_model->index(row, ViewsModel::NameColumn).data().toString();
        names = std::max(names, QFontMetrics(fontFor(Type::BodyMedium)).horizontalAdvance(name) + 32);
        m_table->setRowHeight(row, viewRowHeight());
    }
    names = std::min(names, 170);
    const int room = m_table->viewport()->width() - names;
    const int views = std::max(1, m_model->views());
    const int each = std::clamp((room - 160) / views, 14, 72);
    top->resizeSection(ViewsModel::NameColumn, names);
    top->resizeSection(ViewsModel::MeanColumn, std::max(120, room - each * views));
    for (int view = 0; view < m_model->views(); ++view)
        top->resizeSection(ViewsModel::FirstView + view, each);
}

/// The table is as wide as its viewport, which is laid out after this panel.
bool ViewsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        QTimer::singleShot(0, this, &ViewsPanel::fitColumns);
    return QWidget::eventFilter(watched, event);
}

void ViewsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitColumns();
}

}
