#include "ui/compare/compare_card.h"

#include "ui/compare/photo_view.h"
#include "ui/compare/table/column_header.h"
#include "ui/compare/table/measurement_delegate.h"
#include "ui/compare/table/run_table_model.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"

#include <QBoxLayout>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QTableView>
#include <QTransposeProxyModel>

#include <algorithm>
#include <array>

namespace attnscope::ui {

namespace {

constexpr std::array<Row, 4> measuredRows{Row::WholeModel, Row::AttentionOnly, Row::PeakMemory,
                                          Row::RelativeError};
constexpr int maxColumns = 4;

void clearGround(QTableView& view, QPalette palette)
{
    palette.setColor(QPalette::Base, Qt::transparent);
    view.setPalette(palette);
}

void prepare(QTableView& view, const QString& name)
{
    plainTable(view, name);
    view.setSelectionMode(QAbstractItemView::SingleSelection);
    view.setEditTriggers(QAbstractItemView::NoEditTriggers);
    view.setMouseTracking(true);
    view.viewport()->setAutoFillBackground(false);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setCornerButtonEnabled(false);
    clearGround(view, view.palette());
}

}

/// A row's name with its caption; a click sorts the columns by that row.
class RowName : public QAbstractButton {
public:
    RowName(Row row, QWidget* parent)
        : QAbstractButton(parent)
        , m_row(row)
    {
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setAccessibleName(CompareCard::tr("Sort by %1").arg(rowTitle(row)));
        const QString sorts = CompareCard::tr("%1 (%2): click to sort").arg(rowTitle(row), rowCaption(row));
        setToolTip(rowHelp(row).isEmpty() ? sorts : rowHelp(row) + QLatin1Char('\n') + sorts);
    }
    Row row() const { return m_row; }
    void setArrow(int arrow)
    {
        m_arrow = arrow;
        setAccessibleDescription(arrow == 0  ? QString()
                                 : arrow > 0 ? CompareCard::tr("ascending")
                                             : CompareCard::tr("descending"));
        update();
    }
    static int neededWidth(Row row)
    {
        return 13 + QFontMetrics(fontFor(Type::BodyStrong)).horizontalAdvance(rowTitle(row)) + 8
               + QFontMetrics(fontFor(Type::Small)).horizontalAdvance(rowCaption(row)) + 13;
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = Theme::of(palette());
        if (underMouse())
            painter.fillRect(QRect(0, 1, width(), height() - 1), theme.hover);
        painter.fillRect(QRect(0, 0, width(), 1), theme.line);
        const QRectF inner = QRectF(rect()).adjusted(11, 0, -13, 0);
        drawLine(painter, inner, rowTitle(m_row), fontFor(Type::BodyStrong), theme.text);
        const double title = QFontMetricsF(fontFor(Type::BodyStrong)).horizontalAdvance(rowTitle(m_row));
        if (m_arrow != 0)
            drawLine(painter, inner.adjusted(title + 4, 0, 0, 0), m_arrow > 0 ? u"↑"_s : u"↓"_s,
                     fontFor(Type::BodyStrong), theme.accText);
        const double arrow = m_arrow != 0 ? 14 : 0;
        if (title + arrow + QFontMetricsF(fontFor(Type::Small)).horizontalAdvance(rowCaption(m_row)) + 4
            <= inner.width())
            drawLine(painter, inner, rowCaption(m_row), fontFor(Type::Small), theme.text3, Qt::AlignRight);
    }

private:
    Row m_row;
    int m_arrow = 0;
};

CompareCard::CompareCard(RunTableModel& runs, QWidget* parent)
    : QFrame(parent)
    , m_runs(runs)
{
    setProperty("card", true);
    m_layout = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_layout->setContentsMargins(1, 1, 1, 1);  // the card's border: headers are opaque and would cover it
    m_layout->setSpacing(0);
    m_layout->addWidget(buildSide());
    buildGrid();
    buildTable();
    m_layout->addWidget(m_grid, 1);
    m_layout->addWidget(m_table, 1);
    connect(&runs, &QAbstractItemModel::modelReset, this, &CompareCard::arrange);
    connect(&runs, &RunTableModel::figuresChanged, this, &CompareCard::refreshSort);
    arrange();
}

QWidget* CompareCard::buildSide()
{
    m_side = new QWidget(this);
    m_sideLayout = new QBoxLayout(QBoxLayout::TopToBottom, m_side);
    m_sideLayout->setContentsMargins(0, 0, 0, 0);
    m_sideLayout->setSpacing(0);
    m_photoBlock = new QWidget(m_side);
    m_photoLayout = new QBoxLayout(QBoxLayout::TopToBottom, m_photoBlock);
    m_photo = new PhotoView(m_photoBlock);
    m_photoLayout->addWidget(m_photo, 1);
    auto* caption = new QHBoxLayout;
    caption->setSpacing(4);
    m_name = new ElidedLabel(m_photoBlock);
    m_name->setFont(fontFor(Type::BodyStrong));
    m_size = new QLabel(m_photoBlock);
    m_size->setForegroundRole(QPalette::PlaceholderText);
    m_size->setFont(fontFor(Type::Small));
    m_position = new QLabel(m_photoBlock);
    m_position->setFont(fontFor(Type::Small));
    m_previous = new IconButton(u"chevron-left"_s, tr("Previous input"), m_photoBlock);
    m_next = new IconButton(u"chevron-right"_s, tr("Next input"), m_photoBlock);
    caption->addWidget(m_name);
    caption->addWidget(m_size, 1);
    caption->addWidget(m_previous);
    caption->addWidget(m_position);
    caption->addWidget(m_next);
    m_photoLayout->addLayout(caption);
    m_sideLayout->addWidget(m_photoBlock);
    for (const Row row : measuredRows) {
        auto* name = new RowName(row, m_side);
        m_sideLayout->addWidget(name);
        m_names.push_back(name);
        connect(name, &QAbstractButton::clicked, this, [this, row] { sortBy(row); });
    }
    m_sideLayout->addStretch(1);
    connect(m_previous, &IconButton::clicked, this, [this] { emit stepRequested(-1); });
    connect(m_next, &IconButton::clicked, this, [this] { emit stepRequested(1); });
    connect(m_photo, &PhotoView::stepRequested, this, &CompareCard::stepRequested);
    return m_side;
}

void CompareCard::buildGrid()
{
    m_grid = new QTableView(this);
    prepare(*m_grid, tr("Comparison"));
    m_grid->setModel(&m_runs);
    m_header = new BackendHeader(Qt::Horizontal, m_grid);
    m_grid->setHorizontalHeader(m_header);
    m_grid->verticalHeader()->setMinimumSectionSize(20);
    m_grid->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(connectView(*m_grid, *m_header), &MeasurementDelegate::moreRequested, this, &CompareCard::toggleMore);
    connect(m_grid, &QAbstractItemView::clicked, this,
            [this](const QModelIndex& index) { emit chosenChanged(index.column()); });
    m_grid->installEventFilter(this);
}

MeasurementDelegate* CompareCard::connectView(QTableView& view, BackendHeader& header)
{
    auto* delegate = new MeasurementDelegate(&view);
    view.setItemDelegate(delegate);
    connect(delegate, &MeasurementDelegate::detailsRequested, this, &CompareCard::detailsRequested);
    connect(&header, &BackendHeader::moved, &m_runs, &RunTableModel::moveColumn);
    connect(&header, &QHeaderView::sectionClicked, this, &CompareCard::chosenChanged);
    header.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&header, &QWidget::customContextMenuRequested, this,
            [this, &header](const QPoint& at) { columnMenu(header.logicalIndexAt(at), header.mapToGlobal(at)); });
    return delegate;
}

void CompareCard::buildTable()
{
    m_table = new QTableView(this);
    prepare(*m_table, tr("Comparison as a table"));
    m_table->setProperty("transposed", true);
    auto* transposed = new QTransposeProxyModel(m_table);
    transposed->setSourceModel(&m_runs);
    m_table->setModel(transposed);
    m_tableHeader = new BackendHeader(Qt::Vertical, m_table);
    m_table->setVerticalHeader(m_tableHeader);
    connectView(*m_table, *m_tableHeader);
    QHeaderView* top = m_table->horizontalHeader();
    top->setSectionResizeMode(QHeaderView::Stretch);
    top->setSectionResizeMode(0, QHeaderView::Fixed);
    top->resizeSection(0, 150);
    top->setFixedHeight(36);
    top->setProperty("labelPadding", 9);
    top->setSectionsClickable(true);
    top->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    top->setAccessibleName(tr("Measurements"));
    connect(top, &QHeaderView::sectionClicked, this, [this](int section) { sortBy(m_runs.rowAt(section)); });
    connect(m_table, &QAbstractItemView::clicked, this,
            [this](const QModelIndex& index) { emit chosenChanged(index.row()); });
}

bool CompareCard::isTable() const
{
    return m_runs.columnCount() > maxColumns;
}

int CompareCard::sideWidth() const
{
    int width = 206;
    for (const Row row : measuredRows)
        width = std::max(width, RowName::neededWidth(row));
    return std::min(width, 250);
}

int CompareCard::widestUseful() const
{
    return isTable() ? 1400 : sideWidth() + 320 * std::max(1, m_runs.columnCount()) + 2;
}

void CompareCard::arrange()
{
    const bool asTable = isTable();
    m_grid->setVisible(!asTable);
    m_table->setVisible(asTable);
    for (RowName* name : m_names)
        name->setVisible(!asTable);
    const int predictions = MeasurementDelegate::predictionsHeight(m_shown),
              measured = MeasurementDelegate::rowHeight();
    const int head = BackendHeader::sectionHeight();
    m_layout->setDirection(asTable ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_photoLayout->setDirection(asTable ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_photoLayout->setSpacing(asTable ? 12 : 3);
    m_photoLayout->setContentsMargins(11, asTable ? 8 : 10, 8, asTable ? 8 : 3);
    if (asTable) {
        m_side->setMinimumWidth(0);
        m_side->setMaximumWidth(QWIDGETSIZE_MAX);
        m_photo->setFixedSize(100, 60);
        m_photoBlock->setFixedHeight(76);
        m_side->setFixedHeight(77);
        const int row = std::max(MeasurementDelegate::twoLines(), measured);
        for (int backend = 0; backend < m_runs.columnCount(); ++backend)
            m_table->setRowHeight(backend, row);
        const int needed = m_tableHeader->sizeHint().width();
        m_tableHeader->setFixedWidth(std::clamp(needed, 150, 320));
        setFixedHeight(77 + 36 + row * m_runs.columnCount() + 2);
        return;
    }
    m_side->setFixedWidth(sideWidth());
    m_side->setMinimumHeight(0);
    m_side->setMaximumHeight(QWIDGETSIZE_MAX);
    m_photo->setMinimumSize(0, 0);
    m_photo->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    m_photoBlock->setFixedHeight(head + predictions);
    m_grid->setRowHeight(0, predictions);
    for (size_t i = 0; i < m_names.size(); ++i) {
        m_names[i]->setFixedHeight(measured);
        m_grid->setRowHeight(int(i) + 1, measured);
    }
    m_header->setFixedHeight(head);
    setFixedHeight(head + predictions + measured * int(m_names.size()) + 2);
}

void CompareCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        arrange();
    if (event->type() == QEvent::PaletteChange)
        for (QTableView* view : {m_grid, m_table})
            clearGround(*view, palette());
}

/// Keys on a cell of the grid: of predictions, all five are shown.
bool CompareCard::eventFilter(QObject* watched, QEvent* event)
{
    const int key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event)->key() : 0;
    if (watched != m_grid || (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Space))
        return QFrame::eventFilter(watched, event);
    const QModelIndex index = m_grid->currentIndex();
    if (index.row() == 0)
        toggleMore();
    else if (index.isValid())
        emit chosenChanged(index.column());
    return true;
}

void CompareCard::toggleMore()
{
    m_shown = m_shown > 3 ? 3 : 5;
    m_runs.setShownPredictions(m_shown);
    arrange();
}

void CompareCard::setChosen(int column)
{
    m_header->setChosen(column);
    m_tableHeader->setChosen(column);
}

void CompareCard::showInput(const QString& name, const QString& details, int index, int count)
{
    m_name->setText(name);
    m_name->setToolTip(name);
    m_size->setText(details);
    const bool several = count > 1;
    m_position->setText(tr("%1 of %2").arg(index + 1).arg(count));
    // The size gives way to the name where both and the arrows do not fit; it is in the image's tooltip as well.
    const int arrows = several ? 56 + m_position->sizeHint().width() : 0;
    const int needed = QFontMetrics(m_name->font()).horizontalAdvance(name) + 4 + m_size->sizeHint().width()
                       + arrows;
    m_size->setVisible(!details.isEmpty() && (isTable() || needed <= sideWidth() - 22));
    for (QWidget* part :
         {static_cast<QWidget*>(m_position), static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_next)})
        part->setVisible(several);
    m_name->setMinimumHeight(24);
    m_previous->setEnabled(index > 0);
    m_next->setEnabled(index + 1 < count);
}

void CompareCard::sortBy(Row row)
{
    const bool again = m_runs.sortedRow() == row && m_runs.sortOrder() == Qt::AscendingOrder;
    m_runs.sortByRow(row, again ? Qt::DescendingOrder : Qt::AscendingOrder);
    refreshSort();
}

void CompareCard::refreshSort()
{
    for (RowName* name : m_names)
        name->setArrow(m_runs.sortedRow() != name->row() ? 0 : m_runs.sortOrder() == Qt::AscendingOrder ? 1 : -1);
    QHeaderView* top = m_table->horizontalHeader();
    top->resizeSection(0, m_runs.subject() == Subject::Features ? 190 : 150);
    top->setSortIndicatorShown(m_runs.sortedRow().has_value());
    if (m_runs.sortedRow())
        top->setSortIndicator(m_runs.sortedRow() == m_runs.rowAt(0) ? 0 : int(*m_runs.sortedRow()),
                              m_runs.sortOrder());
}

void CompareCard::columnMenu(int column, const QPoint& position)
{
    if (column < 0 || column >= m_runs.columnCount())
        return;
    const ColumnSpec spec = m_runs.column(column);
    QMenu menu(this);
    menu.addAction(tr("Use as reference"), this, [this, spec] { emit referenceRequested(spec.id); })
        ->setEnabled(!spec.reference);
    QAction* pin = menu.addAction(tr("Pin reference first"));
    pin->setCheckable(true);
    pin->setChecked(m_runs.referencePinned());
    connect(pin, &QAction::toggled, &m_runs, &RunTableModel::setReferencePinned);
    menu.addSeparator();
    menu.addAction(tr("Move left"), this, [this, column] { m_runs.moveColumn(column, column - 1); })
        ->setEnabled(column > 0);
    menu.addAction(tr("Move right"), this, [this, column] { m_runs.moveColumn(column, column + 1); })
        ->setEnabled(column + 1 < m_runs.columnCount());
    menu.addSeparator();
    menu.addAction(tr("Remove"), this, [this, spec] { emit removeRequested(spec.id); });
    menu.exec(position);
}

}
